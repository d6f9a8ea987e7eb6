// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// hopper/hgemm_ring.cuh: the stages of k-tiles between the thread that loads and
// the warpgroups that multiply, and all mbarriers of a block.
//==============================================================================
#pragma once

#include "kernels/common/tile_order.cuh"
#include "kernels/hopper/hopper_shape.h"
#include "kernels/ptx/mbarrier.h"
#include "kernels/ptx/shared_memory.h"

namespace myblas {

// A stage is full when its bytes have landed, and empty when every consumer that reads it, of every
// block of the cluster that it was loaded for, has.
template <class Cfg>
struct Ring {
  uint32_t stages;    // shared addresses
  uint32_t barriers;  // full and empty of stage 0, of stage 1, ...
  uint32_t unit;      // first_of_unit

  __device__ __forceinline__ explicit Ring(const unsigned char* smem)
      : stages(ptx::shared_address(smem)),
        barriers(stages + Cfg::kStages * Cfg::kStageBytes + Cfg::kStagingBytes),
        unit(first_of_unit<Cfg::kShape>()) {}
  __device__ __forceinline__ uint32_t rows(int stage) const {
    return stages + stage * Cfg::kStageBytes;
  }
  __device__ __forceinline__ uint32_t columns(int stage) const {
    return rows(stage) + Cfg::kShape.rows_bytes();
  }
  __device__ __forceinline__ uint32_t a(int stage) const {
    return Cfg::kShape.rows_are_m ? rows(stage) : columns(stage);
  }
  __device__ __forceinline__ uint32_t b(int stage) const {
    return Cfg::kShape.rows_are_m ? columns(stage) : rows(stage);
  }
  static constexpr uint32_t kStep = 16;  // from one stage's barriers to the next stage's
  __device__ __forceinline__ uint32_t full(int stage) const { return barriers + stage * kStep; }
  __device__ __forceinline__ uint32_t empty(int stage) const { return empty_of(full(stage)); }
  static __device__ __forceinline__ uint32_t empty_of(uint32_t full) { return full + 8; }
  // A consumer's chunk of C has come.
  __device__ __forceinline__ uint32_t c_full(int consumer) const {
    return barriers + Cfg::kStages * kStep + consumer * 8;
  }
  // The consumer ahead has started its last multiplication: of a tile (ping-pong), or of a sum of
  // terms.
  __device__ __forceinline__ uint32_t turn(int consumer) const {
    return c_full(Cfg::kConsumers) + consumer * 8;
  }

  // By one thread.
  __device__ __forceinline__ void init() const {
    for (int stage = 0; stage < Cfg::kStages; ++stage) {
      ptx::mbarrier_init(full(stage), 1);
      ptx::mbarrier_init(empty(stage),
                         Cfg::kShape.consumers_of_tile() * Cfg::kReleases * Cfg::kShape.cluster());
    }
    for (int i = 0; i < Cfg::kConsumers; ++i) ptx::mbarrier_init(c_full(i), 1);
    if constexpr (Cfg::kShape.takes_turns()) {
      for (int i = 0; i < Cfg::kConsumers; ++i) ptx::mbarrier_init(turn(i), 4);  // warps
    }
    ptx::mbarrier_fence_init();
  }

  // By a consumer that is through with the stage of this empty barrier, as its wgmma are: its first
  // threads, or each warp's, each tell a block that loads something of it.
  __device__ __forceinline__ void release(uint32_t empty) const {
    const uint32_t thread = threadIdx.x % (128 / Cfg::kReleases);
    if constexpr (Cfg::kShape.cluster() == 1) {
      if (thread == 0) ptx::mbarrier_arrive(empty);
    } else {
      if (thread < Cfg::kShape.cluster()) ptx::mbarrier_arrive_remote(empty, unit + thread);
    }
  }
};

}  // namespace myblas
