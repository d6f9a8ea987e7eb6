// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// hopper/term_products.cuh: the main loop of hgemm_wgmma.cuh where operands are fp32 numbers in
// bf16 terms (common/bf16_terms.h).
//
// Six products of terms for one of numbers. Second times third and third times third are left out:
// at most 2^-24 of a product's size, of either sign, and mostly far less. wgmma cuts sums off where
// fp32 would round them, so it sums two k-tiles alone, small products first, and the threads add
// that up: one rounding for 32 k.
//==============================================================================
#pragma once

#include "kernels/common/bf16_terms.h"
#include "kernels/common/tma_loader.cuh"
#include "kernels/hopper/hgemm_config.cuh"
#include "kernels/hopper/hgemm_ring.cuh"
#include "kernels/ptx/mbarrier.h"
#include "kernels/ptx/wgmma.h"

namespace myblas {

template <class Cfg>
using TileSums = typename Cfg::Sum[Cfg::kRowBlocks][Cfg::kColumns / 2];  // (64 rows, columns)

struct TermPair {
  TermPlace rows, columns;
};

// Sums kTiles k-tiles by wgmma, small products first, and adds that up. rows, columns: descriptors
// of the consumer's part of stage 0.
//
// Consumers take turns at that: while one waits for its last product and adds up, the next one
// multiplies. turns: this one's so far.
template <class Cfg, int kTiles>
__device__ __forceinline__ void add_terms(TileSums<Cfg>& sums, TileSums<Cfg>& products,
                                          const Ring<Cfg>& ring, uint64_t rows, uint64_t columns,
                                          int consumer, int* turns,
                                          RingPosition<Cfg::kStages>* at) {
  constexpr uint32_t kUnit = 16;  // bytes, of descriptors
  constexpr uint32_t kTerms = kTermStepK * kTermBytes / kUnit;
  constexpr TermPair kPairs[kTermProducts] = {
      {kSecondTerm, kSecondTerm},      {kFiniteFirstTerm, kThirdTerm},
      {kThirdTerm, kFiniteFirstTerm},  {kFiniteFirstTerm, kSecondTerm},
      {kSecondTerm, kFiniteFirstTerm}, {kFirstTerm, kFirstTerm}};
  const auto with_low = [&](uint32_t low) { return rows >> 32 << 32 | low; };
  const uint32_t to_columns = static_cast<uint32_t>(columns) - static_cast<uint32_t>(rows);
  uint32_t lows[kTiles], empties[kTiles];
#pragma unroll
  for (int tile = 0; tile < kTiles; ++tile) {
    ptx::mbarrier_wait(ring.full(at->stage), at->parity);
    // From one lane: as in multiply_tile.
    lows[tile] = __shfl_sync(
        0xffffffffu, static_cast<uint32_t>(rows) + at->stage * (Cfg::kStageBytes / kUnit), 0);
    empties[tile] = ring.empty(at->stage);
    at->advance();
  }
  const auto multiply = [&](int tile, int pair) {
    const uint32_t low = lows[tile];
    Cfg::Type::template multiply<Cfg::kColumns, false, false>(
        products[0], with_low(low + kPairs[pair].rows * kTerms),
        with_low(low + to_columns + kPairs[pair].columns * kTerms), tile + pair != 0);
  };
  // The first turn is consumer 0's: its barrier's last phase is over.
  ptx::mbarrier_wait(ring.turn(consumer), (*turns + (consumer == 0 ? 1 : 0)) & 1);
  ++*turns;
  ptx::wgmma_fence();
#pragma unroll
  for (int tile = 0; tile < kTiles; ++tile) {
#pragma unroll
    for (int pair = 0; pair < kTermProducts - 1; ++pair) multiply(tile, pair);
  }
#pragma unroll
  for (int tile = 0; tile < kTiles; ++tile) multiply(tile, kTermProducts - 1);
  ptx::wgmma_commit();
  const int next = consumer == Cfg::kConsumers - 1 ? 0 : consumer + 1;
  __syncwarp();  // all lanes' waits for the turn
  if (threadIdx.x % 32 == 0) ptx::mbarrier_arrive(ring.turn(next));
  ptx::wgmma_wait<0>();
  ptx::wgmma_keep(products[0]);
#pragma unroll
  for (int tile = 0; tile < kTiles; ++tile) ring.release(empties[tile]);
#pragma unroll
  for (int j = 0; j < Cfg::kColumns / 2; ++j) sums[0][j] += products[0][j];
}

template <class Cfg>
__device__ __forceinline__ void multiply_terms(TileSums<Cfg>& sums, const Ring<Cfg>& ring,
                                               uint64_t rows, uint64_t columns, int k_tiles,
                                               int consumer, int* turns,
                                               RingPosition<Cfg::kStages>* at) {
  constexpr int kTiles = Cfg::kShape.term_tiles;
  static_assert(Cfg::kRowBlocks == 1 && Cfg::kShape.takes_turns());
  static_assert(Cfg::kStages >= 2 * kTiles, "a sum's stages come while another's are multiplied");
  TileSums<Cfg> products = {};
  int left = k_tiles;
  for (; left >= kTiles; left -= kTiles) {
    add_terms<Cfg, kTiles>(sums, products, ring, rows, columns, consumer, turns, at);
  }
  for (; left > 0; --left) {
    add_terms<Cfg, 1>(sums, products, ring, rows, columns, consumer, turns, at);
  }
}

}  // namespace myblas
