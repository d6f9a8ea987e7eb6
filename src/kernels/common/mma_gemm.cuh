// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/mma_gemm.cuh: C = alpha*op(A)*op(B) + beta*C on tensor cores, mma.sync.
//
//   types     common/mma_types.cuh; complex products as real ones of twice the rows and k
//   layout    column-major, any ld; the four transpositions are four loops in one kernel, chosen
//             a tile: tiles keep the lines of global memory, fragments are read transposed or not
//   CTA tile  TileM x TileN x TileK; warps of WarpM x WarpN, at most 64 x 64
//   math      C's columns are the rows of the instruction: a thread's two neighbouring sums are
//             neighbours in memory. Fragments of the next k-step are loaded ahead of a k-step's
//             instructions, or between them where those are long (Mma::kLoadsBetween)
//   pipeline  ring of kStages k-tiles by cp.async spread over the k-steps, one barrier a
//             k-tile, fragments one k-step ahead; a block that has an SM for itself stays, starts
//             the next tile's copies before it stores this one, and has warps that arrive at the
//             barrier a while before they need the others. With kStages == 2 k-tiles come through
//             registers instead: one in work, the next stored, one more on its way
//   assumes   A, B and their column strides aligned to kAlignment bytes (row.align_*)
//   edges     see common/mma_feed_async.cuh; stores are predicated; m, n, k arbitrary
//   order     the last k-tile of a range first, then k ascending; parts of k as in
//             common/split_k.cuh: bit-reproducible
//   limits    2^32 k-tiles (row.max_offset); offsets are 64-bit, blocks stride over all work
//==============================================================================
#pragma once

#include "kernels/common/batch.cuh"
#include "kernels/common/grid_start.cuh"
#include "kernels/common/mma_epilogue.cuh"
#include "kernels/common/mma_feed_aligned.cuh"
#include "kernels/common/mma_feed_async.cuh"
#include "kernels/common/mma_feed_registers.cuh"
#include "kernels/common/mma_gemm_config.cuh"
#include "kernels/common/mma_layout.cuh"
#include "kernels/common/mma_meeting.cuh"
#include "kernels/common/mma_step.cuh"
#include "kernels/common/split_k.cuh"

namespace myblas {

// ---- one tile of C ----------------------------------------------------------------------------

// One part of a tile of C: what is summed.
struct PartOfTile {
  BatchOperand a, b;
  KRange range;
  int64_t first_m, first_n;

  __device__ __forceinline__ uint32_t k_tiles(int tile_k) const {
    return static_cast<uint32_t>((range.last - range.first + tile_k - 1) / tile_k);
  }
};

// Its k-tiles by way of the asynchronous feed.
template <class Cfg, class TileA, class TileB, bool kThroughRegisters>
struct KLoop : PartOfTile {
  static constexpr int kTileK = Cfg::kTileK, kStages = Cfg::kStages, kSteps = Cfg::kSteps;
  static constexpr uint32_t kStageBytes = Cfg::kStageBytes;
  using FeedA = AsyncFeed<TileA, Cfg::kThreads, Cfg::kAlignment>;
  using FeedB = AsyncFeed<TileB, Cfg::kThreads, Cfg::kAlignment>;
  using Fragments = StepFragments<Cfg, TileA, TileB>;

  // Starts the copies of all stages but one, the last k-tile first.
  __device__ __forceinline__ void start(char* smem) const {
    const int64_t last_k = range.first + int64_t{k_tiles(kTileK) - 1} * kTileK;
    const auto valid_k = static_cast<int>(range.last - last_k);  // 1 ... kTileK
    const uint32_t ring = ptx::shared_address(smem);
    FeedA::load_last(smem, 0, a, first_m, last_k, valid_k);
    FeedB::load_last(smem, TileA::kBytes, b, first_n, last_k, valid_k);
    ptx::cp_async_commit();
    FeedA feed_a(a, first_m, range.first);
    FeedB feed_b(b, first_n, range.first);
#pragma unroll
    for (uint32_t stage = 1; stage < kStages - 1; ++stage) {
      const bool exists = stage < k_tiles(kTileK);
      feed_a.template start<1>(ring + stage * kStageBytes, 0, exists);
      feed_b.template start<1>(ring + stage * kStageBytes + TileA::kBytes, 0, exists);
      ptx::cp_async_commit();
    }
  }

