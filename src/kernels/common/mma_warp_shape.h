// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/mma_warp_shape.h: what the kernels of mma_warp.cuh and their rows of the tables must agree
// on.
//==============================================================================
#pragma once

#include <cstddef>

namespace myblas {

inline constexpr int kMmaWarpsOfBlock = 4;
inline constexpr int kMmaWarpTile = 32;  // of m, n and k: a warp's

// Results of a warp's tile where they are not stored from registers: columns longer than the
// tile's, still by whole fours.
inline constexpr int kMmaWarpStageLd = kMmaWarpTile + 4;
inline constexpr size_t kMmaWarpStageBytes = 2 * kMmaWarpTile * kMmaWarpStageLd;
inline constexpr size_t kMmaWarpSmemBytes = kMmaWarpsOfBlock * kMmaWarpStageBytes;

}  // namespace myblas
