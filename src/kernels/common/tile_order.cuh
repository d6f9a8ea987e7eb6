// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/tile_order.cuh: which tile, matrix and part of k a block works on, one
// after the other.
//
// Blocks that share an operand take neighbouring tiles of one unit. Units go along n within a band
// of `band` of them, then along m: blocks that run together then read a nearly square part of C's
// operands. Parts of k come behind all units, matrices of the batch behind all parts.
//==============================================================================
#pragma once

#include "kernels/common/divide.cuh"
#include "kernels/common/split_k.cuh"
#include "kernels/common/tma_args.h"
#include "kernels/common/tma_shape.h"
#include "kernels/ptx/cluster.h"
#include "kernels/ptx/opaque.h"

namespace myblas {

// Units of pairs and of fours may run several to a cluster (units_in_cluster): of a block among
// those of its unit, and of the first of these in the cluster.
template <auto kShape>
__device__ __forceinline__ uint32_t rank_in_unit() {
  if constexpr (kShape.cluster() == 1) return 0;
  return kShape.may_run_together() ? ptx::cluster_rank() % kShape.cluster() : ptx::cluster_rank();
}
template <auto kShape>
__device__ __forceinline__ uint32_t first_of_unit() {
  if constexpr (!kShape.may_run_together()) return 0;
  return ptx::cluster_rank() / kShape.cluster() * kShape.cluster();
}

struct TileOfC {
  int first_m, first_n;
  int batch, part;
  int first_k, k_tiles;
  uint32_t index;  // over the whole batch
  bool exists;     // else the cluster has more blocks than there are tiles left
};

template <auto kShape, int kTileK = kTmaTileK>
class TileOrder {
 public:
  __device__ __forceinline__ TileOrder() : work_(first_work()) {}

  __device__ __forceinline__ bool done(const TmaArgs& args) const {
    return work_ >= args.order.work;
  }
  __device__ __forceinline__ void next() {
    work_ += kShape.may_run_together() ? gridDim.x / kShape.cluster() : ptx::cluster_count();
  }

  // What tile() gives ahead of this and behind it is computed twice: kept, it would hold registers
  // in between.
  __device__ __forceinline__ void compute_again() {
    work_ = static_cast<uint32_t>(ptx::opaque(static_cast<int32_t>(work_)));
  }

  __device__ __forceinline__ TileOfC tile(const TmaArgs& args, bool has_product) const {
    const TileOrderArgs& order = args.order;
    const uint32_t rest = divide(work_, order.units);
    const uint32_t unit = work_ - rest * order.units.divisor;
    const uint32_t batch = divide(rest, order.parts);
    uint32_t part = rest - batch * order.parts.divisor;
    if constexpr (kShape.cluster() == 1) {
      if (order.cluster_parts > 1) part = ptx::cluster_rank();
    }

    const uint32_t band = divide(unit, order.units_of_band);
    const uint32_t first_unit_n = band * order.band;
    const uint32_t within = unit - band * order.units_of_band.divisor;
    const bool whole = first_unit_n + order.band <= order.units_n;
    const Divisor& width = whole ? order.band_width : order.last_band_width;
    const uint32_t unit_m = divide(within, width);
    const uint32_t unit_n = first_unit_n + (within - unit_m * width.divisor);

    const Tile tile = tile_of_unit(order, unit_m, unit_n);
    const uint32_t tile_m = tile.m, tile_n = tile.n;
    const auto signed_part = static_cast<int>(part);
    const bool longer = signed_part < order.longer_parts;
    TileOfC result;
    result.first_m = static_cast<int>(tile_m * kShape.tile_m);
    result.first_n = static_cast<int>(tile_n * kShape.tile_n);
    result.batch = static_cast<int>(batch);
    result.part = signed_part;
    result.first_k =
        kTileK * (signed_part * order.k_tiles + (longer ? signed_part : order.longer_parts));
    result.k_tiles = has_product ? order.k_tiles + (longer ? 1 : 0) : 0;
    result.index = (batch * order.tiles_n + tile_n) * order.tiles_m + tile_m;
    result.exists = tile_m < order.tiles_m && tile_n < order.tiles_n;
    return result;
  }

 private:
  struct Tile {
    uint32_t m, n;
  };
  static __device__ __forceinline__ Tile tile_of_unit(const TileOrderArgs& order, uint32_t unit_m,
                                                      uint32_t unit_n) {
    if constexpr (kShape.may_have_neighbours()) {
      // Of a cluster that divides k all blocks have the same tile.
      const uint32_t rank = order.cluster_parts > 1 ? 0 : ptx::cluster_rank();
      const uint32_t rank_n = rank >> order.log2_beside_m;
      return {(unit_m << order.log2_beside_m) + (rank - (rank_n << order.log2_beside_m)),
              (unit_n << order.log2_beside_n) + rank_n};
    }
    const uint32_t rank = rank_in_unit<kShape>();
    return {unit_m * kShape.cluster_m + rank % kShape.cluster_m,
            unit_n * kShape.cluster_n + rank / kShape.cluster_m};
  }
  static __device__ __forceinline__ uint32_t first_work() {
    return kShape.may_run_together() ? blockIdx.x / kShape.cluster() : ptx::cluster_index();
  }

  uint32_t work_;
};

}  // namespace myblas
