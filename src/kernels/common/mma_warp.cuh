// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/mma_warp.cuh: C = alpha*op(A)*op(B) + beta*C on tensor cores, mma.sync, 16 bits: many
// small tiles, a warp each, fragments from global memory straight into registers
// (mma_warp_loader.cuh).
//
//   tile      32 x 32 x 32 by one warp, which shares nothing with the block's others but what L1
//             keeps
//   fragments the instruction does not mind which row, column or k is called the first: a lane's
//             four rows are neighbours, and so are the four k that it has of a step. So it loads
//             them as chunks of four, along rows or along k as the operand lies, and has four
//             neighbours of each of eight columns of C
//   pipeline  none: a warp stays, asks for all of a k-tile at once, and multiplies it when it is
//             there; the SM's other warps work meanwhile. No barrier, and no shared memory but for
//             C whose columns, or whose tile's rows, are odd
//   assumes   columns aligned to kAlignment bytes: 8, a load a chunk; or 2, the words that hold it
//   edges     what lies outside of rows is not loaded, or meets sums that are not stored; what lies
//             outside of k is zero; stores are predicated; m, n, k arbitrary
//   order     k ascending: bit-reproducible
//   limits    offsets in a matrix below 2^30 (kWarpMaxOffset), counted in 32 bits; k is not divided
//==============================================================================
#pragma once

#include "kernels/common/arithmetic.cuh"
#include "kernels/common/grid_start.cuh"
#include "kernels/common/mma_warp_loader.cuh"
#include "kernels/common/tile_walk.cuh"