  // Sums, once the first copies were started. These were other feeds: theirs would hold registers
  // while the tile before this one is stored.
  __device__ __forceinline__ void sum(typename Cfg::Sum (&sums)[Cfg::kCountN][Cfg::kCountM][4],
                                      char* smem) const {
    const uint32_t tiles = k_tiles(kTileK);
    FeedA feed_a(a, first_m, range.first + (kStages - 2) * kTileK);
    FeedB feed_b(b, first_n, range.first + (kStages - 2) * kTileK);
    const uint32_t ring = ptx::shared_address(smem);
    const Meeting<Cfg> meeting(ring);
    const int warp = opaque_thread() / 32;
    const uint32_t a_offset = Fragments::ForA::lane_offset(warp % Cfg::kWarpsM * Cfg::kWarpM);
    const uint32_t b_offset = Fragments::ForB::lane_offset(warp / Cfg::kWarpsM * Cfg::kWarpN);
    ptx::cp_async_wait<kStages - 2>();
    __syncthreads();  // all threads' copies of the first k-tile before any thread's loads of it
    Fragments fragments[Cfg::kFragmentSets];
    // NOTE: of real elements the empty calls alone had the compiler order loads otherwise.
    if constexpr (Cfg::Mma::kParts > 1) {
      for (Fragments& set : fragments) set.set_signs(a.conjugate, b.conjugate);
    }
    fragments[0].load(ring, a_offset, b_offset, 0);
    StepSums<Cfg> step_sums{sums};
    uint32_t reading = 0, writing = (kStages - 1) * kStageBytes;
#pragma unroll 1
    for (uint32_t tile = 0; tile < tiles; ++tile) {
      const bool more = tile + kStages - 1 < tiles;
      uint32_t stage = ring + reading;
#pragma unroll
      for (int step = 0; step < kSteps; ++step) {
        if (step == kSteps - 1) {
          // All threads' copies of the next k-tile before any thread's loads of it; all threads'
          // loads of this one before any thread's copies over it: here, or behind meet().
          ptx::cp_async_wait<kStages - 2>();
          if constexpr (Cfg::kMeets) {
            meeting.arrive();
          } else {
            __syncthreads();
          }
          writing = reading;
          reading = reading == (kStages - 1) * kStageBytes ? 0 : reading + kStageBytes;
          stage = ring + reading;
        }
        auto& these = fragments[step % Cfg::kFragmentSets];
        auto& next = fragments[(step + 1) % Cfg::kFragmentSets];
        constexpr int kShares = Cfg::kSpread * Cfg::kCopiesOfStep;
        const auto copy = [&](int share) {
          if (share >= kShares) return;
          feed_a.template start<kShares>(ring + writing, share, more);
          feed_b.template start<kShares>(ring + writing + TileA::kBytes, share, more);
          // Groups are committed also where copies read nothing: their number tells what landed.
          if (share == kShares - 1) ptx::cp_async_commit();
        };
        if constexpr (Cfg::Mma::kLoadsBetween) {
          const auto copy_at = [&](int i) { copy(step * Cfg::kCopiesOfStep + i); };
          if (Cfg::kMeets && step == kSteps - 1) {
            bool met = false;
            // Asked for ahead, for the answer takes a while.
            const auto meet = [&](int place) {
              if (place == Cfg::kAskBehind) met = meeting.is_over(tile);
              if (place == Cfg::kMeetBehind && !met) meeting.wait(tile);
            };
            multiply_and_load<Cfg, Cfg::kMeetBehind>(step_sums, these, next, stage, a_offset,
                                                     b_offset, 0, copy_at, meet);
          } else {
            multiply_and_load<Cfg>(step_sums, these, next, stage, a_offset, b_offset,
                                   (step + 1) % kSteps, copy_at);
          }
        } else {
          next.load(stage, a_offset, b_offset, (step + 1) % kSteps);
          copy(step);
          multiply_step<Cfg>(sums, these);
        }
      }
    }
    step_sums.finish();
    ptx::cp_async_wait<0>();
    if (Cfg::kMeets) meeting.end(tiles);
    __syncthreads();  // all threads' loads and copies before anything over them
  }
};

// Through registers.
template <class Tile, int kThreads, int kAlignment>
struct RegisterFeedOf {
  using Feed = RegisterFeed<Tile, kThreads>;
};
template <class Tile, int kThreads>
struct RegisterFeedOf<Tile, kThreads, kChunkBytes> {
  using Feed = AlignedFeed<Tile, kThreads>;
};

// Its k-tiles through registers: two stages. At the beginning of a k-tile the next one is stored,
// and loads of the one after it start, which have until the next k-tile to arrive.
template <class Cfg, class TileA, class TileB>
struct KLoop<Cfg, TileA, TileB, true> : PartOfTile {
  static constexpr int kTileK = Cfg::kTileK, kSteps = Cfg::kSteps;
  static constexpr bool kLoadsBetween = Cfg::Mma::kLoadsBetween && Cfg::kAlignment == kChunkBytes;
  static_assert(Cfg::Mma::kParts == 1, "nobody sets the signs of complex elements");
  using FeedA = typename RegisterFeedOf<TileA, Cfg::kThreads, Cfg::kAlignment>::Feed;
  using FeedB = typename RegisterFeedOf<TileB, Cfg::kThreads, Cfg::kAlignment>::Feed;
  using Fragments = StepFragments<Cfg, TileA, TileB>;

