// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/batch.cuh: from GemmArgs to the matrices of one batch entry and the
// tiles of C, for every family.
//==============================================================================
#pragma once

#include "kernels/common/gemm_args.h"

namespace myblas {

// Matrix `index` of a batch: pointed to, or strides away from the first.
template <class T>
__device__ __forceinline__ const void* matrix_of_batch(const void* base, int64_t stride,
                                                       int64_t index, bool pointers) {
  if (pointers) return static_cast<const void* const*>(base)[index];
  return static_cast<const T*>(base) + index * stride;
}

// One operand of one matrix product, seen as (rows x k): A as it is, B with its columns as rows.
struct BatchOperand {
  const void* matrix;  // null where k == 0: pointer arrays are not looked at then
  int64_t ld;
  int64_t rows, k;
  bool rows_contiguous;  // else k is
  bool conjugate;

  template <class T>
  __device__ __forceinline__ const T* base() const {
    return static_cast<const T*>(matrix);
  }
};

template <class T>
__device__ __forceinline__ BatchOperand operand_a_of_batch(const GemmArgs& args, int64_t batch,
                                                           int64_t k) {
  const void* matrix =
      k > 0 ? matrix_of_batch<T>(args.a.base, args.a.stride, batch, args.pointer_batch) : nullptr;
  return {matrix, args.a.ld, args.m, k, !args.a.transposed, args.a.conjugated != 0};
}

template <class T>
__device__ __forceinline__ BatchOperand operand_b_of_batch(const GemmArgs& args, int64_t batch,
                                                           int64_t k) {
  const void* matrix =
      k > 0 ? matrix_of_batch<T>(args.b.base, args.b.stride, batch, args.pointer_batch) : nullptr;
  return {matrix, args.b.ld, args.n, k, args.b.transposed != 0, args.b.conjugated != 0};
}

template <class T>
__device__ __forceinline__ T* matrix_c_of_batch(const GemmArgs& args, int64_t batch) {
  return static_cast<T*>(
      const_cast<void*>(matrix_of_batch<T>(args.c, args.stride_c, batch, args.pointer_batch)));
}

// Tile number -> position, in bands of kBand tile columns walked along m: blocks that run at the
// same time then share operands in L2.
// Index: a type that holds kBand times the number of tiles along m.
template <class Index>
__device__ __forceinline__ void raster_tile(Index tile, Index tiles_m, Index tiles_n, Index* tile_m,
                                            Index* tile_n) {
  constexpr Index kBand = 8;
  // Each division that is not needed is left out: they hold up a block's first loads.
  const Index band = tiles_n <= kBand ? 0 : tile / (kBand * tiles_m);
  const Index first_n = band * kBand;
  const Index width = tiles_n - first_n < kBand ? tiles_n - first_n : kBand;
  const Index within = tile - band * kBand * tiles_m;
  *tile_m = width == kBand ? within / kBand : width == 1 ? within : within / width;
  *tile_n = first_n + (within - *tile_m * width);
}

}  // namespace myblas
