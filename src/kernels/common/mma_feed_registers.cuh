// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/mma_feed_registers.cuh: one operand's k-tiles from global to shared memory
// through registers, whatever the alignment of base and columns.
//
// A chunk of the tile is 16 bytes that begin anywhere: the two aligned 16-byte pieces of memory
// that hold it are loaded a k-tile ahead, and shifted into place when they are stored. All chunks
// of a thread, in every k-tile, begin at the same byte of a piece.
//
//   edges     rows that do not exist hold what is left of other k-tiles: they meet sums that are
//             not stored. Where the second piece would leave the operand's memory, chunks come a
//             word or an element at a time; so does what is cut off of the range's last k-tile
//             (load_last), with zeros behind it
//==============================================================================
#pragma once

#include <type_traits>

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
  static_assert(kLinesOfStep * Tile::kElementBytes % kChunkBytes == 0,
                "a thread's chunks are misaligned alike");

  // Two aligned pieces of memory.
  struct Pieces {
    uint4 low, high;
  };

  // Few members: each holds registers through the main loop.
  const char* source;  // this thread's first chunk of the next k-tile
  int64_t step_bytes;  // from there to its next chunk
  int64_t last;        // the largest `source` from which no load of pieces leaves the operand
  uint32_t target;     // offset of its first chunk in a tile
  int valid;           // rows of the tile that exist, from this thread's first one
  Pieces pieces[kSteps];

  static __device__ __forceinline__ int first_line() { return opaque_thread() / Tile::kLineChunks; }
  static __device__ __forceinline__ int chunk() { return opaque_thread() % Tile::kLineChunks; }
  static __device__ __forceinline__ uint32_t misaligned(const char* place) {
    return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(place) & (kChunkBytes - 1));
  }

  // The whole k-tiles from first_k on.
  __device__ __forceinline__ RegisterFeed(const BatchOperand& operand, int64_t first_row,
                                          int64_t first_k)
      : pieces{} {
    const int64_t line = Tile::kRowsContiguous ? first_k + first_line() : first_row + first_line();
    const int64_t along =
        (Tile::kRowsContiguous ? first_row : first_k) + chunk() * Tile::kChunkElements;
    source = reinterpret_cast<const char*>(operand.base<Element>() + line * operand.ld + along);
    step_bytes = ptx::opaque(kLinesOfStep * operand.ld * Tile::kElementBytes);
    target = Tile::offset_of_chunk(first_line(), chunk());
    const int64_t left = operand.rows - first_row -
                         (Tile::kRowsContiguous ? chunk() * Tile::kChunkElements : first_line());
    valid = static_cast<int>(left < Tile::kRows ? left : Tile::kRows);
    last = reinterpret_cast<int64_t>(end_of(operand)) - reach();
  }

  static __device__ __forceinline__ const char* end_of(const BatchOperand& operand) {
    const int64_t lines = Tile::kRowsContiguous ? operand.k : operand.rows;
    const int64_t length = Tile::kRowsContiguous ? operand.rows : operand.k;
    return reinterpret_cast<const char*>(operand.base<Element>() + (lines - 1) * operand.ld +
                                         length);
  }

  // Whether the thread's chunk after `step` steps has a row that exists.
  __device__ __forceinline__ bool exists(int step) const {
    return valid > (Tile::kRowsContiguous ? 0 : step * kLinesOfStep);
  }

  // Bytes from `source` to the end of what is loaded of a k-tile, in pieces.
  __device__ __forceinline__ int64_t reach() const {
    int steps = 0;
#pragma unroll
    for (int i = 0; i < kSteps; ++i) steps += exists(i) ? 1 : 0;
    if (steps == 0) return 0;
    const auto first = static_cast<int>(misaligned(source));
    return (steps - 1) * step_bytes + (first != 0 ? 2 * kChunkBytes - first : kChunkBytes);
  }

  // NOTE: seen through, this would become a register pair for each of a thread's chunks.
  static __device__ __forceinline__ const char* moved(const char* place, int64_t bytes) {
    return reinterpret_cast<const char*>(ptx::opaque(reinterpret_cast<int64_t>(place) + bytes));
  }

  static __device__ __forceinline__ uint4 load_piece(const char* from) {
    return __ldg(reinterpret_cast<const uint4*>(from));
  }

  // Starts the loads of the next whole k-tile.
  __device__ __forceinline__ void fetch() {
    const uint32_t first = misaligned(source);
    const char* piece = source - first;
    if (reinterpret_cast<int64_t>(source) <= last) {
#pragma unroll
      for (int i = 0; i < kSteps; ++i) {
        if (exists(i)) pieces[i].low = load_piece(piece);
        if (exists(i) && first != 0) pieces[i].high = load_piece(piece + kChunkBytes);
        piece = moved(piece, step_bytes);
      }
    } else {
      fetch_at_end(piece);
    }
    source = moved(source, Tile::kRowsContiguous ? kSteps * step_bytes : Tile::kLineBytes);
  }

  // The same where memory ends. Little code, for it is there once for each operand.
  __device__ __forceinline__ void fetch_at_end(const char* piece) {
    const auto* end = reinterpret_cast<const char*>(last + reach());
#pragma unroll 1
    for (int i = 0; i < kSteps; ++i) {
      if (exists(i)) {
        const Pieces loaded = pieces_before(end, piece);
#pragma unroll
        for (int j = 0; j < kSteps; ++j) {
          if (i == j) pieces[j] = loaded;
        }
      }
      piece += step_bytes;
    }
  }

  // What of two pieces lies before `end`; zeros behind it.
  static __device__ __forceinline__ Pieces pieces_before(const char* end, const char* piece) {
    uint32_t words[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) words[i] = word_before(end, piece + 4 * i);
    return {{words[0], words[1], words[2], words[3]}, {words[4], words[5], words[6], words[7]}};
  }

  static __device__ __forceinline__ uint32_t word_before(const char* end, const char* from) {
    if (from + 4 <= end) return __ldg(reinterpret_cast<const uint32_t*>(from));
    uint32_t word = 0;
    if constexpr (Tile::kElementBytes < 4) {  // others end with a word
      using Bits = std::conditional_t<Tile::kElementBytes == 1, uint8_t, uint16_t>;
#pragma unroll
      for (int i = 0; i < 4; i += Tile::kElementBytes) {
        if (from + i < end) {
          word |= uint32_t{__ldg(reinterpret_cast<const Bits*>(from + i))} << 8 * i;
        }
      }
    }
    return word;
  }

  // Stores the k-tile that was loaded last at tile_offset of `smem`.
  __device__ __forceinline__ void put(char* smem, uint32_t tile_offset) const {
    const uint32_t first = misaligned(source);  // of the next k-tile as of this one
    char* const to = smem + tile_offset + target;
#pragma unroll
    for (int i = 0; i < kSteps; ++i) {
      *reinterpret_cast<uint4*>(to + i * (kLinesOfStep * Tile::kLineBytes)) =
          chunk_of(pieces[i], first);
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
    for (int i = 0; i < 5; ++i) {
      by_one[i] = Tile::kElementBytes < 8 && (first & 4) != 0 ? by_two[i + 1] : by_two[i];
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const uint64_t pair = static_cast<uint64_t>(by_one[i + 1]) << 32 | by_one[i];
      result[i] =
          Tile::kElementBytes < 4 ? static_cast<uint32_t>(pair >> (first % 4 * 8)) : by_one[i];
    }
    return {result[0], result[1], result[2], result[3]};
  }

  // The k-tile at first_k, of which valid_k exist.
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
      uint4 loaded{};
      if (line < valid_lines && valid_along > 0) {
        const auto* from = reinterpret_cast<const char*>(line_start + line * operand.ld);
        loaded = chunk_before(end_of(operand), from, valid_along);
      }
      *reinterpret_cast<uint4*>(smem + tile_offset + Tile::offset_of_chunk(line, chunk())) = loaded;
    }
  }

  // The chunk at `from`, of which `elements` exist; zeros behind them. `end`: of the operand.
  static __device__ __forceinline__ uint4 chunk_before(const char* end, const char* from,
                                                       int elements) {
    const uint32_t first = misaligned(from);
    const char* piece = from - first;
    if (elements >= Tile::kChunkElements && piece + 2 * kChunkBytes <= end) {
      return chunk_of({load_piece(piece), load_piece(piece + kChunkBytes)}, first);
    }
    const int bytes =
        elements < Tile::kChunkElements ? elements * Tile::kElementBytes : kChunkBytes;
    return chunk_of(pieces_before(from + bytes, piece), first);
  }
};

}  // namespace myblas
