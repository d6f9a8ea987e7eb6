// SPDX-License-Identifier: BSD-3-Clause
// runtime/sync.cpp: barriers and warp collectives, and the order of memory accesses they make.
#include <algorithm>
#include <utility>

#include "runtime/machine.h"

namespace emulator {
namespace {

// The whole block has met: what one of its threads knows all know, and of each other everything.
void all_have_met(Block& block) {
  Machine& m = machine();
  const auto first = m.threads.begin() + block.first_thread;
  const auto last = first + block.threads;
  // Of the block's own threads nothing older than this moment is unknown to anyone.
  const size_t others = m.blocks.size() == 1 ? m.threads.size() : 0;
  for (auto thread = first; thread != last; ++thread) {
    if (thread->view.empty()) continue;
    for (size_t i = others; i < block.known.size(); ++i) {
      block.known[i] = std::max(block.known[i], thread->view[i]);
    }
    thread->view.clear();
  }
  for (auto thread = first; thread != last; ++thread) {
    block.known[static_cast<size_t>(thread->id)] = thread->clock;
    ++thread->clock;
  }
}

void arrive(Block& block, Barrier& barrier, int id, int threads, bool vote) {
  const int expected = threads == 0 ? block.threads : threads;
  if (expected % 32 != 0 && threads != 0) invalid("barrier %d for %d threads", id, threads);
  if (barrier.arrived != 0 && barrier.expected != expected) {
    invalid("barrier %d is for %d threads here and for %d elsewhere", id, expected,
            barrier.expected);
  }
  barrier.expected = expected;
  barrier.any = (barrier.arrived != 0 && barrier.any) || vote;
  ++barrier.arrived;
  Thread& thread = self();
  if (expected != block.threads) {
    join(barrier.view, view_of(thread));
    ++thread.clock;
  }
}

// True where the calling thread was the last: all go on.
bool complete(Block& block, Barrier& barrier) {
  if (barrier.arrived < barrier.expected) return false;
  if (barrier.expected == block.threads) {
    all_have_met(block);
  } else {
    learn(self(), barrier.view);
    for (Thread* thread : barrier.waiting) learn(*thread, barrier.view);
  }
  self().reduced = barrier.any;
  for (Thread* thread : barrier.waiting) {
    thread->reduced = barrier.any;
    resume(*thread);
  }
  barrier.waiting.clear();
  barrier.view.clear();
  barrier.arrived = 0;
  return true;
}

Barrier& barrier_of(Block& block, int id) {
  if (id < 0 || id > 15) invalid("there is no barrier %d", id);
  return block.barriers[static_cast<size_t>(id)];
}

void arrive_and_wait(int id, int threads, bool vote, const void* site) {
  Guard guard;
  Block& block = block_of(self());
  Barrier& barrier = barrier_of(block, id);
  arrive(block, barrier, id, threads, vote);
  if (complete(block, barrier)) return;
  barrier.waiting.push_back(&self());
  suspend_and_leave(guard, "a barrier", site);
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

// What the thread knows, itself included.
std::vector<uint32_t> view_of(const Thread& thread) {
  std::vector<uint32_t> view = thread.view.empty() ? block_of(thread).known : thread.view;
  view[static_cast<size_t>(thread.id)] = thread.clock;
  return view;
}

void join(std::vector<uint32_t>& into, const std::vector<uint32_t>& from) {
  if (into.empty()) {
    into = from;
    return;
  }
  for (size_t i = 0; i < from.size(); ++i) into[i] = std::max(into[i], from[i]);
}

void release_to(std::vector<uint32_t>& view) {
  join(view, view_of(self()));
  ++self().clock;
}

void learn(Thread& thread, const std::vector<uint32_t>& view) {
  if (thread.view.empty()) thread.view = view_of(thread);
  join(thread.view, view);
  thread.view[static_cast<size_t>(thread.id)] = thread.clock;
}

void learn(Thread& thread, Moment moment) {
  if (is_over(thread, moment)) return;
  if (thread.view.empty()) thread.view = view_of(thread);
  thread.view[moment.thread] = moment.clock;
}

void acquire_from(const std::vector<uint32_t>& view) { learn(self(), view); }

void block_barrier(int id, int threads) {
  arrive_and_wait(id, threads, false, __builtin_return_address(0));
}

bool block_barrier_or(int id, int threads, bool vote) {
  arrive_and_wait(id, threads, vote, __builtin_return_address(0));
  return self().reduced;
}

int lane() { return self().id % 32; }

void collective(unsigned mask, const char* instruction, void* operand, Combine combine,
                const void* site) {
  Machine& m = machine();
  Thread& thread = self();
  const size_t warp = static_cast<size_t>(thread.id) / 32;
  Guard guard(warp);
  const unsigned index = static_cast<unsigned>(thread.id) % 32;
  if ((mask >> index & 1) == 0) invalid("%s by a lane outside its mask 0x%08x", instruction, mask);
  std::vector<Collective>& pending = m.collectives[warp];
  Collective& mine = collective_of(pending, mask, instruction, 1u << index);
  mine.arrived |= 1u << index;
  mine.operands[index] = operand;
  mine.threads[index] = &thread;
  if (mine.arrived != mask) {
    suspend_and_leave(guard, instruction, site != nullptr ? site : __builtin_return_address(0));
    return;
  }
  const Collective all = mine;
  pending.erase(pending.begin() + (&mine - pending.data()));
  void* operands[32];
  std::copy(all.operands.begin(), all.operands.end(), operands);
  // Written only where it is set: threads of the host's own (schedule_threads.cpp) never watch.
  const bool watched = m.watching;
  if (watched) m.watching = false;
  combine(operands);
  if (watched) m.watching = true;
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
