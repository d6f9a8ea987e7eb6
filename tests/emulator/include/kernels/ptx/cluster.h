// SPDX-License-Identifier: BSD-3-Clause
// src/kernels/ptx/cluster.h on the emulator: the same functions.
#pragma once

#include "emulator/cluster.h"

namespace myblas::ptx {

__device__ __forceinline__ uint32_t cluster_rank() { return emulator::cluster_rank(); }
__device__ __forceinline__ void cluster_arrive() { emulator::cluster_arrive(); }
__device__ __forceinline__ void cluster_arrive_relaxed() { emulator::cluster_arrive_relaxed(); }
__device__ __forceinline__ void cluster_wait() { emulator::cluster_wait(); }

}  // namespace myblas::ptx
