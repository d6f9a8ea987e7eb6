// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemv/gemv_frame.cuh: C = alpha*op(A)*op(B) + beta*C where C has few columns, or few rows.
//
//   layout    column-major, any ld. The large operand is seen as rows x k, the small one as
//             columns x k, and C as rows x columns: A, B, C as they are, or, where C has few
//             rows, B, A and C transposed (kSwapped)
//   CTA tile  kTileRows x kCols of that C, 256 threads; how it is summed is the Method's
//             (gemv_dot.cuh, gemv_axpy.cuh)
//   pipeline  none: the large operand goes from DRAM to registers, 16 bytes a load, kLoads of
//             them in flight a thread; other warps cover a warp's wait
//   assumes   nothing: operands that are not aligned are read element by element; pointer batches
//   edges     rows past the edge repeat the last one, columns past it are zero; neither is stored.
//             k is predicated
//   order     fixed: a thread's own sum over its k, then a tree over lanes, then slices ascending,
//             then parts (split_k.cuh)
//   limits    none; offsets are 64-bit, blocks stride over tiles, parts and batches
//
// A Method has: Config, with In, Out, Acc, kCols, kTileRows, kTileK, kSlices, kSwapped; and
//   sum_tile(slices, large, small, first_row, range)
// with which all threads of the block leave sums over disjoint parts of k in slices[kSlices], each
// kTileRows x kCols, rows together. It follows the previous grid before it loads: what is computed
// until then, small products would else wait for.
//==============================================================================
#pragma once

#include "kernels/common/arithmetic.cuh"
#include "kernels/common/batch.cuh"
#include "kernels/common/epilogue.cuh"
#include "kernels/common/gemm_args.h"
#include "kernels/common/grid_start.cuh"
#include "kernels/common/split_k.cuh"
#include "kernels/gemv/stream_shape.h"
#include "kernels/ptx/global_memory.h"
#include "kernels/ptx/opaque.h"

namespace myblas {

// Resident blocks an SM of kernels that want as many as sm_90's compiler finds registers for.
// Others spill with as many, and get two (dispatch/tables/gemv.inc).
constexpr int stream_blocks(int of_sm_90) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ != 900
  return 2;
#else
  return of_sm_90;
#endif
}

// ---- 16 bytes of a matrix ---------------------------------------------------------------------

template <class In>
struct alignas(16) MatrixRun {
  static constexpr int kCount = 16 / sizeof(In);
  In elements[kCount];

  // Zeros where !exists.
  static __device__ __forceinline__ MatrixRun streamed(const In* from, bool exists) {
    return __builtin_bit_cast(MatrixRun, ptx::load_streamed_16B(from, exists));
  }
  // Of an operand that other warps read too.
  static __device__ __forceinline__ MatrixRun cached(const In* from, bool exists) {
    return __builtin_bit_cast(MatrixRun, ptx::load_cached_16B(from, exists));
  }
};

// Whether the first element of every column (row of the view) is aligned for such a load.
template <class In>
__device__ __forceinline__ bool runs_are_aligned(const In* base, int64_t ld, int64_t columns) {
  const uint64_t step = columns > 1 ? static_cast<uint64_t>(ld) * sizeof(In) : 0;
  return ((reinterpret_cast<uintptr_t>(base) | step) & 15) == 0;
}

// ---- the small operand ------------------------------------------------------------------------

// Columns of it, from the tile's first one on.
template <class In>
struct SmallOperand {
  const In* base;
  int64_t k_step, col_step;
  int cols;  // that exist, at most the tile's
  bool conjugate;

  __device__ __forceinline__ SmallOperand(const BatchOperand& operand, int64_t first_col,
                                          int tile_cols) {
    k_step = operand.rows_contiguous ? operand.ld : 1;
    col_step = operand.rows_contiguous ? 1 : operand.ld;
    base = operand.base<In>() + first_col * col_step;
    const int64_t left = operand.rows - first_col;
    cols = static_cast<int>(left < tile_cols ? left : tile_cols);
    conjugate = operand.conjugate;
  }
  __device__ __forceinline__ bool has_runs_along_k() const {
    return k_step == 1 && runs_are_aligned(base, col_step, cols);
  }
};

// ---- shuffles of every type of sum ------------------------------------------------------------

