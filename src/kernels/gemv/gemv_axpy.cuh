// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemv/gemv_axpy.cuh: gemv_frame.cuh where rows are contiguous in the large operand: columns of
// it, each times a number, added up.
//
//   layout    large operand: rows contiguous (row.trans); small one: any
//   CTA tile  kLanes lanes side by side, 16 bytes of rows each; 256 / kLanes groups along k
//   pipeline  kUnroll neighbouring k of a group are loaded before the first is used; the small
//             operand by a lane an element, from where shuffles bring it to the group
//   assumes   nothing: 16-byte loads where the large operand is aligned and the tile has no cut
//             run, elements otherwise, of which neighbouring lanes take neighbouring ones
//   edges     the last, partial k-tile is predicated
//   order     a group's k ascending, then the groups of a warp, then warps ascending
//   limits    as gemv_frame.cuh
//==============================================================================
#pragma once

#include "kernels/gemv/gemv_frame.cuh"
#include "kernels/ptx/opaque.h"

namespace myblas {

template <class InType, class OutType, class AccType, int Cols, int Lanes, int Unroll, bool Swapped>
struct GemvAxpyConfig {
  using In = InType;
  using Out = OutType;
  using Acc = AccType;
  static constexpr bool kSwapped = Swapped;
  static constexpr int kCols = Cols, kLanes = Lanes, kUnroll = Unroll;
  static constexpr int kRun = MatrixRun<In>::kCount;
  static constexpr int kGroups = kGemvThreads / kLanes;
  static constexpr int kTileRows = kLanes * kRun;
  static constexpr int kTileK = kGroups * kUnroll;
  static constexpr int kSlices = kGemvThreads / 32;
  // k in flight where there are no runs.
  static constexpr int kElementUnroll = axpy_elements(kCols, kRun, kUnroll, kLanes, sizeof(In));
  static_assert((kLanes == 16 || kLanes == 32) && kUnroll % kElementUnroll == 0);
};

template <class Cfg>
struct GemvAxpy {
  using Config = Cfg;
  using In = typename Cfg::In;
  using Acc = typename Cfg::Acc;
  using Run = MatrixRun<In>;
  static constexpr int kRun = Cfg::kRun, kLanes = Cfg::kLanes, kCols = Cfg::kCols;
  static constexpr int kSums = kCols * kRun;

  // Where element e of a lane lies in the tile: a run, or one of kRun stretches of kLanes.
  template <bool kRuns>
  static __device__ __forceinline__ int row_of(int lane, int e) {
    return kRuns ? lane * kRun + e : e * kLanes + lane;
  }

  // The tile's rows in the large operand.
  struct LargeRows {
    const In* base;  // of the tile's first row
    int64_t ld;
    int last_row;  // of the tile that exists
    bool conjugate;

    // Rows past the edge repeat the last ones that exist.
    template <bool kRuns>
    __device__ __forceinline__ int clamped(int lane, int e) const {
      const int row = row_of<kRuns>(lane, e);
      const int last = kRuns ? last_row - (kRun - 1) + e : last_row;
      return row < last ? row : last;
    }
  };

