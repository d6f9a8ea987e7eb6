// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/swizzle.h: where a 16-byte chunk of a tile's line lies in shared memory.
//
// A tile is lines of line_bytes, a power of two from 32. Chunk c of line l lies at place
// c ^ swizzle(l) of the line: copies of whole lines meet every bank once, and the lines that one
// load of fragments touches lie in different banks. Only the three lowest bits of the place
// change, so that the part of a chunk's number which a loop counts can be XORed in afterwards.
//==============================================================================
#pragma once

namespace myblas {

// What a load of fragments touches at once: which lines, and how much of each.
enum class SwizzleFor {
  kMatrixRows,  // a chunk of 8 neighbouring lines: ldmatrix
  kQuadRows,    // two neighbouring chunks of 4 neighbouring lines: loads of 4 and 8 bytes
  kPairRows,    // four neighbouring chunks of 2 neighbouring lines: elements of 16 bytes
  kBytePairs,   // a chunk of lines 0, 1, 4, 5, 8, 9, 12, 13, or of those plus 2: bytes in pairs
};

template <SwizzleFor kReader, int kLineBytes>
struct LineSwizzle {
  static constexpr int kLinesOfBanks = kLineBytes < 128 ? 128 / kLineBytes : 1;
  static constexpr int kMask = (kLineBytes < 128 ? kLineBytes : 128) / 16 - 1;
  // Lines after which it repeats.
  static constexpr int kPeriod = kReader == SwizzleFor::kMatrixRows ? 8
                                 : kReader == SwizzleFor::kQuadRows ? 4
                                 : kReader == SwizzleFor::kPairRows ? 2
                                                                    : 16;
  static_assert(kLineBytes >= 32 && (kLineBytes & (kLineBytes - 1)) == 0);

  static __device__ __forceinline__ constexpr int of_line(int line) {
    if constexpr (kReader == SwizzleFor::kMatrixRows) {
      return line / kLinesOfBanks & kMask;
    } else if constexpr (kReader == SwizzleFor::kQuadRows) {
      return line / kLinesOfBanks * 2 & kMask & 6;
    } else if constexpr (kReader == SwizzleFor::kPairRows) {
      static_assert(kLineBytes >= 128);
      return line % 2 * 4;
    } else {
      return kLinesOfBanks == 1 ? (line >> 1 & 6) | (line & 1) : line >> 2 & kMask;
    }
  }
};

}  // namespace myblas
