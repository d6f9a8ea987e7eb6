// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// hopper/hopper_shape.h: what a wgmma kernel, its row of the tables and its
// launcher must agree on.
//
// wgmma multiplies 64 rows by up to 256 columns. Either side of the problem may be the rows:
// C is contiguous along m, so with n as rows neighbouring sums of a thread are neighbours in C, and
// with m as rows few columns of C (a handful of tokens) fill an instruction.
//==============================================================================
#pragma once

#include <cstddef>

#include "kernels/common/tma_shape.h"

namespace myblas {

inline constexpr int kHopperBlock = kTmaBlock;  // rows of an instruction

// Sums of a tile that blocks of a cluster bring together: larger ones leave a thread no registers.
inline constexpr int kClusterSumMost = 160 * 128;
// Tiles of pairs that may run several to a cluster.
inline constexpr int kPairTogetherMost = 128 * 128;
// Tiles with more leave the thread that loads 24 registers.
inline constexpr int kTileOfLeanProducer = 160 * 256;

// What an SM has of shared memory, and what each block needs of it besides its own.
inline constexpr int kSmemOfSm = 228 * 1024, kSmemOfBlock = 1024;

struct HopperShape {
  bool rows_are_m;
  int tile_m, tile_n;
  int stages;
  int consumers;                // warpgroups that multiply: each takes its share of the rows,
  bool ping_pong;               // or the whole of every other tile
  int cluster_m, cluster_n;     // neighbours along m that share B, or along n A
  int blocks;                   // resident on an SM
  bool any_columns;             // else the operand of the columns is contiguous along k
  bool loads_rows = false;      // that are not, and come through registers (rows_in_registers.cuh)
  bool by_pointers = false;     // matrices lie where an array says (common/matrix_place.cuh)
  bool splits_columns = false;  // consumers take each its share of the columns instead
  int term_tiles = 0;           // of fp32 as bf16 terms (term_products.cuh): k-tiles of a sum

  consteval int tile_rows() const { return rows_are_m ? tile_m : tile_n; }
  consteval int tile_columns() const { return rows_are_m ? tile_n : tile_m; }
  consteval int consumer_rows() const {
    return ping_pong || splits_columns ? tile_rows() : tile_rows() / consumers;
  }
  consteval int consumer_columns() const {
    return splits_columns ? tile_columns() / consumers : tile_columns();
  }
  // The part of a tile that a consumer stores.
  consteval int consumer_m() const { return rows_are_m ? consumer_rows() : consumer_columns(); }
  consteval int consumer_n() const { return rows_are_m ? consumer_columns() : consumer_rows(); }
  consteval int consumers_of_tile() const { return ping_pong ? 1 : consumers; }
  consteval int cluster() const { return cluster_m * cluster_n; }
  // Whether blocks of neighbouring tiles may run as a cluster that shares no copies
  // (common/tile_neighbours.h).
  consteval bool may_have_neighbours() const {
    return cluster() == 1 && blocks == 1 && !by_pointers;
  }
  // Whether units of blocks that share an operand may run several to a cluster: of pairs not the
  // largest, which have no register left to know which of them they are.
  consteval bool may_run_together() const {
    return cluster() == 4 ||
           (cluster() == 2 && tile_m * tile_n <= kPairTogetherMost && !by_pointers);
  }
  // Whether the thread that loads leaves registers to large tiles' sums. A warp that looks up
  // pointers has no room for that.
  consteval bool has_lean_producer() const {
    return (ping_pong || tile_m * tile_n > kTileOfLeanProducer) && !by_pointers;
  }
  // Whether the products of a k-tile would wait for a plain producer (common/tma_loader.cuh).
  // Blocks alone drift apart behind quick ones, and L2 brings the same lines more often: of tiles
  // that multiply for as long, 80 and 96 x 64 and those of two consumers stay with plain ones
  // (docs/adr/0043, 0051).
  consteval bool has_quick_producer() const {
    if (by_pointers || loads_rows) return false;
    if (cluster() == 4) return true;
    return consumers == 1 && (cluster() == 2 || rows_are_m || any_columns);
  }
  // Whether it has the registers to tell the matrix's edge from other tiles (EdgeBoxes).
  consteval bool knows_edges() const { return !has_lean_producer() && !by_pointers; }
  // Whether blocks that divide k may run as a cluster (common/cluster_sum.cuh).
  consteval bool divides_k_in_cluster() const {
    return cluster() == 1 && !ping_pong && tile_m * tile_n <= kClusterSumMost;
  }
  // A producer is one thread, or of pointers a warp, but registers move between whole warpgroups
  // (with one consumer they do not: three warps end at once).
  consteval int threads() const { return 128 * (consumers + 1); }

