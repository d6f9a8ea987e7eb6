// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/tma_args.h: what a kernel fed by TMA receives, by value.
//==============================================================================
#pragma once

#include <cstdint>

#include "kernels/common/divisor.h"
#include "kernels/common/gemm_args.h"
#include "kernels/common/tensor_map.h"

namespace myblas {

// How the tiles of C are gone through (tile_order.cuh).
struct TileOrderArgs {
  uint32_t work;              // units, times the parts of k, times the matrices of the batch
  uint32_t tiles_m, tiles_n;  // tiles of C
  uint32_t units_m, units_n;  // clusters of tiles
  uint32_t band;              // units along n that are walked together
  Divisor units, parts, units_of_band, band_width, last_band_width;
  int32_t k_tiles, longer_parts;  // of each part; of the first so many one more
};

struct TmaArgs {
  TensorMap a, b, c;  // a and b: encoded where there is a product; c: where c_mapped
  GemmArgs gemm;
  int32_t c_mapped;     // TMA may write C: its columns begin and end at multiples of 16 bytes
  int32_t batch_moves;  // bit 0: a's map has a matrix for each of the batch, bit 1: b's; else one
  TileOrderArgs order;
};

}  // namespace myblas
