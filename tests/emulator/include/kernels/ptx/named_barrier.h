// SPDX-License-Identifier: BSD-3-Clause
// src/kernels/ptx/named_barrier.h on the emulator: the same functions.
#pragma once

#include "emulator/warp.h"

namespace myblas::ptx {

__device__ __forceinline__ void named_barrier_sync(int id, int threads) {
  emulator::block_barrier(id, threads);
}
__device__ __forceinline__ bool named_barrier_or(int id, int threads, bool flag) {
  return emulator::block_barrier_or(id, threads, flag);
}

}  // namespace myblas::ptx
