// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemv/gemv_dot.cuh: gemv_frame.cuh where k is contiguous in the large operand: dot products.
//
//   layout    large operand: k contiguous (row.trans); small one: any
//   CTA tile  groups of kSpan threads, each of which sums kRows rows x kCols: part of a warp, or
//             the warps of a block
//   pipeline  kUnroll steps of kSpan runs of 16 bytes, kRows rows each, loaded before the first
//             is used; the small operand comes from L1, where other warps have brought it
//   assumes   nothing: 16-byte loads where both operands allow them, elements otherwise, of which
//             neighbouring lanes take neighbouring ones
//   edges     the last, partial step is predicated; k past the last whole run by elements
//   order     a lane's k ascending, then a tree over the lanes of a warp, then warps ascending
//   limits    as gemv_frame.cuh
//==============================================================================
#pragma once

#include "kernels/gemv/gemv_frame.cuh"
#include "kernels/ptx/opaque.h"

namespace myblas {

template <class InType, class OutType, class AccType, int Cols, int Span, int Rows, int Unroll,
          bool Swapped>
struct GemvDotConfig {
  using In = InType;
  using Out = OutType;
  using Acc = AccType;
  static constexpr bool kSwapped = Swapped;
  static constexpr int kCols = Cols, kSpan = Span, kRows = Rows, kUnroll = Unroll;
  static constexpr int kLanes = kSpan < 32 ? kSpan : 32;  // of a group in one warp
  static constexpr int kRun = MatrixRun<In>::kCount;
  static constexpr int kTileRows = kGemvThreads / kSpan * kRows;
  static constexpr int kTileK = kSpan * kRun * kUnroll;
  static constexpr int kSlices = kSpan / kLanes;
  // Of few rows those outside of C are not loaded; of many, the last one again, which L1 has.
  static constexpr bool kSkipsRows = kSlices > 1;
  static constexpr int kElements = dot_elements(kCols, sizeof(In));  // in flight a row
  // Runs a row of the partial step that are loaded together: registers for the predicates.
  static constexpr int kTailUnroll = kCols == 1 ? kUnroll : 1;
  static constexpr int kSums = kRows * kCols;
  static_assert(kSpan == dot_lanes(kTileRows) && (kSlices == 1 || kSpan == kGemvThreads));
  static_assert(32 % kLanes == 0 && kLanes + 1 >= kRun, "a group's lanes take the rest of a run");
  static_assert((kSums & (kSums - 1)) == 0, "sums are halved while lanes are");
};

template <class Cfg>
struct GemvDot {
  using Config = Cfg;
  using In = typename Cfg::In;
  using Acc = typename Cfg::Acc;
  using Run = MatrixRun<In>;
  static constexpr int kRun = Cfg::kRun, kLanes = Cfg::kLanes, kSpan = Cfg::kSpan;
  static constexpr int kRows = Cfg::kRows, kCols = Cfg::kCols;

  // The rows of this lane's group in the large operand.
  struct LargeRows {
    const In* row[kRows];
    int64_t left;  // rows from the first on
    bool conjugate;

    __device__ __forceinline__ bool has(int i) const { return !Cfg::kSkipsRows || i < left; }
    __device__ __forceinline__ LargeRows(const BatchOperand& large, int64_t first)
        : left(large.rows - first) {
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
        const int64_t index = first + i < large.rows ? first + i : large.rows - 1;
        row[i] = large.base<In>() + index * large.ld;
      }
      conjugate = large.conjugate;
    }
  };

  // kCount runs of every row, kSpan runs apart. !kWhole: those that end before `last`.
  template <int kCount, bool kWhole>
  static __device__ __forceinline__ void add_runs(Acc (&sums)[Cfg::kSums], const LargeRows& large,
                                                  const SmallOperand<In>& small, int64_t k,
                                                  int64_t last) {
    const int64_t col_step = ptx::opaque(small.col_step);
    Run runs[kCount][kRows];
#pragma unroll
    for (int step = 0; step < kCount; ++step) {
      const int64_t at = k + step * (kSpan * kRun);
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
        const bool exists = large.has(i) && (kWhole || at + kRun <= last);
        runs[step][i] = Run::streamed(large.row[i] + at, exists);
      }
    }
#pragma unroll
    for (int step = 0; step < kCount; ++step) {
      const int64_t at = k + step * (kSpan * kRun);
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

  // kElements elements of every row, kSpan apart; those before `last`.
  static __device__ __forceinline__ void add_elements(Acc (&sums)[Cfg::kSums],
                                                      const LargeRows& large,
                                                      const SmallOperand<In>& small, int64_t k,
                                                      int64_t last) {
    // Opaque: multiples of it, ready in registers, would cost more than they save.
    const int64_t col_step = ptx::opaque(small.col_step);
    In elements[Cfg::kElements][kRows];
#pragma unroll
    for (int step = 0; step < Cfg::kElements; ++step) {
      const int64_t at = k + step * kSpan;
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
        elements[step][i] = large.has(i) && at < last ? large.row[i][at] : In{};
      }
    }
#pragma unroll
    for (int step = 0; step < Cfg::kElements; ++step) {
      const int64_t at = k + step * kSpan;
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
    const int lane = thread % kSpan;                                // of the group
    const int group_row = thread / kSpan * kRows;
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
        for (; k < range.last; k += Cfg::kTailUnroll * kSpan * kRun) {
          add_runs<Cfg::kTailUnroll, false>(sums, large, small, k + lane * kRun, range.last);
        }
        k = range.last / kRun * kRun;  // what is left of a run
      }
#pragma unroll 1
      for (; k < range.last; k += Cfg::kElements * kSpan) {
        add_elements(sums, large, small, k + lane, range.last);
      }
    }
    const int lane_of_warp = lane % kLanes;
    sum_over_lanes(sums, lane_of_warp);
    constexpr int kLeft = Cfg::kSums > kLanes ? Cfg::kSums / kLanes : 1;
    constexpr int kRepeats = Cfg::kSums < kLanes ? kLanes / Cfg::kSums : 1;  // lanes with one sum
    if (lane_of_warp % kRepeats != 0) return;
    slices += lane / kLanes * (Cfg::kTileRows * kCols);
#pragma unroll
    for (int i = 0; i < kLeft; ++i) {
      const int sum = lane_of_warp / kRepeats * kLeft + i;
      slices[sum % kCols * Cfg::kTileRows + group_row + sum / kCols] = sums[i];
    }
  }
};

}  // namespace myblas
