// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// pack/pack_operands.cuh: A and B of a product, as they lie -> columns that a TMA row can read.
//
//   layout    column-major matrices of 1, 2 or 4 bytes an element at any address, any ld; copied,
//             or transposed, into columns that begin at multiples of 16 bytes. Bits are moved, so
//             one kernel serves all types of a size
//   CTA tile  copied: 2 chunks of 16 bytes a thread, of all columns of all matrices in a row;
//             transposed: one or two lines of 128 bytes of as many columns as a line has elements
//   pipeline  none: the loads of a tile before its stores, many blocks an SM
//   loads     16 bytes, aligned, and the next 16 where the column is not: the chunk is shifted
//             out of both (the second is in L1). They may begin before a column and end behind it,
//             never outside of the matrix: at its ends elements are loaded
//   assumes   packed columns, bases and strides aligned to 16 bytes
//   edges     the last chunk of a column is stored whole: what it has past the rows is of no value,
//             and the maps of TMA do not reach it
//   order     none to keep: no sums
//   limits    chunks and tiles < 2^31 (launch_pack.cpp)
//==============================================================================
#pragma once

#include "kernels/common/divide.cuh"
#include "kernels/pack/pack_args.h"
#include "kernels/ptx/global_memory.h"
#include "kernels/ptx/grid_dependency.h"
#include "kernels/ptx/shared_memory.h"
#include "kernels/ptx/shared_words.h"

namespace myblas {

template <class Element>
struct PackConfig {
  using T = Element;  // unsigned, of the size
  static constexpr int kBytes = sizeof(T);
  static constexpr int kOfChunk = kPackChunkBytes / kBytes;
  static constexpr int kOfWord = 4 / kBytes;
  // Transposing: a tile of so many lines of 128 bytes of as many columns as a line has elements.
  static constexpr int kLines = pack_tile_lines(kBytes);
  static constexpr int kColumns = pack_tile_columns(kBytes);
  static constexpr int kRows = pack_tile_rows(kBytes);
  static constexpr int kChunksOfLine = kColumns * 8;
  static constexpr int kChunksOfThread = kLines * kChunksOfLine / kPackThreads;
  static_assert(kChunksOfLine % kPackThreads == 0);
  static_assert(kPackLineBytes / 4 * 8 == kPackThreads, "a thread for each word by 8 chunks");
};

// ---- loads ------------------------------------------------------------------------------------

// 16 bytes of a matrix on their way: the aligned words that hold them, or, where those would reach
// out of the matrix, nothing yet.
struct PackChunk {
  uint4 low, high;
  const unsigned char* from;
  int32_t elements;  // from there to the matrix's end; 0 or less: nothing is read
  bool whole;
};

__device__ __forceinline__ uint32_t offset_in_16(const void* pointer) {
  return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(pointer) % kPackChunkBytes);
}

// Of the matrix at `matrix`: what lies at (row, column).
template <class Cfg>
__device__ __forceinline__ PackChunk start_chunk(const PackOperand& operand,
                                                 const typename Cfg::T* matrix, int64_t row,
                                                 int64_t column, bool exists) {
  const int64_t at = row + column * operand.from_ld;
  const int64_t left = (operand.columns - 1) * operand.from_ld + operand.rows - at;
  PackChunk chunk;
  chunk.from = reinterpret_cast<const unsigned char*>(matrix + at);
  const uint32_t shift = offset_in_16(chunk.from);
  const int64_t before = shift / Cfg::kBytes;
  const int64_t behind = (shift != 0 ? 2 : 1) * Cfg::kOfChunk - before;
  chunk.whole = exists && at >= before && left >= behind;
  chunk.elements = !exists ? 0 : static_cast<int32_t>(min(left, int64_t{Cfg::kOfChunk}));
  chunk.low = ptx::load_cached_16B(chunk.from - shift, chunk.whole);
  chunk.high =
      ptx::load_cached_16B(chunk.from - shift + kPackChunkBytes, chunk.whole && shift != 0);
  return chunk;
}

// The 16 bytes from byte `shift`, 0 to 15, of {low, high} on.
template <class Cfg>
__device__ __forceinline__ uint4 shift_bytes(const uint4& low, const uint4& high, uint32_t shift) {
  uint32_t words[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
  for (int i = 0; i < 6; ++i) words[i] = (shift & 8) != 0 ? words[i + 2] : words[i];
#pragma unroll
  for (int i = 0; i < 5; ++i) words[i] = (shift & 4) != 0 ? words[i + 1] : words[i];
  if constexpr (Cfg::kBytes < 4) {
    const uint32_t bits = 8 * (shift & 3);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      words[i] = static_cast<uint32_t>((uint64_t{words[i + 1]} << 32 | words[i]) >> bits);
    }
  }
  return {words[0], words[1], words[2], words[3]};
}

