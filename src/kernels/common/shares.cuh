// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/shares.cuh: the tiles of a share, one after the other (shares.h).
//==============================================================================
#pragma once

#include "kernels/common/divide.cuh"
#include "kernels/common/shares.h"

namespace myblas {

// Where the parts of one tile meet: in slots, and counters, that follow each other.
struct MeetingPlace {
  int64_t first_slot;
  int part, parts;
};

// k-tiles of one tile that lie in one share.
struct ShareSegment {
  uint32_t tile;  // among those that are dealt
  uint32_t first_k, k_tiles;
};

__device__ __forceinline__ uint32_t share_begin(const ShareArgs& shares, uint32_t share) {
  return share * shares.each.divisor + (share < shares.longer ? share : shares.longer);
}
__device__ __forceinline__ uint32_t share_length(const ShareArgs& shares, uint32_t share) {
  return shares.each.divisor + (share < shares.longer ? 1 : 0);
}

// The share of a k-tile, counted over all that are dealt.
__device__ __forceinline__ uint32_t share_of(const ShareArgs& shares, uint32_t k_tile) {
  const uint32_t of_longer = shares.longer * shares.each_longer.divisor;
  return k_tile < of_longer ? divide(k_tile, shares.each_longer)
                            : shares.longer + divide(k_tile - of_longer, shares.each);
}

// What follows the first `at` k-tiles of the share, up to the end of their tile.
__device__ __forceinline__ ShareSegment segment_at(const ShareArgs& shares, uint32_t share,
                                                   uint32_t at) {
  const uint32_t first = share_begin(shares, share) + at;
  const uint32_t tile = divide(first, shares.k_tiles);
  const uint32_t first_k = first - tile * shares.k_tiles.divisor;
  const uint32_t of_tile = shares.k_tiles.divisor - first_k;
  const uint32_t of_share = share_length(shares, share) - at;
  return {tile, first_k, of_tile < of_share ? of_tile : of_share};
}

// Where the sums of a dealt tile meet, as one of its shares knows it.
__device__ __forceinline__ MeetingPlace meeting_of_share(const ShareArgs& shares, uint32_t share,
                                                         uint32_t tile) {
  const uint32_t first_k_tile = tile * shares.k_tiles.divisor;
  const uint32_t first = share_of(shares, first_k_tile);
  const uint32_t last = share_of(shares, first_k_tile + shares.k_tiles.divisor - 1);
  return {kSlotsOfShare * first, static_cast<int>(share - first),
          static_cast<int>(last - first + 1)};
}

// Elements [first, last) of k.
struct KRange {
  int64_t first, last;
};

// What a block does next of a share of which `at` k-tiles are done: k of one tile.
struct PartOfShare {
  uint32_t tile;  // over all products
  KRange range;   // whole k-tiles, but for the end of k
  MeetingPlace meeting;
  uint32_t next_at;  // k-tiles that are done behind it; 0: the share is
};

__device__ __forceinline__ PartOfShare part_of_share(const ShareArgs& shares, uint32_t share,
                                                     uint32_t at, int tile_k, int64_t k) {
  const ShareSegment segment = segment_at(shares, share, at);
  const int64_t first = int64_t{segment.first_k} * tile_k;
  const int64_t last = first + int64_t{segment.k_tiles} * tile_k;
  const uint32_t done = at + segment.k_tiles;
  return {shares.whole + segment.tile,
          {first, last < k ? last : k},
          meeting_of_share(shares, share, segment.tile),
          done < share_length(shares, share) ? done : 0};
}

}  // namespace myblas
