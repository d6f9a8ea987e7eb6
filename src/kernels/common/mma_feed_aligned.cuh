// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/mma_feed_aligned.cuh: one operand's k-tiles from global to shared memory
// through registers, 16 bytes at a time: for chips without cp.async (sm_75).
//
//   assumes   base and column stride aligned to 16 bytes
//   edges     rows that do not exist stay zeros. No load ends behind the matrix's last element: a
//             chunk that rows cut off is loaded whole where another column follows it in memory
//             (what lies between two columns meets sums that are not stored), and the range's last
//             k-tile, which alone can hold the last column or an incomplete k, comes by load_last
//==============================================================================
#pragma once

#include "kernels/common/batch.cuh"
#include "kernels/common/mma_tile.cuh"

namespace myblas {

template <class Tile, int kThreads>
struct AlignedFeed {
  using Element = typename Tile::Element;
  static constexpr int kLinesOfStep = kThreads / Tile::kLineChunks;
  static constexpr int kSteps = Tile::kLines / kLinesOfStep;  // chunks of a thread in a k-tile
  static_assert(kThreads % Tile::kLineChunks == 0 && Tile::kLines % kLinesOfStep == 0,
                "every thread loads as much as any other");
  static_assert(kLinesOfStep % Tile::TileSwizzle::kPeriod == 0,
                "a thread's chunks lie at one distance");

  // Few members: each holds registers through the main loop.
  const char* source;  // this thread's first chunk of the next k-tile
  int64_t step_bytes;  // from there to its next chunk
  uint32_t target;     // offset of its first chunk in a tile
  int valid;           // rows of the tile that exist, from this thread's first one
  uint4 chunks[kSteps];

  static __device__ __forceinline__ int first_line() { return opaque_thread() / Tile::kLineChunks; }
  static __device__ __forceinline__ int chunk() { return opaque_thread() % Tile::kLineChunks; }

  // The whole k-tiles from first_k on.
  __device__ __forceinline__ AlignedFeed(const BatchOperand& operand, int64_t first_row,
                                         int64_t first_k)
      : chunks{} {
    const int64_t line = Tile::kRowsContiguous ? first_k + first_line() : first_row + first_line();
    const int64_t along =
        (Tile::kRowsContiguous ? first_row : first_k) + chunk() * Tile::kChunkElements;
    source = reinterpret_cast<const char*>(operand.base<Element>() + line * operand.ld + along);
    step_bytes = ptx::opaque(kLinesOfStep * operand.ld * Tile::kElementBytes);
    target = Tile::offset_of_chunk(first_line(), chunk());
    const int64_t left = operand.rows - first_row -
                         (Tile::kRowsContiguous ? chunk() * Tile::kChunkElements : first_line());
    valid = static_cast<int>(left < Tile::kRows ? left : Tile::kRows);
  }

  // Starts the loads of the next whole k-tile.
  __device__ __forceinline__ void fetch() {
#pragma unroll
    for (int i = 0; i < kSteps; ++i) {
      if (valid > (Tile::kRowsContiguous ? 0 : i * kLinesOfStep)) {
        chunks[i] = __ldg(reinterpret_cast<const uint4*>(source));
      }
      source += step_bytes;
    }
    // The last line was that of the last row; along the rows it was that of the last k.
    if (!Tile::kRowsContiguous) source += Tile::kLineBytes - kSteps * step_bytes;
  }

  // Stores what was loaded last at tile_offset of `smem`.
  __device__ __forceinline__ void put(char* smem, uint32_t tile_offset) const {
#pragma unroll
    for (int i = 0; i < kSteps; ++i) {
      *reinterpret_cast<uint4*>(smem + tile_offset + target +
                                i * (kLinesOfStep * Tile::kLineBytes)) = chunks[i];
    }
  }

  // The k-tile at first_k, of which valid_k exist: a chunk at a time, those that are cut off an
  // element at a time.
  static __device__ __forceinline__ void load_last(char* smem, uint32_t tile_offset,
                                                   const BatchOperand& operand, int64_t first_row,
                                                   int64_t first_k, int valid_k) {
    const int64_t rows_left = operand.rows - first_row;
    const int valid_rows = static_cast<int>(rows_left < Tile::kRows ? rows_left : Tile::kRows);
    const int valid_lines = Tile::kRowsContiguous ? valid_k : valid_rows;
    const int valid_along =
        (Tile::kRowsContiguous ? valid_rows : valid_k) - chunk() * Tile::kChunkElements;
    const Element* line_start = operand.base<Element>() +
                                (Tile::kRowsContiguous ? first_row + first_k * operand.ld
                                                       : first_k + first_row * operand.ld) +
                                chunk() * Tile::kChunkElements;
    // All loads before the first store: one wait for memory.
    uint4 whole[kSteps] = {};
#pragma unroll
    for (int i = 0; i < kSteps; ++i) {
      const int line = first_line() + i * kLinesOfStep;
      if (line < valid_lines && valid_along >= Tile::kChunkElements) {
        whole[i] = __ldg(reinterpret_cast<const uint4*>(line_start + line * operand.ld));
      }
    }
#pragma unroll
    for (int i = 0; i < kSteps; ++i) {
      const int line = first_line() + i * kLinesOfStep;
      auto* to =
          reinterpret_cast<Element*>(smem + tile_offset + Tile::offset_of_chunk(line, chunk()));
      *reinterpret_cast<uint4*>(to) = whole[i];
      if (line >= valid_lines || valid_along >= Tile::kChunkElements) continue;
#pragma unroll 1
      for (int j = 0; j < valid_along; ++j) to[j] = line_start[line * operand.ld + j];
    }
  }
};

}  // namespace myblas