namespace myblas {

// ---- registers -> C ---------------------------------------------------------------------------

// Sums of the instructions: [four columns of n][16 rows of m].
using WarpSums = float[4][2][4];

// The sum of a lane's row (0 to 3) and column (0 to 7).
__device__ __forceinline__ float warp_sum(const WarpSums& sums, int row, int column) {
  return sums[column % 4][row / 2][column / 4 + row % 2 * 2];
}

// Four neighbours of a column of C.
template <class Out>
struct alignas(8) FourOfColumn {
  Out elements[4];
};

// move(at, values) for each run of T that exists of a lane's rows and columns: they end with one.
template <class T, class Out, class Move>
__device__ __forceinline__ void for_runs(Out* c, int64_t ld, int rows, int columns,
                                         FourOfColumn<Out> (&fours)[8], const Move& move) {
#pragma unroll
  for (int column = 0; column < 8; ++column) {
#pragma unroll
    for (int row = 0; row < 4; row += sizeof(T) / sizeof(Out)) {
      if (row < rows && column < columns) {
        move(reinterpret_cast<T*>(c + row), reinterpret_cast<T*>(fours[column].elements + row));
      }
    }
    c += ld;
  }
}
template <class T, class Out>
__device__ __forceinline__ void load_runs(Out* c, int64_t ld, int rows, int columns,
                                          FourOfColumn<Out> (&fours)[8]) {
  for_runs<T>(c, ld, rows, columns, fours, [](const T* at, T* values) { *values = *at; });
}
template <class T, class Out>
__device__ __forceinline__ void store_runs(Out* c, int64_t ld, int rows, int columns,
                                           FourOfColumn<Out> (&fours)[8]) {
  for_runs<T>(c, ld, rows, columns, fours, [](T* at, const T* values) { *at = *values; });
}

// All of a tile, an element a lane: neighbouring lanes store neighbouring rows, of as many columns
// at a time as the rows that exist leave lanes for.
template <class Out>
__device__ __forceinline__ void store_staged(const FourOfColumn<Out> (&fours)[8], Out* stage,
                                             Out* c, int64_t ld, int rows, int columns) {
  constexpr int kLd = kMmaWarpStageLd;
  Out* const to = stage + warp_column_of_lane() * kLd + warp_row_of_lane();
#pragma unroll
  for (int column = 0; column < 8; ++column) {
    *reinterpret_cast<FourOfColumn<Out>*>(to + column * kLd) = fours[column];
  }
  __syncwarp();  // all lanes' stores of results before any lane's loads of them
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int log2_rows = rows > 1 ? 32 - __clz(rows - 1) : 0;  // rounded up
  const int row = lane & ((1 << log2_rows) - 1), first = lane >> log2_rows;
  const int step = 32 >> log2_rows;
  const Out* from = stage + first * kLd + row;
  c += row + first * ld;
  if (row < rows) {
#pragma unroll 4
    for (int column = first; column < columns; column += step) {
      *c = *from;
      c += step * ld;
      from += step * kLd;
    }
  }
  __syncwarp();  // all lanes' loads of them before any lane's stores of the next tile's
}

template <class Cfg>
__device__ __forceinline__ void store_warp_tile(const WarpSums& sums, char* smem,
                                                const GemmArgs& args, int64_t batch,
                                                uint32_t first_m, uint32_t first_n) {
  using Out = typename Cfg::Out;
  const auto ldc = static_cast<uint32_t>(args.ldc);
  Out* const tile = matrix_c_of_batch<Out>(args, batch) + (first_m + first_n * ldc);
  const uint32_t rows_left = static_cast<uint32_t>(args.m) - first_m;
  const uint32_t columns_left = static_cast<uint32_t>(args.n) - first_n;
  const int rows = static_cast<int>(rows_left < Cfg::kTileM ? rows_left : Cfg::kTileM);
  const int columns = static_cast<int>(columns_left < Cfg::kTileN ? columns_left : Cfg::kTileN);
  const uint32_t bits = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(tile)) / 2 | ldc |
                        static_cast<uint32_t>(rows);
  const bool in_fours = bits % 4 == 0, in_twos = bits % 2 == 0;
  Out* const c = tile + (warp_row_of_lane() + warp_column_of_lane() * ldc);
  const int lane_rows = rows - static_cast<int>(warp_row_of_lane());
  const int lane_columns = columns - static_cast<int>(warp_column_of_lane());
  // Scalars are loaded again here: kept from the start, they would hold registers all along.
  const auto finish = load_finish<float>(args);
  FourOfColumn<Out> results[8] = {};
  if (finish.has_product && is_zero(finish.beta)) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        results[i].elements[j] = Narrow<Out, float>::from(finish.alpha * warp_sum(sums, j, i));
      }
    }
  } else {
    // NOTE: beta == 0 must not read C; it may hold NaN.
    if (!is_zero(finish.beta)) {
      if (in_fours) {
        load_runs<uint2>(c, args.ldc, lane_rows, lane_columns, results);
      } else {
        load_runs<uint16_t>(c, args.ldc, lane_rows, lane_columns, results);
      }
    }
#pragma unroll
    for (int i = 0; i < 8; ++i) {
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        store_result(&results[i].elements[j], warp_sum(sums, j, i), finish);
      }
    }
  }
  if (in_fours) {
    store_runs<uint2>(c, args.ldc, lane_rows, lane_columns, results);
  } else if (in_twos) {
    store_runs<uint32_t>(c, args.ldc, lane_rows, lane_columns, results);
  } else {
    auto* const stage = reinterpret_cast<Out*>(smem + threadIdx.x / 32 * kMmaWarpStageBytes);
    store_staged(results, stage, tile, args.ldc, rows, columns);
  }
}

// ---- all tiles --------------------------------------------------------------------------------

template <class Cfg>
__device__ __forceinline__ void multiply_step(WarpSums& sums, const WarpFragments& of_a,
                                              const WarpFragments& of_b, int step) {
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const uint32_t b[4] = {of_b[step][j][0], of_b[step][j][1], 0, 0};
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const auto &even = of_a[step][2 * i], &odd = of_a[step][2 * i + 1];
      const uint32_t a[4] = {even[0], odd[0], even[1], odd[1]};
      Cfg::Mma::multiply(sums[j][i], a, b, 0);
    }
  }
}

