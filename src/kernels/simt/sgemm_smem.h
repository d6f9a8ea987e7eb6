// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// simt/sgemm_smem.h: the shared memory of an sgemm_cp_async block, for its
// kernel and for its row of the tables.
//==============================================================================
#pragma once

#include <cstddef>

namespace myblas {

// Rows of a k-tile in shared memory are 4 words longer than the tile: a transposing warp, 8 (k) x
// 4 (row) words, then touches 32 different banks, and runs of 4 stay aligned to 16 bytes.
inline constexpr int kSgemmPad = 4;

constexpr size_t sgemm_smem_bytes(int tile_m, int tile_n, int tile_k, int stages) {
  return sizeof(float) * static_cast<size_t>(tile_m + tile_n + 2 * kSgemmPad) *
         static_cast<size_t>(tile_k) * static_cast<size_t>(stages);
}

}  // namespace myblas