  // A stage of the ring: rows, then columns. Blocks of 64 columns are there whole where their rows
  // may be: transposed.
  consteval int rows_bytes() const { return tile_rows() * kTmaRowBytes; }
  consteval int columns_bytes() const {
    const int whole = (tile_columns() + kHopperBlock - 1) / kHopperBlock * kHopperBlock;
    return (any_columns ? whole : tile_columns()) * kTmaRowBytes;
  }
  consteval int stage_bytes() const { return rows_bytes() + columns_bytes(); }

  // C leaves in boxes of 128 bytes of m, or of 64 or 32 where those do not divide the tile.
  consteval int row_bytes(int c_bytes) const {
    int bytes = kTmaRowBytes;
    while (consumer_m() * c_bytes % bytes != 0) bytes /= 2;
    return bytes;
  }
  consteval int box_m(int c_bytes) const { return row_bytes(c_bytes) / c_bytes; }

  // What a consumer hands over at once: of 64 rows all columns, if there is room in shared memory,
  // or one of `divisor` parts of them: whole boxes, or columns by 16 as stmatrix writes them.
  // Barriers and fences take most of a piece's time, whatever its size.
  consteval int rows_blocks() const { return consumer_rows() / kHopperBlock; }
  consteval bool divides_columns(int divisor, int c_bytes) const {
    return consumer_columns() % (divisor * (rows_are_m ? 16 : box_m(c_bytes))) == 0;
  }
  consteval int bytes_of_part(int divisor, int c_bytes) const {
    return kHopperBlock * consumer_columns() / divisor * c_bytes;
  }
  // Consumers take turns: at tiles, or at sums of terms.
  consteval bool takes_turns() const { return ping_pong || (term_tiles > 0 && consumers > 1); }
  consteval int barrier_bytes() const { return stages * 16 + consumers * (takes_turns() ? 16 : 8); }
  consteval int staging_room() const {
    return kSmemOfSm / blocks - kSmemOfBlock - stages * stage_bytes() - barrier_bytes();
  }
  consteval int least_divisor(int buffers, int c_bytes) const {
    int divisor = 1;
    while (!divides_columns(divisor, c_bytes) ||
           consumers * buffers * bytes_of_part(divisor, c_bytes) > staging_room()) {
      if (++divisor > consumer_columns()) return consumer_columns();
    }
    return divisor;
  }
  // Staging buffers of a consumer: one where that is enough for all, or saves more than half of the
  // pieces, for each then waits for the one before. Where consumers take turns the stores are to
  // keep up with the products of the other's tile.
  consteval int staging_buffers(int c_bytes) const {
    if (ping_pong) return 4;
    const int by_one = rows_blocks() * least_divisor(1, c_bytes);
    const int by_two = rows_blocks() * least_divisor(2, c_bytes);
    return by_one == 1 || 2 * (2 * by_one - 1) <= by_two ? 1 : 2;
  }
  consteval int chunk_columns(int c_bytes) const {
    return consumer_columns() / least_divisor(staging_buffers(c_bytes), c_bytes);
  }
  consteval int chunk_m(int c_bytes) const {
    return rows_are_m ? kHopperBlock : chunk_columns(c_bytes);
  }
  consteval int chunk_n(int c_bytes) const {
    return rows_are_m ? chunk_columns(c_bytes) : kHopperBlock;
  }
  consteval int chunk_bytes(int c_bytes) const {
    return chunk_m(c_bytes) * chunk_n(c_bytes) * c_bytes;
  }
  consteval int staging_bytes(int c_bytes) const {
    return consumers * staging_buffers(c_bytes) * chunk_bytes(c_bytes);
  }

