// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// blackwell/blackwell_gemm.cuh: C = alpha*op(A)*op(B) + beta*C on tensor cores,
// 16-bit in with fp32 sums, or fp64 (sm_90), TMA and mma.sync (sm_90 and newer).
//
//   layout    column-major; op() folded into the boxes of the loads; the four transpositions are
//             four loops in one kernel, chosen once
//   CTA tile  tile_m x tile_n x 128 bytes of k; four or eight warps that multiply, and one or four
//             more, of which a thread loads (blackwell_shape.h); blocks stay and walk tiles
//   math      that of common/mma_gemm.cuh: C's columns are the rows of the instruction, fragments
//             are one k-step ahead, or with one set follow their last use
//   pipeline  ring of kStages stages; a full and an empty mbarrier a stage. A stage holds a k-tile,
//             or, lent to the warps at the end of a tile whose C is not plain (warp_store.cuh),
//             their sums on the way to C: loads of the next tile run ahead into the others
//   assumes   A, B: base, columns, batch strides aligned to 16 bytes; of a batch of pointers the
//             columns alone
//   edges     TMA reads zeros outside, and writes C where its columns end at 16 bytes and it is not
//             plain; else lanes do
//   order     k ascending within a part, parts as in common/split_k.cuh: bit-reproducible
//   limits    sizes and offsets < 2^31 (row.max_offset)
//==============================================================================
#pragma once

#include "kernels/blackwell/tma_tile.cuh"
#include "kernels/blackwell/warp_store.cuh"
#include "kernels/common/grid_start.cuh"
#include "kernels/common/mma_gemm.cuh"
#include "kernels/common/tma_loader.cuh"
#include "kernels/ptx/register_count.h"

namespace myblas {

template <class MmaType, class OutType, BlackwellShape kTheShape>
struct BlackwellConfig {
  using Mma = MmaType;
  using Out = OutType;
  using Sum = typename Mma::Sum;
  static constexpr BlackwellShape kShape = kTheShape;
  static constexpr int kTileK = tma_tile_k(sizeof(typename Mma::Element));
  static constexpr int kBlock = tma_block(sizeof(typename Mma::Element));
  static constexpr int kTileM = kShape.tile_m, kTileN = kShape.tile_n;
  static constexpr int kWarps = kShape.warps(), kWarpsM = kShape.warps_m;
  static constexpr int kConsumerThreads = 32 * kWarps;
  static constexpr int kWarpM = kShape.warp_m(), kWarpN = kShape.warp_n();
  static_assert(Mma::kParts == 1, "nobody sets the signs of complex elements");
  static constexpr int kCountM = kWarpM / 8, kCountN = kWarpN / 16;  // instructions of a warp
  static constexpr int kSums = 4 * kCountM * kCountN;
  static constexpr int kSteps = kTileK / Mma::kK;  // k-steps of a k-tile
  static constexpr int kFragmentRegisters =
      (kWarpM + kWarpN) / 16 * Mma::kRegisters *
      static_cast<int>(sizeof(typename Mma::Register) / sizeof(uint32_t));
  static constexpr int kSumRegisters = kSums * static_cast<int>(sizeof(Sum) / sizeof(uint32_t));
  static constexpr int kFewestOthers = 32;  // registers for all else: with fewer, one set
  static constexpr int kEvenRegisters =
      65536 / (kShape.bound_threads() * kShape.blocks) / 8 * 8;  // of a thread
  // Where as many warps load as take registers together (setmaxnreg), they leave most of theirs.
  static constexpr int kLoadingWarps = kShape.loading_warps;
  static constexpr bool kMovesRegisters = kLoadingWarps == 4;
  static constexpr int kLoadingRegisters = kShape.by_pointers ? 40 : 24;
  static constexpr int kMultiplyingRegisters =
      (kEvenRegisters * (kWarps + kLoadingWarps) - kLoadingRegisters * kLoadingWarps) / kWarps / 8 *
      8;
  static_assert(!kMovesRegisters || kWarps % 4 == 0, "warpgroups move them");
  static constexpr int kRegisters = kMovesRegisters ? kMultiplyingRegisters : kEvenRegisters;
  static constexpr int kFragmentSets =
      kSumRegisters + 2 * kFragmentRegisters + kFewestOthers <= kRegisters ? 2 : 1;
  // A stage ahead of the products of its last k-step, once their fragments have come.
  static constexpr bool kReleasesEarly = kFragmentSets == 2 && sizeof(Sum) == 4;
  static constexpr int kCopyingN = kCountN / 2;  // with two sets, behind the loads of fragments
  static constexpr int kStages = kShape.stages;
  static constexpr int kStageBytes = kShape.stage_bytes();
  using Store = WarpStore<Out, Sum, kShape>;
  static_assert(kSteps % 2 == 0);
  static_assert(kStages >= 2, "one is read, or lent, and one comes");
  static_assert(kTileM <= 256 && kTileN <= 256, "a box has 256 rows");
  // What an SM of sm_120 has, or of sm_90, which alone multiplies fp64 at this rate, less the 1 KB
  // that each block needs besides.
  static constexpr size_t kSmBytes = (sizeof(Sum) == 8 ? 228 : 100) * 1024;
  static_assert((kShape.smem_bytes() + 1024) * kShape.blocks <= kSmBytes);
};

inline constexpr int kMeetingBarrier = 1;  // of all warps that multiply; 0 is the block's

// ---- the ring ---------------------------------------------------------------------------------

// A stage is full when its bytes have landed, or when it is lent; and empty when every warp that
// multiplies is through with it.
template <class Cfg>
struct StageRing {
  uint32_t stages;    // shared addresses
  uint32_t barriers;  // full and empty of stage 0, of stage 1, ...

