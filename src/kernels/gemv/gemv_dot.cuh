// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemv/gemv_dot.cuh: gemv_frame.cuh where k is contiguous in the large operand: dot products.
//
//   layout    large operand: k contiguous (row.trans); small one: any
//   CTA tile  8 warps of 32 / kLanes groups; a group of kLanes lanes sums kRows rows x kCols
//   pipeline  kUnroll steps of kLanes runs of 16 bytes, kRows rows each, loaded before the first
//             is used; the small operand comes from L1, where other warps have brought it
//   assumes   nothing: 16-byte loads where both operands allow them, elements otherwise, of which
//             neighbouring lanes take neighbouring ones
//   edges     the last, partial step is predicated; k past the last whole run by elements
//   order     a lane's k ascending, then a tree over lanes
//   limits    as gemv_frame.cuh
//==============================================================================
#pragma once

#include "kernels/gemv/gemv_frame.cuh"
#include "kernels/ptx/opaque.h"

namespace myblas {

template <class InType, class OutType, class AccType, int Cols, int Lanes, int Rows, int Unroll,
          bool Swapped>
struct GemvDotConfig {
  using In = InType;
  using Out = OutType;
  using Acc = AccType;
  static constexpr bool kSwapped = Swapped;
  static constexpr int kCols = Cols, kLanes = Lanes, kRows = Rows, kUnroll = Unroll;
  static constexpr int kRun = MatrixRun<In>::kCount;
  static constexpr int kTileRows = kGemvThreads / kLanes * kRows;
  static constexpr int kTileK = kLanes * kRun * kUnroll;
  static constexpr int kSlices = 1;
  static constexpr int kElements = dot_elements(kCols, sizeof(In));  // in flight a row
  // Runs a row of the partial step that are loaded together: registers for the predicates.
  static constexpr int kTailUnroll = kCols == 1 ? kUnroll : 1;
  static constexpr int kSums = kRows * kCols;
  static_assert(kLanes == dot_lanes(kTileRows));
  static_assert(32 % kLanes == 0 && kLanes + 1 >= kRun, "a group's lanes take the rest of a run");
  static_assert((kSums & (kSums - 1)) == 0, "sums are halved while lanes are");
};

template <class Cfg>
struct GemvDot {
  using Config = Cfg;
  using In = typename Cfg::In;
  using Acc = typename Cfg::Acc;
  using Run = MatrixRun<In>;
  static constexpr int kRun = Cfg::kRun, kLanes = Cfg::kLanes, kRows = Cfg::kRows;
  static constexpr int kCols = Cfg::kCols;

  // The rows of this lane's group in the large operand.
  struct LargeRows {
    const In* row[kRows];
    bool conjugate;

    __device__ __forceinline__ LargeRows(const BatchOperand& large, int64_t first) {
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
        const int64_t index = first + i < large.rows ? first + i : large.rows - 1;
        row[i] = large.base<In>() + index * large.ld;
      }
      conjugate = large.conjugate;
    }
  };

  // kCount runs of every row, kLanes runs apart. !kWhole: those that end before `last`.
  template <int kCount, bool kWhole>
  static __device__ __forceinline__ void add_runs(Acc (&sums)[Cfg::kSums], const LargeRows& large,
                                                  const SmallOperand<In>& small, int64_t k,
                                                  int64_t last) {
    const int64_t col_step = ptx::opaque(small.col_step);
    Run runs[kCount][kRows];
#pragma unroll
    for (int step = 0; step < kCount; ++step) {
      const int64_t at = k + step * (kLanes * kRun);
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
        runs[step][i] = Run::streamed(large.row[i] + at, kWhole || at + kRun <= last);
      }
    }
#pragma unroll
    for (int step = 0; step < kCount; ++step) {
      const int64_t at = k + step * (kLanes * kRun);
      const In* column = small.base + at;
#pragma unroll
      for (int col = 0; col < kCols; ++col) {
        const bool exists = col == 0 || col < small.cols;
        const Run other = Run::cached(column, exists && (kWhole || at + kRun <= last));
        column += col_step;
#pragma unroll
        for (int e = 0; e < kRun; ++e) {
          const Acc factor = Widen<Acc, In>::from(other.elements[e], small.conjugate);
#pragma unroll
          for (int i = 0; i < kRows; ++i) {
            multiply_add(sums[i * kCols + col],
                         Widen<Acc, In>::from(runs[step][i].elements[e], large.conjugate), factor);
          }
        }
      }
    }
  }

  // kElements elements of every row, kLanes apart; those before `last`.
  static __device__ __forceinline__ void add_elements(Acc (&sums)[Cfg::kSums],
                                                      const LargeRows& large,
                                                      const SmallOperand<In>& small, int64_t k,
                                                      int64_t last) {
    // Opaque: multiples of it, ready in registers, would cost more than they save.
    const int64_t col_step = ptx::opaque(small.col_step);
    In elements[Cfg::kElements][kRows];
#pragma unroll
    for (int step = 0; step < Cfg::kElements; ++step) {
      const int64_t at = k + step * kLanes;
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
        elements[step][i] = at < last ? large.row[i][at] : In{};
      }
    }