  // What is on its way is in registers: nothing starts before the sums.
  __device__ __forceinline__ void start(char*) const {}

  __device__ __forceinline__ void sum(typename Cfg::Sum (&sums)[Cfg::kCountN][Cfg::kCountM][4],
                                      char* smem) const {
    const uint32_t tiles = k_tiles(kTileK);
    FeedA feed_a(a, first_m, range.first);
    FeedB feed_b(b, first_n, range.first);
    if (tiles > 1) fetch(feed_a, feed_b);
    const int64_t last_k = range.first + int64_t{tiles - 1} * kTileK;
    const auto valid_k = static_cast<int>(range.last - last_k);  // 1 ... kTileK
    FeedA::load_last(smem, 0, a, first_m, last_k, valid_k);
    FeedB::load_last(smem, TileA::kBytes, b, first_n, last_k, valid_k);
    const uint32_t ring = ptx::shared_address(smem);
    const int warp = opaque_thread() / 32;
    const uint32_t a_offset = Fragments::ForA::lane_offset(warp % Cfg::kWarpsM * Cfg::kWarpM);
    const uint32_t b_offset = Fragments::ForB::lane_offset(warp / Cfg::kWarpsM * Cfg::kWarpN);
    __syncthreads();  // all threads' stores of the first k-tile before any thread's loads of it
    Fragments fragments[2];
    fragments[0].load(ring, a_offset, b_offset, 0);
    StepSums<Cfg> step_sums{sums};
    uint32_t reading = 0;
#pragma unroll 1
    for (uint32_t tile = 0; tile < tiles; ++tile) {
      // Also behind the last k-tile, when nothing is to come: so the loop has one branch less.
      put(feed_a, feed_b, smem, Cfg::kStageBytes - reading);
      if (tile + 2 < tiles) fetch(feed_a, feed_b);
      uint32_t stage = ring + reading;
#pragma unroll
      for (int step = 0; step < kSteps; ++step) {
        if (step == kSteps - 1) {
          // All threads' stores of the next k-tile before any thread's loads of it; all threads'
          // loads of this one before any thread's stores over it.
          __syncthreads();
          reading = Cfg::kStageBytes - reading;
          stage = ring + reading;
        }
        auto& these = fragments[step % 2];
        auto& next = fragments[(step + 1) % 2];
        if constexpr (kLoadsBetween) {
          multiply_and_load<Cfg>(step_sums, these, next, stage, a_offset, b_offset,
                                 (step + 1) % kSteps, [](int) {});
        } else {
          next.load(stage, a_offset, b_offset, (step + 1) % kSteps);
          multiply_step<Cfg>(sums, these);
        }
      }
    }
    step_sums.finish();
    __syncthreads();  // all threads' loads before anything over them
  }

