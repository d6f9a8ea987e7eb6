// SPDX-License-Identifier: BSD-3-Clause
// src/kernels/ptx/mbarrier.h on the emulator: the same functions.
#pragma once

#include "emulator/mbarrier.h"

namespace myblas::ptx {

__device__ __forceinline__ void mbarrier_init(uint32_t barrier, int arrivals) {
  emulator::mbarrier_init(barrier, arrivals);
}
__device__ __forceinline__ void mbarrier_invalidate(uint32_t barrier) {
  emulator::mbarrier_invalidate(barrier);
}
__device__ __forceinline__ void mbarrier_fence_init() { emulator::mbarrier_fence_init(); }
__device__ __forceinline__ void mbarrier_arrive(uint32_t barrier) {
  emulator::mbarrier_arrive(barrier, 0);
}
__device__ __forceinline__ void mbarrier_arrive_expect_tx(uint32_t barrier, int bytes) {
  emulator::mbarrier_arrive(barrier, bytes);
}
__device__ __forceinline__ void mbarrier_arrive_remote(uint32_t barrier, uint32_t cta) {
  emulator::mbarrier_arrive_remote(barrier, cta);
}
__device__ __forceinline__ bool mbarrier_test_wait(uint32_t barrier, int parity) {
  return emulator::mbarrier_test_wait(barrier, parity);
}
__device__ __forceinline__ bool mbarrier_try_wait(uint32_t barrier, int parity) {
  return emulator::mbarrier_try_wait(barrier, parity);
}
__device__ __forceinline__ void mbarrier_wait(uint32_t barrier, int parity) {
  while (!mbarrier_try_wait(barrier, parity)) {
  }
}

}  // namespace myblas::ptx
