// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// simt/feed_cp_async.cuh: k-tiles of both operands come to a ring of kStages stages in shared
// memory by cp.async (sm_80 and newer).
//
// A feed's promise to the main loop: fill() brings the first k-tiles; by_ways() runs the loop that
// is compiled for how these operands are copied; request(), at each k of a k-tile, asks for a share
// of the one that is kStages - 1 ahead, into a stage that nobody reads any more, and leave() ends
// that; behind arrived() and a barrier the next k-tile may be read, if there is one; drain() waits
// until nothing is on its way.
//==============================================================================
#pragma once

#include <type_traits>

#include "kernels/ptx/cp_async.h"
#include "kernels/ptx/shared_memory.h"
#include "kernels/simt/operand_loader.cuh"

namespace myblas {

// One piece of an operand to `to` in shared memory, or zeros.
template <int kElements, class Element>
__device__ __forceinline__ void copy_piece(PieceSize<kElements> /*size*/, uint32_t to,
                                           const Element* from, bool exists) {
  constexpr int kBytes = kElements * static_cast<int>(sizeof(Element));
  const int bytes = exists ? kBytes : 0;
  if constexpr (kBytes == 16) {
    ptx::cp_async_16B(to, from, bytes);
  } else {
    ptx::cp_async_4B(to, from, bytes);
  }
}

// One operand's part of the k-tile to `stage`, a shared address.
template <bool kWhole, class Loader>
__device__ __forceinline__ void copy_k_tile(Loader& loader, uint32_t stage, int64_t ld,
                                            int valid_k) {
  using Element = typename Loader::Element;
  const uint32_t target = stage + loader.offset;
  loader.template take<kWhole>(ld, valid_k,
                               [&](auto size, int, uint32_t to, const Element* from, bool exists) {
                                 copy_piece(size, target + to, from, exists);
                               });
}

// How A and B are copied, for the compiler.
template <LoaderMode kOfA, LoaderMode kOfB>
struct Ways {
  static constexpr LoaderMode kA = kOfA, kB = kOfB;
};

template <class Cfg>
class CpAsyncFeed : public FeedFromMemory<typename Cfg::Element> {
  using Element = typename Cfg::RingElement;
  static constexpr bool kTakesChunks = Cfg::kTakesChunks;
  using LoaderA = OperandLoader<Cfg, Cfg::kTileM, Cfg::kLdA, Cfg::kPlaneA, kTakesChunks>;
  using LoaderB = OperandLoader<Cfg, Cfg::kTileN, Cfg::kLdB, Cfg::kPlaneB, kTakesChunks>;
  static constexpr int kStages = Cfg::kStages;
  static constexpr uint32_t kOffsetB = Cfg::kLdA * Cfg::kTileK * sizeof(Element);
  static_assert(kStages >= 3);

 public:
  __device__ __forceinline__ CpAsyncFeed(Element* smem, const BatchOperand& a,
                                         const BatchOperand& b, int64_t first_m, int64_t first_n,
                                         int64_t first_k)
      : loader_a_(a, first_m, first_k),
        loader_b_(b, first_n, first_k),
        first_stage_(ptx::shared_address(smem)) {
    // No loop for chunks of one operand and single rows of the other.
    if constexpr (kTakesChunks) {
      if (loader_a_.mode == LoaderMode::kRowChunks && loader_b_.mode == LoaderMode::kRowSingles) {
        loader_a_ = LoaderA(a, first_m, first_k, true);
      }
      if (loader_b_.mode == LoaderMode::kRowChunks && loader_a_.mode == LoaderMode::kRowSingles) {
        loader_b_ = LoaderB(b, first_n, first_k, true);
      }
    }
  }

  // Asks for all stages but one; the first k-tile has valid_k of its k. A group is committed even
  // where there is no tile, so that the number of groups tells which tile has landed.
  __device__ __forceinline__ void fill(int64_t lda, int64_t ldb, uint32_t k_tiles, int valid_k) {
    copy_k_tile<false>(loader_a_, first_stage_, lda, valid_k);
    copy_k_tile<false>(loader_b_, first_stage_ + kOffsetB, ldb, valid_k);
    ptx::cp_async_commit();
#pragma unroll
    for (int stage = 1; stage < kStages - 1; ++stage) {
      if (same_in_warp(static_cast<uint32_t>(stage) < k_tiles)) {
        const uint32_t target = address_of(stage * Cfg::kStageElements);
        copy_k_tile<true>(loader_a_, target, lda, Cfg::kTileK);
        copy_k_tile<true>(loader_b_, target + kOffsetB, ldb, Cfg::kTileK);
      }
      ptx::cp_async_commit();
    }
    arrived(0, true);
  }

