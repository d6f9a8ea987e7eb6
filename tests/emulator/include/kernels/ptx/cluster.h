// SPDX-License-Identifier: BSD-3-Clause
// src/kernels/ptx/cluster.h on the emulator: the same functions.
#pragma once

#include <bit>

#include "emulator/cluster.h"
#include "emulator/shared_access.h"

namespace myblas::ptx {

__device__ __forceinline__ uint32_t cluster_rank() { return emulator::cluster_rank(); }
__device__ __forceinline__ uint32_t cluster_index() {
  return blockIdx.x / emulator::cluster_size();
}
__device__ __forceinline__ uint32_t cluster_count() { return gridDim.x / emulator::cluster_size(); }
__device__ __forceinline__ uint4 load_cluster_shared_16B(uint32_t address, uint32_t rank) {
  return std::bit_cast<uint4>(emulator::load_cluster_shared_16(address, rank));
}
__device__ __forceinline__ void cluster_arrive() { emulator::cluster_arrive(); }
__device__ __forceinline__ void cluster_arrive_relaxed() { emulator::cluster_arrive_relaxed(); }
__device__ __forceinline__ void cluster_wait() { emulator::cluster_wait(); }

}  // namespace myblas::ptx
