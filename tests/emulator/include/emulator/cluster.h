// SPDX-License-Identifier: BSD-3-Clause
// emulator/cluster.h: blocks that run together, and the registers of their warps.
#pragma once

#include <cstdint>

#include "emulator/shared_access.h"

namespace emulator {

uint32_t cluster_rank();
uint32_t cluster_size();
// What the block `rank` of the cluster, which has not ended, has at the address.
Bits16 load_cluster_shared_16(uint32_t address, uint32_t rank);
void cluster_arrive();
void cluster_arrive_relaxed();
void cluster_wait();
// Ahead of the others: what a thread has, where that is less than one block an SM would have.
void start_with_registers(int count);
// To so many registers a thread.
void increase_registers(int count);
void decrease_registers(int count);

}  // namespace emulator