__device__ __forceinline__ float shuffle_xor(float value, int bits) {
  return __shfl_xor_sync(0xffffffffu, value, bits);
}
__device__ __forceinline__ double shuffle_xor(double value, int bits) {
  return __shfl_xor_sync(0xffffffffu, value, bits);
}
template <class Real>
__device__ __forceinline__ Complex<Real> shuffle_xor(Complex<Real> value, int bits) {
  return {shuffle_xor(value.x, bits), shuffle_xor(value.y, bits)};
}

template <class T>
__device__ __forceinline__ T shuffle_from(T value, int lane, int width) {
  return __shfl_sync(0xffffffffu, value, lane, width);
}
template <class Real>
__device__ __forceinline__ Complex<Real> shuffle_from(Complex<Real> value, int lane, int width) {
  return {shuffle_from(value.x, lane, width), shuffle_from(value.y, lane, width)};
}

// ---- from slices to C -------------------------------------------------------------------------

// The first kThreadCount lanes of a warp (split_k.cuh).
template <int kThreadCount>
struct WarpGroup {
  static constexpr int kThreads = kThreadCount;
  static constexpr unsigned kMask = 0xffffffffu >> (32 - kThreadCount);
  static __device__ __forceinline__ int thread() { return static_cast<int>(threadIdx.x); }
  static __device__ __forceinline__ bool any(bool flag) {
    __syncwarp(kMask);  // what a lane wrote before what any lane does next: a vote orders no memory
    const bool result = __any_sync(kMask, flag) != 0;
    __syncwarp(kMask);
    return result;
  }
};

template <class Cfg>
struct GemvFinish {
  using Acc = typename Cfg::Acc;
  static constexpr int kTileSums = Cfg::kTileRows * Cfg::kCols;
  static constexpr int kRun = 16 / sizeof(Acc);
  static constexpr int kSums = kTileSums / 32 > kRun ? kTileSums / 32 : kRun;  // a thread
  static constexpr int kThreads = kTileSums / kSums;
  static_assert(kTileSums % kSums == 0 && kThreads <= 32 && kSums % kRun == 0);
};

template <class T>
struct RealOf {
  using Type = T;
};
template <class R>
struct RealOf<Complex<R>> {
  using Type = R;
};

struct GemvTiles {
  int64_t cols, all;  // side by side; of one matrix
};
// Opaque: counted where they are wanted, rather than kept in registers while a tile is summed.
template <class Cfg>
__device__ __forceinline__ GemvTiles count_tiles(const GemmArgs& args) {
  const int64_t rows = ptx::opaque(Cfg::kSwapped ? args.n : args.m);
  const int64_t cols = ptx::opaque(Cfg::kSwapped ? args.m : args.n);
  const int64_t tiles_cols = (cols + Cfg::kCols - 1) / Cfg::kCols;
  return {tiles_cols, (rows + Cfg::kTileRows - 1) / Cfg::kTileRows * tiles_cols};
}

// What the finishing threads want to know of a tile. In shared memory, not in registers while it is
// summed.
struct GemvTile {
  int64_t index;  // in its matrix
  int64_t first_row, first_col;
  int part;
};

