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

// The same by place, column of tiles by column: for tiles that are so short that a division for
// each would be seen.
class PlaceWalk {
 public:
  // By blocks. At least one tile each way.
  __device__ __forceinline__ PlaceWalk(uint32_t tiles_m, uint32_t tiles_n)
      : tiles_m_(tiles_m), tiles_n_(tiles_n) {
    place(blockIdx.x, m_, n_, batch_);
    place(gridDim.x, step_m_, step_n_, step_batch_);
  }

  __device__ __forceinline__ uint32_t m() const { return m_; }
  __device__ __forceinline__ uint32_t n() const { return n_; }
  __device__ __forceinline__ uint32_t batch() const { return batch_; }
  __device__ __forceinline__ void advance() {
    m_ += step_m_;
    n_ += step_n_;
    batch_ += step_batch_;
    if (m_ >= tiles_m_) {
      m_ -= tiles_m_;
      ++n_;
    }
    if (n_ >= tiles_n_) {
      n_ -= tiles_n_;
      ++batch_;
    }
  }

 private:
  __device__ __forceinline__ void place(uint32_t tiles, uint32_t& m, uint32_t& n,
                                        uint32_t& batch) const {
    m = tiles % tiles_m_;
    n = tiles / tiles_m_ % tiles_n_;
    batch = tiles / tiles_m_ / tiles_n_;
  }

  uint32_t tiles_m_, tiles_n_;
  uint32_t m_, n_, batch_;
  uint32_t step_m_, step_n_, step_batch_;
};

}  // namespace myblas