  static __device__ __forceinline__ void fetch(FeedA& feed_a, FeedB& feed_b) {
    feed_a.fetch();
    feed_b.fetch();
  }

  static __device__ __forceinline__ void put(const FeedA& feed_a, const FeedB& feed_b, char* smem,
                                             uint32_t stage) {
    feed_a.put(smem, stage);
    feed_b.put(smem, stage + TileA::kBytes);
  }
};

template <class Cfg, class TileA, class TileB>
using LoopOf = KLoop<Cfg, TileA, TileB, Cfg::kThroughRegisters>;

// kPairs: of the layouts' tiles, see store_warp.
template <class Cfg, bool kPairsM, bool kPairsN>
__device__ __forceinline__ void store_tile(
    const typename Cfg::Sum (&sums)[Cfg::kCountN][Cfg::kCountM][4], char* smem,
    const GemmArgs& args, typename Cfg::Out* c, int64_t batch, int64_t first_m, int64_t first_n) {
  using Out = typename Cfg::Out;
  const int warp = opaque_thread() / 32;
  const int64_t warp_m = first_m + warp % Cfg::kWarpsM * Cfg::kWarpM;
  const int64_t warp_n = first_n + warp / Cfg::kWarpsM * Cfg::kWarpN;
  const bool aligned = ((reinterpret_cast<uintptr_t>(c) | (args.ldc * sizeof(Out))) & 15) == 0;
  const WarpTarget<Out> target{c + warp_m + warp_n * args.ldc,
                               args.ldc,
                               args.m - warp_m,
                               args.n - warp_n,
                               aligned,
                               epilogue_of_batch<Out>(args.epilogue, batch, warp_m)};
  // Scalars are loaded again here: kept from the start, they would hold registers in the main loop.
  auto* stage = reinterpret_cast<typename Cfg::Sum*>(smem + Cfg::kStageAreaOffset +
                                                     warp * Cfg::Stage::kBytes);
  store_warp<typename Cfg::Stage, kPairsM, kPairsN>(sums, stage, target,
                                                    load_finish<typename Cfg::Scale>(args));
}

// ---- the kernel -------------------------------------------------------------------------------

// What the block works on. In shared memory, written by one thread and read where it is needed:
// kept in registers through the main loop, these numbers would be too many. Pairs of 8 bytes may be
// copied as 16.
struct alignas(16) WorkPosition {
  KRange range;  // of k
  MeetingPlace meeting;
  int64_t first_m, first_n;
  int64_t batch;
  int64_t next_work;  // index of the work item after this position,
  uint32_t next_at;   // and its k-tiles that are done by then: the rest of a share
  int32_t exists;
};
// The one in work, the next, and one that is being written while others may still read the first.
inline constexpr int kPositions = 3;
static_assert(kPositions * sizeof(WorkPosition) + 8 <= kMmaPositionBytes);  // and a Meeting

// Work items are parts of tiles, of one product after the other; or the tiles of all products that
// stay whole, and the shares behind them (common/shares.h). By one thread. at: k-tiles of a share
// that are done.
template <class Cfg>
__device__ __forceinline__ void set_position(WorkPosition& position, const GemmArgs& args,
                                             int64_t work, uint32_t at) {
  const int64_t tiles_m = (args.m + Cfg::kTileM - 1) / Cfg::kTileM;
  const int64_t tiles_n = (args.n + Cfg::kTileN - 1) / Cfg::kTileN;
  const int64_t tiles = tiles_m * tiles_n;
  const ShareArgs& shares = args.split.shares;
  position.next_work = work + gridDim.x;
  position.next_at = 0;
  position.meeting = {0, 0, 1};
  position.range = {0, args.k};
  int64_t batch, tile;
  if (shares.count == 0) {
    const int64_t items = tiles * args.split.parts;
    batch = work < items ? 0 : work / items;  // as in work_item
    position.exists = batch < args.batch_count;
    const WorkItem item = work_item(work - batch * items, tiles);
    tile = item.tile;
    position.range = k_range_of_part(args.k, Cfg::kTileK, args.split.parts, item.part);
    position.meeting = meeting_of_part(args.split, batch * tiles + tile, item.part);
  } else {
    position.exists = work < int64_t{shares.whole} + shares.count;
    tile = work;
    if (work >= shares.whole && position.exists) {
      const PartOfShare part = part_of_share(shares, static_cast<uint32_t>(work - shares.whole), at,
                                             Cfg::kTileK, args.k);
      tile = part.tile;
      position.range = part.range;
      position.meeting = part.meeting;
      if (part.next_at != 0) position.next_work = work;
      position.next_at = part.next_at;
    }
    batch = tile < tiles ? 0 : tile / tiles;
    tile -= batch * tiles;
  }
  int64_t tile_m, tile_n;
  raster_tile(tile, tiles_m, tiles_n, &tile_m, &tile_n);
  position.batch = batch;
  position.first_m = tile_m * Cfg::kTileM;
  position.first_n = tile_n * Cfg::kTileN;
}

// What there is to sum for a position; an empty range where nothing is.
template <class Cfg, class TileA, class TileB>
__device__ __forceinline__ LoopOf<Cfg, TileA, TileB> loop_of(const GemmArgs& args,
                                                             const WorkPosition& position) {
  using Element = typename Cfg::Element;
  // NOTE: alpha == 0 must not read A or B; they may hold NaN, or be NULL.
  const bool reads = position.exists && load_finish<typename Cfg::Scale>(args).has_product;
  const int64_t k = reads ? args.k : 0;
  return {{operand_a_of_batch<Element>(args, position.batch, k),
           operand_b_of_batch<Element>(args, position.batch, k),
           reads ? position.range : KRange{0, 0}, position.first_m, position.first_n}};
}

template <class Cfg>
__device__ __forceinline__ void start_tile(char* smem, const GemmArgs& args,
                                           const WorkPosition& position) {
  with_layout<Cfg>(args, [&](auto layout) {
    using L = decltype(layout);
    const auto loop = loop_of<Cfg, typename L::TileA, typename L::TileB>(args, position);
    if (loop.range.first < loop.range.last) loop.start(smem);
  });
}

template <class Cfg>
__device__ __forceinline__ void sum_tile(typename Cfg::Sum (&sums)[Cfg::kCountN][Cfg::kCountM][4],
                                         char* smem, const GemmArgs& args,
                                         const WorkPosition& position) {
  with_layout<Cfg>(args, [&](auto layout) {
    using L = decltype(layout);
    const auto loop = loop_of<Cfg, typename L::TileA, typename L::TileB>(args, position);
    if (loop.range.first < loop.range.last) {
      loop.sum(sums, smem);
    } else {
      __syncthreads();  // the next position before anyone looks at it
    }
  });
}

// The block adds up its parts of k: BlockGroup, but that nothing is kept through the main loop.
template <int kThreadCount>
struct TileGroup {
  static constexpr int kThreads = kThreadCount;
  __device__ __forceinline__ int thread() const { return opaque_thread(); }
  __device__ __forceinline__ bool any(bool flag) const { return __syncthreads_or(flag) != 0; }
};

template <class Cfg>
__device__ __forceinline__ void finish_tile(
    typename Cfg::Sum (&sums)[Cfg::kCountN][Cfg::kCountM][4], char* smem, const GemmArgs& args,
    const WorkPosition& position) {
  if (!sum_of_parts<Cfg::kSums>(TileGroup<Cfg::kThreads>{}, &sums[0][0][0], args.split,
                                position.meeting)) {
    return;
  }
  auto* c = matrix_c_of_batch<typename Cfg::Out>(args, position.batch);
  if constexpr (kRowsInPairs<typename Layout<Cfg, true, true>::TileA>) {
    with_layout<Cfg>(args, [&](auto layout) {
      using L = decltype(layout);
      store_tile<Cfg, kRowsInPairs<typename L::TileA>, kRowsInPairs<typename L::TileB>>(
          sums, smem, args, c, position.batch, position.first_m, position.first_n);
    });
  } else {
    store_tile<Cfg, false, false>(sums, smem, args, c, position.batch, position.first_m,
                                  position.first_n);
  }
}

template <class Cfg>
__device__ __forceinline__ void mma_gemm(const GemmArgs& args) {
  extern __shared__ __align__(128) char smem[];  // kStages x (TileA, TileB), staged sums, positions
  auto* positions = reinterpret_cast<WorkPosition*>(smem + Cfg::kPositionOffset);
  if (opaque_thread() == 0) {
    set_position<Cfg>(positions[0], args, blockIdx.x, 0);
    if (Cfg::kMeets) Meeting<Cfg>(ptx::shared_address(smem)).init();
  }
  __syncthreads();  // the position before anyone looks at it, and the barrier before its use
  if (Cfg::kLoadsAhead) start_tile<Cfg>(smem, args, positions[0]);
  int at = 0;
  while (positions[at].exists) {
    const int next = at + 1 == kPositions ? 0 : at + 1;
    if (!Cfg::kLoadsAhead) start_tile<Cfg>(smem, args, positions[at]);
    if (opaque_thread() == 0) {
      set_position<Cfg>(positions[next], args, positions[at].next_work, positions[at].next_at);
    }
    typename Cfg::Sum sums[Cfg::kCountN][Cfg::kCountM][4] = {};
    sum_tile<Cfg>(sums, smem, args, positions[at]);
    if (Cfg::kLoadsAhead) start_tile<Cfg>(smem, args, positions[next]);
    finish_tile<Cfg>(sums, smem, args, positions[at]);
    // All threads' loads of staged sums before any thread's copies over them.
    if (!Cfg::kLoadsAhead) __syncthreads();
    at = next;
  }
}

}  // namespace myblas

// A compiled kernel, a line of a family's .cu files. alignment: of operands, bytes; 1 stands for
// any, through registers. blocks: resident blocks an SM, for which the compiler must find the
// registers. Behind them Layouts, where not all.
// clang-format off
#define MYBLAS_MMA_GEMM(name, Type, alignment, Out, Scale, tile_m, tile_n, tile_k, warp_m, warp_n, stages, blocks, ...) \
  using name##_config = MmaGemmConfig<Type, Out, Scale, tile_m, tile_n, tile_k, warp_m, warp_n, stages, blocks,   \
                                      alignment __VA_OPT__(,) __VA_ARGS__>;                                       \
  extern "C" __global__ void __launch_bounds__(name##_config::kThreads, blocks)                                   \
      name(const __grid_constant__ GemmArgs args) {                                                               \
    begin_grid(args, args.m);                                                                                     \
    mma_gemm<name##_config>(args);                                                                                \
  }
// clang-format on
