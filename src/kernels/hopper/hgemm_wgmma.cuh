// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// hopper/hgemm_wgmma.cuh: C = alpha*op(A)*op(B) + beta*C, 16-bit or TF32 in with
// fp32 sums, int8 in with int32 sums, fp32 as bf16 terms (term_products.cuh), TMA and wgmma
// (sm_90a).
//
//   layout    column-major; op() folded into the boxes of the loads and the majors of wgmma; int8:
//             A transposed, B not; TF32: the columns of wgmma contiguous along k, its rows so or by
//             way of registers
//   CTA tile  tile_m x tile_n x 128 bytes of k; one to three consumer warpgroups of 64 or more rows
//             of wgmma (m or n, hopper_shape.h), which share a tile by its rows or its columns, or
//             take turns at tiles (ping-pong), or at sums of terms; one thread that loads, of
//             pointers a warp; blocks stay and walk tiles
//   pipeline  ring of kStages k-tiles; a full and an empty mbarrier a stage; the loads run ahead
//             of the multiplications and over the ends of tiles
//   clusters  two or four blocks that share an operand load a part of it each, for all; fours, and
//             pairs of small tiles, run alone or several to a cluster; blocks that share none run
//             alone or as a cluster of neighbours (common/tile_neighbours.h)
//   assumes   A, B: base, columns, batch strides aligned to 16 bytes; of a batch of pointers the
//             columns alone: matrices that begin elsewhere are copied by the loading warp's threads
//   edges     TMA reads zeros past k, of m and n what is there (EdgeBoxes), and writes C where its
//             columns end at 16 bytes; else threads do
//   order     k ascending within a part, parts as in common/split_k.cuh, or common/cluster_sum.cuh:
//             bit-reproducible
//   limits    sizes and offsets < 2^31 (row.max_offset)
//==============================================================================
#pragma once

#include <type_traits>

#include "kernels/common/cluster_sum.cuh"
#include "kernels/common/grid_start.cuh"
#include "kernels/common/tma_loader.cuh"
#include "kernels/hopper/added_tile.cuh"
#include "kernels/hopper/hgemm_config.cuh"
#include "kernels/hopper/hgemm_ring.cuh"
#include "kernels/hopper/rows_in_registers.cuh"
#include "kernels/hopper/store_tile.cuh"
#include "kernels/hopper/term_products.cuh"
#include "kernels/hopper/wgmma_types.cuh"
#include "kernels/ptx/mbarrier.h"
#include "kernels/ptx/register_count.h"
#include "kernels/ptx/wgmma.h"

