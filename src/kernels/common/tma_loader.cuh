// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/tma_loader.cuh: operands on their way into a ring of stages, by TMA.
// common/tma_shape.h says how they lie there.
//==============================================================================
#pragma once

#include "kernels/common/arithmetic.cuh"
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

__device__ __forceinline__ bool a_is_transposed(const TmaArgs& args) {
  return (args.operand_bits & kIsTransposed) != 0;
}
__device__ __forceinline__ bool b_is_transposed(const TmaArgs& args) {
  return (args.operand_bits & kIsTransposed << kBitsOfA) != 0;
}
__device__ __forceinline__ bool a_moves(const TmaArgs& args) {
  return (args.operand_bits & kMovesInBatch) != 0;
}
__device__ __forceinline__ bool b_moves(const TmaArgs& args) {
  return (args.operand_bits & kMovesInBatch << kBitsOfA) != 0;
}

// Scale: of alpha.
template <class Scale>
__device__ __forceinline__ bool load_has_product(const TmaArgs& args) {
  if (args.product != Product::kUnlessAlphaIsZero) return args.product == Product::kAlways;
  return !is_zero(load_scalar<Scale>(args.gemm.alpha));
}

// By one thread, ahead of the first copies, which else would fetch the maps first.
__device__ __forceinline__ void prefetch_maps(const TmaArgs& args) {
  if (args.product != Product::kNone) {
    ptx::prefetch_tensor_map(&args.a);
    ptx::prefetch_tensor_map(&args.b);
  }
  if (args.c_mapped != 0) ptx::prefetch_tensor_map(&args.c);
}

// One operand's tile of kSize (m or n) x a k-tile. Blocks that share it load a part each, for all
// kSharers. kBlock: rows of a box where the tile is transposed.
template <int kSize, int kSharers, int kBlock = kTmaBlock>
struct TileLoader {
  const TensorMap* map;
  bool transposed;
  bool batch_moves;
  int part;  // this block's; 0 where it loads all

  // In blocks where the tile is transposed, and then whole.
  __device__ __forceinline__ int bytes() const {
    constexpr int kWholeBlocks = (kSize + kBlock - 1) / kBlock * kBlock;
    return (transposed ? kWholeBlocks : kSize) * kTmaRowBytes;
  }

  __device__ __forceinline__ void start(uint32_t to, int first, int k, int batch,
                                        uint32_t full) const {
    const int matrix = batch_moves ? batch : 0;
    if (transposed) {
      constexpr int kBlocks = (kSize + kBlock - 1) / kBlock;
      // A shape whose blocks do not divide so has this operand contiguous along k alone.
      constexpr int kMine = (kBlocks + kSharers - 1) / kSharers;
#pragma unroll
      for (int i = 0; i < kMine; ++i) {
        const int block = part * kMine + i;
        load(to + block * kBlock * kTmaRowBytes, first + block * kBlock, k, matrix, full);
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
