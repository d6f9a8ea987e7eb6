// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/mma_tile.cuh: one operand's tile in shared memory, and fragments of it.
//
// The tile is kRows (of m or n) x kDepth (of k), with the lines that the operand has in global
// memory: along k, or along the rows. Feeds write it, whatever way the data come. Fragments are
// read from it by
//   ldmatrix           lines along k; 16-bit elements along the rows too, transposing
//   loads of a word    4-byte elements along the rows, 8-byte elements, parts of 16-byte elements
//   ldmatrix and prmt  bytes along the rows: pairs of rows are transposed, then torn apart
//==============================================================================
#pragma once

#include "kernels/common/swizzle.h"
#include "kernels/ptx/matrix_copy.h"
#include "kernels/ptx/opaque.h"
#include "kernels/ptx/shared_words.h"

namespace myblas {

inline constexpr int kChunkBytes = 16;

// threadIdx.x. What follows from it is computed where it is needed: kept from the start of the
// kernel, it would hold registers in the main loop.
__device__ __forceinline__ int opaque_thread() {
  return ptx::opaque(static_cast<int32_t>(threadIdx.x));
}

// What is XORed into it costs an instruction a k-step, rather than a register for each.
__device__ __forceinline__ uint32_t opaque_offset(uint32_t offset) {
  return static_cast<uint32_t>(ptx::opaque(static_cast<int32_t>(offset)));
}

template <class Mma, int kTileRows, int kTileDepth, bool kAlongRows>
struct MmaTile {
  using Element = typename Mma::Element;
  static constexpr int kElementBytes = static_cast<int>(sizeof(Element));
  static constexpr int kRows = kTileRows, kDepth = kTileDepth;
  static constexpr bool kRowsContiguous = kAlongRows;
  static constexpr int kLines = kAlongRows ? kDepth : kRows;
  static constexpr int kLineBytes = (kAlongRows ? kRows : kDepth) * kElementBytes;
  static constexpr int kLineChunks = kLineBytes / kChunkBytes;
  static constexpr int kChunkElements = kChunkBytes / kElementBytes;
  static constexpr int kBytes = kRows * kDepth * kElementBytes;
  static constexpr SwizzleFor kReader = kAlongRows ? Mma::kReaderAlongRows : Mma::kReaderAlongK;
  using TileSwizzle = LineSwizzle<kReader, kLineBytes>;
  // From 128 bytes of a line to its next 128.
  static constexpr uint32_t kNextBlockBytes = 128;

  static __device__ __forceinline__ uint32_t offset_of_chunk(int line, int chunk) {
    return static_cast<uint32_t>(line * kLineBytes +
                                 (chunk ^ TileSwizzle::of_line(line)) * kChunkBytes);
  }
};

// Which operand of the instruction a fragment is. kWhole, the instruction's a: registers hold rows
// 0-7 and 8-15 of the first part of k, then of the next. kHalves, its b of 8 rows twice: registers
// hold all parts of k for rows 0-7, then for rows 8-15.
enum class FragmentOrder { kWhole, kHalves };

// Row r of a fragment of bytes along the rows is row 2 * (r % 8) + r / 8 of its 16 rows of the
// tile.
template <class Tile>
inline constexpr bool kRowsInPairs = Tile::kReader == SwizzleFor::kBytePairs;

// `offset` moved along its line by `bytes`, a multiple of 16 in which bits are set that were not
// yet: within 128 bytes that is an XOR (common/swizzle.h), and past them an addition, which costs
// nothing.
template <class Tile>
__device__ __forceinline__ uint32_t moved_along_line(uint32_t offset, uint32_t bytes) {
  return (offset ^ (bytes & 127)) + bytes / 128 * Tile::kNextBlockBytes;
}

// A warp's fragments: kFragmentRows rows of the instruction from its first one on, one k-step
// (Mma::kK) at a time. Complex elements (Mma::kParts == 2): their k takes two of the instruction's,
// and of its b their row takes two rows.
template <class Tile, class Mma, FragmentOrder kOrder, int kFragmentRows>
struct MmaFragments {
  using Register = typename Mma::Register;
  static constexpr int kCount = kFragmentRows / 16;
  static constexpr int kRegisters = Mma::kRegisters;
  static constexpr int kKParts = kRegisters / 2;  // registers a row
  static constexpr int kStepBytes = Mma::kK * Tile::kElementBytes;
  static constexpr uint32_t kLineBytes = Tile::kLineBytes;
  static constexpr int kElementRows = kOrder == FragmentOrder::kHalves ? Mma::kParts : 1;
  static constexpr bool kByWords =
      Tile::kReader == SwizzleFor::kQuadRows || Tile::kReader == SwizzleFor::kPairRows;
  static_assert(kFragmentRows % 16 == 0 && kStepBytes % (2 * kChunkBytes) == 0);

  static __device__ __forceinline__ constexpr int register_of(int upper_rows, int k_part) {
    return kOrder == FragmentOrder::kWhole ? 2 * k_part + upper_rows
                                           : kKParts * upper_rows + k_part;
  }

