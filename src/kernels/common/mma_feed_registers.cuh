// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/mma_feed_registers.cuh: one operand's k-tiles from global to shared memory
// through registers, whatever the alignment of base and columns.
//
// A chunk of the tile is 16 bytes that begin anywhere: the two aligned 16-byte pieces of memory
// that hold it are loaded a k-tile ahead, and shifted into place when they are stored.
//
//   edges     rows that do not exist become zeros. No load leaves the operand's memory: where the
//             second piece would, its elements come one by one; the range's last k-tile comes
//             entirely so (load_last)
//==============================================================================
#pragma once

#include "kernels/common/batch.cuh"
#include "kernels/common/mma_tile.cuh"

namespace myblas {

template <class Tile, int kThreads>
struct RegisterFeed {
  using Element = typename Tile::Element;
  static constexpr int kLinesOfStep = kThreads / Tile::kLineChunks;
  static constexpr int kSteps = Tile::kLines / kLinesOfStep;  // chunks of a thread in a k-tile
  static_assert(kThreads % Tile::kLineChunks == 0 && Tile::kLines % kLinesOfStep == 0,
                "every thread loads as much as any other");
  static_assert(kLinesOfStep % Tile::TileSwizzle::kPeriod == 0,
                "a thread's chunks lie at one distance");

  // Two aligned pieces of memory.
  struct Pieces {
    uint4 low, high;
  };

  const char* source;  // this thread's first chunk of the next k-tile
  int64_t step_bytes;  // from there to its next chunk
  const char* end;     // of the operand
  uint32_t target;     // offset of its first chunk in a tile
  int valid;           // rows of the tile that exist, from this thread's first one
  Pieces pieces[kSteps];

  static __device__ __forceinline__ int first_line() { return opaque_thread() / Tile::kLineChunks; }
  static __device__ __forceinline__ int chunk() { return opaque_thread() % Tile::kLineChunks; }

  __device__ __forceinline__ RegisterFeed(const BatchOperand& operand, int64_t first_row,
                                          int64_t first_k) {
    const Element* base = operand.base<Element>();
    const int64_t line = Tile::kRowsContiguous ? first_k + first_line() : first_row + first_line();
    const int64_t along =
        (Tile::kRowsContiguous ? first_row : first_k) + chunk() * Tile::kChunkElements;
    source = reinterpret_cast<const char*>(base + line * operand.ld + along);
    step_bytes = ptx::opaque(kLinesOfStep * operand.ld * Tile::kElementBytes);
    const int64_t lines = Tile::kRowsContiguous ? operand.k : operand.rows;
    const int64_t length = Tile::kRowsContiguous ? operand.rows : operand.k;
    end = reinterpret_cast<const char*>(base + (lines - 1) * operand.ld + length);
    target = Tile::offset_of_chunk(first_line(), chunk());
    const int64_t left = operand.rows - first_row -
                         (Tile::kRowsContiguous ? chunk() * Tile::kChunkElements : first_line());
    valid = static_cast<int>(left < Tile::kRows ? left : Tile::kRows);
  }

  // Loads the next whole k-tile.
  __device__ __forceinline__ void fetch() {
#pragma unroll
    for (int i = 0; i < kSteps; ++i) {
      pieces[i] = {};
      if (valid > (Tile::kRowsContiguous ? 0 : i * kLinesOfStep)) fetch_chunk(pieces[i], source);
      source += step_bytes;
    }
    if (!Tile::kRowsContiguous) source += Tile::kLineBytes - kSteps * step_bytes;
  }

  __device__ __forceinline__ void fetch_chunk(Pieces& to, const char* from) const {
    const auto misaligned = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(from) & 15);
    const char* piece = from - misaligned;
    if (piece + 2 * kChunkBytes <= end) {
      to.low = *reinterpret_cast<const uint4*>(piece);
      if (misaligned != 0) to.high = *reinterpret_cast<const uint4*>(piece + kChunkBytes);
    } else {
      fetch_elements(to, from, misaligned);
    }
  }