// By the first kThreads threads of the block: slices, then parts, then C.
template <class Cfg>
__device__ __forceinline__ void finish_tile(const typename Cfg::Acc* slices, const GemmArgs& args,
                                            int64_t batch, const GemvTile& tile) {
  using Acc = typename Cfg::Acc;
  using Out = typename Cfg::Out;
  using Real = typename RealOf<Acc>::Type;
  using Tile = GemvFinish<Cfg>;
  constexpr int kRun = Tile::kRun;
  constexpr int kReals = Tile::kSums * static_cast<int>(sizeof(Acc) / sizeof(Real));
  // Opaque: places of sums, ready in registers before the tile is summed, would cost more than they
  // save.
  const int thread = ptx::opaque(static_cast<int>(threadIdx.x));
  // Sum i of a thread: runs of kRun, one run of every thread after the other.
  const auto place = [&](int i) { return (i / kRun * Tile::kThreads + thread) * kRun + i % kRun; };
  Acc sums[Tile::kSums];
#pragma unroll
  for (int i = 0; i < Tile::kSums; ++i) sums[i] = slices[place(i)];
#pragma unroll 1
  for (int slice = 1; slice < Cfg::kSlices; ++slice) {
#pragma unroll
    for (int i = 0; i < Tile::kSums; ++i) {
      sums[i] = sum_of_two(sums[i], slices[slice * Tile::kTileSums + place(i)]);
    }
  }
  const int64_t tile_of_batch = batch * count_tiles<Cfg>(args).all + tile.index;
  if (!sum_of_parts<kReals>(WarpGroup<Tile::kThreads>{}, reinterpret_cast<Real*>(sums), args.split,
                            meeting_of_part(args.split, tile_of_batch, tile.part))) {
    return;
  }
  const Finish<Acc> finish = load_finish<Acc>(args);
  const int64_t rows = Cfg::kSwapped ? args.n : args.m;
  const int64_t cols = Cfg::kSwapped ? args.m : args.n;
  const int64_t row_step = Cfg::kSwapped ? args.ldc : 1;
  const int64_t col_step = Cfg::kSwapped ? 1 : args.ldc;
  Out* c = matrix_c_of_batch<Out>(args, batch);
  const auto store_all = [&](const auto& store) {
#pragma unroll
    for (int i = 0; i < Tile::kSums; ++i) {
      const int64_t row = tile.first_row + place(i) % Cfg::kTileRows;
      const int64_t col = tile.first_col + place(i) / Cfg::kTileRows;
      if (row < rows && col < cols) store(c + row * row_step + col * col_step, sums[i], row, col);
    }
  };
  // Asked once: for each element, most products would wait for its branches.
  const auto epilogue = epilogue_of_batch<Out>(args.epilogue, batch, 0);
  if (!epilogue.any()) {
    store_all([&](Out* to, Acc sum, int64_t, int64_t) { store_result(to, sum, finish); });
  } else {
    store_all([&](Out* to, Acc sum, int64_t row, int64_t col) {
      store_result(to, sum, finish, epilogue, Cfg::kSwapped ? col : row);
    });
  }
}

// ---- all tiles --------------------------------------------------------------------------------

template <class Method>
__device__ __forceinline__ void gemv(const GemmArgs& args) {
  using Cfg = typename Method::Config;
  using In = typename Cfg::In;
  using Acc = typename Cfg::Acc;
  __shared__ __align__(16) Acc slices[Cfg::kSlices * Cfg::kTileRows * Cfg::kCols];
  __shared__ GemvTile tile;
  if (args.alpha.device != nullptr || args.pointer_batch != 0) follow_previous_grid();
  // NOTE: alpha == 0 must not read A or B; they may hold NaN, or be NULL.
  const bool has_product = args.k > 0 && !is_zero(load_scalar<Acc>(args.alpha));
  for (int64_t batch = blockIdx.y; batch < args.batch_count; batch += gridDim.y) {
    for (int64_t work = blockIdx.x;; work += gridDim.x) {
      const GemvTiles tiles = count_tiles<Cfg>(args);
      if (work >= tiles.all * args.split.parts) break;
      const WorkItem item = work_item(work, tiles.all);
      // Tiles of the same rows follow each other: the large operand comes from DRAM once.
      const int64_t tile_row = tiles.cols == 1 ? item.tile : item.tile / tiles.cols;
      const int64_t first_row = tile_row * Cfg::kTileRows;
      const int64_t first_col = (item.tile - tile_row * tiles.cols) * Cfg::kCols;
      if (threadIdx.x == 0) tile = {item.tile, first_row, first_col, item.part};
      // Looked up again for each tile: kept, they would hold registers while it is summed.
      const int64_t k = has_product ? args.k : 0;
      const BatchOperand a = operand_a_of_batch<In>(args, batch, k);
      const BatchOperand b = operand_b_of_batch<In>(args, batch, k);
      const SmallOperand<In> small(Cfg::kSwapped ? a : b, first_col, Cfg::kCols);
      const int64_t k_of_product = k > 0 && batch + 1 == args.batch_count ? args.k_of_last : k;
      Method::sum_tile(slices, Cfg::kSwapped ? b : a, small, first_row,
                       k_range_of_part(k_of_product, Cfg::kTileK, args.split.parts, item.part));
      follow_previous_grid();  // without a product nothing was loaded
      __syncthreads();  // all threads' sums, thread 0's tile before the finishing threads' loads
      if (threadIdx.x < GemvFinish<Cfg>::kThreads) {
        finish_tile<Cfg>(slices, args, batch, tile);
      }
      __syncthreads();  // the finishing threads' loads before any thread's sums of the next tile
    }
  }
}

}  // namespace myblas
