// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// simt/simt_step.cuh: the products of a k of simt/gemm_simt.cuh, and the loads of what the next one
// needs between them.
//
//   RowStep       rows contiguous in both operands: an outer product a k, its fragments one k
//                 ahead; of complex elements as real numbers, or in planes
//   RowChunkStep  k contiguous in B: four k of B's rows at a time, of which the next four come
//                 meanwhile; A's fragments one k ahead
//   ChunkStep     in both: four k of A's rows stay, the next four are loaded meanwhile; B's rows
//                 pass by, two ahead. Registers of one load lie in the banks by their k, and the
//                 FFMA pipe waits for them (scripts/register_ports.py)
//==============================================================================
#pragma once

#include "kernels/common/arithmetic.cuh"
#include "kernels/simt/lane_sides.cuh"

namespace myblas {

template <class Cfg>
using SimtSums = typename Cfg::Element[Cfg::kAccN][Cfg::kAccM];  // (n, m)
// The sums of real products, in the main loop: of each product its own, or of planes a column's
// real parts and then its imaginary ones.
template <class Cfg>
using SimtProducts = float[Cfg::kAccN * Cfg::kSumColumns][Cfg::kAccM * Cfg::kParts];
// Of both, the columns that a thread stores (StoredColumns).
template <class Cfg>
using StoredSums = typename Cfg::Element[Cfg::kStoredN][Cfg::kAccM];
template <class Cfg>
using StoredProducts = float[Cfg::kStoredN * Cfg::kSumColumns][Cfg::kAccM * Cfg::kParts];

template <class Cfg>
struct Fragment {
  using Element = typename Cfg::RingElement;
  float a[Cfg::kAccM * Cfg::kParts];  // (m), or of planes (part, m)
  float b[Cfg::kAccN * Cfg::kParts];  // (n), (part, n)

  // One k of the warp's part of the tile; a_row and b_row point at this lane's first run.
  __device__ __forceinline__ void load(const Element* a_row, const Element* b_row) {
    load_runs<Cfg, Cfg::kLanesM, Cfg::kAccM, Cfg::kPlaneA>(a, a_row);
    load_runs<Cfg, Cfg::kLanesN, Cfg::kAccN, Cfg::kPlaneB>(b, b_row);
  }
  // A word that has a bit of each of these loads: who has it has all of them.
  __device__ __forceinline__ uint32_t loaded() const {
    constexpr int kOfLoad = 4;  // numbers
    uint32_t word = 0;
#pragma unroll
    for (int i = 0; i < Cfg::kAccM * Cfg::kParts; i += kOfLoad) word |= __float_as_uint(a[i]);
#pragma unroll
    for (int i = 0; i < Cfg::kAccN * Cfg::kParts; i += kOfLoad) word |= __float_as_uint(b[i]);
    return word;
  }
};

// Where sum i of a column is kept. Four of them lie in registers that follow each other from a
// multiple of four on, for they are stored together (common/split_k.cuh), as do the four elements
// of a fragment that are loaded together; odd and even registers are read through a port each. So a
// product with its row and its sum in registers of either parity reads both at once
// (scripts/register_ports.py). With k contiguous in A, C is not stored by four.
template <class Cfg>
__device__ __forceinline__ constexpr int place_in_registers(int i) {
  return Cfg::kAlongKA ? i : i ^ 1;
}

// Outer product, back and forth along m: each FFMA shares an operand with the one before it.
template <class Cfg>
__device__ __forceinline__ void multiply_fragment(SimtProducts<Cfg>& products,
                                                  const Fragment<Cfg>& fragment) {
  constexpr int kRows = Cfg::kAccM * Cfg::kParts;
#pragma unroll
  for (int j = 0; j < Cfg::kAccN * Cfg::kParts; ++j) {
#pragma unroll
    for (int step = 0; step < kRows; ++step) {
      const int i = j % 2 == 0 ? step : kRows - 1 - step;
      multiply_add(products[j][place_in_registers<Cfg>(i)], fragment.a[i], fragment.b[j]);
    }
  }
}

// Complex products of planes, two sums an element, back and forth too: of two columns their real
// factors, and then their imaginary ones, so that no FFMA adds to what one just before it does.
template <class Cfg>
__device__ __forceinline__ void multiply_planes(SimtProducts<Cfg>& sums,
                                                const Fragment<Cfg>& fragment) {
  constexpr int kRows = Cfg::kAccM;
  const float* real_a = fragment.a;
  const float* imaginary_a = fragment.a + kRows;
#pragma unroll
  for (int pair = 0; pair < Cfg::kAccN; pair += 2) {
#pragma unroll
    for (int turn = 0; turn < 4; ++turn) {
      const int j = pair + turn % 2;
      const bool is_real = turn < 2;  // b's factor
      const float b = fragment.b[is_real ? j : Cfg::kAccN + j];
#pragma unroll
      for (int step = 0; step < 2 * kRows; ++step) {
        const int at = turn % 2 == 0 ? step : 2 * kRows - 1 - step;
        const int i = at / 2;
        float& real = sums[j][place_in_registers<Cfg>(i)];
        float& imaginary = sums[j][kRows + place_in_registers<Cfg>(i)];
        if (at % 2 == 0) {
          multiply_add(is_real ? real : imaginary, real_a[i], b);
        } else if (is_real) {
          multiply_add(imaginary, imaginary_a[i], b);
        } else {
          multiply_add(real, -imaginary_a[i], b);
        }
      }
    }
  }
}

// Both operands in a stage.
template <class SideOfA, class SideOfB>
struct BothSides {
  SideOfA a;
  SideOfB b;
  __device__ __forceinline__ void go_to_stage(int stage) {
    a.go_to_stage(stage);
    b.go_to_stage(stage);
  }
  // From k on, of the stage's.
  __device__ __forceinline__ void go_to_pass(int stage, int k) {
    a.go_to_pass(stage, k);
    b.go_to_pass(stage, k);
  }
};

// ---- steps --------------------------------------------------------------------------------------
//
// begin() loads what the first products need. In the main loop, for every kStepK-th kk of a pass:
// load() before and multiply() after the feed is asked for more. `here` is where the step reads,
// from kk on, `next` where the one after it does, from `ahead` on. Where kLoadsHere, a step's own
// stage is read until its end.

template <class Cfg>
struct RowStep {
  static constexpr int kStepK = 1;
  static constexpr bool kLoadsHere = false;
  using SideA = RowSide<Cfg, Cfg::kLanesM, Cfg::kAccM, Cfg::kLdA, Cfg::kPlaneA>;
  using SideB = RowSide<Cfg, Cfg::kLanesN, Cfg::kAccN, Cfg::kLdB, Cfg::kPlaneB>;
  using Sides = BothSides<SideA, SideB>;
  Fragment<Cfg> fragments[2];