  __device__ __forceinline__ explicit StageRing(const unsigned char* smem)
      : stages(ptx::shared_address(smem)), barriers(stages + Cfg::kStages * Cfg::kStageBytes) {}
  __device__ __forceinline__ uint32_t at(int stage) const {
    return stages + stage * Cfg::kStageBytes;
  }
  __device__ __forceinline__ uint32_t a(int stage) const { return at(stage); }
  __device__ __forceinline__ uint32_t b(int stage) const {
    return at(stage) + Cfg::kTileM * kTmaRowBytes;
  }
  __device__ __forceinline__ uint32_t full(int stage) const { return barriers + stage * 16; }
  __device__ __forceinline__ uint32_t empty(int stage) const { return barriers + stage * 16 + 8; }
  // A warp's chunk of C has come.
  __device__ __forceinline__ uint32_t c_full(int warp) const {
    return barriers + Cfg::kStages * 16 + warp * 8;
  }

  // By one thread.
  __device__ __forceinline__ void init() const {
    for (int stage = 0; stage < Cfg::kStages; ++stage) {
      ptx::mbarrier_init(full(stage), 1);
      ptx::mbarrier_init(empty(stage), Cfg::kWarps);
    }
    for (int i = 0; i < Cfg::kWarps; ++i) ptx::mbarrier_init(c_full(i), 1);
    ptx::mbarrier_fence_init();
  }

  // By all lanes of a warp, behind the instructions that need what it loaded of the stage; or with
  // a word that has something of all of that, behind which it then comes.
  // NOTE: behind the loads alone is too early: where shared memory is busy, they were still on
  // their way when TMA wrote the stage anew (docs/adr/0025).
  __device__ __forceinline__ void release(int stage) const {
    __syncwarp();  // all lanes' accesses to the stage before its release by one of them
    if (threadIdx.x % 32 == 0) ptx::mbarrier_arrive(empty(stage));
  }
  __device__ __forceinline__ void release(int stage, uint32_t loaded) const {
    const uint32_t barrier = empty(stage) + ptx::zero_once_loaded(loaded);
    __syncwarp();  // as above
    if (threadIdx.x % 32 == 0) ptx::mbarrier_arrive(barrier);
  }
};

// ---- loads ------------------------------------------------------------------------------------

// By the producer.
template <class Cfg>
__device__ __forceinline__ void fill_ring(const TmaArgs& args, const StageRing<Cfg>& ring,
                                          bool has_product) {
  const TileLoader<Cfg::kTileM, 1, Cfg::kBlock> a{
      &args.a, nullptr, nullptr, a_is_transposed(args), a_moves(args), 0};
  const TileLoader<Cfg::kTileN, 1, Cfg::kBlock> b{
      &args.b, nullptr, nullptr, b_is_transposed(args), b_moves(args), 0};
  const bool leads = leads_producer<Cfg>();
  RingPosition<Cfg::kStages> at;
  for (TileOrder<Cfg::kShape, Cfg::kTileK> order; !order.done(args); order.next()) {
    const TileOfC tile = order.tile(args, has_product);
    // Else there may be no A and no B, nor pointers to them.
    if (tile.k_tiles > 0) {
      load_k_tiles<Cfg, typename Cfg::Mma::Element>(args, a, b, tile, ring, leads, at);
    }
    if (Cfg::Store::is_direct(args, tile)) continue;
    if (!leads) at.advance(Cfg::Store::kChunks);
#pragma unroll 1
    for (int i = 0; leads && i < Cfg::Store::kChunks; ++i) {
      // TMA's reads of the stage on the way to C, or all warps' loads, before it is lent.
      ptx::mbarrier_wait(ring.empty(at.stage), at.parity ^ 1);
      ptx::mbarrier_arrive(ring.full(at.stage));
      at.advance();
    }
  }
}

// ---- multiplications --------------------------------------------------------------------------

// A warp that multiplies: where it is in the ring, and which stage TMA still reads on the way to C.
template <class Cfg>
struct WarpPosition {
  RingPosition<Cfg::kStages> at;
  int lent = -1;

