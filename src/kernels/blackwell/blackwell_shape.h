// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// blackwell/blackwell_shape.h: what a kernel of TMA and mma.sync, its row of the
// tables and its launcher must agree on.
//
// Four warps multiply, one a scheduler, or eight; of one more, or of four, a thread loads.
// Registers are given out to warps by fours: five have those of eight, up to 255 a thread where a
// block has its SM for itself, and four that load leave theirs to the others (setmaxnreg).
//==============================================================================
#pragma once

#include <cstddef>

#include "kernels/common/tma_shape.h"

namespace myblas {

struct BlackwellShape {
  int tile_m, tile_n;
  int warps_m, warps_n;  // that multiply
  int stages;
  int blocks;                        // resident on an SM
  int loading_warps = 1;             // one of which loads
  int cluster_m = 1, cluster_n = 1;  // sm_120 gains nothing from larger ones
  bool by_pointers = false;          // matrices lie where an array says (common/matrix_place.cuh)

  consteval int cluster() const { return 1; }
  // A quick one, of more code, spills (common/tma_loader.cuh).
  consteval bool has_quick_producer() const { return false; }
  consteval bool may_have_neighbours() const { return false; }
  consteval bool may_run_together() const { return false; }
  // Tiles at the matrix's edge are whole boxes too (EdgeBoxes).
  consteval bool knows_edges() const { return false; }
  consteval int warps() const { return warps_m * warps_n; }
  consteval int threads() const { return 32 * (warps() + loading_warps); }
  // Registers are given out to warps by fours: what the compiler must count with.
  consteval int bound_threads() const { return (threads() + 127) / 128 * 128; }
  consteval int warp_m() const { return tile_m / warps_m; }
  consteval int warp_n() const { return tile_n / warps_n; }

  // A stage of the ring: rows of A, then of B; or the sums of all warps on their way to C.
  consteval int stage_bytes() const { return (tile_m + tile_n) * kTmaRowBytes; }
  consteval int staging_bytes() const { return stage_bytes() / warps(); }  // a warp's

  // What a warp hands over at once: boxes of 128 bytes of m and as many columns of C as there is
  // room for.
  consteval int row_bytes(int /*c_bytes*/) const { return kTmaRowBytes; }
  consteval int box_m(int c_bytes) const { return row_bytes(c_bytes) / c_bytes; }
  consteval int boxes(int c_bytes) const { return warp_m() / box_m(c_bytes); }
  consteval int chunk_n(int c_bytes) const {
    int columns = warp_n();
    while (boxes(c_bytes) * columns * kTmaRowBytes > staging_bytes()) columns /= 2;
    return columns;
  }

  // Stages, two barriers a stage, one a warp.
  consteval size_t smem_bytes() const {
    return static_cast<size_t>(stages * (stage_bytes() + 16) + warps() * 8);
  }
};

// clang-format off
//                                                tile m, n  warps  st blk
inline constexpr BlackwellShape kBlackwell128x256{128, 256,  2, 4,  2, 1, 4};
inline constexpr BlackwellShape kBlackwell128x128{128, 128,  2, 2,  3, 1};
inline constexpr BlackwellShape kBlackwell128x64 {128, 64,   2, 2,  4, 1};
inline constexpr BlackwellShape kBlackwell64x64  {64,  64,   1, 4,  3, 2};
// fp64 on sm_90 (dgemm_tma.cu), which has more shared memory.
inline constexpr BlackwellShape kDouble128x128   {128, 128,  4, 2,  6, 1, 4};
inline constexpr BlackwellShape kDouble128x64    {128, 64,   4, 1,  4, 2, 4};
inline constexpr BlackwellShape kDouble64x64     {64,  64,   2, 2,  4, 2, 4};
inline constexpr BlackwellShape kDouble32x32     {32,  32,   2, 2,  12, 2};
// clang-format on

// The same for batches of pointers.
consteval BlackwellShape of_pointers(BlackwellShape shape) {
  shape.by_pointers = true;
  return shape;
}

}  // namespace myblas
