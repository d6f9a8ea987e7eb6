// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/tile_walk.cuh: which tile of which product a block takes next, for kernels whose blocks
// stay and walk over the tiles of all products (launch_resident).
//==============================================================================
#pragma once

#include <cstdint>

namespace myblas {

// The tiles of all products in the order in which the blocks of a grid take them.
class TileWalk {
 public:
  __device__ __forceinline__ TileWalk(uint32_t tiles)
      : tiles_(tiles),
        batch_(blockIdx.x / tiles),
        tile_(blockIdx.x % tiles),
        step_batch_(gridDim.x / tiles),
        step_tile_(gridDim.x % tiles) {}

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
