// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// blackwell/blackwell_shape.h: what a kernel of TMA and mma.sync, its row of the
// tables and its launcher must agree on.
//
// Four warps multiply, one a scheduler, and one warp loads: registers are given out for eight, so
// that each thread may have 255 of them where a block has its SM for itself. Eight warps that
// multiply, two a scheduler, leave no registers for a ninth: the first of them loads besides.
//==============================================================================
#pragma once

#include <cstddef>

#include "kernels/common/tma_shape.h"

namespace myblas {

inline constexpr int kRingFeedBytes = 48;  // RingFeed, 16-byte aligned

struct BlackwellShape {
  int tile_m, tile_n, tile_k;
  int warps_m, warps_n;  // that multiply
  bool loads_besides;    // one of those; else a warp of its own loads
  int stages;
  int blocks;                        // resident on an SM
  int cluster_m = 1, cluster_n = 1;  // sm_120 gains nothing from larger ones

  consteval int cluster() const { return 1; }
  consteval int warps() const { return warps_m * warps_n; }
  consteval int threads() const { return 32 * (warps() + (loads_besides ? 0 : 1)); }
  // Registers are given out to warps by fours: what the compiler must count with.
  consteval int bound_threads() const { return (threads() + 127) / 128 * 128; }
  consteval int warp_m() const { return tile_m / warps_m; }
  consteval int warp_n() const { return tile_n / warps_n; }

  consteval int k_bytes() const { return 2 * tile_k; }  // of a row of A or B

  // A stage of the ring: rows of A, then of B; or the sums of all warps on their way to C.
  consteval int stage_bytes() const { return (tile_m + tile_n) * k_bytes(); }
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

  // Stages, two barriers a stage, one a warp; what a warp that loads besides is at.
  consteval size_t barriers_end() const {
    return static_cast<size_t>(stages * (stage_bytes() + 16) + warps() * 8);
  }
  consteval size_t smem_bytes() const {
    return barriers_end() + static_cast<size_t>(loads_besides ? kRingFeedBytes : 0);
  }
};

// clang-format off
//                                                tile m, n, k   warps  besides st blk
inline constexpr BlackwellShape kBlackwell256x128{256, 128, 32,  4, 2,  true,   4, 1};
inline constexpr BlackwellShape kBlackwell128x128{128, 128, 64,  2, 2,  false,  3, 1};
inline constexpr BlackwellShape kBlackwell128x64 {128, 64,  64,  2, 2,  false,  4, 1};
inline constexpr BlackwellShape kBlackwell64x64  {64,  64,  64,  1, 4,  false,  3, 2};
// clang-format on

}  // namespace myblas
