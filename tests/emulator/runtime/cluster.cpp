// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// runtime/cluster.cpp: the barrier of a cluster, and setmaxnreg.
//
// Registers: every warp of a block starts with as many a thread as the block's launch bounds allow
// (the register file divided among its threads, in eights); what decreases give up, increases
// take, and wait for where it is not there yet.
//==============================================================================
#include "emulator/cluster.h"

#include <algorithm>
#include <cstring>

#include "runtime/machine.h"

namespace emulator {
namespace {

constexpr int kRegisterFile = 64 * 1024;
constexpr int kMostRegisters = 255;

struct RegisterRequest {
  int count;
  bool increase;
  const void* site;
};

int registers_at_launch(const Block& block) {
  if (machine().registers_at_start != 0) return machine().registers_at_start;
  return std::min(kRegisterFile / block.threads, kMostRegisters) / 8 * 8;
}

// Registers a thread that no warp of the block has, summed over its warps.
int spare_registers(const Block& block, int warps) {
  const Machine& m = machine();
  int spare = registers_at_launch(block) * warps;
  for (int warp = 0; warp < warps; ++warp) {
    spare -= m.registers[static_cast<size_t>(block.first_thread / 32 + warp)];
  }
  return spare;
}

void check_count(int count, const void* site) {
  const Block& block = block_of(self());
  if (count % 8 != 0 || count < 24 || count > 256) {
    fail(site, "setmaxnreg to %d registers: not a multiple of 8 from 24 to 256", count);
  }
  if (block.threads % 128 != 0) fail(site, "setmaxnreg in a block of no whole warpgroups");
}

// The warp's count before; all its lanes are there.
int& registers_of_warp() {
  Machine& m = machine();
  if (m.registers.empty()) {
    m.registers.assign(m.threads.size() / 32, registers_at_launch(m.blocks.front()));
  }
  return m.registers[static_cast<size_t>(self().id / 32)];
}

void meet(RegisterRequest* request, const char* instruction) {
  collective(
      0xffffffffu, instruction, request,
      [](void* const(&operands)[32]) {
        for (void* operand : operands) {
          if (static_cast<RegisterRequest*>(operand)->count !=
              static_cast<RegisterRequest*>(operands[0])->count) {
            invalid("setmaxnreg to different counts in one warp");
          }
        }
      },
      request->site);
}

// The barrier waits for the threads that have not ended. Who arrives from then on belongs to the
// next phase, which ends only when all have waited for this one.
void complete_if_due() {
  Machine& m = machine();
  Barrier& barrier = m.cluster_barrier;
  if (barrier.arrived == 0 ||
      static_cast<size_t>(barrier.arrived) + m.threads_ended < m.threads.size()) {
    return;
  }
  barrier.arrived = 0;
  barrier.complete_view = barrier.view;
  for (Thread& thread : m.threads) thread.cluster_phase_over = true;
  for (Thread* thread : barrier.waiting) resume(*thread);
  barrier.waiting.clear();
}

// Takes to the others what this thread knows in `view`.
void arrive_with(const std::vector<uint32_t>& view, const void* site) {
  Thread& thread = self();
  if (thread.arrived_at_cluster) {
    fail(site, "a second cluster_arrive with no cluster_wait in between");
  }
  thread.arrived_at_cluster = true;
  join(machine().cluster_barrier.view, view);
  ++machine().cluster_barrier.arrived;
  complete_if_due();
}

}  // namespace

uint32_t cluster_rank() { return static_cast<uint32_t>(self().block); }

uint32_t cluster_size() { return static_cast<uint32_t>(machine().blocks.size()); }

Bits16 load_cluster_shared_16(uint32_t address, uint32_t rank) {
  const void* const site = __builtin_return_address(0);
  if (rank >= cluster_size()) {
    fail(site, "shared memory of block %u of a cluster of %u", rank, cluster_size());
  }
  const Guard guard;
  const auto is_of_block = [rank](const Thread& thread) {
    return thread.block == static_cast<int>(rank) && !thread.done;
  };
  if (std::ranges::none_of(machine().threads, is_of_block)) {
    fail(site, "shared memory of block %u of the cluster, which has ended", rank);
  }
  const unsigned char* const from =
      shared_bytes({static_cast<int>(rank), shared_place(address).address});
  check_cluster_read(reinterpret_cast<uintptr_t>(from), sizeof(Bits16), site);
  Bits16 value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

void cluster_arrive() {
  const Guard guard;
  Thread& thread = self();
  const std::vector<uint32_t> view = view_of(thread);
  ++thread.clock;
  arrive_with(view, __builtin_return_address(0));
}

void cluster_arrive_relaxed() {
  const Guard guard;
  arrive_with(self().released_view, __builtin_return_address(0));
}

void leave_cluster() {
  const Guard guard;
  ++machine().threads_ended;
  complete_if_due();
}

void cluster_wait() {
  const Guard guard;
  Machine& m = machine();
  Thread& thread = self();
  const void* const site = __builtin_return_address(0);
  if (!thread.arrived_at_cluster) fail(site, "cluster_wait with no cluster_arrive before it");
  if (!thread.cluster_phase_over) {
    m.cluster_barrier.waiting.push_back(&thread);
    suspend("the cluster's barrier", site);
  }
  acquire_from(m.cluster_barrier.complete_view);
  thread.arrived_at_cluster = thread.cluster_phase_over = false;
}

void start_with_registers(int count) {
  const Guard guard;
  machine().registers_at_start = count;
}

void decrease_registers(int count) {
  RegisterRequest request{count, false, __builtin_return_address(0)};
  check_count(count, request.site);
  meet(&request, "setmaxnreg.dec");
  const Guard guard;
  int& registers = registers_of_warp();
  if (registers < count) fail(request.site, "setmaxnreg.dec from %d to %d", registers, count);
  registers = count;
  for (Thread* waiting : machine().waiting_for_registers) resume(*waiting);
  machine().waiting_for_registers.clear();
}

void increase_registers(int count) {
  RegisterRequest request{count, true, __builtin_return_address(0)};
  check_count(count, request.site);
  meet(&request, "setmaxnreg.inc");
  const Guard guard;
  Machine& m = machine();
  const Block& block = block_of(self());
  int& registers = registers_of_warp();
  if (registers > count) fail(request.site, "setmaxnreg.inc from %d to %d", registers, count);
  while (registers != count && spare_registers(block, block.threads / 32) < count - registers) {
    m.waiting_for_registers.push_back(&self());
    suspend("registers", request.site);
  }
  registers = count;
}

}  // namespace emulator