namespace myblas {

// Named barriers: 0 is the block's.
inline constexpr int kMeetingBarrier = 1;  // of all consumers
inline constexpr int kStoreBarrier = 2;    // of consumer 0; the next are of the others

// ---- loads ------------------------------------------------------------------------------------

// By the producer. tile: its first.
template <class Cfg>
__device__ __forceinline__ void load_tiles(const TmaArgs& args, const Ring<Cfg>& ring,
                                           bool has_product, TileOfC tile) {
  typename Cfg::Order order;
  constexpr HopperShape kShape = Cfg::kShape;
  // Neighbours along n share A, neighbours along m share B.
  constexpr int kSharersA = kShape.cluster_n, kSharersB = kShape.cluster_m;
  const auto rank = static_cast<int>(rank_in_unit<kShape>());
  constexpr int kBlock = Cfg::kBlock;
  // The rows may lie either way, as their instruction or registers take them; the columns too
  // where the shape says so.
  constexpr bool kAnyRows = Cfg::kAnyMajor || kShape.loads_rows;
  constexpr bool kAnyColumns = Cfg::kAnyMajor && kShape.any_columns;
  constexpr bool kAnyA = kShape.rows_are_m ? kAnyRows : kAnyColumns;
  constexpr bool kAnyB = kShape.rows_are_m ? kAnyColumns : kAnyRows;
  const TileLoader<kShape.tile_m, kSharersA, kBlock> a{
      &args.a,       &args.map_edge_a,         &args.edge_a, kAnyA && a_is_transposed(args),
      a_moves(args), kSharersA > 1 ? rank : 0, ring.unit};
  const TileLoader<kShape.tile_n, kSharersB, kBlock> b{
      &args.b,       &args.map_edge_b,         &args.edge_b, kAnyB && b_is_transposed(args),
      b_moves(args), kSharersB > 1 ? rank : 0, ring.unit};
  const bool leads = leads_producer<Cfg>();
  RingPosition<Cfg::kStages> at;
  while (has_product && !order.done(args)) {
    load_k_tiles<Cfg, typename Cfg::In>(args, a, b, tile, ring, leads, at);
    if (AddedTile<Cfg>::comes(args)) AddedTile<Cfg>::load(args, tile, ring, at);
    order.next();
    tile = order.tile(args, true);
  }
  if (kShape.cluster() > 1 && leads) {
    // The other blocks' releases of the stages, which arrive here, before this block's end.
    for (int i = 0; i < Cfg::kStages; ++i) {
      ptx::mbarrier_wait(ring.empty(at.stage), at.parity ^ 1);
      at.advance();
    }
  }
}

// ---- multiplications --------------------------------------------------------------------------

// Descriptor of an operand in a stage of the ring. Both layouts have 128 bytes in a row, and 8 rows
// in 1024 bytes; transposed, 64 rows (of k) and then the next 64 columns.
__device__ __forceinline__ uint64_t operand_descriptor(uint32_t address) {
  return ptx::wgmma_descriptor(address, kHopperBlock * kTmaRowBytes, 8 * kTmaRowBytes,
                               Swizzle::k128B);
}

// From one instruction's k to the next: along the rows, or 16 rows on. In descriptor units.
template <bool kTransposed>
constexpr uint32_t kStepOfK = (kTransposed ? 16 * kTmaRowBytes : kWgmmaBytes) / 16;

// Ping-pong: this consumer's waits for full stages before the other's. By all of its threads.
template <class Cfg>
__device__ __forceinline__ void pass_turn(const Ring<Cfg>& ring, int consumer) {
  if constexpr (Cfg::kShape.ping_pong) {
    __syncwarp();  // all lanes' waits
    if (threadIdx.x % 32 == 0) ptx::mbarrier_arrive(ring.turn(1 - consumer));
  }
}

// Rows by way of registers are not transposed there. meanwhile(): beside the last products.
template <class Cfg, bool kRowsTransposed, bool kColumnsTransposed, class Meanwhile>
__device__ __forceinline__ void multiply_tile(TileSums<Cfg>& sums, const Ring<Cfg>& ring,
                                              int consumer, int k_tiles,
                                              RingPosition<Cfg::kStages>* at,
                                              const Meanwhile& meanwhile) {
  constexpr bool kLoadsRows = Cfg::kShape.loads_rows;
  constexpr uint32_t kStageUnits = Cfg::kStageBytes / 16;
  const uint32_t first_row = ring.rows(0) + Cfg::first_row(consumer) * kTmaRowBytes;
  const uint64_t rows = operand_descriptor(first_row);
  // Addresses are the low bits of a descriptor's low word, and stay there.
  const auto with_low = [&](uint32_t low) { return rows >> 32 << 32 | low; };
  const uint32_t to_columns =
      (ring.columns(0) + Cfg::first_column(consumer) * kTmaRowBytes - first_row) / 16;
  std::conditional_t<kLoadsRows, LoadedRows<Cfg::kSteps>, NoRows> loaded;
  // One warp does all of this, and a k-tile of 64 x 64 multiplies for 128 clocks: what the next
  // stage needs is computed, and asked for, while this one's multiplications run.
  int stage = at->stage, parity = at->parity;
  uint32_t full = ring.full(stage);
  uint32_t next = static_cast<uint32_t>(rows) + stage * kStageUnits;
  uint32_t last_empty = 0;  // of the stage before
  uint32_t is_full = k_tiles > 0 && ptx::mbarrier_try_wait(full, parity) ? 1 : 0;
  for (int i = 0; i < k_tiles; ++i) {
    // From one lane: the compiler then computes the descriptors once for the warp, where wgmma
    // wants them.
    const uint32_t low = __shfl_sync(0xffffffffu, next, 0);
    // The copies' writes of the stage before its multiplications.
    if (is_full == 0) ptx::mbarrier_wait(full, parity);
    if constexpr (!kLoadsRows) ptx::wgmma_fence();
#pragma unroll
    for (int step = 0; step < Cfg::kSteps; ++step) {
      const uint64_t step_columns =
          with_low(low + to_columns + step * kStepOfK<kColumnsTransposed>);
      if constexpr (kLoadsRows) {
        static_assert(Cfg::kRowBlocks == 1);
        // This k-step of the stage before is through, and no longer needs its registers.
        if (i > 0) ptx::wgmma_wait<Cfg::kSteps - 1>();
        if (i > 0 && step == Cfg::kSteps - 1) ring.release(last_empty);
        loaded.load(first_row + stage * Cfg::kStageBytes, step);
        ptx::wgmma_fence();
        Cfg::Type::template multiply<Cfg::kColumns>(sums[0], loaded.rows[step], step_columns);
        ptx::wgmma_commit();
      } else {
#pragma unroll
        for (int block = 0; block < Cfg::kRowBlocks; ++block) {
          constexpr uint32_t kBlockStep = kHopperBlock * kTmaRowBytes / 16;
          Cfg::Type::template multiply<Cfg::kColumns, kRowsTransposed, kColumnsTransposed>(
              sums[block], with_low(low + block * kBlockStep + step * kStepOfK<kRowsTransposed>),
              step_columns);
        }
      }
    }
    if constexpr (kLoadsRows) {
      __syncwarp();  // all lanes' loads of the stage before its release by one
    } else {
      ptx::wgmma_commit();
    }
    const uint32_t through = last_empty;
    last_empty = ring.empty_of(full);
    next += kStageUnits;
    full += ring.kStep;
    if (++stage == Cfg::kStages) {
      stage = 0;
      next -= kStageUnits * Cfg::kStages;
      full -= ring.kStep * Cfg::kStages;
      parity ^= 1;
    }
    if constexpr (!kLoadsRows) {
      // The multiplications of the stage before are through; this one's go on.
      ptx::wgmma_wait<1>();
      if (i > 0) ring.release(through);
    }
    is_full = i + 1 < k_tiles && ptx::mbarrier_try_wait(full, parity) ? 1 : 0;
  }
  at->stage = stage;
  at->parity = parity;
  pass_turn<Cfg>(ring, consumer);
  meanwhile();
  ptx::wgmma_wait<0>();
#pragma unroll
  for (int block = 0; block < Cfg::kRowBlocks; ++block) ptx::wgmma_keep(sums[block]);
  if (k_tiles > 0) ring.release(last_empty);
}

// Instead of it, where the tile lies outside of C: a stage holds only what the cluster's other
// blocks share, and is given back to them.
template <class Cfg>
__device__ __forceinline__ void pass_over_tile(const Ring<Cfg>& ring, int consumer, int stages,
                                               RingPosition<Cfg::kStages>* at) {
  for (int i = 0; i < stages; ++i) {
    ptx::mbarrier_wait(ring.full(at->stage), at->parity);
    // All warps' waits before the release by one: a parity tells neighbouring rounds apart, no
    // more.
    ptx::named_barrier_sync(kStoreBarrier + consumer, 128);
    ring.release(ring.empty(at->stage));
    at->advance();
  }
  pass_turn<Cfg>(ring, consumer);
}

// The layouts of the operands are the instruction's: a loop for each pair of them. What lies around
// the loops is there once: a block that finds its code in the SM's cache is done earlier.
template <class Cfg, class Meanwhile>
__device__ __forceinline__ void multiply_any_layout(TileSums<Cfg>& sums, const TmaArgs& args,
                                                    const Ring<Cfg>& ring, int consumer,
                                                    int k_tiles, RingPosition<Cfg::kStages>* at,
                                                    [[maybe_unused]] int* turns,
                                                    const Meanwhile& meanwhile) {
  if constexpr (Cfg::kShape.term_tiles > 0) {
    const uint32_t first_row = ring.rows(0) + Cfg::first_row(consumer) * kTmaRowBytes;
    const uint32_t first_column = ring.columns(0) + Cfg::first_column(consumer) * kTmaRowBytes;
    multiply_terms<Cfg>(sums, ring, operand_descriptor(first_row), operand_descriptor(first_column),
                        k_tiles, consumer, turns, at);
    meanwhile();
    return;
  }
  if constexpr (Cfg::kAnyMajor) {
    const bool a = a_is_transposed(args), b = b_is_transposed(args);
    const bool rows = Cfg::kShape.rows_are_m ? a : b;
    if constexpr (Cfg::kShape.any_columns) {
      if (Cfg::kShape.rows_are_m ? b : a) {
        if (rows) {
          multiply_tile<Cfg, true, true>(sums, ring, consumer, k_tiles, at, meanwhile);
        } else {
          multiply_tile<Cfg, false, true>(sums, ring, consumer, k_tiles, at, meanwhile);
        }
        return;
      }
    }
    if (rows) {
      multiply_tile<Cfg, true, false>(sums, ring, consumer, k_tiles, at, meanwhile);
      return;
    }
  }
  multiply_tile<Cfg, false, false>(sums, ring, consumer, k_tiles, at, meanwhile);
}

// Where k is divided: true where the sums are those over all of it.
template <class Cfg>
__device__ __forceinline__ bool add_parts(typename Cfg::Sum* sums, const TmaArgs& args,
                                          const TileOfC& tile, const Ring<Cfg>& ring) {
  constexpr int kSums = Cfg::kRowBlocks * (Cfg::kColumns / 2);
  const NamedBarrierGroup<Cfg::kConsumerThreads> group{0, kMeetingBarrier};
  if constexpr (Cfg::kShape.divides_k_in_cluster()) {
    // The ring is free: it is the block's only tile.
    static_assert(kSums * 4 * Cfg::kConsumerThreads <= Cfg::kStages * Cfg::kStageBytes);
    const int parts = args.order.cluster_parts;
    // NOTE: a wait for wgmma is the warpgroup's, but rows for registers each warp loads by itself.
    if (Cfg::kShape.loads_rows && Cfg::kConsumers == 1 && parts > 1) group.any(false);
    if (parts > 1) return sum_in_cluster<kSums>(group, sums, ring.stages, parts);
  }
  // Of the largest tiles fewer sums at once, for want of registers.
  constexpr int kBytesAtOnce = kSums > 160 ? kSumBytesAtOnce / 2 : kSumBytesAtOnce;
  return sum_of_parts<kSums, kBytesAtOnce>(group, sums, args.gemm.split,
                                           meeting_of_part(args.gemm.split, tile.index, tile.part));
}

// A consumer: one warpgroup.
template <class Cfg>
__device__ __forceinline__ void multiply_tiles(const TmaArgs& args, const Ring<Cfg>& ring,
                                               unsigned char* staging) {
  // While the first copies are on their way.
  if constexpr (Cfg::kTouchesArguments) fetch_arguments(args, args.gemm.m);
  const int consumer = __shfl_sync(0xffffffffu, static_cast<int>(threadIdx.x) / 128, 0);
  TileStore<typename Cfg::Out, typename Cfg::Scale, Cfg::kShape> store(
      staging + consumer * (Cfg::kStagingBytes / Cfg::kConsumers), kStoreBarrier + consumer,
      ring.c_full(consumer));
  // Ping-pong: one consumer stores its tile while the other multiplies the next.
  constexpr bool kPingPong = Cfg::kShape.ping_pong;
  int turns = 0;  // tiles that were passed, or sums of terms
  const auto adds_c = [&] { return AddedTile<Cfg>::comes(args); };
  const auto stages_of = [&](const TileOfC& tile) {
    return tile.k_tiles + (adds_c() ? AddedTile<Cfg>::kStagesOfC : 0);
  };
  RingPosition<Cfg::kStages> at;
  for (typename Cfg::Order order; !order.done(args); order.next()) {
    // Asked for each tile: kept, the answer would hold a register.
    const TileOfC tile = order.tile(args, load_has_product<typename Cfg::Scale>(args));
    if constexpr (kPingPong) {
      if (turns++ % 2 != consumer) {
        at.advance(tile.k_tiles);
        continue;
      }
      // The other's waits for full stages before this one's: a parity tells neighbouring rounds of
      // the ring apart, no more. The first turn is consumer 0's: its barrier's last phase is over.
      ptx::mbarrier_wait(ring.turn(consumer), (turns / 2 - 1) & 1);
    }
    if (Cfg::kShape.cluster() > 1 && !tile.exists) {
      pass_over_tile<Cfg>(ring, consumer, stages_of(tile), &at);
      continue;
    }
    TileSums<Cfg> sums = {};
    constexpr bool kEarly = Cfg::kPreparesEarly;
    const auto prepare = [&] {
      if (!adds_c()) {
        store.template prepare<typename Cfg::Sum, kEarly>(args, tile.batch);
      } else if (kEarly) {
        store.free_buffers();
      }
    };
    multiply_any_layout<Cfg>(sums, args, ring, consumer, tile.k_tiles, &at, &turns, [&] {
      if (kEarly) prepare();
    });
    if constexpr (!kPingPong) {  // k stays whole there: rows of one part
      if (!add_parts<Cfg>(&sums[0][0], args, tile, ring)) continue;
    }
    if (!kEarly) prepare();
    if constexpr (AddedTile<Cfg>::kIsServed) {
      if (adds_c()) {
        AddedTile<Cfg>::add(sums, args, tile, ring, consumer, kStoreBarrier + consumer, &at);
        store.template take_results<typename Cfg::Sum>(args);
      }
    }
    store.store_tile(sums, args, tile, Cfg::first_row(consumer), Cfg::first_column(consumer),
                     adds_c());
  }
  store.finish();
}

template <class Cfg>
__device__ __forceinline__ void hgemm_wgmma(const TmaArgs& args) {
  extern __shared__ __align__(1024) unsigned char smem[];  // stages, staging buffers, barriers
  const Ring<Cfg> ring(smem);
  const TouchedArguments<Cfg::kTouchesArguments> touched(args);
  // All that the first copy needs at the same time, by a warp each. Two consumers have no registers
  // left for the first tile, nor for what making barriers leaves behind.
  constexpr bool kOneConsumer = Cfg::kConsumers == 1;
  constexpr int kMaker = kOneConsumer ? 0 : Cfg::kConsumerThreads;
  TileOfC first_tile{};
  if (threadIdx.x == kMaker) ring.init();
  if (threadIdx.x == kMaker + 32) prefetch_maps<Cfg::kShape.knows_edges()>(args);
  if constexpr (kOneConsumer) {
    if (is_producer<Cfg>()) first_tile = typename Cfg::Order().tile(args, true);
  }
  if constexpr (Cfg::kShape.cluster() > 1) {
    ptx::cluster_arrive_relaxed();
  } else {
    __syncthreads();  // the barriers made by one thread before anyone's use of them
  }
  if constexpr (Cfg::kTouchesArguments) {
    follow_previous_grid();
    touched.drop(static_cast<int32_t>(args.product));
  } else {
    begin_grid(args, args.gemm.m);
  }
  // NOTE: alpha == 0 must not read A or B; they may hold NaN, or be NULL.
  const bool has_product = load_has_product<typename Cfg::Scale>(args);
  // The barriers made by one thread of each block before anyone's use of them in any block.
  if constexpr (Cfg::kShape.cluster() > 1) ptx::cluster_wait();
  unsigned char* const staging = smem + Cfg::kStages * Cfg::kStageBytes;
  if constexpr (kOneConsumer) {
    // NOTE: code lies in this order: that of the loads, which all wait for, near the kernel's
    // entry.
    if (is_producer<Cfg>()) load_tiles<Cfg>(args, ring, has_product, first_tile);
    if (threadIdx.x < Cfg::kConsumerThreads) multiply_tiles<Cfg>(args, ring, staging);
  } else if (threadIdx.x >= Cfg::kConsumerThreads) {
    ptx::setmaxnreg_dec<Cfg::kProducerRegisters>();
    if (is_producer<Cfg>()) {
      load_tiles<Cfg>(args, ring, has_product, typename Cfg::Order().tile(args, true));
    }
    __syncwarp();
  } else {
    ptx::setmaxnreg_inc<Cfg::kConsumerRegisters>();
    multiply_tiles<Cfg>(args, ring, staging);
  }
}

}  // namespace myblas

// A compiled kernel, a line of the family's .cu files.
#define MYBLAS_HGEMM_WGMMA(name, in, out, shape)                                  \
  extern "C" __global__ void __launch_bounds__((shape).threads(), (shape).blocks) \
      name(const __grid_constant__ TmaArgs args) {                                \
    hgemm_wgmma<HgemmConfig<in, out, shape>>(args);                               \
  }