// The elements that the matrix still has; zeros for others.
template <class Cfg>
__device__ __forceinline__ uint4 load_elements(const PackChunk& chunk) {
  const auto* from = reinterpret_cast<const typename Cfg::T*>(chunk.from);
  uint32_t words[4] = {};
#pragma unroll
  for (int i = 0; i < Cfg::kOfChunk; ++i) {
    const uint32_t element = i < chunk.elements ? from[i] : 0;
    words[i / Cfg::kOfWord] |= element << (8 * Cfg::kBytes * (i % Cfg::kOfWord));
  }
  return {words[0], words[1], words[2], words[3]};
}

template <class Cfg>
__device__ __forceinline__ uint4 finish_chunk(const PackChunk& chunk) {
  if (!chunk.whole) return load_elements<Cfg>(chunk);
  return shift_bytes<Cfg>(chunk.low, chunk.high, offset_in_16(chunk.from));
}

// ---- a tile that is copied --------------------------------------------------------------------

template <class Cfg>
__device__ __forceinline__ void copy_tile(const PackOperand& operand, uint32_t tile) {
  using T = typename Cfg::T;
  PackChunk chunks[kPackChunks];
  uint4* to[kPackChunks];
#pragma unroll
  for (int i = 0; i < kPackChunks; ++i) {
    const uint32_t index = (tile * kPackChunks + i) * kPackThreads + threadIdx.x;
    const bool exists = index < operand.chunks;
    const uint32_t column_of_all = divide(exists ? index : 0, operand.inner);
    const uint32_t chunk = index - column_of_all * operand.inner.divisor;
    const uint32_t matrix = divide(column_of_all, operand.outer);
    const uint32_t column = column_of_all - matrix * operand.outer.divisor;
    const int64_t row = int64_t{chunk} * Cfg::kOfChunk;
    const T* from = static_cast<const T*>(operand.from) + matrix * operand.from_stride;
    chunks[i] = start_chunk<Cfg>(operand, from, row, column, exists);
    to[i] = !exists ? nullptr
                    : reinterpret_cast<uint4*>(static_cast<T*>(operand.to) +
                                               column_of_all * operand.to_ld + row);
  }
#pragma unroll
  for (int i = 0; i < kPackChunks; ++i) {
    const uint4 value = finish_chunk<Cfg>(chunks[i]);
    if (to[i] != nullptr) *to[i] = value;
  }
}

// ---- a tile that is transposed ----------------------------------------------------------------

// In shared memory a line of all columns lies together. The chunk of 16 bytes lies at its number
// xor the column's group, that of the chunk of packed memory which the column goes to: 8 threads
// for 8 chunks of a packed column then meet 8 groups of banks.
template <class Cfg>
__device__ __forceinline__ uint32_t chunk_in_line(uint32_t column, uint32_t chunk) {
  const uint32_t group = column / Cfg::kOfChunk;
  return column * kPackLineBytes + (chunk ^ group) * kPackChunkBytes;
}

// Element `which` of each of a group's words, one after the other.
template <class Cfg>
__device__ __forceinline__ uint4 gather_elements(const uint32_t (&words)[Cfg::kOfChunk],
                                                 int which) {
  constexpr uint32_t kMask = 0xffffffffu >> (32 - 8 * Cfg::kBytes);
  uint32_t gathered[4] = {};
#pragma unroll
  for (int i = 0; i < Cfg::kOfChunk; ++i) {
    const uint32_t element = words[i] >> (8 * Cfg::kBytes * which) & kMask;
    gathered[i / Cfg::kOfWord] |= element << (8 * Cfg::kBytes * (i % Cfg::kOfWord));
  }
  return {gathered[0], gathered[1], gathered[2], gathered[3]};
}

// Where a tile lies: its first row and column, in one of the matrices.
struct PackTile {
  uint32_t matrix;
  int64_t row, column;
};
template <class Cfg>
__device__ __forceinline__ PackTile pack_tile(const PackOperand& operand, uint32_t tile) {
  const uint32_t strip = divide(tile, operand.inner);
  const uint32_t matrix = divide(strip, operand.outer);
  return {matrix, int64_t{tile - strip * operand.inner.divisor} * Cfg::kRows,
          int64_t{strip - matrix * operand.outer.divisor} * Cfg::kColumns};
}