template <class Cfg, bool kRowsOfA, bool kRowsOfB>
__device__ __forceinline__ void multiply_warp_tile(WarpSums& sums, const GemmArgs& args,
                                                   int64_t batch, uint32_t first_m,
                                                   uint32_t first_n) {
  using Element = typename Cfg::Element;
  // Behind each other matrix lies one of the batch, which holds what hangs over.
  const auto ends = [&](int64_t stride) {
    const bool is_last = batch == (stride < 0 ? 0 : args.batch_count - 1);
    return is_last || args.pointer_batch != 0 || (stride > -8 && stride < 8);
  };
  WarpLoader<Cfg, kRowsOfA> loader_a(operand_a_of_batch<Element>(args, batch, args.k), first_m,
                                     ends(args.a.stride));
  WarpLoader<Cfg, kRowsOfB> loader_b(operand_b_of_batch<Element>(args, batch, args.k), first_n,
                                     ends(args.b.stride));
#pragma unroll 1
  for (auto left = static_cast<int>(args.k); left > 0; left -= Cfg::kTileK) {
    const int valid_k = left < Cfg::kTileK ? left : Cfg::kTileK;
    const bool is_last = left <= Cfg::kTileK;
    loader_a.fetch(valid_k, is_last);
    loader_b.fetch(valid_k, is_last);
    WarpFragments of_a, of_b;
    loader_a.take(of_a, valid_k);
    loader_b.take(of_b, valid_k);
    multiply_step<Cfg>(sums, of_a, of_b, 0);
    if (valid_k > Cfg::Mma::kK) multiply_step<Cfg>(sums, of_a, of_b, 1);
  }
}

template <class Cfg>
__device__ __forceinline__ void mma_warp(const GemmArgs& args) {
  extern __shared__ __align__(16) char smem[];  // C's results, a warp's tile each
  constexpr uint32_t kTile = kMmaWarpTile;
  const uint32_t tiles_m = (static_cast<uint32_t>(args.m) + kTile - 1) / kTile;
  const uint32_t tiles_n = (static_cast<uint32_t>(args.n) + kTile - 1) / kTile;
  // Where there are tiles for all warps, a block's are neighbours, who find in L1 what others have
  // loaded. Else its warps lie a grid apart: few tiles go to as many SMs.
  const uint32_t warp = threadIdx.x / 32, walkers = kMmaWarpsOfBlock * gridDim.x;
  const bool enough = int64_t{tiles_m * tiles_n} * args.batch_count >= walkers;
  const uint32_t first =
      enough ? blockIdx.x * kMmaWarpsOfBlock + warp : blockIdx.x + warp * gridDim.x;
  // NOTE: alpha == 0 must not read A or B; they may hold NaN, or be NULL.
  const bool has_product = load_finish<float>(args).has_product;
  for (TileWalk walk(tiles_m * tiles_n, first, walkers); walk.batch() < args.batch_count;
       walk.advance()) {
    const uint32_t tile_n = tiles_m == 1 ? walk.tile() : walk.tile() / tiles_m;
    const uint32_t first_m = (walk.tile() - tile_n * tiles_m) * kTile;
    const uint32_t first_n = tile_n * kTile;
    WarpSums sums = {};
    if (has_product) {
      if (args.a.transposed == 0) {
        if (args.b.transposed == 0) {
          multiply_warp_tile<Cfg, true, false>(sums, args, walk.batch(), first_m, first_n);
        } else {
          multiply_warp_tile<Cfg, true, true>(sums, args, walk.batch(), first_m, first_n);
        }
      } else if (args.b.transposed == 0) {
        multiply_warp_tile<Cfg, false, false>(sums, args, walk.batch(), first_m, first_n);
      } else {
        multiply_warp_tile<Cfg, false, true>(sums, args, walk.batch(), first_m, first_n);
      }
    }
    store_warp_tile<Cfg>(sums, smem, args, walk.batch(), first_m, first_n);
  }
}

}  // namespace myblas

// A compiled kernel, a line of the family's .cu files. alignment: bytes, of A's and B's columns.
// blocks: resident blocks an SM, for which the compiler must find the registers.
// clang-format off
#define MYBLAS_MMA_WARP(name, Type, Out, alignment, blocks)                               \
  extern "C" __global__ void __launch_bounds__(MmaWarpConfig<Type, Out, alignment>::kThreads, blocks) \
      name(const __grid_constant__ GemmArgs args) {                                       \
    begin_grid(args, args.m);                                                             \
    mma_warp<MmaWarpConfig<Type, Out, alignment>>(args);                                  \
  }
// clang-format on
