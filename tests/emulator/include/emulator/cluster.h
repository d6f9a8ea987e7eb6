// SPDX-License-Identifier: BSD-3-Clause
// emulator/cluster.h: blocks that run together, and the registers of their warps.
#pragma once

#include <cstdint>

namespace emulator {

uint32_t cluster_rank();
uint32_t cluster_size();
// Where the block `rank` of the cluster has the address.
const void* shared_pointer_of(uint32_t address, uint32_t rank);
void cluster_arrive();
void cluster_arrive_relaxed();
void cluster_wait();
// To so many registers a thread.
void increase_registers(int count);
void decrease_registers(int count);

}  // namespace emulator
