// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// blackwell/tma_tile.cuh: a tile that TMA brought, as fragments are read from it.
//
// 16 bits: with 128 bytes a line, the swizzle of common/swizzle.h is TMA's: chunk ^= line & 7.
// Along k a line is one row's k-tile, and the tile is MmaTile's own. Along the rows a line is 64 of
// them, and the next 64 rows lie behind all lines of k.
//
// fp64: TmaDoubleTile.
//==============================================================================
#pragma once

#include <type_traits>

#include "kernels/common/mma_tile.cuh"
#include "kernels/common/mma_types.cuh"
#include "kernels/common/tma_shape.h"

namespace myblas {

template <class Mma, int kTileRows, bool kAlongRows>
struct TmaTile : MmaTile<Mma, kTileRows, kTmaTileK, false> {
  static_assert(TmaTile::kLineBytes == kTmaRowBytes);
};

template <class Mma, int kTileRows>
struct TmaTile<Mma, kTileRows, true> : MmaTile<Mma, kTmaBlock, kTmaTileK, true> {
  using Block = MmaTile<Mma, kTmaBlock, kTmaTileK, true>;
  static constexpr int kRows = kTileRows;
  static constexpr int kBytes = kRows / kTmaBlock * Block::kBytes;
  static constexpr uint32_t kNextBlockBytes = Block::kBytes;
  static_assert(Block::kLineBytes == kTmaRowBytes && kRows % kTmaBlock == 0);

  static __device__ __forceinline__ uint32_t offset_of_chunk(int line, int chunk) {
    return static_cast<uint32_t>(chunk / Block::kLineChunks * Block::kBytes) +
           Block::offset_of_chunk(line, chunk % Block::kLineChunks);
  }
};

// fp64: 16 k, in lines of 128 bytes, swizzled as TMA does it. Along k a line is one row's k-tile.
// Along the rows a line is 16 of them for one k, and the next 16 rows lie behind all lines of k.
template <class MmaType, int kTileRows, bool kAlongRows>
struct TmaDoubleTile {
  static constexpr int kRows = kTileRows, kDepth = tma_tile_k(sizeof(double));
  static constexpr int kBytes = kRows * kTmaRowBytes;
  static_assert(kDepth == 2 * MmaType::kK && kRows % tma_block(sizeof(double)) == 0);
};

// Loads of 8 bytes, by 16 lanes at a time: 4 rows and a k of each quad's lane. They meet every bank
// once where, along k, the k of the four lanes differ in bits 3 and 0 and, along the rows, in bits
// 2 and 1: of k-step s and its part p, lane (q1, q0) of a quad has k (q1 ^ s, q1, q0, q0 ^ p). The
// instruction takes it for its k q + 4 p; what the k of a product is called does not matter as long
// as A and B agree.
template <class MmaType, int kTileRows, bool kAlongRows, FragmentOrder kOrder, int kFragmentRows>
struct MmaFragments<TmaDoubleTile<MmaType, kTileRows, kAlongRows>, MmaType, kOrder, kFragmentRows> {
  static constexpr int kBlock = tma_block(sizeof(double));  // rows of a fragment, too
  static constexpr int kCount = kFragmentRows / kBlock, kRegisters = 4;
  // What XORs a lane's offset for the upper 8 rows, the second part, the second k-step.
  static constexpr uint32_t kUpper = kAlongRows ? 4 * kChunkBytes : 8 * kTmaRowBytes;
  static constexpr uint32_t kPart = kAlongRows ? kTmaRowBytes + kChunkBytes : sizeof(double);
  static constexpr uint32_t kStep = kAlongRows ? 8 * kTmaRowBytes : 4 * kChunkBytes;
  static_assert(kFragmentRows % kBlock == 0 && MmaType::kRegisters == kRegisters);

  static __device__ __forceinline__ constexpr int register_of(int upper_rows, int k_part) {
    return kOrder == FragmentOrder::kWhole ? 2 * k_part + upper_rows : 2 * upper_rows + k_part;
  }

  // first_row: a multiple of 16.
  static __device__ __forceinline__ uint32_t lane_offset(int first_row) {
    const int lane = opaque_thread() % 32;
    const int row = lane / 4, high = lane / 2 % 2, low = lane % 2;
    const int k = high * 12 + low * 3;
    const int line = kAlongRows ? k : row;
    const int chunk = (kAlongRows ? row : k) / 2 ^ line % 8;
    const int half = kAlongRows ? row % 2 : low;
    return static_cast<uint32_t>((first_row + line) * kTmaRowBytes + chunk * kChunkBytes +
                                 half * 8);
  }

  static __device__ __forceinline__ void load_one(double (&to)[kRegisters], uint32_t tile,
                                                  uint32_t lane_offset, int i, int step) {
    const uint32_t from = tile + static_cast<uint32_t>(i) * kBlock * kTmaRowBytes;
#pragma unroll
    for (int upper = 0; upper < 2; ++upper) {
#pragma unroll
      for (int part = 0; part < 2; ++part) {
        const uint32_t offset = lane_offset ^ (upper * kUpper ^ part * kPart ^ step * kStep);
        ptx::load_shared_word(to[register_of(upper, part)], from + offset);
      }
    }
  }

  static __device__ __forceinline__ void prepare(double (&)[kCount][kRegisters], NoSigns) {}
};

template <class Mma, int kTileRows, bool kAlongRows>
using TmaTileOf = std::conditional_t<sizeof(typename Mma::Element) == sizeof(double),
                                     TmaDoubleTile<Mma, kTileRows, kAlongRows>,
                                     TmaTile<Mma, kTileRows, kAlongRows>>;

}  // namespace myblas