  // Where this lane's part of the fragments begins in a tile.
  static __device__ __forceinline__ uint32_t lane_offset(int first_row) {
    const int lane = opaque_thread() % 32;
    const int within = lane % 8;
    if constexpr (kByWords) {
      const int row = first_row + lane / 4 / kElementRows, k = lane % 4 / Mma::kParts;
      const int line = Tile::kRowsContiguous ? k : row, along = Tile::kRowsContiguous ? row : k;
      // Of [re -im; im re] the second row has the parts the other way round.
      const int part = (lane + (kElementRows == 2 ? lane / 4 : 0)) % Mma::kParts;
      return Tile::offset_of_chunk(line, along / Tile::kChunkElements) +
             static_cast<uint32_t>(along % Tile::kChunkElements * Tile::kElementBytes) +
             static_cast<uint32_t>(part * Tile::kElementBytes / Mma::kParts);
    } else if constexpr (Tile::kReader == SwizzleFor::kBytePairs) {
      // Lane i of a matrix's column gets k 4 * i and the next from one matrix, the two after them
      // from another.
      const int k = within / 2 * 4 + within % 2 + lane / 8 % 2 * 2 + lane / 16 * 16;
      return Tile::offset_of_chunk(k, first_row / 16);
    } else {
      // The four 8 x 8 parts of a fragment in the order of its registers.
      const int upper_rows = kOrder == FragmentOrder::kWhole ? lane / 8 % 2 : lane / 16;
      const int upper_k = kOrder == FragmentOrder::kWhole ? lane / 16 : lane / 8 % 2;
      return Tile::kRowsContiguous
                 ? Tile::offset_of_chunk(within + 8 * upper_k, first_row / 8 + upper_rows)
                 : Tile::offset_of_chunk(first_row + within + 8 * upper_rows, upper_k);
    }
  }

  // The `i`-th fragment of k-step `step` of the tile at `tile`, a shared address.
  static __device__ __forceinline__ void load_one(Register (&to)[kRegisters], uint32_t tile,
                                                  uint32_t lane_offset, int i, int step) {
    const auto fragment = static_cast<uint32_t>(i), k_step = static_cast<uint32_t>(step);
    if constexpr (kByWords) {
      load_words(to, tile, lane_offset, fragment, k_step);
    } else if constexpr (Tile::kReader == SwizzleFor::kBytePairs) {
      load_byte_pairs(to, tile + moved_along_line<Tile>(lane_offset, fragment * kChunkBytes) +
                              k_step * Mma::kK * kLineBytes);
    } else if constexpr (Tile::kRowsContiguous) {
      ptx::ldmatrix_x4_trans(
          to, tile + moved_along_line<Tile>(lane_offset, fragment * 2 * kChunkBytes) +
                  k_step * Mma::kK * kLineBytes);
    } else {
      ptx::ldmatrix_x4(to, tile + moved_along_line<Tile>(lane_offset, k_step * kStepBytes) +
                               fragment * 16 * kLineBytes);
    }
  }

  static __device__ __forceinline__ void load_words(Register (&to)[kRegisters], uint32_t tile,
                                                    uint32_t lane_offset, uint32_t fragment,
                                                    uint32_t k_step) {
    constexpr uint32_t kBytes = Tile::kElementBytes;
#pragma unroll
    for (uint32_t upper = 0; upper < 2; ++upper) {
#pragma unroll
      for (uint32_t part = 0; part < kKParts; ++part) {
        const uint32_t row = (16 * fragment + 8 * upper) / kElementRows;
        const uint32_t k = k_step * Mma::kK + 4 * part / Mma::kParts;
        const uint32_t address =
            Tile::kRowsContiguous
                ? moved_along_line<Tile>(lane_offset, row * kBytes) + k * kLineBytes
                : moved_along_line<Tile>(lane_offset, k * kBytes) + row * kLineBytes;
        ptx::load_shared_word(to[register_of(static_cast<int>(upper), static_cast<int>(part))],
                              tile + address);
      }
    }
  }

  static __device__ __forceinline__ void load_byte_pairs(uint32_t (&to)[4], uint32_t address) {
    uint32_t pairs[4];
    ptx::ldmatrix_x4_trans(pairs, address);
#pragma unroll
    for (int part = 0; part < 2; ++part) {
      to[register_of(0, part)] = ptx::permute_bytes<0x6420>(pairs[2 * part], pairs[2 * part + 1]);
      to[register_of(1, part)] = ptx::permute_bytes<0x7531>(pairs[2 * part], pairs[2 * part + 1]);
    }
  }

  static __device__ __forceinline__ void prepare(Register (&fragments)[kCount][kRegisters],
                                                 const typename Mma::Signs& signs) {
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
#pragma unroll
      for (int r = 0; r < kRegisters; ++r) Mma::prepare(fragments[i][r], signs);
    }
  }
};

// All of a k-step's.
template <class Fragments, class Register, int kCount, int kRegisters>
__device__ __forceinline__ void load_fragments(Register (&to)[kCount][kRegisters], uint32_t tile,
                                               uint32_t lane_offset, int step) {
  lane_offset = opaque_offset(lane_offset);
#pragma unroll
  for (int i = 0; i < kCount; ++i) Fragments::load_one(to[i], tile, lane_offset, i, step);
}

}  // namespace myblas
