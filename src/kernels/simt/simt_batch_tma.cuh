// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// simt/simt_batch_tma.cuh: C = alpha*op(A)*op(B) + beta*C, fp32, CUDA cores: many tiles of little k
// by TMA (sm_90). Blocks stay and walk over the tiles of all products.
//
//   pipeline  the ring of feed_tma.cuh goes on from one tile to the next: a tile's first k-tiles
//             come, and its first fragments are loaded, while the tile before it is multiplied. A
//             tile costs its stores, and the sums' start
//   the rest  the loop of gemm_simt.cuh, k not divided; C from registers, by 16 bytes where its
//             columns are whole runs and k is not contiguous in A, else by elements
//   limits    k, and the products of a launch, in 31 bits (launch_tma_tiles)
//   beside    sgemm_batch.cuh, for batches of pointers and a C that is not aligned to 16 bytes
//==============================================================================
#pragma once

#include "kernels/common/grid_start.cuh"
#include "kernels/common/tile_walk.cuh"
#include "kernels/simt/feed_tma.cuh"
#include "kernels/simt/gemm_simt.cuh"

namespace myblas {

// The k-tiles of all tiles of a block, one behind the other.
template <class Cfg>
class TmaWalkFeed : public TmaFeed<Cfg> {
  using Base = TmaFeed<Cfg>;
  using Base::kWarps;
  using Base::next_k_;

 public:
  static constexpr bool kGoesOn = true;
  // By one thread, ahead of a barrier of the block and of fill().
  using Base::make_barriers;

  __device__ __forceinline__ TmaWalkFeed(float* smem, const TmaArgs& args, const TilesOfC& tiles)
      : Base(smem, {&args.a, 0, 0}, {&args.b, 0, 0}, 0, 0, 0),
        args_(args),
        walk_(tiles.m, tiles.n) {
    next_k_ = 0;
  }

  // The block has a tile, and k is not 0.
  __device__ __forceinline__ void fill(uint32_t k) {
    k_ = k;
    aim_at_tile();
#pragma unroll 1
    for (int stage = 0; stage < kLastStage<Cfg> && has_next(); stage += Cfg::kStageElements) {
      if (threadIdx.x == 0) this->start(stage, next_k_);
      go_on();
    }
    this->arrived(0, true);
  }

  __device__ __forceinline__ bool has_next() const {
    return walk_.batch() < static_cast<uint32_t>(args_.gemm.batch_count);
  }

  __device__ __forceinline__ void ask(int free_stage, bool exists) {
    if (!exists) return;
    if (threadIdx.x / 32 == turn_) this->start_when_left(free_stage, next_k_);
    turn_ = turn_ == kWarps - 1 ? 0 : turn_ + 1;
    go_on();
  }
  __device__ __forceinline__ void leave(int stage, int free_stage, bool exists) {
    this->release(stage);
    ask(free_stage, exists);
  }

 private:
  __device__ __forceinline__ void aim_at_tile() {
    const uint32_t batch = walk_.batch();
    this->aim(static_cast<int>(walk_.m() * Cfg::kTileM), static_cast<int>(walk_.n() * Cfg::kTileN),
              Base::operand_a(args_.gemm, batch, k_, args_).matrix,
              Base::operand_b(args_.gemm, batch, k_, args_).matrix);
  }
  // To the next k-tile.
  __device__ __forceinline__ void go_on() {
    next_k_ += Cfg::kTileK;
    if (next_k_ < k_) return;
    next_k_ = 0;
    walk_.advance();
    aim_at_tile();
  }

  const TmaArgs& args_;
  PlaceWalk walk_;
  uint32_t k_ = 0;
  uint32_t turn_ = 0;  // the warp that starts the next copies
};

template <class Cfg>
__device__ __forceinline__ void simt_batch_by_tma(const TmaArgs& args) {
  static_assert(Cfg::kFedByTma && Cfg::kSlices == 1 && !Cfg::kIsComplex);
  static_assert(Cfg::kClosing == Closing::kInOwnMemory);
  extern __shared__ __align__(1024) float smem[];  // kStages x (A, B), barriers
  const GemmArgs& gemm = args.gemm;
  const int thread = static_cast<int>(threadIdx.x);
  const TilesOfC tiles = tiles_of<Cfg>(gemm);
  TmaWalkFeed<Cfg> feed(smem, args, tiles);
  PlaceWalk walk(tiles.m, tiles.n);
  if (thread == 0) {
    if (args.product != Product::kNone) {
      ptx::prefetch_tensor_map(&args.a);
      ptx::prefetch_tensor_map(&args.b);
    }
    feed.make_barriers();
  }
  __syncthreads();  // the barriers are made before any thread waits for one
  begin_grid(args, gemm.m);
  // NOTE: alpha == 0 must not read A or B; they may hold NaN, or be NULL.
  const auto k = static_cast<uint32_t>(load_finish<float>(gemm).has_product ? gemm.k : 0);
  const uint32_t k_tiles = (k + Cfg::kTileK - 1) / Cfg::kTileK;
  auto sides = sides_of_thread<Cfg>(smem, thread);
  StepOfLoop<Cfg> products;
  int reading = 0, freed = kLastStage<Cfg>;
  if (k_tiles != 0) {
    feed.fill(k);
    products.begin(sides);
  }
  const auto batch_count = static_cast<uint32_t>(gemm.batch_count);
  while (walk.batch() < batch_count) {
    const uint32_t batch = walk.batch();
    const int64_t first_m = int64_t{walk.m()} * Cfg::kTileM;
    const int64_t first_n = int64_t{walk.n()} * Cfg::kTileN;
    walk.advance();
    SimtSums<Cfg> sums;
    clear_sums(sums);
    if (k_tiles != 0) {
      Totals<Cfg::kProducts, false> totals(k, Cfg::kTileK);
      multiply_k_tiles<Cfg>(sums, totals, feed, sides, products, reading, freed, k_tiles, 0, 0,
                            walk.batch() < batch_count);
    }
    store_tile<Cfg, true>(sums, gemm, smem, matrix_c_of_batch<float>(gemm, batch), batch, first_m,
                          first_n, ptx::opaque(thread));
  }
}

}  // namespace myblas
