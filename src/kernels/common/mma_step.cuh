// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/mma_step.cuh: a warp's instructions of one k-step, and what goes between them: loads of
// the next k-step's fragments, copies, an early look at a barrier. The loops of mma_gemm.cuh and of
// the blackwell family are made of it.
//==============================================================================
#pragma once

#include <type_traits>

#include "kernels/common/mma_tile.cuh"

namespace myblas {

// The fragments of A and B of one k-step.
template <class Cfg, class TileA, class TileB>
struct StepFragments {
  using ForA = MmaFragments<TileA, typename Cfg::Mma, FragmentOrder::kHalves, Cfg::kCountM * 8>;
  using ForB = MmaFragments<TileB, typename Cfg::Mma, FragmentOrder::kWhole, Cfg::kWarpN>;
  typename Cfg::Mma::Register a[ForA::kCount][Cfg::Mma::kRegisters];  // 16 rows (m) each
  typename Cfg::Mma::Register b[ForB::kCount][Cfg::Mma::kRegisters];  // 16 columns (n) each
  typename Cfg::Mma::Signs signs_a, signs_b;

  // Ahead of the first instructions.
  __device__ __forceinline__ void set_signs(bool conjugate_a, bool conjugate_b) {
    signs_a.set(true, conjugate_a);
    signs_b.set(false, conjugate_b);
  }
  __device__ __forceinline__ void prepare() {
    ForA::prepare(a, signs_a);
    ForB::prepare(b, signs_b);
  }
  __device__ __forceinline__ void load(uint32_t stage, uint32_t a_offset, uint32_t b_offset,
                                       int step) {
    load_fragments<ForA>(a, stage, a_offset, step);
    load_fragments<ForB>(b, stage + TileA::kBytes, b_offset, step);
  }
  // A word that has a bit of each load, of a fragment by ldmatrix: who has it has all of them.
  __device__ __forceinline__ uint32_t loaded() const {
    static_assert(std::is_same_v<typename Cfg::Mma::Register, uint32_t> && Cfg::Mma::kLoadsBetween);
    uint32_t word = 0;
#pragma unroll
    for (int i = 0; i < ForA::kCount; ++i) word |= static_cast<uint32_t>(a[i][0]);
#pragma unroll
    for (int i = 0; i < ForB::kCount; ++i) word |= static_cast<uint32_t>(b[i][0]);
    return word;
  }
  __device__ __forceinline__ void load_a(int i, uint32_t stage, uint32_t a_offset, int step) {
    ForA::load_one(a[i], stage, a_offset, i, step);
  }
  __device__ __forceinline__ void load_b(int i, uint32_t stage, uint32_t b_offset, int step) {
    ForB::load_one(b[i], stage + TileA::kBytes, b_offset, i, step);
  }
};

// ---- sums ------------------------------------------------------------------------------------

// Where a warp's instructions sum: in the sums of the whole k, or those of a k-tile in fp16, which
// are added to them behind it.
template <class Cfg, bool kInF16 = Cfg::Mma::kSumsInF16>
struct StepSums {
  typename Cfg::Sum (&sums)[Cfg::kCountN][Cfg::kCountM][4];

  template <class A, class B>
  __device__ __forceinline__ void multiply(int i, int j, const A& a, const B& b, int half, int pass,
                                           bool /*first_of_k_tile*/) {
    Cfg::Mma::multiply(sums[i][j], a, b, half, pass);
  }
  __device__ __forceinline__ void finish() {}
};

template <class Cfg>
struct StepSums<Cfg, true> {
  float (&sums)[Cfg::kCountN][Cfg::kCountM][4];
  uint32_t of_k_tile[Cfg::kCountN][Cfg::kCountM][2] = {};

