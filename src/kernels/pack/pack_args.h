// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// pack/pack_args.h: what the kernel that repacks operands receives, by value.
//==============================================================================
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/divisor.h"

namespace myblas {

inline constexpr int kPackThreads = 256;
inline constexpr int kPackBlocks = 4;            // of an SM, with 64 registers a thread
inline constexpr int kPackBlocksByPointers = 3;  // with 80
// So few that a thread's steps through the pointers, of which 1 GiB has 2^26, stay below 2^32.
inline constexpr int64_t kPackMostBlocks = int64_t{1} << 20;
inline constexpr int kPackChunkBytes = 16;  // of a column: what a thread stores at a time
inline constexpr int kPackChunks = 4;       // that a thread has in flight: 64 KB an SM
inline constexpr int kPackLineBytes = 128;

// What pointers to so many packed matrices take ahead of these.
constexpr size_t packed_pointers_bytes(int64_t count) {
  constexpr size_t kAlignment = 256;
  return (static_cast<size_t>(count) * sizeof(void*) + kAlignment - 1) / kAlignment * kAlignment;
}

// A tile that is transposed: 128 elements of as many columns as a line has elements.
inline constexpr int kPackTileRows = 128;
constexpr int pack_tile_columns(int bytes) { return kPackLineBytes / bytes; }

// A tile that is split into terms (pack/split_terms.cuh).
inline constexpr int kTermTileRows = 64, kTermTileK = 64;

// Matrices of one operand, as they lie and as they are written. All sizes count elements; packed
// columns begin at multiples of 16 bytes and lie behind each other, those of all matrices.
struct PackOperand {
  const void* from;  // the first matrix; of a batch of pointers their array
  int64_t from_ld, from_stride;
  int64_t from_elements;  // of a matrix, from its first to its last
  void* to;
  int64_t to_ld;  // a multiple of 16 bytes
  // Of a batch of pointers those of the packed matrices go here; else null. So many of them, and
  // bytes from one to the next.
  void** pointers;
  int64_t to_bytes;
  uint32_t count;
  int64_t rows, columns;  // of `from`; of `to`, where it is transposed, they change places
  uint32_t tiles;         // work of a block each, over all matrices; 0: nothing to do
  uint32_t chunks;        // of all matrices, where they are copied
  int32_t transposes;
  uint32_t imaginary_flips;  // bits of the second half of each element that is transposed
  // Copied: the chunks of a column, the columns of a matrix. Transposed, or split into terms: the
  // tiles along the rows and along the columns of a matrix.
  Divisor inner, outer;
};

struct PackArgs {
  PackOperand operands[2];
  // Where alpha is in device memory, of 2, 4 or 8 bytes: nothing is read if none of these bits of
  // it, of either part where there are two, is set.
  const void* alpha;
  uint32_t alpha_bits;
  int32_t alpha_bytes;
};

}  // namespace myblas
