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

// The tile of a row is that of 32 threads along m: each has a run of rows and a few columns. Up to
// eight times longer or shorter, it keeps its area.
inline constexpr int kOuterLog2ThreadsM = 5;
inline constexpr int kOuterLongestTile = 512;

// k of the elements that are in shared memory at a time: fewer where a tile is long.
constexpr int outer_tile_k(int tile_m, int tile_n) { return tile_m + tile_n > 300 ? 8 : 16; }

struct OuterShape {
  int log2_threads_m;
  int tile_m, tile_n, tile_k;
  int64_t tiles_m, tiles_n;
  double us;  // of all tiles
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
  int32_t tile_m, tile_n, tile_k;
  // NOTE: 2^31 tiles, each with at least 16 elements of C, would not fit a GPU of today.
  uint32_t tiles;
  Divisor tiles_m;
};

// What an SM takes from one block to the next: its start and end, and the longer of writing its
// tile of C and its steps of k. From 4096 x 4096 x 4 in fp32 and the random list on an H200.
inline constexpr double kOuterBlockUs = 0.35;
inline constexpr double kOuterTileUs = 1.25;
inline constexpr double kOuterStepUs = 0.12;
inline constexpr double kOuterFetchUs = 0.2;  // of each further k-tile

// row_tile_m, row_tile_n: of the table's row.
inline OuterShape outer_shape_of(int row_tile_m, int row_tile_n, int log2_threads_m, int64_t m,
                                 int64_t n, int64_t k, int64_t batch_count, int sm_count) {
  OuterShape shape{};
  shape.log2_threads_m = log2_threads_m;
  shape.tile_m = (row_tile_m << log2_threads_m) >> kOuterLog2ThreadsM;
  shape.tile_n = (row_tile_n << kOuterLog2ThreadsM) >> log2_threads_m;
  shape.tile_k = outer_tile_k(shape.tile_m, shape.tile_n);
  shape.tiles_m = (m - 1) / shape.tile_m + 1;
  shape.tiles_n = (n - 1) / shape.tile_n + 1;
  const double tiles = static_cast<double>(shape.tiles_m) * static_cast<double>(shape.tiles_n) *
                       static_cast<double>(batch_count);
  const double filled = static_cast<double>(std::min<int64_t>(m, shape.tile_m)) *
                        static_cast<double>(std::min<int64_t>(n, shape.tile_n)) /
                        (static_cast<double>(row_tile_m) * row_tile_n);
  const double of_busiest_sm = std::max(1.0, tiles / sm_count);
  const auto further_k_tiles = static_cast<double>(std::max<int64_t>(k - 1, 0) / shape.tile_k);
  const double products_us =
      kOuterStepUs * static_cast<double>(k) + kOuterFetchUs * further_k_tiles;
  shape.us = of_busiest_sm * (kOuterBlockUs + std::max(kOuterTileUs * filled, products_us));
  return shape;
}

// The shape that takes least; the row's own where that is as good.
inline OuterShape outer_shape(int row_tile_m, int row_tile_n, int64_t m, int64_t n, int64_t k,
                              int64_t batch_count, int sm_count) {
  const auto shape_of = [&](int log2_threads_m) {
    return outer_shape_of(row_tile_m, row_tile_n, log2_threads_m, m, n, k, batch_count, sm_count);
  };
  OuterShape best = shape_of(kOuterLog2ThreadsM);
  for (int log2 = kOuterLog2ThreadsM - 3; log2 <= kOuterLog2ThreadsM + 3; ++log2) {
    const OuterShape shape = shape_of(log2);
    if (shape.tile_m > kOuterLongestTile || shape.tile_n > kOuterLongestTile) continue;
    if (shape.us < best.us) best = shape;
  }
  return best;
}

}  // namespace myblas