  // Stages, staging buffers, two barriers a stage, one a consumer, and one for its turn.
  consteval size_t smem_bytes(int c_bytes) const {
    return static_cast<size_t>(stages * stage_bytes() + staging_bytes(c_bytes) + barrier_bytes());
  }
};

// clang-format off
//                                                       rows m tile m, n st con  p-p    cluster blk any columns
inline constexpr HopperShape kHopper256x128             {false, 256, 128, 4,  2, false, 1, 1, 1, true};
inline constexpr HopperShape kHopper128x256             {true,  128, 256, 4,  2, false, 1, 1, 1, true};
inline constexpr HopperShape kHopper256x112             {true,  256, 112, 4,  2, false, 1, 1, 1, false};
inline constexpr HopperShape kHopper192x128             {false, 192, 128, 4,  2, false, 1, 1, 1, true};
inline constexpr HopperShape kHopper192x96              {true,  192, 96,  5,  3, false, 1, 1, 1, true};
inline constexpr HopperShape kHopper192x80              {true,  192, 80,  5,  3, false, 1, 1, 1, false};
inline constexpr HopperShape kHopper160x128             {false, 160, 128, 4,  2, false, 1, 1, 1, false};
inline constexpr HopperShape kHopper144x128             {false, 144, 128, 5,  2, false, 1, 1, 1, false};
inline constexpr HopperShape kHopper128x160             {true,  128, 160, 4,  2, false, 1, 1, 1, false};
inline constexpr HopperShape kHopper128x144             {true,  128, 144, 5,  2, false, 1, 1, 1, false};
inline constexpr HopperShape kHopper128x128             {false, 128, 128, 6,  2, false, 1, 1, 1, true};
inline constexpr HopperShape kHopper112x128             {false, 112, 128, 6,  2, false, 1, 1, 1, false};
inline constexpr HopperShape kHopper128x112             {true,  128, 112, 6,  2, false, 1, 1, 1, true};
inline constexpr HopperShape kHopper128x80              {true,  128, 80,  7,  2, false, 1, 1, 1, false};
inline constexpr HopperShape kHopper96x128              {false, 96,  128, 7,  2, false, 1, 1, 1, false};
inline constexpr HopperShape kHopper80x128              {false, 80,  128, 7,  2, false, 1, 1, 1, false};
inline constexpr HopperShape kHopper128x64              {false, 128, 64,  8,  1, false, 1, 1, 1, true};
inline constexpr HopperShape kHopper64x128              {true,  64,  128, 8,  1, false, 1, 1, 1, false};
inline constexpr HopperShape kHopper96x64               {false, 96,  64,  10, 1, false, 1, 1, 1, false};
inline constexpr HopperShape kHopper80x64               {false, 80,  64,  12, 1, false, 1, 1, 1, false};
inline constexpr HopperShape kHopper64x64               {true,  64,  64,  6,  1, false, 1, 1, 2, true};
inline constexpr HopperShape kHopperSolo64x64           {true,  64,  64,  13, 1, false, 1, 1, 1, true};
inline constexpr HopperShape kHopper64x96               {true,  64,  96,  9,  1, false, 1, 1, 1, false};
inline constexpr HopperShape kHopper64x48               {true,  64,  48,  7,  1, false, 1, 1, 2, false};
inline constexpr HopperShape kHopper64x32               {true,  64,  32,  8,  1, false, 1, 1, 2, false};
inline constexpr HopperShape kHopper64x16               {true,  64,  16,  10, 1, false, 1, 1, 2, false};
inline constexpr HopperShape kHopperPair256x128         {false, 256, 128, 4,  2, false, 1, 2, 1, true};
inline constexpr HopperShape kHopperPair128x256         {true,  128, 256, 4,  2, false, 2, 1, 1, true};
inline constexpr HopperShape kHopperPair224x128         {false, 224, 128, 4,  2, false, 1, 2, 1, false};
inline constexpr HopperShape kHopperPair128x224         {true,  128, 224, 4,  2, false, 2, 1, 1, false};
inline constexpr HopperShape kHopperPair128x176         {true,  128, 176, 4,  2, false, 2, 1, 1, false};
inline constexpr HopperShape kHopperPair128x208         {true,  128, 208, 4,  2, false, 2, 1, 1, false};
inline constexpr HopperShape kHopperPair128x128         {false, 128, 128, 6,  2, false, 1, 2, 1, true};
inline constexpr HopperShape kHopperPair96x128          {false, 96,  128, 7,  2, false, 2, 1, 1, false};
inline constexpr HopperShape kHopperPair128x96          {true,  128, 96,  7,  2, false, 1, 2, 1, false};
inline constexpr HopperShape kHopperPair128x80          {true,  128, 80,  7,  2, false, 1, 2, 1, false};
inline constexpr HopperShape kHopperPair128x64          {false, 128, 64,  8,  1, false, 1, 2, 1, true};
inline constexpr HopperShape kHopperPair112x64          {false, 112, 64,  9,  1, false, 1, 2, 1, false};
inline constexpr HopperShape kHopperPair96x64           {false, 96,  64,  10, 1, false, 1, 2, 1, false};
inline constexpr HopperShape kHopperPair80x64           {false, 80,  64,  12, 1, false, 1, 2, 1, false};
inline constexpr HopperShape kHopperQuad128x128         {true,  128, 128, 6,  2, false, 4, 1, 1, false};
inline constexpr HopperShape kHopperQuad128x96          {true,  128, 96,  7,  2, false, 4, 1, 1, false};
inline constexpr HopperShape kHopperQuad128x32          {true,  128, 32,  10, 2, false, 4, 1, 1, false};
inline constexpr HopperShape kHopperQuad64x128          {true,  64,  128, 8,  1, false, 4, 1, 1, false};
inline constexpr HopperShape kHopperQuad64x96           {true,  64,  96,  9,  1, false, 4, 1, 1, false};
inline constexpr HopperShape kHopperQuad64x64           {true,  64,  64,  13, 1, false, 4, 1, 1, false};
inline constexpr HopperShape kHopperQuad64x32           {true,  64,  32,  16, 1, false, 4, 1, 1, false};
inline constexpr HopperShape kHopperPingPongPair192x128 {false, 192, 128, 4,  2, true,  2, 1, 1, true};
inline constexpr HopperShape kHopperPingPongPair128x192 {true,  128, 192, 4,  2, true,  1, 2, 1, true};
// clang-format on

// Tiles of an odd number of instructions' rows, and those of so many sums that rows of both kinds
// leave no registers: consumers share them by their columns.
consteval HopperShape by_columns(HopperShape shape) {
  shape.splits_columns = true;
  return shape;
}
// clang-format off
inline constexpr HopperShape kHopperPair192x160 = by_columns({true, 192, 160, 4, 2, false, 2, 1, 1, false});
inline constexpr HopperShape kHopperPair192x192 = by_columns({true, 192, 192, 4, 2, false, 2, 1, 1, false});
inline constexpr HopperShape kHopperPair192x224 = by_columns({true, 192, 224, 4, 2, false, 2, 1, 1, false});
inline constexpr HopperShape kHopperPair256x160 = by_columns({true, 256, 160, 4, 2, false, 2, 1, 1, false});
// clang-format on

// The same for TF32 rows that are contiguous along m or n.
consteval HopperShape with_loaded_rows(HopperShape shape) {
  shape.loads_rows = true;
  return shape;
}
inline constexpr HopperShape kHopperRs128x256 = with_loaded_rows(kHopper128x256);
inline constexpr HopperShape kHopperRsPair128x256 = with_loaded_rows(kHopperPair128x256);
inline constexpr HopperShape kHopperRs128x192{true, 128, 192, 4, 2, false, 1, 1, 1, false, true};
inline constexpr HopperShape kHopperRs128x128M{true, 128, 128, 6, 2, false, 1, 1, 1, false, true};
inline constexpr HopperShape kHopperRs64x128 = with_loaded_rows(kHopper64x128);
inline constexpr HopperShape kHopperRs64x64 = with_loaded_rows(kHopper64x64);
inline constexpr HopperShape kHopperRs64x32 = with_loaded_rows(kHopper64x32);
inline constexpr HopperShape kHopperRs64x16 = with_loaded_rows(kHopper64x16);
inline constexpr HopperShape kHopperRs256x128 = with_loaded_rows(kHopper256x128);
inline constexpr HopperShape kHopperRsPair256x128 = with_loaded_rows(kHopperPair256x128);
inline constexpr HopperShape kHopperRs192x128 = with_loaded_rows(kHopper192x128);
inline constexpr HopperShape kHopperRs128x128N = with_loaded_rows(kHopper128x128);
inline constexpr HopperShape kHopperRs128x64 = with_loaded_rows(kHopper128x64);

// fp32 as bf16 terms: both operands along k, and of two k-tiles a sum beside that of all.
consteval HopperShape of_terms(HopperShape shape) {
  shape.term_tiles = 2;
  return shape;
}
// clang-format off
inline constexpr HopperShape kHopperTerms128x128     = of_terms({true,  128, 128, 6, 2, false, 1, 1, 1, false});
inline constexpr HopperShape kHopperTerms128x96      = of_terms({true,  128, 96,  7, 2, false, 1, 1, 1, false});
inline constexpr HopperShape kHopperTerms96x128      = of_terms({false, 96,  128, 7, 2, false, 1, 1, 1, false});
inline constexpr HopperShape kHopperTerms128x64      = of_terms({true,  128, 64,  8, 2, false, 1, 1, 1, false});
inline constexpr HopperShape kHopperTerms64x128      = of_terms({false, 64,  128, 8, 2, false, 1, 1, 1, false});
inline constexpr HopperShape kHopperTermsPair192x128 = of_terms({true,  192, 128, 4, 3, false, 1, 2, 1, false});
inline constexpr HopperShape kHopperTermsPair128x192 = of_terms({false, 128, 192, 4, 3, false, 2, 1, 1, false});
inline constexpr HopperShape kHopperTermsPair128x128 = of_terms({true,  128, 128, 6, 2, false, 1, 2, 1, false});
// clang-format on

// The same for batches of pointers.
consteval HopperShape of_pointers(HopperShape shape) {
  shape.by_pointers = true;
  return shape;
}

}  // namespace myblas
