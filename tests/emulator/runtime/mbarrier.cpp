// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// runtime/mbarrier.cpp: mbarriers and the copies that report to them.
//
// A copy lands, with late timing, when every thread waits for something: a thread that does
// not wait for its bytes has then long looked at them. Landing is a moment in a count of its own,
// which those get to know who wait for the barrier it reports to.
//==============================================================================
#include "emulator/mbarrier.h"

#include <algorithm>
#include <cstring>

#include "runtime/machine.h"

namespace emulator {
namespace {

// A thread that polls in vain this often, with nothing else going on, never gets its phase.
constexpr int kPatience = 100;

void complete_if_due(Mbarrier& barrier) {
  if (barrier.missing_arrivals != 0 || barrier.missing_bytes != 0) return;
  barrier.missing_arrivals = barrier.arrivals;
  barrier.parity ^= 1;
  barrier.complete_view = barrier.view;
  for (Thread* thread : barrier.waiting) resume(*thread);
  barrier.waiting.clear();
}

Moment moment_of_landing(Mbarrier& barrier) {
  Machine& m = machine();
  const size_t count = m.threads.size() + barrier.copy_clock;
  const uint32_t clock = ++m.copy_clocks[barrier.copy_clock];
  if (barrier.view.empty()) barrier.view.assign(m.threads.size() + kCopyClocks, 0);
  barrier.view[count] = clock;
  return {static_cast<uint16_t>(count), clock};
}

void land(const BulkCopy& copy) {
  Machine& m = machine();
  unsigned char* const to = shared_bytes({copy.block, copy.destination});
  const size_t bytes = copy.box->bytes();
  std::vector<unsigned char> rows(bytes);
  copy.box->read(rows.data());
  for (uint32_t i = 0; i < bytes; i += 16) {
    const uint32_t at = swizzled(copy.destination + i, copy.box->map.swizzle_bytes);
    std::memcpy(shared_bytes({copy.block, at}), rows.data() + i, 16);
  }
  Mbarrier& barrier = m.blocks[static_cast<size_t>(copy.block)].mbarriers.at(copy.barrier);
  const Moment moment = moment_of_landing(barrier);
  if (m.watching) mark_landed(reinterpret_cast<uintptr_t>(to), bytes, moment);
  barrier.missing_bytes -= static_cast<int64_t>(bytes);
  complete_if_due(barrier);
}

void arrive_at(SharedPlace place, int expected_bytes, const void* site) {
  Mbarrier& barrier = barrier_at(place, site);
  if (barrier.missing_arrivals == 0) {
    fail(site, "one arrival more than the mbarrier's %d in a phase", barrier.arrivals);
  }
  release_to(barrier.view);
  barrier.missing_bytes += expected_bytes;
  --barrier.missing_arrivals;
  complete_if_due(barrier);
}

bool block_has_ended(const Block& block) {
  const Machine& m = machine();
  for (int i = 0; i < block.threads; ++i) {
    if (!m.threads[static_cast<size_t>(block.first_thread + i)].done) return false;
  }
  return true;
}

}  // namespace

Mbarrier& barrier_at(SharedPlace place, const void* site) {
  Machine& m = machine();
  if (place.block < 0 || static_cast<size_t>(place.block) >= m.blocks.size()) {
    fail(site, "the cluster has no block %d", place.block);
  }
  Block& block = m.blocks[static_cast<size_t>(place.block)];
  if (block_has_ended(block)) {
    fail(site, "the shared memory of block %d of the cluster, which has ended", place.block);
  }
  const auto found = block.mbarriers.find(place.address);
  if (found == block.mbarriers.end()) {
    fail(site, "no mbarrier was initialised at 0x%x", place.address);
  }
  if (!is_over(self(), found->second.made)) {
    fail(site, "the mbarrier's initialisation is not known here: no barrier in between");
  }
  return found->second;
}

void mbarrier_init(uint32_t address, int arrivals) {
  const Guard guard;
  Machine& m = machine();
  const void* const site = __builtin_return_address(0);
  const auto memory = reinterpret_cast<uintptr_t>(shared_pointer(address));
  if (address % 8 != 0) fail(site, "an mbarrier at 0x%x, not aligned to 8", address);
  if (arrivals < 1) fail(site, "an mbarrier for %d arrivals", arrivals);
  if (m.watching) check_access(memory, 8, Access::kWrite, site);
  Mbarrier barrier;
  barrier.arrivals = barrier.missing_arrivals = arrivals;
  barrier.made = {static_cast<uint16_t>(self().id), self().clock};
  barrier.copy_clock = m.mbarriers_made++ % kCopyClocks;
  block_of(self()).mbarriers[address] = barrier;
}

void mbarrier_invalidate(uint32_t address) {
  const Guard guard;
  const void* const site = __builtin_return_address(0);
  Block& block = block_of(self());
  const Mbarrier& barrier = barrier_at({self().block, address}, site);
  if (!barrier.waiting.empty()) fail(site, "an mbarrier goes that threads wait for");
  if (barrier.missing_bytes != 0) fail(site, "an mbarrier goes that copies report to");
  block.mbarriers.erase(address);
}

void mbarrier_fence_init() {
  const Guard guard;
  for (auto& [address, barrier] : block_of(self()).mbarriers) {
    if (barrier.made.thread == self().id) barrier.fenced = true;
  }
  self().released_view = view_of(self());
  ++self().clock;
}

void mbarrier_arrive(uint32_t address, int expected_bytes) {
  const Guard guard;
  arrive_at(shared_place(address), expected_bytes, __builtin_return_address(0));
}

void mbarrier_arrive_remote(uint32_t address, uint32_t rank) {
  const Guard guard;
  arrive_at({static_cast<int>(rank), address}, 0, __builtin_return_address(0));
}

namespace {

// Whether the phase of `parity` is over; before it says no it lets others run, but for one of
// `at_once_of` first polls.
bool is_over(uint32_t address, int parity, uint64_t at_once_of, const void* site) {
  const SharedPlace place = shared_place(address);
  const auto complete = [&] { return barrier_at(place, site).parity != parity; };
  if (!complete()) {
    if (self().polls == 0 && random_below(at_once_of) == 0) {
      ++self().polls;
      return false;
    }
    Mbarrier& barrier = barrier_at(place, site);
    barrier.waiting.push_back(&self());
    if (++self().polls > kPatience) fail(site, "waits for a phase that never completes");
    suspend("an mbarrier", site);
    if (!complete()) return false;
  }
  self().polls = 0;
  acquire_from(barrier_at(place, site).complete_view);
  return true;
}

}  // namespace

// The first test of a phase that is not over says so at once: what a program does then is seen too.
bool mbarrier_test_wait(uint32_t address, int parity) {
  const Guard guard;
  return is_over(address, parity, 1, __builtin_return_address(0));
}

// So does one of four that wait: hardware waits as long as it likes.
bool mbarrier_try_wait(uint32_t address, int parity) {
  const Guard guard;
  return is_over(address, parity, 4, __builtin_return_address(0));
}

void start_bulk_copy(BulkCopy copy, const void* site) {
  Machine& m = machine();
  if (!barrier_at({copy.block, copy.barrier}, site).fenced) {
    fail(site,
         "a copy that reports to an mbarrier of whose initialisation copies know nothing: "
         "no mbarrier_fence_init");
  }
  unsigned char* const to = shared_bytes({copy.block, copy.destination});
  if (m.watching) mark_pending(reinterpret_cast<uintptr_t>(to), copy.box->bytes(), site);
  std::memset(to, 0xff, copy.box->bytes());
  if (m.settings.copies == CopyTiming::kAtOnce || !m.fibers) {
    land(copy);
  } else {
    m.bulk_copies.push_back(std::move(copy));
  }
}

bool land_a_bulk_copy() {
  Machine& m = machine();
  if (m.bulk_copies.empty()) return false;
  const auto index = static_cast<ptrdiff_t>(random_below(m.bulk_copies.size()));
  const BulkCopy copy = std::move(m.bulk_copies[static_cast<size_t>(index)]);
  m.bulk_copies.erase(m.bulk_copies.begin() + index);
  land(copy);
  return true;
}

bool let_pollers_poll() {
  bool any = false;
  for (Block& block : machine().blocks) {
    for (auto& [address, barrier] : block.mbarriers) {
      for (Thread* thread : barrier.waiting) {
        resume(*thread);
        any = true;
      }
      barrier.waiting.clear();
    }
  }
  return any;
}

}  // namespace emulator
