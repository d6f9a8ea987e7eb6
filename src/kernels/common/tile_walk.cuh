// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/tile_walk.cuh: which tile of which product a block or a warp takes next, for kernels whose
// blocks stay and walk over the tiles of all products (launch_resident).
//==============================================================================
#pragma once

#include <cstdint>

namespace myblas {

// The tiles of all products in the order in which the walkers of a grid take them: from `first` on,
// every `walkers`-th.
class TileWalk {
 public:
  // By blocks.
  __device__ __forceinline__ explicit TileWalk(uint32_t tiles)
      : TileWalk(tiles, blockIdx.x, gridDim.x) {}
  __device__ __forceinline__ TileWalk(uint32_t tiles, uint32_t first, uint32_t walkers)
      : tiles_(tiles),
        batch_(first / tiles),
        tile_(first % tiles),
        step_batch_(walkers / tiles),
        step_tile_(walkers % tiles) {}

  __device__ __forceinline__ int64_t batch() const { return batch_; }
  __device__ __forceinline__ uint32_t tile() const { return tile_; }
  __device__ __forceinline__ void advance() {
    batch_ += step_batch_;
    tile_ += step_tile_;
    if (tile_ >= tiles_) {
      tile_ -= tiles_;
      ++batch_;
    }
  }

 private:
  uint32_t tiles_;
  int64_t batch_;
  uint32_t tile_;
  uint32_t step_batch_, step_tile_;
};

}  // namespace myblas
