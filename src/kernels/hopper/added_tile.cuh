// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// hopper/added_tile.cuh: a tile of C that is added to, by way of the ring.
//
// Where alpha and beta are numbers of the host's, not 0, and TMA reaches C, its tile comes behind
// the tile's k-tiles, in as many more stages, so that it is there when the products are: loaded
// chunk by chunk when the sums leave, each chunk would be waited for. The consumers then have alpha
// * sums + beta * C as their sums, and what stores them finds an alpha of 1 and a beta of 0. Not
// where k is divided: which of a tile's parts comes last is known too late.
//
// A stage holds boxes of C as they leave (store_tile.cuh): one of each consumer, then the next
// ones.
//==============================================================================
#pragma once

#include <type_traits>

#include "kernels/common/tma_loader.cuh"
#include "kernels/hopper/chunk_layout.cuh"
#include "kernels/hopper/hgemm_ring.cuh"

namespace myblas {

template <class Cfg>
struct AddedTile {
  using Out = typename Cfg::Out;
  using Sum = typename Cfg::Sum;
  using Scale = typename Cfg::Scale;
  using Layout = ChunkLayout<Out, Scale, Cfg::kShape>;
  static constexpr HopperShape kShape = Cfg::kShape;
  static constexpr int kConsumers = kShape.consumers_of_tile();
  static constexpr int kBoxM = Layout::kBoxM, kBoxes = Layout::kBoxes,
                       kBoxBytes = Layout::kBoxBytes;
  static constexpr int kChunksOfBlock = Cfg::kColumns / 2 / Layout::kChunkSums;
  static constexpr int kAllBoxes = Cfg::kRowBlocks * kChunksOfBlock * kBoxes;  // of a consumer
  static constexpr int kBoxesOfStage = Cfg::kStageBytes / (kConsumers * kBoxBytes);
  static constexpr int kStagesOfC = kBoxesOfStage > 0
                                        ? (kAllBoxes + kBoxesOfStage - 1) / kBoxesOfStage
                                        : 0;
  // Else it would never be there as a whole; results of another type are not sums; the largest tile
  // leaves no registers; and of consumers that take turns the other one multiplies while chunks are
  // waited for, and wants the stages (4096 x 11008 x 2048 NT: 285 us, with C in the ring 306).
  static constexpr bool kIsServed = !kShape.by_pointers && std::is_same_v<Sum, Scale> &&
                                    kStagesOfC > 0 && kStagesOfC <= Cfg::kStages &&
                                    !kShape.ping_pong && !Cfg::kLeanProducer;

  // Whether tiles of C come so.
  static __device__ __forceinline__ bool comes(const TmaArgs& args) {
    return kIsServed && args.c_in_ring != 0;
  }

  // The chunk's first element.
  static __device__ __forceinline__ void place_of_chunk(const TileOfC& tile, int consumer,
                                                        int chunk, int* m, int* n) {
    const int row = Cfg::first_row(consumer) + chunk / kChunksOfBlock * kHopperBlock;
    Layout::place_of_chunk(tile, row, Cfg::first_column(consumer), chunk % kChunksOfBlock, m, n);
  }
  static __device__ __forceinline__ bool is_inside(const TmaArgs& args, int m, int n) {
    return m < args.gemm.m && n < args.gemm.n;
  }

  // By the producer's leader, behind the k-tiles.
  static __device__ __forceinline__ void load(const TmaArgs& args, const TileOfC& tile,
                                              const Ring<Cfg>& ring,
                                              RingPosition<Cfg::kStages>& at) {
    int box = 0;
#pragma unroll 1
    for (int i = 0; i < kStagesOfC; ++i) {
      const uint32_t full = ring.full(at.stage);
      uint32_t to = ring.rows(at.stage);
      // All reads of what the stage held before the copies over it.
      ptx::mbarrier_wait(ring.empty(at.stage), at.parity ^ 1);
      int bytes = 0;
#pragma unroll 1
      for (int of_stage = 0; of_stage < kBoxesOfStage && box < kAllBoxes; ++of_stage, ++box) {
#pragma unroll 1
        for (int consumer = 0; consumer < kConsumers; ++consumer, to += kBoxBytes) {
          int m, n;
          place_of_chunk(tile, consumer, box / kBoxes, &m, &n);
          if (!is_inside(args, m, n)) continue;
          load_box(to, &args.c, m + box % kBoxes * kBoxM, n, place_in_batch(tile.batch, true),
                   full);
          bytes += kBoxBytes;
        }
      }
      // The phase ends with this arrival at the earliest, however early the copies' bytes come.
      ptx::mbarrier_arrive_expect_tx(full, bytes);
      at.advance();
    }
  }

  // By a consumer: its sums become alpha * sums + beta * C. barrier: a named one of its own.
  template <int kBlocks, int kSums>
  static __device__ __forceinline__ void add(Sum (&sums)[kBlocks][kSums], const TmaArgs& args,
                                             const TileOfC& tile, const Ring<Cfg>& ring,
                                             int consumer, int barrier,
                                             RingPosition<Cfg::kStages>* at) {
    const Finish<Scale> finish = load_finish<Scale>(args.gemm);
    const RingPosition<Cfg::kStages> first = *at;
#pragma unroll 1
    for (int i = 0; i < kStagesOfC; ++i) {
      ptx::mbarrier_wait(ring.full(at->stage), at->parity);  // the copies' writes before the reads
      at->advance();
    }
    const int thread = ptx::thread_again(static_cast<uint32_t>(first.stage));
    const auto address_of_box = [&](int box) {
      int stage = first.stage + box / kBoxesOfStage;
      if (stage >= Cfg::kStages) stage -= Cfg::kStages;
      return ring.rows(stage) +
             static_cast<uint32_t>((box % kBoxesOfStage * kConsumers + consumer) * kBoxBytes);
    };
    uint32_t seen = 0;  // has something of every load
#pragma unroll
    for (int chunk = 0; chunk < Cfg::kRowBlocks * kChunksOfBlock; ++chunk) {
      Sum* const of_chunk =
          sums[chunk / kChunksOfBlock] + chunk % kChunksOfBlock * Layout::kChunkSums;
      int m, n;
      place_of_chunk(tile, consumer, chunk, &m, &n);
      if (!is_inside(args, m, n)) continue;
      Layout::for_old_pairs(
          thread, [&](int box) { return address_of_box(chunk * kBoxes + box); },
          [&](int i, Scale low, Scale high, uint32_t bits) {
            of_chunk[i] = multiply(finish.alpha, of_chunk[i]);
            of_chunk[i + 1] = multiply(finish.alpha, of_chunk[i + 1]);
            multiply_add(of_chunk[i], finish.beta, low);
            multiply_add(of_chunk[i + 1], finish.beta, high);
            seen |= bits;
          });
    }
    // All threads' reads, done and not only started (docs/adr/0025), before the copies that follow
    // the release by one.
    const auto zero = static_cast<int>(ptx::zero_once_loaded(seen));
    if constexpr (Cfg::kReleases == 1) {
      ptx::named_barrier_sync(barrier + zero, 128);
    } else {
      __syncwarp();
    }
    RingPosition<Cfg::kStages> release = first;
#pragma unroll 1
    for (int i = 0; i < kStagesOfC; ++i) {
      ring.release(ring.empty(release.stage + zero));
      release.advance();
    }
  }
};

}  // namespace myblas
