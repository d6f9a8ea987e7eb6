// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/tma_loader.cuh: operands on their way into a ring of stages, by TMA.
// common/tma_shape.h says how they lie there.
//==============================================================================
#pragma once

#include "kernels/common/tma_args.h"
#include "kernels/common/tma_shape.h"
#include "kernels/ptx/tma.h"

namespace myblas {

// The stage that comes next, and the parity of its phase.
template <int kStages>
struct RingPosition {
  int stage = 0;
  int parity = 0;

  __device__ __forceinline__ void advance() {
    if (++stage == kStages) {
      stage = 0;
      parity ^= 1;
    }
  }
  __device__ __forceinline__ void advance(int stages) {
    const int next = stage + stages;
    parity ^= next / kStages & 1;
    stage = next % kStages;
  }
};

// Which side of an operand is contiguous: not k.
__device__ __forceinline__ bool a_is_transposed(const GemmArgs& args) {
  return args.a.transposed == 0;
}
__device__ __forceinline__ bool b_is_transposed(const GemmArgs& args) {
  return args.b.transposed != 0;
}

// One operand's tile of kSize (m or n) x a k-tile. Blocks that share it load a part each, for all
// kSharers.
template <int kSize, int kSharers>
struct TileLoader {
  const TensorMap* map;
  bool transposed;
  bool batch_moves;
  int part;  // this block's; 0 where it loads all

  // In blocks of 64 where the tile is transposed, and then whole.
  __device__ __forceinline__ int bytes() const {
    constexpr int kWholeBlocks = (kSize + kTmaBlock - 1) / kTmaBlock * kTmaBlock;
    return (transposed ? kWholeBlocks : kSize) * kTmaRowBytes;
  }

  __device__ __forceinline__ void start(uint32_t to, int first, int k, int batch,
                                        uint32_t full) const {
    const int matrix = batch_moves ? batch : 0;
    if (transposed) {
      constexpr int kBlocks = (kSize + kTmaBlock - 1) / kTmaBlock;
      // A shape whose blocks do not divide so has this operand contiguous along k alone.
      constexpr int kMine = (kBlocks + kSharers - 1) / kSharers;
#pragma unroll
      for (int i = 0; i < kMine; ++i) {
        const int block = part * kMine + i;
        load(to + block * kTmaBlock * kTmaRowBytes, first + block * kTmaBlock, k, matrix, full);
      }
    } else {
      constexpr int kMine = kSize / kSharers;
      load(to + part * kMine * kTmaRowBytes, k, first + part * kMine, matrix, full);
    }
  }

 private:
  __device__ __forceinline__ void load(uint32_t to, int x, int y, int z, uint32_t full) const {
    if constexpr (kSharers > 1) {
      constexpr uint16_t kAll = (1u << kSharers) - 1;
      ptx::tma_load_3d_multicast(to, map, x, y, z, full, kAll);
    } else {
      ptx::tma_load_3d(to, map, x, y, z, full);
    }
  }
};

}  // namespace myblas