  __device__ __forceinline__ void wait(const StageRing<Cfg>& ring) const {
    // The copies' writes of the stage, or all warps' accesses to it before it was lent, before this
    // warp's accesses.
    ptx::mbarrier_wait(ring.full(at.stage), at.parity);
  }

  // A stage that is not given back holds up the loads.
  __device__ __forceinline__ void give_back(const StageRing<Cfg>& ring) {
    if (lent < 0) return;
    // TMA's reads of the stage before its release.
    if (threadIdx.x % 32 == 0) ptx::tma_store_wait_read<0>();
    ring.release(lent);
    lent = -1;
  }

  // What a k-tile seldom has to do before the next one, if there is one.
  __device__ __forceinline__ void catch_up(const StageRing<Cfg>& ring, bool more) {
    give_back(ring);
    if (more) wait(ring);
  }
};

template <class Cfg, class TileA, class TileB>
__device__ __forceinline__ void multiply_tile(
    typename Cfg::Sum (&sums)[Cfg::kCountN][Cfg::kCountM][4], const StageRing<Cfg>& ring,
    WarpPosition<Cfg>& position, int warp, int k_tiles) {
  if (k_tiles == 0) return;
  using Fragments = StepFragments<Cfg, TileA, TileB>;
  const uint32_t a_offset = Fragments::ForA::lane_offset(warp % Cfg::kWarpsM * Cfg::kWarpM);
  const uint32_t b_offset = Fragments::ForB::lane_offset(warp / Cfg::kWarpsM * Cfg::kWarpN);
  auto& at = position.at;
  position.wait(ring);
  constexpr int kSets = Cfg::kFragmentSets, kStages = Cfg::kStages;
  Fragments fragments[kSets];
  fragments[0].load(ring.at(at.stage), a_offset, b_offset, 0);
  StepSums<Cfg> step_sums{sums};
  // Else with the second k-tile, whose stage it is where there are two.
  if (kStages == 2) position.give_back(ring);
#pragma unroll 1
  for (int left = k_tiles - 1; left >= 0; --left) {
    const bool more = left > 0;
    const int in_work = at.stage;
    uint32_t stage = ring.at(in_work);
    bool is_full = false;  // the next stage
#pragma unroll
    for (int step = 0; step < Cfg::kSteps; ++step) {
      if (step == Cfg::kSteps - 1) {
        if constexpr (Cfg::kReleasesEarly) {
          if (more) ring.release(in_work, fragments[step % kSets].loaded());
        }
        at.advance();
        if ((more && !is_full) || position.lent >= 0) position.catch_up(ring, more);
        if (more) stage = ring.at(at.stage);
      }
      const auto between = [&](int place) {
        // Asked for ahead, for the answer takes a while; and late, for who asks waits a little: up
        // to 3.5 us for a stage that nobody fills, so not behind the last k-tile.
        if (step == Cfg::kSteps - 2 && place == Cfg::kCountM - 1) {
          auto next = at;
          next.advance();
          is_full = more && ptx::mbarrier_try_wait(ring.full(next.stage), next.parity);
        }
      };
      multiply_and_load<Cfg>(step_sums, fragments[step % kSets], fragments[(step + 1) % kSets],
                             stage, a_offset, b_offset, (step + 1) % Cfg::kSteps, between);
    }
    // Behind the last k-tile the loads were of this one again: so the loop has a branch less.
    if (!Cfg::kReleasesEarly || !more) ring.release(in_work);
  }
}

template <class Cfg>
__device__ __forceinline__ void store_tile(typename Cfg::Sum (&sums)[Cfg::kCountN][Cfg::kCountM][4],
                                           typename Cfg::Store& store, const TmaArgs& args,
                                           const TileOfC& tile, int warp, bool is_whole,
                                           const StageRing<Cfg>& ring, unsigned char* smem,
                                           WarpPosition<Cfg>& position) {
  using Store = typename Cfg::Store;
  const int m = tile.first_m + warp % Cfg::kWarpsM * Cfg::kWarpM;
  const int n = tile.first_n + warp / Cfg::kWarpsM * Cfg::kWarpN;
  if constexpr (Store::kMayBeDirect) {
    if (Store::is_direct(args, tile)) {
      if (is_whole) Store::store_directly(sums, args, tile.batch, m, n);
      return;
    }
  }
#pragma unroll
  for (int chunk = 0; chunk < Store::kChunks; ++chunk) {
    position.give_back(ring);
    position.wait(ring);
    const int stage = position.at.stage;
    position.at.advance();
    unsigned char* staging = smem + stage * Cfg::kStageBytes + warp * Cfg::kShape.staging_bytes();
    auto& of_chunk = reinterpret_cast<typename Store::Sums&>(sums[chunk * Store::kCountN]);
    if (is_whole &&
        store.store_chunk(of_chunk, staging, args, tile.batch, m, n + chunk * Store::kChunkN)) {
      position.lent = stage;
    } else {
      ring.release(stage);
    }
  }
}

template <class Cfg, bool kRowsA, bool kRowsB>
__device__ __forceinline__ void multiply_tiles(const TmaArgs& args, const StageRing<Cfg>& ring,
                                               unsigned char* smem, bool has_product) {
  using TileA = TmaTileOf<typename Cfg::Mma, Cfg::kTileM, kRowsA>;
  using TileB = TmaTileOf<typename Cfg::Mma, Cfg::kTileN, kRowsB>;
  const int warp = __shfl_sync(0xffffffffu, static_cast<int>(threadIdx.x) / 32, 0);
  typename Cfg::Store store(ring.c_full(warp));
  WarpPosition<Cfg> position;
  for (TileOrder<Cfg::kShape, Cfg::kTileK> order; !order.done(args); order.next()) {
    typename Cfg::Sum sums[Cfg::kCountN][Cfg::kCountM][4] = {};  // (16 columns, 8 rows) each
    multiply_tile<Cfg, TileA, TileB>(sums, ring, position, warp,
                                     order.tile(args, has_product).k_tiles);
    order.compute_again();
    const TileOfC tile = order.tile(args, has_product);
    const NamedBarrierGroup<Cfg::kConsumerThreads> group{0, kMeetingBarrier};
    const bool is_whole =
        sum_of_parts<Cfg::kSums>(group, &sums[0][0][0], args.gemm.split,
                                 meeting_of_part(args.gemm.split, tile.index, tile.part));
    store_tile<Cfg>(sums, store, args, tile, warp, is_whole, ring, smem, position);
  }
  position.give_back(ring);  // the block's shared memory is TMA's until then
}

template <class Cfg>
__device__ __forceinline__ void blackwell_gemm(const TmaArgs& args) {
  extern __shared__ __align__(1024) unsigned char smem[];  // stages, barriers
  if constexpr (Cfg::kMovesRegisters) ptx::started_with_registers<Cfg::kEvenRegisters>();
  const StageRing<Cfg> ring(smem);
  if (threadIdx.x == 0) ring.init();
  __syncthreads();  // the barriers made by one thread before anyone's use of them
  begin_grid(args, args.gemm.m);
  // NOTE: alpha == 0 must not read A or B; they may hold NaN, or be NULL.
  const bool has_product = load_has_product<typename Cfg::Sum>(args);
  if (threadIdx.x < Cfg::kConsumerThreads) {
    if constexpr (Cfg::kMovesRegisters) ptx::setmaxnreg_inc<Cfg::kMultiplyingRegisters>();
    with_transposition(a_is_transposed(args), b_is_transposed(args), [&](auto rows_a, auto rows_b) {
      multiply_tiles<Cfg, decltype(rows_a)::value, decltype(rows_b)::value>(args, ring, smem,
                                                                            has_product);
    });
  } else {
    if constexpr (Cfg::kMovesRegisters) ptx::setmaxnreg_dec<Cfg::kLoadingRegisters>();
    if (is_producer<Cfg>()) fill_ring<Cfg>(args, ring, has_product);
  }
}

}  // namespace myblas
