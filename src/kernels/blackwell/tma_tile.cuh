// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// blackwell/tma_tile.cuh: a tile that TMA brought, as fragments are read from it.
//
// With 128 bytes a line, the swizzle of common/swizzle.h is TMA's: chunk ^= line & 7. Along k a
// line is one row's k-tile, and the tile is MmaTile's own. Along the rows a line is 64 of them, and
// the next 64 rows lie behind all lines of k.
//==============================================================================
#pragma once

#include "kernels/common/mma_tile.cuh"
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

}  // namespace myblas