  // Calls body(Ways<...>()) with those of these operands.
  template <class Body>
  __device__ __forceinline__ void by_ways(const Body& body) const {
    using enum LoaderMode;
    const bool a_in_rows = loader_a_.in_rows(), b_in_rows = loader_b_.in_rows();
    if (kTakesChunks && (loader_a_.mode == kRowChunks || loader_b_.mode == kRowChunks)) {
      if (!a_in_rows) {
        body(Ways<kKSingles, kRowChunks>());
      } else if (!b_in_rows) {
        body(Ways<kRowChunks, kKSingles>());
      } else {
        body(Ways<kRowChunks, kRowChunks>());
      }
    } else if (a_in_rows) {
      if (b_in_rows) {
        body(Ways<kRowSingles, kRowSingles>());
      } else {
        body(Ways<kRowSingles, kKSingles>());
      }
    } else {
      if (b_in_rows) {
        body(Ways<kKSingles, kRowSingles>());
      } else {
        body(Ways<kKSingles, kKSingles>());
      }
    }
  }

  // At k `kk` of the k-tile that is multiplied: its share of the copies to `stage`, known by the
  // place of its first element. Copies that do not exist write zeros, where nobody reads them: with
  // a branch around them they would not come between the products.
  template <class TheWays>
  __device__ __forceinline__ void request(TheWays /*ways*/, int kk, int64_t lda, int64_t ldb,
                                          int stage, bool exists) {
    constexpr int kOfA = LoaderA::template Pieces<TheWays::kA>::kCount;
    constexpr int kOfB = LoaderB::template Pieces<TheWays::kB>::kCount;
    // Between the products they move these, too, and where the sums leave no register to spare the
    // FFMAs lose the order that their reads of registers want. A few copies are better apart.
    constexpr bool kAreApart = Cfg::kProducts >= 128 && kOfA + kOfB <= 16;
    // Each time that a copy follows a shared load the compiler puts three idle ones between them.
    constexpr int kTimes = kAreApart ? 1 : 2;
    if constexpr (kAreApart) {
      if (kk != 0 || !same_in_warp(exists)) return;
      exists = true;
    }
    const auto copy = [&](auto& loader, auto mode, int before, uint32_t to_stage, int64_t ld) {
      constexpr int kCount =
          std::remove_reference_t<decltype(loader)>::template Pieces<decltype(mode)::value>::kCount;
#pragma unroll
      for (int i = 0; i < kCount; ++i) {
        if ((before + i) * kTimes / (kOfA + kOfB) * (Cfg::kSliceK / kTimes) != kk) continue;
        loader.template take_piece<decltype(mode)::value>(
            i, ld, exists, [&](auto size, uint32_t to, const Element* from, bool is_there) {
              copy_piece(size, to_stage + loader.offset + to, from, is_there);
            });
      }
    };
    const uint32_t target = address_of(stage);
    copy(loader_a_, std::integral_constant<LoaderMode, TheWays::kA>{}, 0, target, lda);
    copy(loader_b_, std::integral_constant<LoaderMode, TheWays::kB>{}, kOfA, target + kOffsetB,
         ldb);
  }

  __device__ __forceinline__ void leave(int /*stage*/, int /*free_stage*/, bool /*exists*/) {
    ptx::cp_async_commit();
  }

  // This thread's part of the next k-tile is in its stage.
  __device__ __forceinline__ void arrived(int /*stage*/, bool /*exists*/) {
    ptx::cp_async_wait<kStages - 2>();
  }

  // Nothing is on its way any more.
  __device__ __forceinline__ void drain() { ptx::cp_async_wait<0>(); }

 private:
  __device__ __forceinline__ uint32_t address_of(int stage) const {
    return first_stage_ + stage * static_cast<uint32_t>(sizeof(Element));
  }

  LoaderA loader_a_;
  LoaderB loader_b_;
  uint32_t first_stage_;  // a shared address
};

}  // namespace myblas
