// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// simt/feed_cp_async.cuh: k-tiles of both operands come to a ring of kStages
// stages in shared memory by cp.async (sm_80 and newer).
//
// A feed's promise to the main loop: behind arrived() and a barrier the next k-tile may be read, if
// there is one; request() asks for one that is kStages - 1 k-tiles ahead, into a stage that nobody
// reads any more.
//==============================================================================
#pragma once

#include "kernels/ptx/cp_async.h"
#include "kernels/ptx/shared_memory.h"
#include "kernels/simt/operand_loader.cuh"

namespace myblas {

// Starts the copies of a loader's next k-tile, of which there are valid_k, to `stage`, a shared
// address.
template <bool kWhole, class Loader>
__device__ __forceinline__ void copy_k_tile(Loader& loader, uint32_t stage, int64_t ld,
                                            int valid_k) {
  using Element = typename Loader::Element;
  const uint32_t target = stage + loader.offset;
  loader.template take<kWhole>(
      ld, valid_k, [&](auto size, int, uint32_t to, const Element* from, bool exists) {
        constexpr int kBytes = decltype(size)::value * static_cast<int>(sizeof(Element));
        const int bytes = exists ? kBytes : 0;
        if constexpr (kBytes == 16) {
          ptx::cp_async_16B(target + to, from, bytes);
        } else if constexpr (kBytes == 8) {
          ptx::cp_async_8B(target + to, from, bytes);
        } else {
          ptx::cp_async_4B(target + to, from, bytes);
        }
      });
}

template <class Cfg>
class CpAsyncFeed : public FeedFromMemory<typename Cfg::Element> {
  using Element = typename Cfg::Element;
  static constexpr int kStages = Cfg::kStages;
  static constexpr uint32_t kOffsetB = Cfg::kLdA * Cfg::kTileK * sizeof(Element);
  static_assert(kStages >= 3);

 public:
  __device__ __forceinline__ CpAsyncFeed(Element* smem, const BatchOperand& a,
                                         const BatchOperand& b, int64_t first_m, int64_t first_n,
                                         int64_t first_k)
      : loader_a_(a, first_m, first_k),
        loader_b_(b, first_n, first_k),
        first_stage_(ptx::shared_address(smem)) {}

  // Asks for all stages but one; the first k-tile has valid_k of its k. A group is committed even
  // where there is no tile, so that the number of groups tells which tile has landed.
  __device__ __forceinline__ void fill(int64_t lda, int64_t ldb, uint32_t k_tiles, int valid_k) {
    copy_k_tile<false>(loader_a_, first_stage_, lda, valid_k);
    copy_k_tile<false>(loader_b_, first_stage_ + kOffsetB, ldb, valid_k);
    ptx::cp_async_commit();
#pragma unroll
    for (int stage = 1; stage < kStages - 1; ++stage) {
      request(lda, ldb, stage * Cfg::kStageElements, static_cast<uint32_t>(stage) < k_tiles);
    }
    arrived(0, true);
  }

  // Stages are known by the place of their first element.
  __device__ __forceinline__ void request(int64_t lda, int64_t ldb, int stage, bool exists) {
    if (same_in_warp(exists)) {
      const uint32_t target = first_stage_ + stage * static_cast<uint32_t>(sizeof(Element));
      copy_k_tile<true>(loader_a_, target, lda, Cfg::kTileK);
      copy_k_tile<true>(loader_b_, target + kOffsetB, ldb, Cfg::kTileK);
    }
    ptx::cp_async_commit();
  }

  // This thread's part of the next k-tile is in its stage.
  __device__ __forceinline__ void arrived(int /*stage*/, bool /*exists*/) {
    ptx::cp_async_wait<kStages - 2>();
  }

  // Nothing is on its way any more.
  __device__ __forceinline__ void drain() { ptx::cp_async_wait<0>(); }

 private:
  OperandLoader<Cfg, Cfg::kTileM, Cfg::kLdA> loader_a_;
  OperandLoader<Cfg, Cfg::kTileN, Cfg::kLdB> loader_b_;
  uint32_t first_stage_;  // a shared address
};

}  // namespace myblas
