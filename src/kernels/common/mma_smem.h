// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/mma_smem.h: the shape of a kernel of mma_gemm.cuh, as the kernel and its
// row of the tables must agree on it.
//==============================================================================
#pragma once

#include <cstddef>
#include <cstdint>

namespace myblas {

// Largest element offset, and so the largest k: k-tiles, of 8 elements and more, are counted in 32
// bits.
inline constexpr int64_t kMmaMaxOffset = int64_t{1} << 34;

// Where the blocks' positions lie behind the rest, bytes.
inline constexpr int kMmaPositionBytes = 256;

// Columns of a warp's part of C that go through shared memory at once where the ring is in use.
inline constexpr int kMmaStageColumns = 8;

// A column of staged sums is this much longer than the warp's rows: 8 columns x 4 pairs of rows,
// what a store of fragments touches, then lie in different banks.
inline constexpr int kMmaStagePadBytes = 32;

// What a block that stays on its SM needs beside the ring, to load the next tile of C's operands
// while it stores this one.
constexpr int mma_stage_bytes(int sum_bytes, int warp_m, int warps) {
  return warps * kMmaStageColumns * (sum_bytes * warp_m + kMmaStagePadBytes);
}

// The ring of k-tiles, the stages of the epilogue where they do not lie over it, the positions.
constexpr size_t mma_smem_bytes(int element_bytes, int tile_m, int tile_n, int tile_k, int stages,
                                int stage_bytes = 0) {
  return static_cast<size_t>(element_bytes) * static_cast<size_t>(tile_m + tile_n) *
             static_cast<size_t>(tile_k) * static_cast<size_t>(stages) +
         static_cast<size_t>(stage_bytes) + kMmaPositionBytes;
}

}  // namespace myblas
