// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/mma_meeting.cuh: a barrier of a block's warps in two halves, arrival and wait (sm_80).
//
// It lies behind the positions of common/mma_gemm.cuh. One wait follows each arrival, but for the
// last, end()'s, behind which a barrier of the block comes.
//==============================================================================
#pragma once

#include "kernels/common/mma_smem.h"
#include "kernels/common/mma_tile.cuh"
#include "kernels/ptx/mbarrier.h"

namespace myblas {

// Where a block's warps meet once a k-tile without stopping there: who has arrived works on, and
// waits where it needs what the others did.
template <class Cfg>
struct Meeting {
  uint32_t barrier;

  __device__ __forceinline__ explicit Meeting(uint32_t smem)
      : barrier(smem + Cfg::kPositionOffset + kMmaPositionBytes - 8) {}
  // By one thread, followed by a barrier of the block.
  __device__ __forceinline__ void init() const { ptx::mbarrier_init(barrier, Cfg::kWarps); }
  // By all lanes of a warp: releases what they did.
  __device__ __forceinline__ void arrive() const {
    __syncwarp();  // all lanes' accesses to shared memory before the arrival by one of them
    if (opaque_thread() % 32 == 0) ptx::mbarrier_arrive(barrier);
  }
  // Whether all have arrived. Phases of a tile of C count from 0.
  __device__ __forceinline__ bool is_over(uint32_t phase) const {
    return ptx::mbarrier_test_wait(barrier, static_cast<int>(phase % 2));
  }
  __device__ __forceinline__ void wait(uint32_t phase) const {
    while (!is_over(phase)) {
    }
  }
  // Once more where the number of phases is odd: the next tile of C starts with parity 0 too.
  __device__ __forceinline__ void end(uint32_t phases) const {
    if (phases % 2 != 0) arrive();
  }
};

}  // namespace myblas