template <class Cfg>
__device__ __forceinline__ void stage_tile(const PackOperand& operand, const PackTile& at,
                                           unsigned char* staged) {
  using T = typename Cfg::T;
  const T* matrix = static_cast<const T*>(operand.from) + at.matrix * operand.from_stride;
  PackChunk chunks[Cfg::kChunksOfThread];
#pragma unroll
  for (int i = 0; i < Cfg::kChunksOfThread; ++i) {
    const uint32_t line = i * kPackThreads / Cfg::kChunksOfLine;
    const uint32_t index = i * kPackThreads % Cfg::kChunksOfLine + threadIdx.x;
    const int64_t row = at.row + int64_t{line * 8 + index % 8} * Cfg::kOfChunk;
    const int64_t column = at.column + index / 8;
    chunks[i] = start_chunk<Cfg>(operand, matrix, row, column,
                                 row < operand.rows && column < operand.columns);
  }
#pragma unroll
  for (int i = 0; i < Cfg::kChunksOfThread; ++i) {
    const uint32_t line = i * kPackThreads / Cfg::kChunksOfLine;
    const uint32_t index = i * kPackThreads % Cfg::kChunksOfLine + threadIdx.x;
    unsigned char* const to = staged + line * (Cfg::kColumns * kPackLineBytes);
    *reinterpret_cast<uint4*>(to + chunk_in_line<Cfg>(index / 8, index % 8)) =
        finish_chunk<Cfg>(chunks[i]);
  }
}

// Of a line at `staged`, of rows from at.row on, a thread takes a word, of one element or more, of
// each column of a group, and so has a chunk of as many packed columns.
template <class Cfg>
__device__ __forceinline__ void store_line(const PackOperand& operand, const PackTile& at,
                                           const unsigned char* staged) {
  using T = typename Cfg::T;
  const uint32_t group = threadIdx.x % 8, word = threadIdx.x / 8;
  const uint32_t address = ptx::shared_address(staged);
  uint32_t words[Cfg::kOfChunk];
#pragma unroll
  for (int i = 0; i < Cfg::kOfChunk; ++i) {
    const uint32_t chunk = chunk_in_line<Cfg>(group * Cfg::kOfChunk + i, word / 4);
    ptx::load_shared_word(words[i], address + chunk + word % 4 * 4);
  }
  const int64_t column = at.column + int64_t{group} * Cfg::kOfChunk;
  const int64_t first_row = at.row + int64_t{word} * Cfg::kOfWord;
  if (column >= operand.columns) return;
  T* to =
      static_cast<T*>(operand.to) + column + (at.matrix * operand.rows + first_row) * operand.to_ld;
#pragma unroll
  for (int i = 0; i < Cfg::kOfWord; ++i) {
    if (first_row + i >= operand.rows) break;
    *reinterpret_cast<uint4*>(to + i * operand.to_ld) = gather_elements<Cfg>(words, i);
  }
}

template <class Cfg>
__device__ __forceinline__ void transpose_tile(const PackOperand& operand, uint32_t tile,
                                               unsigned char* staged) {
  const PackTile at = pack_tile<Cfg>(operand, tile);
  stage_tile<Cfg>(operand, at, staged);
  __syncthreads();  // all threads' chunks before anyone's words of them
#pragma unroll
  for (int line = 0; line < Cfg::kLines; ++line) {
    const PackTile line_at{at.matrix, at.row + line * (kPackLineBytes / Cfg::kBytes), at.column};
    store_line<Cfg>(operand, line_at, staged + line * (Cfg::kColumns * kPackLineBytes));
  }
  __syncthreads();  // all threads' words before anyone's chunks of the next tile
}

// ---- the kernel -------------------------------------------------------------------------------

// NOTE: alpha == 0 must not read A or B; they may be NULL.
__device__ __forceinline__ bool operands_are_read(const PackArgs& args) {
  if (args.alpha == nullptr) return true;
  const uint32_t bits = args.alpha_is_half != 0 ? *static_cast<const uint16_t*>(args.alpha)
                                                : *static_cast<const uint32_t*>(args.alpha);
  return (bits & args.alpha_bits) != 0;
}

template <class T>
__device__ __forceinline__ void pack_operands(const PackArgs& args) {
  using Cfg = PackConfig<T>;
  __shared__ __align__(16) unsigned char staged[Cfg::kLines * Cfg::kColumns * kPackLineBytes];
  // The grids ahead may write A and B, and read what an earlier launch of this kernel packed.
  ptx::wait_for_previous_grid();
  // The product may start its blocks: before it reads anything it waits for all of this grid.
  ptx::let_next_grid_start();
  if (!operands_are_read(args)) return;
  const uint32_t tiles_a = args.operands[0].tiles;
  const uint32_t tiles = tiles_a + args.operands[1].tiles;
  for (uint32_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const PackOperand& operand = args.operands[tile < tiles_a ? 0 : 1];
    const uint32_t own = tile < tiles_a ? tile : tile - tiles_a;
    if (operand.transposes != 0) {
      transpose_tile<Cfg>(operand, own, staged);
    } else {
      copy_tile<Cfg>(operand, own);
    }
  }
}

}  // namespace myblas
