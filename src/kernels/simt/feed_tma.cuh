// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// simt/feed_tma.cuh: k-tiles of both operands come to a ring of kStages stages in shared memory by
// TMA (sm_90), which no thread spends addresses or registers on.
//
// Operands aligned as TMA needs it. A stage holds those of A, then of B: TileK lines of the tile's
// rows (m of A, n of B) where these are contiguous, else a line of TileK for each row, swizzled
// (simt/lane_sides.cuh). Each stage has two barriers: `full` counts the bytes that came, `empty`
// the warps that are done with them, so that no warp waits for another but through the ring. The
// warps take turns at starting the copies of a k-tile: by one of them always, it would be slower
// than the others, who then wait for it at every stage. The k remainder is the last k-tile: what
// lies past the matrix comes as zeros.
//
// The promise to the main loop: simt/feed_cp_async.cuh, but that leave(), or ask(), asks for the
// next k-tile.
//==============================================================================
#pragma once

#include "kernels/common/matrix_place.cuh"
#include "kernels/common/tma_args.h"
#include "kernels/ptx/elect.h"
#include "kernels/ptx/mbarrier.h"
#include "kernels/ptx/opaque.h"
#include "kernels/ptx/shared_memory.h"
#include "kernels/ptx/tma.h"
#include "kernels/simt/simt_smem.h"

namespace myblas {

// A place that waits in the thread's own memory.
template <class Place>
struct KeptPlace;
template <>
struct KeptPlace<BatchPlace> {
  volatile int z;
  __device__ __forceinline__ void keep(BatchPlace place) { z = place.z; }
  __device__ __forceinline__ BatchPlace get() const { return {z}; }
};
template <>
struct KeptPlace<MemoryPlace> {
  volatile int z, w;
  __device__ __forceinline__ void keep(MemoryPlace place) {
    z = place.z;
    w = place.w;
  }
  __device__ __forceinline__ MemoryPlace get() const { return {z, w}; }
};

template <class Cfg, class Place = BatchPlace>
class TmaFeed {
  using Element = typename Cfg::Element;
  static constexpr int kStages = Cfg::kStages;
  static constexpr int kElementBytes = static_cast<int>(sizeof(Element));
  static constexpr int kBytesA = Cfg::kTileM * Cfg::kTileK * kElementBytes;
  static constexpr int kBytesB = Cfg::kTileN * Cfg::kTileK * kElementBytes;
  static constexpr int kStageBytes = Cfg::kStageElements * kElementBytes;
  // Two barriers a stage, a fixed part of the stages' distance apart: full, empty.
  static constexpr int kBarrierPart = Cfg::kStageElements < 2048   ? 64
                                      : Cfg::kStageElements < 8192 ? 128
                                                                   : 256;
  static constexpr int kBarrierStep = Cfg::kStageElements / kBarrierPart;
  static constexpr uint32_t kEmpty = 8;
  static_assert(kBarrierStep >= 16 && kBarrierStep % 8 == 0 &&
                Cfg::kStageElements % kBarrierPart == 0);
  static_assert(kStages >= 3 && (kStages - 1) * kBarrierStep + 16 <= kSimtBarrierBytes);
  // What a swizzle exchanges lies alike in every stage.
  static_assert(kBytesA % (Cfg::kAlongKB ? 8 * Cfg::kTileK * 4 : 128) == 0);
  static_assert(kStageBytes % (Cfg::kAlongKB ? 8 * Cfg::kTileK * 4 : 128) == 0);

 public:
  static constexpr bool kCountsReaders = true, kGoesOn = false;

  // One operand of one matrix product, by its map.
  struct Operand {
    const TensorMap* map;
    Place matrix;
    int64_t ld;  // the map knows it
  };
  static __device__ __forceinline__ Operand operand_a(const GemmArgs& /*args*/, int64_t batch,
                                                      int64_t /*k*/, const TmaArgs& maps) {
    return {&maps.a,
            place_in_batch(static_cast<int>(batch), (maps.operand_bits & kMovesInBatch) != 0), 0};
  }
  static __device__ __forceinline__ Operand operand_b(const GemmArgs& /*args*/, int64_t batch,
                                                      int64_t /*k*/, const TmaArgs& maps) {
    return {&maps.b,
            place_in_batch(static_cast<int>(batch),
                           (maps.operand_bits & kMovesInBatch << kBitsOfA) != 0),
            0};
  }

