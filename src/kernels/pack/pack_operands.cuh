// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// pack/pack_operands.cuh: A and B of a product, as they lie -> columns that a TMA row can read.
//
//   layout    column-major matrices of 1, 2, 4 or 8 bytes an element at any address of its parts,
//             any ld, a strided batch or one of pointers, which is one again; copied, or
//             transposed, into columns that begin at multiples of 16 bytes. Bits are moved, so one
//             kernel serves all types of a size; those that are transposed may have the sign of
//             their second half changed: complex ones are conjugated
//   CTA tile  copied: 4 chunks of 16 bytes a thread, of all columns of all matrices in a row;
//             transposed: 128 elements of as many columns as 128 bytes have
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

#include <type_traits>

#include "kernels/common/divide.cuh"
#include "kernels/common/grid_start.cuh"
#include "kernels/pack/pack_args.h"
#include "kernels/ptx/global_memory.h"
#include "kernels/ptx/opaque.h"
#include "kernels/ptx/shared_memory.h"
#include "kernels/ptx/shared_words.h"

namespace myblas {

template <class Element, bool ByPointers>
struct PackConfig {
  using T = Element;  // unsigned, of the size
  static constexpr bool kByPointers = ByPointers;
  static constexpr int kBytes = sizeof(T);
  static constexpr int kOfChunk = kPackChunkBytes / kBytes;
  // What a thread takes of a column that is transposed.
  using Word = std::conditional_t<kBytes == 8, uint64_t, uint32_t>;
  static constexpr int kOfWord = sizeof(Word) / kBytes;
  // Transposing: a tile of so many lines of 128 bytes of as many columns as a line has elements.
  static constexpr int kLines = kPackTileRows * kBytes / kPackLineBytes;
  static constexpr int kColumns = pack_tile_columns(kBytes);
  static constexpr int kChunksOfLine = kColumns * 8;
  static_assert(kLines * kChunksOfLine == kPackChunks * kPackThreads,
                "a tile is what is in flight");
  // A thread for each word of a line by 8 chunks.
  static constexpr int kWordsOfLine = kPackLineBytes / sizeof(Word);
  static constexpr int kLinesAtOnce = kPackThreads / (8 * kWordsOfLine);
  static_assert(kLines % kLinesAtOnce == 0);
};

// ---- loads ------------------------------------------------------------------------------------

// Where a chunk of 16 bytes of a matrix begins.
template <class T>
struct PackPlace {
  const T* matrix;
  int64_t row, column;
  bool exists;
};

template <class Cfg>
__device__ __forceinline__ const typename Cfg::T* source_matrix(const PackOperand& operand,
                                                                uint32_t matrix) {
  using T = typename Cfg::T;
  if constexpr (Cfg::kByPointers) return static_cast<const T* const*>(operand.from)[matrix];
  return static_cast<const T*>(operand.from) + matrix * operand.from_stride;
}

// The chunk on its way: the aligned words that hold it, and where it begins in them. kPackElements
// where they would reach out of the matrix: then its elements are loaded one by one.
struct PackChunk {
  uint4 low, high;
  uint32_t shift;
};
inline constexpr uint32_t kPackElements = kPackChunkBytes;

template <class Cfg>
__device__ __forceinline__ PackChunk start_chunk(const PackOperand& operand,
                                                 const PackPlace<typename Cfg::T>& place) {
  const int64_t at = place.row + place.column * operand.from_ld;
  const auto* from = reinterpret_cast<const unsigned char*>(place.matrix + at);
  const auto shift = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(from) % kPackChunkBytes);
  // Elements of which these words have a part, on either side of the first.
  const int64_t before = (shift + Cfg::kBytes - 1) / Cfg::kBytes;
  const int64_t behind = (shift != 0 ? 2 : 1) * Cfg::kOfChunk - shift / Cfg::kBytes;
  const bool whole = place.exists && at >= before && operand.from_elements - at >= behind;
  return {ptx::load_cached_16B(from - shift, whole),
          ptx::load_cached_16B(from - shift + kPackChunkBytes, whole && shift != 0),
          whole ? shift : kPackElements};
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
__device__ __forceinline__ uint4 load_elements(const PackOperand& operand,
                                               const PackPlace<typename Cfg::T>& place) {
  const int64_t at = place.row + place.column * operand.from_ld;
  const int64_t left = place.exists ? operand.from_elements - at : 0;
  uint32_t words[4] = {};
#pragma unroll
  for (int i = 0; i < Cfg::kOfChunk; ++i) {
    if (i >= left) break;
    if constexpr (Cfg::kBytes == 8) {  // aligned to its halves
      const auto* halves = reinterpret_cast<const uint32_t*>(place.matrix + at + i);
      words[2 * i] = halves[0];
      words[2 * i + 1] = halves[1];
    } else {
      const uint32_t element = place.matrix[at + i];
      words[i / Cfg::kOfWord] |= element << (8 * Cfg::kBytes * (i % Cfg::kOfWord));
    }
  }
  return {words[0], words[1], words[2], words[3]};
}

template <class Cfg>
__device__ __forceinline__ uint4 finish_chunk(const PackOperand& operand, const PackChunk& chunk,
                                              const PackPlace<typename Cfg::T>& place) {
  if (chunk.shift == kPackElements) return load_elements<Cfg>(operand, place);
  return shift_bytes<Cfg>(chunk.low, chunk.high, chunk.shift);
}

// ---- a tile that is copied --------------------------------------------------------------------

// Chunk `index` of all columns of all matrices: its place, and its number in packed memory.
template <class Cfg>
__device__ __forceinline__ PackPlace<typename Cfg::T> copied_place(const PackOperand& operand,
                                                                   uint32_t index, uint32_t* to) {
  const bool exists = index < operand.chunks;
  const uint32_t column_of_all = divide(exists ? index : 0, operand.inner);
  const uint32_t chunk = index - column_of_all * operand.inner.divisor;
  const uint32_t matrix = divide(column_of_all, operand.outer);
  *to = column_of_all * (static_cast<uint32_t>(operand.to_ld) / Cfg::kOfChunk) + chunk;
  return {source_matrix<Cfg>(operand, matrix), int64_t{chunk} * Cfg::kOfChunk,
          column_of_all - matrix * operand.outer.divisor, exists};
}

// NOTE: places are computed a second time, behind the loads: kept, they would take the registers
// of a third of the loads.
template <class Cfg>
__device__ __forceinline__ void copy_tile(const PackOperand& operand, uint32_t tile) {
  const auto first = static_cast<int32_t>(tile * (kPackChunks * kPackThreads) + threadIdx.x);
  PackChunk chunks[kPackChunks];
  uint32_t to[kPackChunks];
#pragma unroll
  for (int i = 0; i < kPackChunks; ++i) {
    const auto index = static_cast<uint32_t>(first + i * kPackThreads);
    chunks[i] = start_chunk<Cfg>(operand, copied_place<Cfg>(operand, index, &to[i]));
  }
  auto* const packed = static_cast<uint4*>(operand.to);
#pragma unroll
  for (int i = 0; i < kPackChunks; ++i) {
    const auto index = static_cast<uint32_t>(ptx::opaque(first + i * kPackThreads));
    if (index >= operand.chunks) continue;
    uint32_t same;
    __stcg(packed + to[i],
           finish_chunk<Cfg>(operand, chunks[i], copied_place<Cfg>(operand, index, &same)));
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
__device__ __forceinline__ uint4 gather_elements(const typename Cfg::Word (&words)[Cfg::kOfChunk],
                                                 int which, uint32_t imaginary_flips) {
  uint32_t gathered[4] = {};
  if constexpr (Cfg::kBytes == 8) {
#pragma unroll
    for (int i = 0; i < Cfg::kOfChunk; ++i) {
      gathered[2 * i] = static_cast<uint32_t>(words[i]);
      gathered[2 * i + 1] = static_cast<uint32_t>(words[i] >> 32) ^ imaginary_flips;
    }
  } else {
    constexpr uint32_t kMask = 0xffffffffu >> (32 - 8 * Cfg::kBytes);
#pragma unroll
    for (int i = 0; i < Cfg::kOfChunk; ++i) {
      const uint32_t element = words[i] >> (8 * Cfg::kBytes * which) & kMask;
      gathered[i / Cfg::kOfWord] |= element << (8 * Cfg::kBytes * (i % Cfg::kOfWord));
    }
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
  return {matrix, int64_t{tile - strip * operand.inner.divisor} * kPackTileRows,
          int64_t{strip - matrix * operand.outer.divisor} * Cfg::kColumns};
}

// Chunk `index` of a tile: its place, and where it is staged.
template <class Cfg>
__device__ __forceinline__ PackPlace<typename Cfg::T> staged_place(const PackOperand& operand,
                                                                   const PackTile& at, int index,
                                                                   uint32_t* to) {
  const uint32_t line = static_cast<uint32_t>(index) / Cfg::kChunksOfLine;
  const uint32_t within = static_cast<uint32_t>(index) % Cfg::kChunksOfLine;
  const int64_t row = at.row + int64_t{line * 8 + within % 8} * Cfg::kOfChunk;
  const int64_t column = at.column + within / 8;
  *to = line * (Cfg::kColumns * kPackLineBytes) + chunk_in_line<Cfg>(within / 8, within % 8);
  return {source_matrix<Cfg>(operand, at.matrix), row, column,
          row < operand.rows && column < operand.columns};
}

template <class Cfg>
__device__ __forceinline__ void stage_tile(const PackOperand& operand, const PackTile& at,
                                           unsigned char* staged) {
  PackChunk chunks[kPackChunks];
  const auto first = static_cast<int32_t>(threadIdx.x);
  uint32_t to;
#pragma unroll
  for (int i = 0; i < kPackChunks; ++i) {
    const int index = first + i * kPackThreads;
    chunks[i] = start_chunk<Cfg>(operand, staged_place<Cfg>(operand, at, index, &to));
  }
#pragma unroll
  for (int i = 0; i < kPackChunks; ++i) {
    const int index = ptx::opaque(first + i * kPackThreads);
    const auto place = staged_place<Cfg>(operand, at, index, &to);
    *reinterpret_cast<uint4*>(staged + to) = finish_chunk<Cfg>(operand, chunks[i], place);
  }
}

// Of a line at `staged`, of rows from at.row on, a thread takes a word, of one element or more, of
// each column of a group, and so has a chunk of as many packed columns. `thread`: of those that a
// line has words for.
template <class Cfg>
__device__ __forceinline__ void store_line(const PackOperand& operand, const PackTile& at,
                                           const unsigned char* staged, uint32_t thread) {
  using T = typename Cfg::T;
  using Word = typename Cfg::Word;
  constexpr uint32_t kOfChunkBytes = kPackChunkBytes / sizeof(Word);
  const uint32_t group = thread % 8, word = thread / 8;
  const uint32_t address = ptx::shared_address(staged);
  Word words[Cfg::kOfChunk];
#pragma unroll
  for (int i = 0; i < Cfg::kOfChunk; ++i) {
    const uint32_t chunk = chunk_in_line<Cfg>(group * Cfg::kOfChunk + i, word / kOfChunkBytes);
    ptx::load_shared_word(
        words[i], address + chunk + word % kOfChunkBytes * static_cast<uint32_t>(sizeof(Word)));
  }
  const int64_t column = at.column + int64_t{group} * Cfg::kOfChunk;
  const int64_t first_row = at.row + int64_t{word} * Cfg::kOfWord;
  if (column >= operand.columns) return;
  T* to =
      static_cast<T*>(operand.to) + column + (at.matrix * operand.rows + first_row) * operand.to_ld;
#pragma unroll
  for (int i = 0; i < Cfg::kOfWord; ++i) {
    if (first_row + i >= operand.rows) break;
    // NOTE: assigned, a uint4 that was put together here is stored in four words.
    __stcg(reinterpret_cast<uint4*>(to + i * operand.to_ld),
           gather_elements<Cfg>(words, i, operand.imaginary_flips));
  }
}

template <class Cfg>
__device__ __forceinline__ void transpose_tile(const PackOperand& operand, uint32_t tile,
                                               unsigned char* staged) {
  const PackTile at = pack_tile<Cfg>(operand, tile);
  stage_tile<Cfg>(operand, at, staged);
  __syncthreads();  // all threads' chunks before anyone's words of them
  constexpr uint32_t kThreadsOfLine = kPackThreads / Cfg::kLinesAtOnce;
#pragma unroll
  for (int first = 0; first < Cfg::kLines; first += Cfg::kLinesAtOnce) {
    const uint32_t line = first + threadIdx.x / kThreadsOfLine;
    const PackTile line_at{at.matrix, at.row + line * (kPackLineBytes / Cfg::kBytes), at.column};
    store_line<Cfg>(operand, line_at, staged + line * (Cfg::kColumns * kPackLineBytes),
                    threadIdx.x % kThreadsOfLine);
  }
  __syncthreads();  // all threads' words before anyone's chunks of the next tile
}

// ---- the kernel -------------------------------------------------------------------------------

// NOTE: alpha == 0 must not read A or B; they may be NULL.
__device__ __forceinline__ bool operands_are_read(const PackArgs& args) {
  if (args.alpha == nullptr) return true;
  const auto* parts = static_cast<const uint32_t*>(args.alpha);
  uint32_t bits = args.alpha_bytes == 2 ? *static_cast<const uint16_t*>(args.alpha) : parts[0];
  if (args.alpha_bytes == 8) bits |= parts[1];
  return (bits & args.alpha_bits) != 0;
}

// Where the product's kernel finds the packed matrices of a batch of pointers.
__device__ __forceinline__ void write_pointers(const PackOperand& operand) {
  if (operand.tiles == 0) return;
  for (uint32_t i = blockIdx.x * kPackThreads + threadIdx.x; i < operand.count;
       i += gridDim.x * kPackThreads) {  // in 32 bits: kPackMostBlocks
    operand.pointers[i] = static_cast<unsigned char*>(operand.to) + i * operand.to_bytes;
  }
}

template <class T, bool kByPointers>
__device__ __forceinline__ void pack_operands(const PackArgs& args) {
  using Cfg = PackConfig<T, kByPointers>;
  __shared__ __align__(16) unsigned char staged[Cfg::kLines * Cfg::kColumns * kPackLineBytes];
  // The grids ahead may write A and B, and read what an earlier launch of this kernel packed.
  begin_grid(args, args.operands[0].rows);
  if (!operands_are_read(args)) return;
  if constexpr (kByPointers) {
    write_pointers(args.operands[0]);
    write_pointers(args.operands[1]);
  }
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