  // At the end of the operand: what there is of the chunk, in its place in the two pieces.
  __device__ __forceinline__ void fetch_elements(Pieces& to, const char* from,
                                                 uint32_t misaligned) const {
    constexpr uint32_t kBits = 8 * Tile::kElementBytes;
    static_assert(Tile::kElementBytes == 2, "elements are loaded as 16-bit words");
    uint32_t words[4] = {};
#pragma unroll
    for (int i = 0; i < Tile::kChunkElements; ++i) {
      const char* element = from + i * Tile::kElementBytes;
      if (element < end) {
        words[i / 2] |= uint32_t{*reinterpret_cast<const uint16_t*>(element)} << (i % 2 * kBits);
      }
    }
    // Shifted up by `misaligned` bytes: put() shifts it down again.
    const uint32_t bits = misaligned % 4 * 8;
    uint32_t moved[5];
#pragma unroll
    for (int i = 0; i < 5; ++i) {
      const uint64_t pair =
          static_cast<uint64_t>(i < 4 ? words[i] : 0) << 32 | (i > 0 ? words[i - 1] : 0);
      moved[i] = static_cast<uint32_t>(pair >> (32 - bits));
    }
    uint32_t both[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      both[i] = 0;
#pragma unroll
      for (int j = 0; j < 5; ++j) {
        if (static_cast<uint32_t>(i - j) == misaligned / 4) both[i] = moved[j];
      }
    }
    to.low = {both[0], both[1], both[2], both[3]};
    to.high = {both[4], both[5], both[6], both[7]};
  }

  // Stores the k-tile that was loaded last at tile_offset of `smem`.
  __device__ __forceinline__ void put(char* smem, uint32_t tile_offset) const {
    // The k-tile's place in memory differs from the next one's by a multiple of 16 bytes.
    auto misaligned = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(source));
#pragma unroll
    for (int i = 0; i < kSteps; ++i) {
      const uint4 chunk_bytes = chunk_of(pieces[i], misaligned & 15);
      *reinterpret_cast<uint4*>(smem + tile_offset + target +
                                i * (kLinesOfStep * Tile::kLineBytes)) = chunk_bytes;
      misaligned += static_cast<uint32_t>(step_bytes);
    }
  }

  // The 16 bytes from byte `first` on, 0 to 15.
  static __device__ __forceinline__ uint4 chunk_of(const Pieces& from, uint32_t first) {
    const uint32_t words[8] = {from.low.x,  from.low.y,  from.low.z,  from.low.w,
                               from.high.x, from.high.y, from.high.z, from.high.w};
    uint32_t by_two[6], by_one[5], result[4];
#pragma unroll
    for (int i = 0; i < 6; ++i) by_two[i] = (first & 8) != 0 ? words[i + 2] : words[i];
#pragma unroll
    for (int i = 0; i < 5; ++i) by_one[i] = (first & 4) != 0 ? by_two[i + 1] : by_two[i];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const uint64_t pair = static_cast<uint64_t>(by_one[i + 1]) << 32 | by_one[i];
      result[i] = static_cast<uint32_t>(pair >> (first % 4 * 8));
    }
    return {result[0], result[1], result[2], result[3]};
  }

  // The k-tile at first_k, of which valid_k exist, an element at a time.
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
#pragma unroll 1
    for (int line = first_line(); line < Tile::kLines; line += kLinesOfStep) {
      const Element* from = line_start + line * operand.ld;
      auto* to =
          reinterpret_cast<Element*>(smem + tile_offset + Tile::offset_of_chunk(line, chunk()));
      Element elements[Tile::kChunkElements] = {};
#pragma unroll
      for (int i = 0; i < Tile::kChunkElements; ++i) {
        if (line < valid_lines && i < valid_along) elements[i] = from[i];
      }
#pragma unroll
      for (int i = 0; i < Tile::kChunkElements; ++i) to[i] = elements[i];
    }
  }
};

}  // namespace myblas