  // kCount k from k on. The group's lanes all have the same k; those before `last` count.
  template <bool kRuns, bool kWhole, int kCount>
  static __device__ __forceinline__ void add_columns(Acc (&sums)[kSums], const LargeRows& large,
                                                     const SmallOperand<In>& small, int64_t k,
                                                     int64_t last, int lane) {
    constexpr int kFactors = (kCount * kCols + kLanes - 1) / kLanes;  // a lane loads
    Acc factors[kFactors];
#pragma unroll
    for (int i = 0; i < kFactors; ++i) {
      const int index = i * kLanes + lane;  // (col, k)
      const int64_t at = k + index % kCount;
      const int col = index / kCount;
      factors[i] = Acc{};
      if ((kWhole || at < last) && col < small.cols) {
        factors[i] = Widen<Acc, In>::from(small.base[at * small.k_step + col * small.col_step],
                                          small.conjugate);
      }
    }
    Run runs[kCount];
    // Opaque: multiples of it, ready in registers, would cost more than they save.
    const int64_t ld = ptx::opaque(large.ld);
    const In* column = large.base + k * ld;
#pragma unroll
    for (int step = 0; step < kCount; ++step) {
      const bool exists = kWhole || k + step < last;
      if constexpr (kRuns) {
        runs[step] = Run::streamed(column + large.template clamped<true>(lane, 0), exists);
      } else {
#pragma unroll
        for (int e = 0; e < kRun; ++e) {
          runs[step].elements[e] = exists ? column[large.template clamped<false>(lane, e)] : In{};
        }
      }
      column += ld;
    }
#pragma unroll
    for (int step = 0; step < kCount; ++step) {
#pragma unroll
      for (int col = 0; col < kCols; ++col) {
        const int index = col * kCount + step;
        const Acc factor = shuffle_from(factors[index / kLanes], index % kLanes, kLanes);
#pragma unroll
        for (int e = 0; e < kRun; ++e) {
          multiply_add(sums[col * kRun + e],
                       Widen<Acc, In>::from(runs[step].elements[e], large.conjugate), factor);
        }
      }
    }
  }

  template <bool kRuns>
  static __device__ __forceinline__ void sum_range(Acc (&sums)[kSums], const LargeRows& large,
                                                   const SmallOperand<In>& small, KRange range,
                                                   int lane) {
    constexpr int kCount = kRuns ? Cfg::kUnroll : Cfg::kElementUnroll;
    // The whole block walks together: shuffles want all lanes of a warp.
    int64_t first = range.first;
    const int64_t group_k = static_cast<int>(threadIdx.x) / kLanes * kCount;
    if constexpr (kRuns) {
#pragma unroll 1
      for (; first + Cfg::kTileK <= range.last; first += Cfg::kTileK) {
        add_columns<true, true, kCount>(sums, large, small, first + group_k, range.last, lane);
      }
    }
#pragma unroll 1
    for (; first < range.last; first += Cfg::kGroups * kCount) {
      add_columns<kRuns, false, kCount>(sums, large, small, first + group_k, range.last, lane);
    }
  }

  template <bool kRuns>
  static __device__ __forceinline__ void sum_rows(Acc* slices, const LargeRows& large,
                                                  const SmallOperand<In>& small, KRange range) {
    const int thread = ptx::opaque(static_cast<int>(threadIdx.x));  // see finish_tile
    const int lane = thread % kLanes;
    Acc sums[kSums] = {};  // (col, row)
    if (range.first < range.last) sum_range<kRuns>(sums, large, small, range, lane);
#pragma unroll
    for (int bit = kLanes; bit < 32; bit *= 2) {
#pragma unroll
      for (int i = 0; i < kSums; ++i) sums[i] = sum_of_two(sums[i], shuffle_xor(sums[i], bit));
    }
    if (thread % 32 >= kLanes) return;
    Acc* slice = slices + thread / 32 * (Cfg::kTileRows * kCols);
#pragma unroll
    for (int col = 0; col < kCols; ++col) {
#pragma unroll
      for (int e = 0; e < kRun; ++e) {
        slice[col * Cfg::kTileRows + row_of<kRuns>(lane, e)] = sums[col * kRun + e];
      }
    }
  }

  static __device__ __forceinline__ void sum_tile(Acc* slices, const BatchOperand& operand,
                                                  const SmallOperand<In>& small, int64_t first_row,
                                                  KRange range) {
    const int64_t left = operand.rows - first_row;
    const LargeRows large{operand.base<In>() + first_row, operand.ld,
                          static_cast<int>(left < Cfg::kTileRows ? left : Cfg::kTileRows) - 1,
                          operand.conjugate};
    const bool whole_runs = left >= Cfg::kTileRows || left % kRun == 0;
    const bool has_runs = whole_runs && runs_are_aligned(operand.base<In>(), operand.ld, operand.k);
    follow_previous_grid();
    if (has_runs) {
      sum_rows<true>(slices, large, small, range);
    } else {
      sum_rows<false>(slices, large, small, range);
    }
  }
};

}  // namespace myblas
