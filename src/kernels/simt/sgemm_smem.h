// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// simt/sgemm_smem.h: what an sgemm_cp_async kernel and its row of the tables
// must agree on.
//==============================================================================
#pragma once

#include <cstddef>
#include <cstdint>

namespace myblas {

// Largest element offset, and so the largest k: half of the 2^32 k-tiles of 8 that are counted.
inline constexpr int64_t kSgemmMaxOffset = int64_t{1} << 34;

// Rows of a k-tile in shared memory are 4 words longer than the tile: a transposing warp, 8 (k) x
// 4 (row) words, then touches 32 different banks, and runs of 4 stay aligned to 16 bytes.
inline constexpr int kSgemmPad = 4;

constexpr size_t sgemm_smem_bytes(int tile_m, int tile_n, int tile_k, int stages) {
  return sizeof(float) * static_cast<size_t>(tile_m + tile_n + 2 * kSgemmPad) *
         static_cast<size_t>(tile_k) * static_cast<size_t>(stages);
}

}  // namespace myblas