  __device__ __forceinline__ TmaFeed(Element* smem, const Operand& a, const Operand& b,
                                     int64_t first_m, int64_t first_n, int64_t first_k)
      : map_a_(a.map),
        map_b_(b.map),
        first_m_(static_cast<int>(first_m)),
        first_n_(static_cast<int>(first_n)),
        next_k_(static_cast<uint32_t>(first_k) + (kStages - 1) * Cfg::kTileK),
        ring_(static_cast<uint32_t>(ptx::opaque(static_cast<int32_t>(ptx::shared_address(smem))))) {
    matrix_a_.keep(a.matrix);
    matrix_b_.keep(b.matrix);
  }

  __device__ __forceinline__ void fill(int64_t /*lda*/, int64_t /*ldb*/, uint32_t k_tiles,
                                       int /*valid_k*/) {
    if (threadIdx.x == 0) {
      make_barriers();
#pragma unroll
      for (int stage = 0; stage < kStages - 1; ++stage) {
        if (static_cast<uint32_t>(stage) < k_tiles) {
          start(stage * Cfg::kStageElements, next_k_ - (kStages - 1 - stage) * Cfg::kTileK);
        }
      }
    }
    __syncthreads();  // the barriers are made before any thread waits for one
    arrived(0, true);
  }

  // There is one: a kernel a layout.
  template <class Body>
  __device__ __forceinline__ void by_ways(const Body& body) const {
    body(0);
  }

  // This warp has loaded what it needs of `stage`.
  __device__ __forceinline__ void release(int stage) { release_by(barrier_of(stage) + kEmpty); }
  // The same as soon as it has `loaded`, a word that has a bit of each load which may still be on
  // its way. That does not hold up an arrival behind it (docs/adr/0025): held up itself by loads of
  // C, of other warps and blocks, it could read what TMA wrote over the stage.
  __device__ __forceinline__ void release(int stage, uint32_t loaded) {
    release_by(barrier_of(stage) + kEmpty + ptx::zero_once_loaded(loaded));
  }

  // The stage ahead of the one that is read takes the next k-tile, if there is one, which the warp
  // whose turn it is asks for. A k-tile late: by then the other warps too have left it. Stages are
  // known by the place of their first element, and asked for in turn, beginning with the last one,
  // which is new.
  __device__ __forceinline__ void ask(int free_stage, bool exists) {
    if (exists && threadIdx.x / 32 == next_k_ / Cfg::kTileK % kWarps) {
      start_when_left(free_stage, next_k_);
    }
    next_k_ += Cfg::kTileK;
  }

  // Both.
  __device__ __forceinline__ void leave(int stage, int free_stage, bool exists, uint32_t loaded) {
    release(stage, loaded);
    ask(free_stage, exists);
  }

  // Asks whether the k-tile after the one in work is in its stage: a while ahead of arrived(), for
  // the answer takes some time.
  __device__ __forceinline__ void look() {
    is_there_ = ptx::mbarrier_test_wait(next_full_, next_parity_) ? 1 : 0;
  }

  // The next k-tile is in its stage, if there is one. Stages come in turn, beginning with place 0.
  __device__ __forceinline__ void arrived(int stage, bool exists) {
    constexpr int kLastStage = (kStages - 1) * Cfg::kStageElements;
    if (stage == 0) full_parity_ ^= 1;
    if (exists && is_there_ == 0) ptx::mbarrier_wait(barrier_of(stage), full_parity_);
    next_full_ = barrier_of(stage == kLastStage ? 0 : stage + Cfg::kStageElements);
    next_parity_ = full_parity_ ^ (stage == kLastStage ? 1 : 0);
  }

  // The barriers are made anew for the next tile.
  __device__ __forceinline__ void drain() {
    __syncthreads();  // all threads' waits and arrivals before the barriers go
    if (threadIdx.x == 0) {
#pragma unroll
      for (int stage = 0; stage < kStages; ++stage) {
        ptx::mbarrier_invalidate(barrier_of(stage * Cfg::kStageElements));
        ptx::mbarrier_invalidate(barrier_of(stage * Cfg::kStageElements) + kEmpty);
      }
    }
  }

