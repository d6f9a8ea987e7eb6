// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/tile_order.cuh: which tile, matrix and part of k a block works on, one
// after the other.
//
// Blocks of a cluster take neighbouring tiles of one unit. Units go along n within a band of
// `band` of them, then along m: blocks that run together then read a nearly square part of C's
// operands. Parts of k come behind all units, matrices of the batch behind all parts. Or the last
// units are dealt by the k-tile: a share is walked from one tile to the next (common/shares.h).
//==============================================================================
#pragma once

#include "kernels/common/divide.cuh"
#include "kernels/common/split_k.cuh"
#include "kernels/common/tma_args.h"
#include "kernels/common/tma_shape.h"
#include "kernels/ptx/cluster.h"
#include "kernels/ptx/opaque.h"

namespace myblas {

struct TileOfC {
  int first_m, first_n;
  int batch;
  int first_k, k_tiles;
  MeetingPlace meeting;
  bool exists;  // else the cluster has more blocks than there are tiles left
};

// kDeals: whether k-tiles may be dealt.
template <auto kShape, int kTileK = kTmaTileK, bool kDeals = false>
class TileOrder {
 public:
  __device__ __forceinline__ TileOrder() : work_(blockIdx.x / kShape.cluster()) {}

  __device__ __forceinline__ bool done(const TmaArgs& args) const {
    return work_ >= args.order.work;
  }

  __device__ __forceinline__ void next(const TmaArgs& args) {
    if (is_share(args)) {
      const ShareArgs& shares = args.gemm.split.shares;
      const uint32_t share = work_ - args.order.undealt;
      at_ += segment_at(shares, share, at_).k_tiles;
      if (at_ < share_length(shares, share)) return;
      at_ = 0;
    }
    work_ += gridDim.x / kShape.cluster();
  }
  // What is asked of tile() behind this is computed again, rather than kept in registers.
  __device__ __forceinline__ void forget() {
    work_ = static_cast<uint32_t>(ptx::opaque(static_cast<int32_t>(work_)));
  }

  __device__ __forceinline__ TileOfC tile(const TmaArgs& args, bool has_product) const {
    const TileOrderArgs& order = args.order;
    const uint32_t rank = kShape.cluster() > 1 ? ptx::cluster_rank() : 0;
    const uint32_t share = work_ - order.undealt;
    ShareSegment segment{};
    if (is_share(args)) segment = segment_at(args.gemm.split.shares, share, at_);
    // Of what is dealt, the units stand behind those that stay whole.
    const uint32_t item = is_share(args) ? order.undealt + segment.tile : work_;
    const uint32_t rest = divide(item, order.units);
    const uint32_t unit = item - rest * order.units.divisor;
    const uint32_t batch = divide(rest, order.parts);
    const uint32_t part = rest - batch * order.parts.divisor;

    const uint32_t band = divide(unit, order.units_of_band);
    const uint32_t first_unit_n = band * order.band;
    const uint32_t within = unit - band * order.units_of_band.divisor;
    const bool whole = first_unit_n + order.band <= order.units_n;
    const Divisor& width = whole ? order.band_width : order.last_band_width;
    const uint32_t unit_m = divide(within, width);
    const uint32_t unit_n = first_unit_n + (within - unit_m * width.divisor);

    const uint32_t tile_m = unit_m * kShape.cluster_m + rank % kShape.cluster_m;
    const uint32_t tile_n = unit_n * kShape.cluster_n + rank / kShape.cluster_m;
    TileOfC result;
    result.first_m = static_cast<int>(tile_m * kShape.tile_m);
    result.first_n = static_cast<int>(tile_n * kShape.tile_n);
    result.batch = static_cast<int>(batch);
    result.exists = tile_m < order.tiles_m && tile_n < order.tiles_n;
    if (is_share(args)) {
      result.first_k = kTileK * static_cast<int>(segment.first_k);
      result.k_tiles = static_cast<int>(segment.k_tiles);
      result.meeting = meeting_of_share(args.gemm.split.shares, share, segment.tile, rank);
    } else {
      const auto signed_part = static_cast<int>(part);
      const bool longer = signed_part < order.longer_parts;
      result.first_k =
          kTileK * (signed_part * order.k_tiles + (longer ? signed_part : order.longer_parts));
      result.k_tiles = order.k_tiles + (longer ? 1 : 0);
      const uint32_t index = (batch * order.tiles_n + tile_n) * order.tiles_m + tile_m;
      result.meeting = meeting_of_part(args.gemm.split, index, signed_part);
    }
    if (!has_product) result.k_tiles = 0;
    return result;
  }

 private:
  __device__ __forceinline__ bool is_share(const TmaArgs& args) const {
    return kDeals && work_ >= args.order.undealt;
  }

  uint32_t work_;
  uint32_t at_ = 0;  // k-tiles of the share that are done
};

}  // namespace myblas
