// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/shares.h: k-tiles dealt evenly, as the host counts them.
//
// Where tiles do not fill the last round of blocks, the tiles of the last rounds are laid end to
// end, and their k-tiles are cut into shares of equal length, one for each place that a block has:
// all are done at the same time. A tile that a cut goes through is in several shares,
// whose sums meet (common/split_k.cuh).
//==============================================================================
#pragma once

#include <cstdint>

#include "kernels/common/divisor.h"

namespace myblas {

// How tiles are dealt. Work items are the tiles that stay whole, then the shares.
struct ShareArgs {
  uint32_t whole;             // tiles that stay whole
  uint32_t count;             // shares; 0: k-tiles are not dealt
  uint32_t longer;            // the first so many shares have a k-tile more
  Divisor each, each_longer;  // k-tiles of a share, and of a longer one
  Divisor k_tiles;            // of a tile
};

// k-tiles that are worth a share of their own.
inline constexpr int64_t kLeastShare = 4;

// `tiles` of all products, for `places` blocks that run at once. Rounds of whole tiles are left
// before the shares, which are longer than a tile then: few cuts, and those far from the beginning.
// count 0 where there are too many k-tiles to count, or too few to deal.
constexpr ShareArgs make_shares(int64_t tiles, int64_t k_tiles, int64_t places) {
  constexpr int64_t kMost = int64_t{1} << 31;  // of a Divisor, exclusive
  const int64_t rounds = tiles / places;
  const int64_t whole = rounds > 1 ? (rounds - 1) * places : 0;
  const int64_t dealt = tiles - whole;  // below 2 * places
  if (k_tiles < kLeastShare || k_tiles >= kMost / dealt || tiles >= kMost - places) return {};
  const int64_t work = dealt * k_tiles;
  const int64_t count = places < work / kLeastShare ? places : work / kLeastShare;
  const auto each = static_cast<uint32_t>(work / count);
  return {static_cast<uint32_t>(whole),
          static_cast<uint32_t>(count),
          static_cast<uint32_t>(work % count),
          make_divisor(each),
          make_divisor(each + 1),
          make_divisor(static_cast<uint32_t>(k_tiles))};
}

// Slots for each share: a tile in the shares first to last has those from
// 2 * first to first + last, and no other tile does, for the next that a cut goes through begins in
// share `last` or behind it.
inline constexpr int kSlotsOfShare = 2;

}  // namespace myblas