#pragma unroll
    for (int step = 0; step < Cfg::kElements; ++step) {
      const int64_t at = k + step * kLanes;
      const In* column = small.base + at * small.k_step;
#pragma unroll
      for (int col = 0; col < kCols; ++col) {
        Acc factor{};
        if ((col == 0 || col < small.cols) && at < last) {
          factor = Widen<Acc, In>::from(*column, small.conjugate);
        }
        column += col_step;
#pragma unroll
        for (int i = 0; i < kRows; ++i) {
          multiply_add(sums[i * kCols + col],
                       Widen<Acc, In>::from(elements[step][i], large.conjugate), factor);
        }
      }
    }
  }

  // Sums over the lanes of a group. While a lane has more than one, it keeps half of them and
  // gives the other half away. Lane l of a group ends with number l * kSums / kLanes and, if there
  // are more sums than lanes, those behind it.
  static __device__ __forceinline__ void sum_over_lanes(Acc (&sums)[Cfg::kSums], int lane) {
    int count = Cfg::kSums;
#pragma unroll
    for (int bit = kLanes / 2; bit > 0; bit /= 2) {
      if (count > 1) count /= 2;
      const bool halves = Cfg::kSums * bit >= kLanes;
      const bool upper = (lane & bit) != 0;
#pragma unroll
      for (int i = 0; i < Cfg::kSums; ++i) {
        if (i >= count) continue;
        if (halves) {
          const Acc kept = upper ? sums[i + count] : sums[i];
          const Acc given = upper ? sums[i] : sums[i + count];
          sums[i] = sum_of_two(kept, shuffle_xor(given, bit));
        } else {
          sums[i] = sum_of_two(sums[i], shuffle_xor(sums[i], bit));
        }
      }
    }
  }

  static __device__ __forceinline__ void sum_tile(Acc* slices, const BatchOperand& operand,
                                                  const SmallOperand<In>& small, int64_t first_row,
                                                  KRange range) {
    const int thread = ptx::opaque(static_cast<int>(threadIdx.x));  // see finish_tile
    const int lane = thread % kLanes;
    const int group_row = thread / kLanes * kRows;
    Acc sums[Cfg::kSums] = {};  // (row, col)
    if (range.first < range.last) {
      const LargeRows large(operand, first_row + group_row);
      int64_t k = range.first;
      const bool has_runs = runs_are_aligned(operand.base<In>(), operand.ld, operand.rows) &&
                            small.has_runs_along_k();
      follow_previous_grid();
      if (has_runs) {
#pragma unroll 1
        for (; k + Cfg::kTileK <= range.last; k += Cfg::kTileK) {
          add_runs<Cfg::kUnroll, true>(sums, large, small, k + lane * kRun, range.last);
        }
#pragma unroll 1
        for (; k < range.last; k += Cfg::kTailUnroll * kLanes * kRun) {
          add_runs<Cfg::kTailUnroll, false>(sums, large, small, k + lane * kRun, range.last);
        }
        k = range.last / kRun * kRun;  // what is left of a run
      }
#pragma unroll 1
      for (; k < range.last; k += Cfg::kElements * kLanes) {
        add_elements(sums, large, small, k + lane, range.last);
      }
    }
    sum_over_lanes(sums, lane);
    constexpr int kLeft = Cfg::kSums > kLanes ? Cfg::kSums / kLanes : 1;
    constexpr int kRepeats = Cfg::kSums < kLanes ? kLanes / Cfg::kSums : 1;  // lanes with one sum
    if (lane % kRepeats != 0) return;
#pragma unroll
    for (int i = 0; i < kLeft; ++i) {
      const int sum = lane / kRepeats * kLeft + i;
      slices[sum % kCols * Cfg::kTileRows + group_row + sum / kCols] = sums[i];
    }
  }
};

}  // namespace myblas