 protected:
  static constexpr int kWarps = Cfg::kThreads / 32;

  static __device__ __forceinline__ void release_by(uint32_t empty) {
    __syncwarp();
    if (threadIdx.x % 32 == 0) ptx::mbarrier_arrive(empty);
  }

  // By one thread, ahead of a barrier of the block.
  __device__ __forceinline__ void make_barriers() {
#pragma unroll
    for (int stage = 0; stage < kStages; ++stage) {
      ptx::mbarrier_init(barrier_of(stage * Cfg::kStageElements), 1);
      ptx::mbarrier_init(barrier_of(stage * Cfg::kStageElements) + kEmpty, kWarps);
    }
    ptx::mbarrier_fence_init();
  }

  // By a warp, behind all warps' loads of what lay in the stage: read in the same turn of the ring
  // as the k-tile that is read now, or in the turn before where the stage is the last one, which
  // fill() left empty.
  // NOTE: by the whole warp. A lane that waits in a loop of its own yields to the others, which
  // then go on without it, and the warp runs every instruction twice from there on.
  __device__ __forceinline__ void start_when_left(int stage, uint32_t k_of_tile) {
    constexpr int kLastStage = (kStages - 1) * Cfg::kStageElements;
    ptx::mbarrier_wait(barrier_of(stage) + kEmpty, full_parity_ ^ (stage < kLastStage ? 0 : 1));
    if (is_alone()) start(stage, k_of_tile);
  }

  // One lane of a warp. With chunks of k as one that the compiler knows to be alone (ptx/elect.h),
  // 2 % quicker together with look(); with rows in both operands, tiles of 128 x 128 in fp32 and of
  // 64 x 64 in complex fp32 were 1 to 4 % slower by it.
  static __device__ __forceinline__ bool is_alone() {
    if constexpr (Cfg::kAlongKB) return ptx::elect_one();
    return threadIdx.x % 32 == 0;
  }

  // The stage's first barrier, `full`.
  __device__ __forceinline__ uint32_t barrier_of(int stage) const {
    return ring_ + kStages * kStageBytes + static_cast<uint32_t>(stage) / kBarrierPart;
  }

  __device__ __forceinline__ void start(int stage, uint32_t k_of_tile) {
    const int k = static_cast<int>(k_of_tile);
    const uint32_t to = ring_ + stage * kElementBytes, full = barrier_of(stage);
    ptx::mbarrier_arrive_expect_tx(full, kBytesA + kBytesB);
    load<Cfg::kAlongKA>(to, map_a_, first_m_, k, matrix_a_.get(), full);
    load<Cfg::kAlongKB>(to + kBytesA, map_b_, first_n_, k, matrix_b_.get(), full);
  }

  template <bool kAlongK>
  static __device__ __forceinline__ void load(uint32_t to, const TensorMap* map, int first_row,
                                              int k, Place matrix, uint32_t full) {
    load_box(to, map, kAlongK ? k : first_row, kAlongK ? first_row : k, matrix, full);
  }

  // The first row of the tile of either operand, and which matrices these are.
  __device__ __forceinline__ void aim(int first_m, int first_n, Place matrix_a, Place matrix_b) {
    first_m_ = first_m;
    first_n_ = first_n;
    matrix_a_.keep(matrix_a);
    matrix_b_.keep(matrix_b);
  }

  // What is looked at for copies alone waits in the thread's own memory (volatile), not in
  // registers.
  const TensorMap *map_a_, *map_b_;
  KeptPlace<Place> matrix_a_, matrix_b_;
  volatile int first_m_, first_n_;
  uint32_t next_k_;  // of the k-tile that is asked for next
 private:
  uint32_t ring_;        // a shared address
  int full_parity_ = 1;  // of the phase in which the stage that is read was full
  // Of the stage after that, its barrier, and whether look() saw it full.
  uint32_t next_full_;
  int next_parity_;
  uint32_t is_there_ = 0;
};

}  // namespace myblas
