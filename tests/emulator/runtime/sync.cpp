// SPDX-License-Identifier: BSD-3-Clause
// runtime/sync.cpp: barriers and warp collectives, and the order of memory accesses they make.
#include <algorithm>
#include <utility>

#include "runtime/machine.h"

namespace emulator {
namespace {

// What the thread knows, itself included.
std::vector<uint32_t> view_of(const Thread& thread) {
  std::vector<uint32_t> view = thread.view.empty() ? machine().known : thread.view;
  view[static_cast<size_t>(thread.id)] = thread.clock;
  return view;
}

void join(std::vector<uint32_t>& into, const std::vector<uint32_t>& from) {
  if (into.empty()) {
    into = from;
    return;
  }
  for (size_t i = 0; i < into.size(); ++i) into[i] = std::max(into[i], from[i]);
}

// Everybody has met: nothing older than this moment is unknown to anyone.
void all_have_met() {
  Machine& m = machine();
  for (Thread& thread : m.threads) {
    m.known[static_cast<size_t>(thread.id)] = thread.clock;
    ++thread.clock;
    thread.view.clear();
  }
}

void arrive(Barrier& barrier, int id, int threads) {
  Machine& m = machine();
  const int expected = threads == 0 ? static_cast<int>(m.threads.size()) : threads;
  if (expected % 32 != 0 && threads != 0) invalid("barrier %d for %d threads", id, threads);
  if (barrier.arrived != 0 && barrier.expected != expected) {
    invalid("barrier %d is for %d threads here and for %d elsewhere", id, expected,
            barrier.expected);
  }
  barrier.expected = expected;
  ++barrier.arrived;
  Thread& thread = self();
  if (expected != static_cast<int>(m.threads.size())) {
    join(barrier.view, view_of(thread));
    ++thread.clock;
  }
}

// True where the calling thread was the last: all go on.
bool complete(Barrier& barrier) {
  if (barrier.arrived < barrier.expected) return false;
  if (barrier.expected == static_cast<int>(machine().threads.size())) {
    all_have_met();
  } else {
    join(self().view, barrier.view);
    for (Thread* thread : barrier.waiting) {
      std::vector<uint32_t> view = view_of(*thread);
      join(view, barrier.view);
      thread->view = std::move(view);
    }
  }
  for (Thread* thread : barrier.waiting) resume(*thread);
  barrier.waiting.clear();
  barrier.view.clear();
  barrier.arrived = 0;
  return true;
}

Barrier& barrier_of(int id) {
  if (id < 0 || id > 15) invalid("there is no barrier %d", id);
  return machine().barriers[static_cast<size_t>(id)];
}

Collective& collective_of(std::vector<Collective>& pending, unsigned mask, const char* instruction,
                          unsigned lane_bit) {
  for (Collective& one : pending) {
    if ((one.mask & mask) == 0) continue;
    if (one.mask != mask || one.instruction != instruction || (one.arrived & lane_bit) != 0) {
      invalid("%s for lanes 0x%08x meets %s for lanes 0x%08x", instruction, mask, one.instruction,
              one.mask);
    }
    return one;
  }
  pending.push_back({});
  pending.back().mask = mask;
  pending.back().instruction = instruction;
  return pending.back();
}

}  // namespace

bool is_over(const Thread& thread, Moment moment) {
  if (moment.thread == thread.id) return true;
  const std::vector<uint32_t>& view = thread.view.empty() ? machine().known : thread.view;
  return moment.clock <= view[moment.thread];
}

void release_to(std::vector<uint32_t>& view) {
  join(view, view_of(self()));
  ++self().clock;
}

void acquire_from(const std::vector<uint32_t>& view) {
  std::vector<uint32_t> mine = view_of(self());
  if (!view.empty()) join(mine, view);
  self().view = std::move(mine);
}

void block_barrier(int id, int threads) {
  const Guard guard;
  Barrier& barrier = barrier_of(id);
  arrive(barrier, id, threads);
  if (complete(barrier)) return;
  barrier.waiting.push_back(&self());
  suspend("a barrier", __builtin_return_address(0));
}

void block_barrier_arrive(int id, int threads) {
  const Guard guard;
  Barrier& barrier = barrier_of(id);
  arrive(barrier, id, threads);
  complete(barrier);
}

int lane() { return self().id % 32; }

void collective(unsigned mask, const char* instruction, void* operand, Combine combine,
                const void* site) {
  const Guard guard;
  Machine& m = machine();
  Thread& thread = self();
  const unsigned index = static_cast<unsigned>(thread.id) % 32;
  if ((mask >> index & 1) == 0) invalid("%s by a lane outside its mask 0x%08x", instruction, mask);
  std::vector<Collective>& pending = m.collectives[static_cast<size_t>(thread.id) / 32];
  Collective& mine = collective_of(pending, mask, instruction, 1u << index);
  mine.arrived |= 1u << index;
  mine.operands[index] = operand;
  mine.threads[index] = &thread;
  if (mine.arrived != mask) {
    suspend(instruction, site != nullptr ? site : __builtin_return_address(0));
    return;
  }
  const Collective all = mine;
  pending.erase(pending.begin() + (&mine - pending.data()));
  void* operands[32];
  std::copy(all.operands.begin(), all.operands.end(), operands);
  const bool watched = std::exchange(m.watching, false);
  combine(operands);
  m.watching = watched;
  for (Thread* other : all.threads) {
    if (other != nullptr && other != &thread) resume(*other);
  }
}

void warp_barrier(unsigned mask) {
  Thread* thread = &self();
  collective(
      mask, "syncwarp", thread,
      [](void* const(&operands)[32]) {
        std::vector<uint32_t> met;
        for (void* operand : operands) {
          if (operand != nullptr) join(met, view_of(*static_cast<Thread*>(operand)));
        }
        for (void* operand : operands) {
          if (operand == nullptr) continue;
          auto* one = static_cast<Thread*>(operand);
          one->view = met;
          ++one->clock;
        }
      },
      __builtin_return_address(0));
}

}  // namespace emulator
