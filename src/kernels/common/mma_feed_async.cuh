// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/mma_feed_async.cuh: one operand's k-tiles from global to shared memory
// by cp.async, in pieces of 16, 8 or 4 bytes.
//
//   assumes   base and column stride aligned to a piece
//   edges     rows that do not exist are zero-filled. No copy ends behind the matrix: a piece that
//             rows cut off is copied whole where another column follows it in memory (what lies
//             between two columns meets sums that are not stored), and the range's last k-tile,
//             which alone can hold the last column or an incomplete k, is copied by load_last
//==============================================================================
#pragma once

#include "kernels/common/batch.cuh"
#include "kernels/common/mma_tile.cuh"
#include "kernels/common/split_k.cuh"
#include "kernels/ptx/cp_async.h"
#include "kernels/ptx/shared_memory.h"

namespace myblas {

template <class Tile, int kThreads, int kPieceBytes>
struct AsyncFeed {
  using Element = typename Tile::Element;
  static constexpr int kPieceElements = kPieceBytes / Tile::kElementBytes;
  static constexpr int kLinePieces = Tile::kLineBytes / kPieceBytes;
  static constexpr int kLinesOfStep = kThreads / kLinePieces;
  static constexpr int kSteps = Tile::kLines / kLinesOfStep;  // copies of a thread in a k-tile
  static constexpr uint32_t kStepBytes = kLinesOfStep * Tile::kLineBytes;
  static_assert(kThreads % kLinePieces == 0 && Tile::kLines % kLinesOfStep == 0,
                "every thread copies as much as any other");
  // A swizzle is made of bits of the line's number, so that of a line some steps on is that of the
  // thread's first line XOR that of the steps.
  static_assert(kPieceElements >= 1 && (kLinesOfStep & (kLinesOfStep - 1)) == 0);

  // Few members: each holds registers through the main loop.
  const char* source;  // this thread's next piece
  int64_t step_bytes;  // from there to the one after it
  uint32_t target;     // offset of its first piece in a tile
  int valid;           // rows of the tile that exist, from this thread's first one

  static __device__ __forceinline__ int first_line() { return opaque_thread() / kLinePieces; }
  // Elements of the line ahead of this thread's pieces.
  static __device__ __forceinline__ int along() {
    return opaque_thread() % kLinePieces * kPieceElements;
  }
  static __device__ __forceinline__ uint32_t offset_of_piece(int line) {
    const int piece = opaque_thread() % kLinePieces;
    return Tile::offset_of_chunk(line, piece * kPieceBytes / kChunkBytes) +
           static_cast<uint32_t>(piece * kPieceBytes % kChunkBytes);
  }
  // From `target` to the thread's piece after `step` steps.
  static __device__ __forceinline__ uint32_t target_of_step(uint32_t target, int step) {
    const int swizzle = Tile::TileSwizzle::of_line(step * kLinesOfStep) * kChunkBytes;
    return (target ^ static_cast<uint32_t>(swizzle)) + static_cast<uint32_t>(step) * kStepBytes;
  }

  // `bytes`: a piece, or 0.
  static __device__ __forceinline__ void copy(uint32_t to, const void* from, int bytes) {
    if constexpr (kPieceBytes == 16) {
      ptx::cp_async_16B(to, from, bytes);
    } else if constexpr (kPieceBytes == 8) {
      ptx::cp_async_8B(to, from, bytes);
    } else {
      static_assert(kPieceBytes == 4);
      ptx::cp_async_4B(to, from, bytes);
    }
  }

  // The whole k-tiles from first_k on.
  __device__ __forceinline__ AsyncFeed(const BatchOperand& operand, int64_t first_row,
                                       int64_t first_k) {
    const int64_t line = Tile::kRowsContiguous ? first_k + first_line() : first_row + first_line();
    const int64_t place = (Tile::kRowsContiguous ? first_row : first_k) + along();
    source = reinterpret_cast<const char*>(operand.base<Element>() + line * operand.ld + place);
    step_bytes = ptx::opaque(kLinesOfStep * operand.ld * Tile::kElementBytes);
    target = offset_of_piece(first_line());
    const int64_t left =
        operand.rows - first_row - (Tile::kRowsContiguous ? along() : first_line());
    valid = static_cast<int>(left < Tile::kRows ? left : Tile::kRows);
  }

  // NOTE: seen through, this would become a register pair for each of a thread's copies.
  __device__ __forceinline__ void step_on(int64_t bytes) {
    source = reinterpret_cast<const char*>(ptx::opaque(reinterpret_cast<int64_t>(source) + bytes));
  }

  // Starts this thread's copies of the next whole k-tile into `tile`, a shared address: the share
  // of step `step` where they are spread over kSpread of them. `exists`: whether there is such a
  // k-tile; else they fill zeros and read nothing, so that the main loop has no branch.
  template <int kSpread>
  __device__ __forceinline__ void start(uint32_t tile, int step, bool exists) {
#pragma unroll
    for (int i = 0; i < kSteps; ++i) {
      if (i * kSpread / kSteps != step) continue;
      const bool reads = exists && valid > (Tile::kRowsContiguous ? 0 : i * kLinesOfStep);
      copy(tile + target_of_step(target, i), source, reads ? kPieceBytes : 0);
      step_on(step_bytes);
    }
    // The last line was that of the last row; along the rows it was that of the last k.
    if (!Tile::kRowsContiguous && step == kSpread - 1) {
      step_on(Tile::kLineBytes - kSteps * step_bytes);
    }
  }

  // The k-tile at first_k, of which valid_k exist: a piece at a time, those that are cut off an
  // element at a time. Complete when this thread's copies are and a barrier has come.
  static __device__ __forceinline__ void load_last(char* smem, uint32_t tile_offset,
                                                   const BatchOperand& operand, int64_t first_row,
                                                   int64_t first_k, int valid_k) {
    const int64_t rows_left = operand.rows - first_row;
    const int valid_rows = static_cast<int>(rows_left < Tile::kRows ? rows_left : Tile::kRows);
    const int valid_lines = Tile::kRowsContiguous ? valid_k : valid_rows;
    const int valid_along = (Tile::kRowsContiguous ? valid_rows : valid_k) - along();
    const Element* line_start = operand.base<Element>() +
                                (Tile::kRowsContiguous ? first_row + first_k * operand.ld
                                                       : first_k + first_row * operand.ld) +
                                along();
#pragma unroll 1
    for (int line = first_line(); line < Tile::kLines; line += kLinesOfStep) {
      const int valid = line < valid_lines ? valid_along : 0;
      const uint32_t to = tile_offset + offset_of_piece(line);
      const Element* from = line_start + line * operand.ld;
      if (valid <= 0 || valid >= kPieceElements) {
        copy(ptx::shared_address(smem) + to, valid > 0 ? from : operand.base<Element>(),
             valid > 0 ? kPieceBytes : 0);
        continue;
      }
      auto* elements = reinterpret_cast<Element*>(smem + to);
#pragma unroll 1
      for (int i = 0; i < kPieceElements; ++i) {
        Element element{};
        if (i < valid) element = from[i];
        elements[i] = element;
      }
    }
  }
};

}  // namespace myblas
