// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/tma_args.h: what a kernel fed by TMA receives, by value.
//==============================================================================
#pragma once

#include <cstddef>
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
  uint32_t log2_beside_m, log2_beside_n;  // tiles of a unit that share no copies
  Divisor units, parts, units_of_band, band_width, last_band_width;
  int32_t k_tiles, longer_parts;  // of each part; of the first so many one more
  // Blocks of a cluster that divide k among them (cluster_sum.cuh): of so many parts, which then
  // are no work of their own, each has a tile at most. 1: they do not.
  int32_t cluster_parts;
};

// Whether there is a product, as the host knows it: alpha may be in device memory.
enum class Product : int32_t { kNone, kUnlessAlphaIsZero, kAlways };

// How an operand's map is to be read: bits for A; those for B lie kBitsOfA higher.
inline constexpr int kMovesInBatch = 1;  // the map has a matrix for each of the batch; else one
inline constexpr int kIsTransposed = 2;  // not k is contiguous, but the other side
inline constexpr int kBitsOfA = 2;

// The tile of an operand that begins at `first` reaches over the matrix's edge: where k is
// contiguous its boxes have `rows` rows, as many as there are, in whole swizzles; of a tile that
// blocks share, each brings so many, of which the last ones' may lie outside. TMA would make the
// others, rows of zeros, one by one, 8 clocks each. What shared memory holds in their place reaches
// no sum that is stored.
struct EdgeBoxes {
  int32_t first;  // past the matrix where no tile has boxes of its own,
  int32_t rows;   // and 0
};

// Which tiles of C leave a kernel of mma.sync straight from registers: leaves_from_registers
// (common/launch_tma.h).
enum class FromRegisters : int32_t { kNone, kWholeTiles, kAll };

// What the first load needs stands together: each line of the constants that a block asks for
// first keeps it waiting.
struct TmaArgs {
  TensorMap a, b, c;  // a and b: encoded where there may be a product; c: where c_mapped
  TileOrderArgs order;
  Product product;
  int32_t operand_bits;
  EdgeBoxes edge_a, edge_b;
  int32_t c_mapped;  // TMA may write C: its columns begin and end at multiples of 16 bytes
  FromRegisters c_leaves;
  int32_t c_in_ring;  // C comes behind the k-tiles (hopper/added_tile.cuh)
  GemmArgs gemm;

  // Maps are read by TMA alone: no thread loads them ahead (grid_start.cuh); their prefetch is an
  // instruction of its own.
  static consteval size_t first_fetched() { return offsetof(TmaArgs, order); }
  static consteval size_t fetched_end() { return offsetof(TmaArgs, map_edge_a); }
  TensorMap map_edge_a, map_edge_b;  // as a and b, of boxes at the edge
};

}  // namespace myblas
