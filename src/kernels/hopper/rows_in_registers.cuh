// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// hopper/rows_in_registers.cuh: fp32 rows that are not contiguous along k, from
// shared memory into the registers that wgmma takes them from as TF32.
//
// They lie as TMA brings them (common/tma_shape.h): blocks of 32 rows, a line of 128 bytes a k, its
// chunks of 16 bytes XORed with k % 8. wgmma wants rows l / 4 and l / 4 + 8 of a warp's 16 in lane
// l, for k of l % 4 and 4 more. Which rows of the tile these are is free, so long as the sums are
// stored accordingly; in their own order the loads would meet each bank twice. Of the 8 chunks of a
// block of 32 rows half a warp's (h) 8 rows are two, 5 apart by XOR: the XOR by 4 values of k takes
// the pair to 8 different chunks, and so does that by 4 columns of C two apart, when sums are
// stored.
//==============================================================================
#pragma once

#include <cstdint>

#include "kernels/common/tma_shape.h"
#include "kernels/ptx/shared_words.h"

namespace myblas {

// Of 64 rows, that whose sums a thread of a warpgroup holds, and what XORs it for the other.
struct RowsOfSums {
  int first, other;
};

// As wgmma reads rows from shared memory.
__device__ __forceinline__ RowsOfSums plain_rows(int thread) {
  thread %= 128;
  return {thread / 32 * 16 + thread % 32 / 4, 8};
}

__device__ __forceinline__ RowsOfSums rows_in_registers(int thread) {
  thread %= 128;
  const int warp = thread / 32, row = thread % 32 / 4;  // of 8
  const int chunk = warp % 2 * 2 ^ row / 4 * 5;
  return {warp / 2 * 32 + chunk * 4 + row % 4, 4};
}

// A thread's part of 64 rows of a k-tile of kSteps times 8 k.
template <int kSteps>
class LoadedRows {
 public:
  uint32_t rows[kSteps][4];

  __device__ __forceinline__ LoadedRows() {
    const auto thread = static_cast<int>(threadIdx.x);
    const int first = rows_in_registers(thread).first, k = thread % 4;
    const int chunk = first % kBlock / 4 ^ k;
    offset_ = static_cast<uint32_t>(first / kBlock * (kDepth * kTmaRowBytes) + k * kTmaRowBytes +
                                    chunk * 16 + first % 4 * 4);
  }

  // from: shared address of the first row.
  __device__ __forceinline__ void load(uint32_t from, int step) {
    const uint32_t first_k = from + static_cast<uint32_t>(step) * 8 * kTmaRowBytes;
#pragma unroll
    for (uint32_t i = 0; i < 4; ++i) {
      // 4 rows on is the next chunk; 4 k on are 4 lines, and chunks XORed with 4.
      const uint32_t other_row = i % 2, later_k = i / 2;
      ptx::load_shared_word(rows[step][i], first_k + (offset_ ^ other_row * 16 ^ later_k * 64) +
                                               later_k * 4 * kTmaRowBytes);
    }
  }

 private:
  static constexpr int kDepth = tma_tile_k(sizeof(float)), kBlock = tma_block(sizeof(float));
  static_assert(kSteps * 8 == kDepth);
  uint32_t offset_;
};

struct NoRows {};

}  // namespace myblas
