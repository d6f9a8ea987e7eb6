// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemv/outer_shape.h: what an outer product's kernel, its launcher and the cost model agree on: how
// the threads of a block lie over C.
//==============================================================================
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/common/divisor.h"
#include "kernels/common/gemm_args.h"

namespace myblas {

inline constexpr int kOuterThreads = 256;

// The tile of a row is that of 32 threads along m, each with a run of rows and some columns. Where
// C has few rows or few columns, fewer or more threads lie along m; no side is longer than this.
inline constexpr int kOuterLog2ThreadsM = 5;
inline constexpr int kOuterLongestTile = 256;
inline constexpr int kOuterTileK = 16;  // k in shared memory at a time

struct OuterShape {
  int log2_threads_m;
  int tile_m, tile_n;
  int64_t tiles_m, tiles_n;
};

// Of an operand, seen as (rows x k): elements from one row to the next, and from one k.
struct OuterSteps {
  int64_t row, k;
};

// What all blocks would work out alike is in here: it is a good part of a small product.
struct OuterArgs {
  GemmArgs gemm;
  OuterSteps a, b;
  int32_t log2_threads_m, threads_m, threads_n;
  int32_t tile_m, tile_n;
  // NOTE: 2^31 tiles, each with at least 16 elements of C, would not fit a GPU of today.
  uint32_t tiles;
  Divisor tiles_m;
};

// row_tile_m, row_tile_n: of the table's row. C is written by whole columns of a row's tile, unless
// it has no such columns. Where all tiles run at once anyway, there are more, of fewer columns;
// where they do not and C has few columns, fewer and longer ones.
inline OuterShape outer_shape(int row_tile_m, int row_tile_n, int64_t m, int64_t n,
                              int64_t batch_count, int sm_count) {
  const int rows = row_tile_m >> kOuterLog2ThreadsM;  // of a thread
  const int most_cols = (row_tile_n << kOuterLog2ThreadsM) / kOuterThreads;
  int log2 = kOuterLog2ThreadsM;
  const auto threads_n = [&] { return kOuterThreads >> log2; };
  const auto widest = [&] { return std::min(kOuterLongestTile, threads_n() * most_cols); };
  const auto tiles = [&](int tile_n) {
    return static_cast<double>((m - 1) / (rows << log2) + 1) *
           static_cast<double>((n - 1) / tile_n + 1) * static_cast<double>(batch_count);
  };
  while (log2 > 0 && m <= (rows << log2) / 2) --log2;
  if (log2 == kOuterLog2ThreadsM) {
    while ((rows << log2) < kOuterLongestTile && n <= widest() / 2 && tiles(widest()) > sm_count) {
      ++log2;
    }
  }
  OuterShape shape{};
  shape.log2_threads_m = log2;
  shape.tile_m = rows << log2;
  shape.tile_n = widest();
  while (shape.tile_n > threads_n() && tiles(shape.tile_n / 2) <= sm_count) shape.tile_n /= 2;
  shape.tiles_m = (m - 1) / shape.tile_m + 1;
  shape.tiles_n = (n - 1) / shape.tile_n + 1;
  return shape;
}

}  // namespace myblas
