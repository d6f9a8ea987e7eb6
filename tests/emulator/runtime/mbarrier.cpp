// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// runtime/mbarrier.cpp: mbarriers and the bulk copies that report to them.
//
// A bulk copy lands, with late timing, when every thread waits for something: a thread that does
// not wait for its bytes has then long looked at them.
//==============================================================================
#include "emulator/mbarrier.h"

#include <algorithm>
#include <cstring>

#include "runtime/machine.h"

namespace emulator {
namespace {

// A thread that polls in vain this often, with nothing else going on, never gets its phase.
constexpr int kPatience = 100;

Mbarrier& barrier_at(uint32_t address, const void* site) {
  Machine& m = machine();
  const auto found = m.mbarriers.find(address);
  if (found == m.mbarriers.end()) fail(site, "no mbarrier was initialised at 0x%x", address);
  if (!is_over(self(), found->second.made)) {
    fail(site, "the mbarrier's initialisation is not known here: no barrier in between");
  }
  return found->second;
}

void complete_if_due(Mbarrier& barrier) {
  if (barrier.missing_arrivals != 0 || barrier.missing_bytes != 0) return;
  barrier.missing_arrivals = barrier.arrivals;
  barrier.parity ^= 1;
  barrier.complete_view = barrier.view;
  for (Thread* thread : barrier.waiting) resume(*thread);
  barrier.waiting.clear();
}

void land(const BulkCopy& copy) {
  Machine& m = machine();
  std::memcpy(reinterpret_cast<void*>(copy.destination), reinterpret_cast<const void*>(copy.source),
              copy.bytes);
  if (m.watching) mark_landed(copy.destination, copy.bytes);
  Mbarrier& barrier = m.mbarriers.at(copy.barrier);
  barrier.missing_bytes -= static_cast<int64_t>(copy.bytes);
  complete_if_due(barrier);
}

}  // namespace

void mbarrier_init(uint32_t address, int arrivals) {
  const Guard guard;
  const void* const site = __builtin_return_address(0);
  const auto memory = reinterpret_cast<uintptr_t>(shared_pointer(address));
  if (address % 8 != 0) fail(site, "an mbarrier at 0x%x, not aligned to 8", address);
  if (arrivals < 1) fail(site, "an mbarrier for %d arrivals", arrivals);
  if (machine().watching) check_access(memory, 8, Access::kWrite, site);
  Mbarrier barrier;
  barrier.arrivals = barrier.missing_arrivals = arrivals;
  barrier.made = {static_cast<uint16_t>(self().id), self().clock};
  machine().mbarriers[address] = barrier;
}

void mbarrier_arrive(uint32_t address, int expected_bytes) {
  const Guard guard;
  const void* const site = __builtin_return_address(0);
  Mbarrier& barrier = barrier_at(address, site);
  if (barrier.missing_arrivals == 0) {
    fail(site, "one arrival more than the mbarrier's %d in a phase", barrier.arrivals);
  }
  release_to(barrier.view);
  barrier.missing_bytes += expected_bytes;
  --barrier.missing_arrivals;
  complete_if_due(barrier);
}

bool mbarrier_try_wait(uint32_t address, int parity) {
  const Guard guard;
  const void* const site = __builtin_return_address(0);
  const auto complete = [&] { return barrier_at(address, site).parity != parity; };
  if (!complete()) {
    Mbarrier& barrier = barrier_at(address, site);
    barrier.waiting.push_back(&self());
    if (++self().polls > kPatience) fail(site, "waits for a phase that never completes");
    suspend("an mbarrier", site);
    if (!complete()) return false;
  }
  self().polls = 0;
  acquire_from(barrier_at(address, site).complete_view);
  return true;
}

void copy_bulk(uint32_t destination, const void* source, int bytes, uint32_t barrier) {
  const Guard guard;
  const void* const site = __builtin_return_address(0);
  const auto to = reinterpret_cast<uintptr_t>(shared_pointer(destination));
  const auto from = reinterpret_cast<uintptr_t>(source);
  if (bytes <= 0 || bytes % 16 != 0 || to % 16 != 0 || from % 16 != 0) {
    fail(site, "cp.async.bulk of %d bytes from %#zx to %#zx: not all multiples of 16", bytes, from,
         to);
  }
  const auto size = static_cast<size_t>(bytes);
  barrier_at(barrier, site);
  if (machine().watching) {
    if (!is_shared(to, size)) fail(site, "cp.async.bulk to no shared variable");
    for (size_t i = 0; i < size; i += 16) check_access(from + i, 16, Access::kRead, site);
    mark_pending(to, size, site);
  }
  std::memset(reinterpret_cast<void*>(to), 0xff, size);
  const BulkCopy copy{to, from, size, barrier};
  if (machine().settings.copies == CopyTiming::kAtOnce || !machine().fibers) {
    land(copy);
  } else {
    machine().bulk_copies.push_back(copy);
  }
}

bool land_a_bulk_copy() {
  Machine& m = machine();
  if (m.bulk_copies.empty()) return false;
  const auto index = static_cast<ptrdiff_t>(random_below(m.bulk_copies.size()));
  const BulkCopy copy = m.bulk_copies[static_cast<size_t>(index)];
  m.bulk_copies.erase(m.bulk_copies.begin() + index);
  land(copy);
  return true;
}

bool let_pollers_poll() {
  bool any = false;
  for (auto& [address, barrier] : machine().mbarriers) {
    for (Thread* thread : barrier.waiting) {
      resume(*thread);
      any = true;
    }
    barrier.waiting.clear();
  }
  return any;
}

}  // namespace emulator