  // The k-tile before this one's sums go between its first instructions, which take a while.
  template <class A, class B>
  __device__ __forceinline__ void multiply(int i, int j, const A& a, const B& b, int half, int pass,
                                           bool first_of_k_tile) {
    if (first_of_k_tile && pass == 0) move(i, j);
    Cfg::Mma::multiply(of_k_tile[i][j], a, b, half, pass);
  }
  __device__ __forceinline__ void finish() {
#pragma unroll
    for (int i = 0; i < Cfg::kCountN; ++i) {
#pragma unroll
      for (int j = 0; j < Cfg::kCountM; ++j) move(i, j);
    }
  }
  __device__ __forceinline__ void move(int i, int j) {
#pragma unroll
    for (int pair = 0; pair < 2; ++pair) {
      const uint32_t two = of_k_tile[i][j][pair];
      sums[i][j][2 * pair] += __half2float(__ushort_as_half(static_cast<uint16_t>(two)));
      sums[i][j][2 * pair + 1] += __half2float(__ushort_as_half(static_cast<uint16_t>(two >> 16)));
      of_k_tile[i][j][pair] = 0;
    }
  }
};

// Its instructions, back and forth along m: each shares an operand with the one before it.
template <class Cfg, class Fragments>
__device__ __forceinline__ void multiply_step(
    typename Cfg::Sum (&sums)[Cfg::kCountN][Cfg::kCountM][4], Fragments& fragments) {
  static_assert(!Cfg::Mma::kSumsInF16, "multiply_and_load has these");
  fragments.prepare();
#pragma unroll
  for (int pass = 0; pass < Cfg::Mma::kPasses; ++pass) {
#pragma unroll
    for (int i = 0; i < Cfg::kCountN; ++i) {
#pragma unroll
      for (int step = 0; step < Cfg::kCountM; ++step) {
        const int j = i % 2 == 0 ? step : Cfg::kCountM - 1 - step;
        Cfg::Mma::multiply(sums[i][j], fragments.b[i], fragments.a[j / 2], j % 2, pass);
      }
    }
  }
}

// Behind instruction (i, j) of a k-step: the loads of the next one's fragments that have their
// place there. With two sets, from instruction kFirst on, as early as they can be spread; with one,
// behind the instruction after the last that needs what they overwrite.
template <class Cfg, int kFirst, class Fragments>
__device__ __forceinline__ void load_behind(int i, int j, Fragments& to, uint32_t stage,
                                            uint32_t a_offset, uint32_t b_offset, int step) {
  constexpr int kCountM = Cfg::kCountM, kCountN = Cfg::kCountN, kLoads = kCountM / 2 + kCountN;
  const bool ends = i == kCountN - 1 && j == kCountM - 1;
#pragma unroll
  for (int load = 0; load < kLoads; ++load) {
    const int b = load, a = load - kCountN;
    bool here;
    if (Cfg::kFragmentSets == 2) {
      here = kFirst + load * kCountM * kCountN / (2 * kLoads) == i * kCountM + j;
    } else if (a < 0) {
      here = b == kCountN - 1 ? ends : i == b + 1 && j == 0;
    } else {
      here = a == kCountM / 2 - 1 ? ends : i == kCountN - 1 && j == 2 * a + 2;
    }
    if (!here) continue;
    if (a < 0) {
      to.load_b(b, stage, b_offset, step);
    } else {
      to.load_a(a, stage, a_offset, step);
    }
  }
}

struct NothingBetween {
  __device__ __forceinline__ void operator()(int) const {}
};

// multiply_step with what keeps shared memory busy spread between the instructions: loads of the
// fragments of k-step `next` of `stage`, and copies by copy(), called in kCopiesOfStep places. `to`
// may be the fragments in work. meet(place) comes behind each instruction, ahead of what is
// loaded there; the first load is behind instruction kFirst.
template <class Cfg, int kFirst = 0, class Fragments, class Copy, class Meet = NothingBetween>
__device__ __forceinline__ void multiply_and_load(StepSums<Cfg>& sums, Fragments& fragments,
                                                  Fragments& to, uint32_t stage, uint32_t a_offset,
                                                  uint32_t b_offset, int next, const Copy& copy,
                                                  const Meet& meet = {}) {
  constexpr int kPasses = Cfg::Mma::kPasses;
  static_assert(kPasses == 1 || Cfg::kFragmentSets == 2);
  a_offset = opaque_offset(a_offset);
  b_offset = opaque_offset(b_offset);
  fragments.prepare();
#pragma unroll
  for (int pass = 0; pass < kPasses; ++pass) {
#pragma unroll
    for (int i = 0; i < Cfg::kCountN; ++i) {
#pragma unroll
      for (int step = 0; step < Cfg::kCountM; ++step) {
        const int j = Cfg::kFragmentSets == 1 || i % 2 == 0 ? step : Cfg::kCountM - 1 - step;
        sums.multiply(i, j, fragments.b[i], fragments.a[j / 2], j % 2, pass, next == 1);
        if (pass < kPasses - 1) continue;
        meet(i * Cfg::kCountM + step);
        load_behind<Cfg, kFirst>(i, step, to, stage, a_offset, b_offset, next);
        if (i == Cfg::kCopyingN) copy(step);
      }
    }
  }
}

}  // namespace myblas
