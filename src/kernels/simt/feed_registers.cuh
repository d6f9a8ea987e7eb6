// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// simt/feed_registers.cuh: k-tiles of both operands come to two stages in shared
// memory through registers: for chips without cp.async (sm_75).
//
// The same promise to the main loop as feed_cp_async.cuh: request() starts the loads of the next
// k-tile, arrived() puts them into its stage, which nobody reads any more.
//==============================================================================
#pragma once

#include "kernels/simt/operand_loader.cuh"

namespace myblas {

// What moves so many bytes in one instruction.
template <size_t kBytes>
struct PieceOf;
template <>
struct PieceOf<4> {
  using Type = float;
};
template <>
struct PieceOf<16> {
  using Type = float4;
};

template <class Cfg>
class RegisterFeed : public FeedFromMemory<typename Cfg::Element> {
  using Element = typename Cfg::Element;
  using LoaderA = OperandLoader<Cfg, Cfg::kTileM, Cfg::kLdA, Cfg::kPlaneA>;
  using LoaderB = OperandLoader<Cfg, Cfg::kTileN, Cfg::kLdB, Cfg::kPlaneB>;
  static_assert(Cfg::kStages == 2 && !Cfg::kIsComplex);

 public:
  __device__ __forceinline__ RegisterFeed(Element* smem, const BatchOperand& a,
                                          const BatchOperand& b, int64_t first_m, int64_t first_n,
                                          int64_t first_k)
      : loader_a_(a, first_m, first_k), loader_b_(b, first_n, first_k), smem_(smem) {}

  // Brings the first k-tile, of which there are valid_k.
  __device__ __forceinline__ void fill(int64_t lda, int64_t ldb, uint32_t /*k_tiles*/,
                                       int valid_k) {
    fetch<false>(loader_a_, staged_a_, lda, valid_k);
    fetch<false>(loader_b_, staged_b_, ldb, valid_k);
    arrived(0, true);
  }

  // One loop for all: what it asks for waits in registers, and branches as it likes.
  template <class Body>
  __device__ __forceinline__ void by_ways(const Body& body) const {
    body(0);
  }
  __device__ __forceinline__ void request(int /*ways*/, int kk, int64_t lda, int64_t ldb,
                                          int /*stage*/, bool exists) {
    if (kk != 0 || !same_in_warp(exists)) return;
    fetch<true>(loader_a_, staged_a_, lda, Cfg::kTileK);
    fetch<true>(loader_b_, staged_b_, ldb, Cfg::kTileK);
  }

  // This thread's part of the next k-tile goes to its stage: behind the last one, that one again.
  __device__ __forceinline__ void arrived(int stage, bool /*exists*/) {
    Element* target = smem_ + stage;
    put(loader_a_, target, staged_a_);
    put(loader_b_, target + Cfg::kLdA * Cfg::kTileK, staged_b_);
  }

  __device__ __forceinline__ void drain() {}

 private:
  template <bool kWhole, class Loader>
  static __device__ __forceinline__ void fetch(Loader& loader, Element (&staged)[Loader::kElements],
                                               int64_t ld, int valid_k) {
    loader.template take<kWhole>(
        ld, valid_k, [&](auto size, int first, uint32_t, const Element* from, bool exists) {
          constexpr int kSize = decltype(size)::value;
          using Piece = typename PieceOf<kSize * sizeof(Element)>::Type;
          alignas(16) Element piece[kSize] = {};
          if (exists) {
            *reinterpret_cast<Piece*>(piece) = __ldg(reinterpret_cast<const Piece*>(from));
          }
#pragma unroll
          for (int i = 0; i < kSize; ++i) staged[first + i] = piece[i];
        });
  }

  template <class Loader>
  static __device__ __forceinline__ void put(const Loader& loader, Element* stage,
                                             const Element (&staged)[Loader::kElements]) {
    auto* target = reinterpret_cast<unsigned char*>(stage) + loader.offset;
    loader.pieces([&](auto size, int first, uint32_t to, const Element*, bool) {
      constexpr int kSize = decltype(size)::value;
      using Piece = typename PieceOf<kSize * sizeof(Element)>::Type;
      alignas(16) Element piece[kSize];
#pragma unroll
      for (int i = 0; i < kSize; ++i) piece[i] = staged[first + i];
      *reinterpret_cast<Piece*>(target + to) = *reinterpret_cast<const Piece*>(piece);
    });
  }

  LoaderA loader_a_;
  LoaderB loader_b_;
  Element* smem_;
  Element staged_a_[LoaderA::kElements];
  Element staged_b_[LoaderB::kElements];
};

}  // namespace myblas