  __device__ __forceinline__ void begin(const Sides& first) {
    fragments[0].load(first.a.at, first.b.at);
  }
  __device__ __forceinline__ void load(int kk, int ahead, const Sides& next) {
    fragments[(kk + 1) % 2].load(next.a.at + ahead * Cfg::kLdA, next.b.at + ahead * Cfg::kLdB);
  }
  // Of what step kk multiplies.
  __device__ __forceinline__ uint32_t loaded(int kk) const { return fragments[kk % 2].loaded(); }
  __device__ __forceinline__ void multiply(SimtProducts<Cfg>& sums, int kk, int /*ahead*/,
                                           const Sides& /*here*/, const Sides& /*next*/) {
    if constexpr (Cfg::kPlanes == 2) {
      multiply_planes<Cfg>(sums, fragments[kk % 2]);
    } else {
      multiply_fragment<Cfg>(sums, fragments[kk % 2]);
    }
  }
};

template <class Cfg>
struct RowChunkStep {
  using SideA = RowSide<Cfg, Cfg::kLanesM, Cfg::kAccM, Cfg::kLdA, Cfg::kPlaneA>;
  using SideB = ChunkSide<Cfg, Cfg::kLanesN>;
  using Sides = BothSides<SideA, SideB>;
  static constexpr int kStepK = SideB::kChunkK;
  static constexpr bool kLoadsHere = true;
  static_assert(Cfg::kPassK % (2 * kStepK) == 0, "B's rows take turns in a pass");
  static_assert(Cfg::kAccN % kStepK == 0);
  float rows[2][Cfg::kAccM];             // of A, one k each
  float columns[2][Cfg::kAccN][kStepK];  // of B

