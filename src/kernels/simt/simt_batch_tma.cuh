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
//   pointers  kernels of their own, by a map of all memory (common/matrix_place.cuh). A block that
//             has a matrix which TMA does not reach multiplies all of its tiles as sgemm_batch.cuh
//             does
//   limits    k, and the products of a launch, in 31 bits (launch_tma_tiles)
//   beside    sgemm_batch.cuh, which takes columns that begin anywhere
//==============================================================================
#pragma once

#include <type_traits>

#include "kernels/common/grid_start.cuh"
#include "kernels/common/matrix_place.cuh"
#include "kernels/common/tile_walk.cuh"
#include "kernels/ptx/end_thread.h"
#include "kernels/simt/feed_tma.cuh"
#include "kernels/simt/gemm_simt.cuh"
#include "kernels/simt/sgemm_batch.cuh"

namespace myblas {

// The k-tiles of all tiles of a block, one behind the other.
template <class Cfg, class Place>
class TmaWalkFeed : public TmaFeed<Cfg, Place> {
  using Base = TmaFeed<Cfg, Place>;
  using Base::kWarps;
  using Base::next_k_;

 public:
  static constexpr bool kGoesOn = true;
  // By one thread, ahead of a barrier of the block and of fill().
  using Base::make_barriers;

  __device__ __forceinline__ TmaWalkFeed(float* smem, const TmaArgs& args, const TilesOfC& tiles)
      : Base(smem, {&args.a, {}, 0}, {&args.b, {}, 0}, 0, 0, 0),
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
    fetch_arguments(args_, args_.gemm.m);  // while the first copies are on their way
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

 private:
  __device__ __forceinline__ void aim_at_tile() {
    const uint32_t batch = walk_.batch();
    const int first_m = static_cast<int>(walk_.m() * Cfg::kTileM);
    const int first_n = static_cast<int>(walk_.n() * Cfg::kTileN);
    if constexpr (std::is_same_v<Place, MemoryPlace>) {
      if (!has_next()) return;  // there are no more pointers
      this->aim(first_m, first_n, place_of(args_.gemm.a, batch), place_of(args_.gemm.b, batch));
    } else {
      this->aim(first_m, first_n, Base::operand_a(args_.gemm, batch, k_, args_).matrix,
                Base::operand_b(args_.gemm, batch, k_, args_).matrix);
    }
  }
  static __device__ __forceinline__ MemoryPlace place_of(const OperandArg& operand,
                                                         uint32_t batch) {
    return place_in_memory(static_cast<const void* const*>(operand.base)[batch], operand.base);
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

// Whether TMA reaches every matrix of A and B that the block's tiles have. A thread looks at a
// tile, and all pointers are near when the feed asks for them.
template <class Cfg>
__device__ __forceinline__ bool all_are_mapped(const GemmArgs& args, const TilesOfC& tiles) {
  uintptr_t bits = 0;
  TileWalk walk(tiles.count(), blockIdx.x + threadIdx.x * gridDim.x, Cfg::kThreads * gridDim.x);
  for (; walk.batch() < args.batch_count; walk.advance()) {
    const int64_t batch = walk.batch();
    bits |= reinterpret_cast<uintptr_t>(operand_a_of_batch<float>(args, batch, args.k).matrix) |
            reinterpret_cast<uintptr_t>(operand_b_of_batch<float>(args, batch, args.k).matrix);
  }
  return __syncthreads_or(begins_for_tma(bits) ? 0 : 1) == 0;
}

// All tiles of a block, which k goes through. kSpares: whether there is k is asked again for each
// tile, for which kernels with two ways have no predicate left; others are up to 3 % slower by it.
template <class Cfg, bool kSpares, class Feed>
__device__ __forceinline__ void multiply_tiles(const GemmArgs& gemm, Feed& feed, PlaceWalk walk,
                                               float* smem, uint32_t k) {
  const int thread = static_cast<int>(threadIdx.x);
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
    if (kSpares ? ptx::opaque(static_cast<int32_t>(k_tiles)) != 0 : k_tiles != 0) {
      Totals<Cfg::kProducts, false> totals(k, Cfg::kTileK);
      multiply_k_tiles<Cfg>(sums, totals, feed, sides, products, reading, freed, k_tiles, 0, 0,
                            walk.batch() < batch_count);
    }
    store_tile<Cfg, true>(sums, gemm, smem, matrix_c_of_batch<float>(gemm, batch), batch, first_m,
                          first_n, ptx::opaque(thread));
  }
}

// sgemm_batch_in() for what TMA does not reach. Element by element: it is rare, and there are no
// more registers.
template <class Cfg>
struct UnmappedConfig : Cfg {
  static constexpr bool kTakesChunks = false;
};

// Unmapped: of batches of pointers, the configuration in which sgemm_batch_in() takes the tiles of
// a block whose matrices TMA does not reach.
template <class Cfg, class Unmapped = void>
__device__ __forceinline__ void simt_batch_by_tma(const TmaArgs& args) {
  constexpr bool kByPointers = !std::is_void_v<Unmapped>;
  static_assert(Cfg::kFedByTma && Cfg::kSlices == 1 && !Cfg::kIsComplex);
  static_assert(Cfg::kClosing == Closing::kInOwnMemory);
  extern __shared__ __align__(1024) float smem[];  // kStages x (A, B), barriers
  const GemmArgs& gemm = args.gemm;
  const TilesOfC tiles = tiles_of<Cfg>(gemm);
  TmaWalkFeed<Cfg, MatrixPlace<kByPointers>> feed(smem, args, tiles);
  const PlaceWalk walk(tiles.m, tiles.n);
  if (threadIdx.x == 0) {
    if (args.product != Product::kNone) {
      ptx::prefetch_tensor_map(&args.a);
      ptx::prefetch_tensor_map(&args.b);
    }
    if (!kByPointers) feed.make_barriers();
  }
  if (!kByPointers) __syncthreads();  // the barriers are made before any thread waits for one
  follow_previous_grid();
  // NOTE: alpha == 0 must not read A or B; they may hold NaN, or be NULL.
  const auto k = static_cast<uint32_t>(load_finish<float>(gemm).has_product ? gemm.k : 0);
  if constexpr (kByPointers) {
    if (k != 0 && !all_are_mapped<Cfg>(gemm, tiles)) {
      sgemm_batch_in<UnmappedConfig<Unmapped>, true>(smem, gemm);
      if (ptx::end_thread()) return;
    }
    if (threadIdx.x == 0) feed.make_barriers();  // where the other way has its ring
    __syncthreads();                             // the same
  }
  multiply_tiles<Cfg, kByPointers>(gemm, feed, walk, smem, k);
}

}  // namespace myblas
