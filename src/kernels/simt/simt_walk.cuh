// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// simt/simt_walk.cuh: which tile, product and part of k a block of gemm_simt
// works on, one after the other.
//==============================================================================
#pragma once

#include "kernels/common/gemm_args.h"
#include "kernels/common/shares.cuh"
#include "kernels/common/split_k.cuh"
#include "kernels/ptx/opaque.h"

namespace myblas {

// What a block is at. Sums and fragments fill the registers, so this waits in the thread's own
// memory meanwhile (volatile), and what follows from the problem's sizes and the thread's number
// is computed for each tile (opaque).
struct WorkPlace {
  volatile int64_t batch;
  volatile uint32_t next_index;
  volatile uint32_t at;  // k-tiles of the next item, a share, that are done
  volatile int64_t first_m, first_n;
  volatile uint32_t first_slot;
  volatile int part, parts;

  __device__ __forceinline__ void meet_at(const MeetingPlace& meeting) {
    first_slot = static_cast<uint32_t>(meeting.first_slot);
    part = meeting.part;
    parts = meeting.parts;
  }
  __device__ __forceinline__ MeetingPlace meeting() const { return {first_slot, part, parts}; }
};

// Tiles and work items are counted in 32 bits, which divide in a fraction of the time:
// row.max_offset allows 2^29 tiles, and k is divided for few.
struct TilesOfC {
  uint32_t m, n;
  __device__ __forceinline__ uint32_t count() const { return m * n; }
};

template <class Cfg>
__device__ __forceinline__ TilesOfC tiles_of(const GemmArgs& args) {
  return {static_cast<uint32_t>((ptx::opaque(args.m) + Cfg::kTileM - 1) / Cfg::kTileM),
          static_cast<uint32_t>((ptx::opaque(args.n) + Cfg::kTileN - 1) / Cfg::kTileN)};
}

// One product's tiles, times the parts of k; or the tiles of all products that stay whole, and the
// shares behind them (common/shares.h).
__device__ __forceinline__ uint32_t work_items(const GemmArgs& args, const TilesOfC& tiles) {
  const ShareArgs& shares = args.split.shares;
  return shares.count > 0 ? shares.whole + shares.count : tiles.count() * args.split.parts;
}

// k of the work item `index`, and the tile's number within its product `batch`. What follows the
// item: the rest of the same share, or the item that the block takes next.
template <class Cfg>
__device__ __forceinline__ KRange find_item(WorkPlace& place, const GemmArgs& args, int64_t batch,
                                            uint32_t index, uint32_t tiles, int64_t k,
                                            uint32_t* tile) {
  const ShareArgs& shares = args.split.shares;
  place.next_index = index + gridDim.x;
  if (shares.count == 0) {
    const auto part = args.split.parts == 1 ? 0 : static_cast<int>(index / tiles);
    *tile = index - part * tiles;
    place.batch = batch;
    place.meet_at(meeting_of_part(args.split, batch * tiles + *tile, part));
    return k_range_of_part(k, Cfg::kTileK, args.split.parts, part);
  }
  uint32_t tile_of_all = index;
  KRange range{0, k};
  MeetingPlace meeting{0, 0, 1};
  if (index >= shares.whole) {
    const PartOfShare part = part_of_share(shares, index - shares.whole, place.at, Cfg::kTileK, k);
    tile_of_all = part.tile;
    range = part.range;
    meeting = part.meeting;
    place.at = part.next_at;
    if (part.next_at != 0) place.next_index = index;
  }
  const uint32_t product = args.batch_count == 1 ? 0 : tile_of_all / tiles;
  *tile = tile_of_all - product * tiles;
  place.batch = product;
  place.meet_at(meeting);
  return range;
}

}  // namespace myblas