  __device__ __forceinline__ void begin(const Sides& first) {
    first.a.load(rows[0], 0);
#pragma unroll
    for (int j = 0; j < Cfg::kAccN; ++j) first.b.load(columns[0][j], j, 0);
  }
  __device__ __forceinline__ void load(int /*kk*/, int /*ahead*/, const Sides& /*next*/) {}
  __device__ __forceinline__ void multiply(SimtProducts<Cfg>& sums, int kk, int ahead,
                                           const Sides& here, const Sides& next) {
    const auto& these = columns[kk / kStepK % 2];
    auto& coming = columns[(kk / kStepK + 1) % 2];
    constexpr int kShare = Cfg::kAccN / kStepK;
#pragma unroll
    for (int k = 0; k < kStepK; ++k) {
      if (k + 1 < kStepK) {
        here.a.load(rows[(k + 1) % 2], kk + k + 1);
      } else {
        next.a.load(rows[0], ahead);
      }
#pragma unroll
      for (int j = k * kShare; j < (k + 1) * kShare; ++j) next.b.load(coming[j], j, ahead);
#pragma unroll
      for (int j = 0; j < Cfg::kAccN; ++j) {
#pragma unroll
        for (int step = 0; step < Cfg::kAccM; ++step) {
          const int i = j % 2 == 0 ? step : Cfg::kAccM - 1 - step;
          multiply_add(sums[j][place_in_registers<Cfg>(i)], rows[k % 2][i], these[j][k]);
        }
      }
    }
  }
};

template <class Cfg>
struct ChunkStep {
  using SideA = ChunkSide<Cfg, Cfg::kLanesM>;
  using SideB = ChunkSide<Cfg, Cfg::kLanesN>;
  using Sides = BothSides<SideA, SideB>;
  static constexpr int kStepK = SideA::kChunkK;
  static constexpr bool kLoadsHere = true;
  static constexpr int kAhead = 2, kColumns = 4;  // columns of B, and places for them
  static_assert(Cfg::kPassK % (2 * kStepK) == 0, "A's rows take turns in a pass");
  static_assert(Cfg::kAccN % kColumns == 0 && Cfg::kAccM <= Cfg::kAccN);
  float rows[2][Cfg::kAccM][kStepK];  // of A
  float columns[kColumns][kStepK];    // of B

  __device__ __forceinline__ void begin(const Sides& first) {
#pragma unroll
    for (int i = 0; i < Cfg::kAccM; ++i) first.a.load(rows[0][i], i, 0);
#pragma unroll
    for (int j = 0; j < kAhead; ++j) first.b.load(columns[j], j, 0);
  }
  __device__ __forceinline__ void load(int /*kk*/, int /*ahead*/, const Sides& /*next*/) {}
  __device__ __forceinline__ void multiply(SimtProducts<Cfg>& sums, int kk, int ahead,
                                           const Sides& here, const Sides& next) {
    const auto& these = rows[kk / kStepK % 2];
    auto& coming = rows[(kk / kStepK + 1) % 2];
#pragma unroll
    for (int pair = 0; pair < Cfg::kAccN; pair += 2) {
#pragma unroll
      for (int j = pair; j < pair + 2; ++j) {
        const int later = j + kAhead;
        if (later < Cfg::kAccN) {
          here.b.load(columns[later % kColumns], later, kk);
        } else {
          next.b.load(columns[later % kColumns], later - Cfg::kAccN, ahead);
        }
      }
#pragma unroll
      for (int i = 0; i < Cfg::kAccM; ++i) {
        if (i * Cfg::kAccN / Cfg::kAccM / 2 * 2 == pair) next.a.load(coming[i], i, ahead);
      }
#pragma unroll
      for (int k = 0; k < kStepK; ++k) {
#pragma unroll
        for (int step = 0; step < 2 * Cfg::kAccM; ++step) {
          const int j = pair + step / Cfg::kAccM;
          const int i = step < Cfg::kAccM ? step : 2 * Cfg::kAccM - 1 - step;
          multiply_add(sums[j][i], these[i][k], columns[j % kColumns][k]);
        }
      }
    }
  }
};

template <class Cfg, bool kAlongKA, bool kAlongKB>
struct StepOf {
  using Step = RowStep<Cfg>;
};
template <class Cfg>
struct StepOf<Cfg, false, true> {
  using Step = RowChunkStep<Cfg>;
};
template <class Cfg>
struct StepOf<Cfg, true, true> {
  using Step = ChunkStep<Cfg>;
};

}  // namespace myblas
