// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// simt/simt_store.cuh: a thread's sums of a tile -> alpha * sums + beta * C.
//
// From registers where C is aligned to 16 bytes, complex, or k is contiguous in A; else by way of
// the ring, a warp's columns after each other.
//==============================================================================
#pragma once

#include "kernels/common/arithmetic.cuh"
#include "kernels/common/gemm_args.h"
#include "kernels/ptx/opaque.h"
#include "kernels/ptx/tma.h"
#include "kernels/simt/lane_sides.cuh"
#include "kernels/simt/simt_step.cuh"

namespace myblas {

// Four rows of one column.
template <class Cfg>
__device__ __forceinline__ float4 run_of_sums(const float* sums) {
  return make_float4(sums[place_in_registers<Cfg>(0)], sums[place_in_registers<Cfg>(1)],
                     sums[place_in_registers<Cfg>(2)], sums[place_in_registers<Cfg>(3)]);
}

// A warp's part of the ring for sums on their way to a C that is not aligned to 16 bytes: of each
// lane along n a run of columns, or half or a quarter of one where the ring has no more room. The
// pad keeps a quarter of a warp's stores in different banks where 8 lanes lie along m or a run is 2
// columns; else two meet. Where k is contiguous in A, lanes have neighbouring rows anyway.
template <class Cfg>
struct SimtStage {
  static constexpr bool kIsUsed = !Cfg::kIsComplex && !Cfg::kAlongKA;
  static constexpr int kLd = Cfg::kWarpM + 4;
  static constexpr int kMostElements =
      Cfg::kStages * Cfg::kStageElements / (Cfg::kSliceThreads / 32) / 4 * 4;
  static constexpr int columns_of_run() {
    int columns = Cfg::kRun;
    while (columns * Cfg::kLanesN * kLd > kMostElements) columns /= 2;
    return columns;
  }
  static constexpr int kOfRun = columns_of_run();
  static constexpr int kColumns = kOfRun * Cfg::kLanesN;
  static constexpr int kElements = kColumns * kLd;
  // Where the j-th column that a lane stages lies, and from the first column in C of all lanes to
  // that of staged column i. Along k in B lanes have neighbouring columns, else runs.
  static __device__ __forceinline__ constexpr int place_of(int lane_n, int j) {
    return Cfg::kAlongKB ? j * Cfg::kLanesN + lane_n : lane_n * kOfRun + j;
  }
  static __device__ __forceinline__ constexpr int column_of(int i) {
    return Cfg::kAlongKB ? i : i / kOfRun * Cfg::kRun + i % kOfRun;
  }
};

// A run of rows of one column of C, as 16 bytes where C allows it.
template <class Cfg>
__device__ __forceinline__ void store_run(typename Cfg::Element* c,
                                          const typename Cfg::Element* sums, int64_t rows_left,
                                          bool aligned,
                                          const Finish<typename Cfg::Element>& finish) {
  using Element = typename Cfg::Element;
  if (aligned && rows_left >= Cfg::kRun) {
    alignas(16) Element run[Cfg::kRun] = {};
    if (!is_zero(finish.beta)) {
      *reinterpret_cast<float4*>(run) = *reinterpret_cast<const float4*>(c);
    }
#pragma unroll
    for (int i = 0; i < Cfg::kRun; ++i) {
      store_result(run + i, sums[place_in_registers<Cfg>(i)], finish);
    }
    *reinterpret_cast<float4*>(c) = *reinterpret_cast<const float4*>(run);
    return;
  }
#pragma unroll
  for (int i = 0; i < Cfg::kRun; ++i) {
    if (i < rows_left) store_result(c + i, sums[place_in_registers<Cfg>(i)], finish);
  }
}

// A warp's sums where columns of C lie anywhere, by way of its part of the ring: lanes then store
// neighbouring rows. From their registers each store would touch as many columns as lanes lie along
// n, and a quarter of the bytes. c: the warp's first element; rows, columns: what exists from
// there.
template <class Cfg>
__device__ __forceinline__ void store_staged(const SimtSums<Cfg>& sums, float* stage, float* c,
                                             int64_t ldc, int64_t rows, int64_t columns, int lane_m,
                                             int lane_n, const Finish<float>& finish) {
  using Stage = SimtStage<Cfg>;
  // Columns that a lane loads before it stores.
  constexpr int kGroup = Stage::kColumns < 8 ? Stage::kColumns : 8;
  constexpr int kColumnsOfGroup = Stage::column_of(kGroup);
  static_assert(Stage::kColumns % kGroup == 0 && kGroup % Stage::kOfRun == 0);
  const int lane = ptx::opaque(static_cast<int>(threadIdx.x)) % 32;
  const bool reads_c = !is_zero(finish.beta);
#pragma unroll
  for (int first = 0; first < Cfg::kAccN; first += Stage::kOfRun) {
#pragma unroll
    for (int j = 0; j < Stage::kOfRun; ++j) {
      float* const to = stage + Stage::place_of(lane_n, j) * Stage::kLd;
#pragma unroll
      for (int i = 0; i < Cfg::kAccM; i += Cfg::kRun) {
        *reinterpret_cast<float4*>(to + place_of_sum<Cfg, Cfg::kLanesM>(lane_m, i)) =
            run_of_sums<Cfg>(&sums[first + j][i]);
      }
    }
    __syncwarp();  // all lanes' stores of these columns before any lane's loads
    const int first_column = place_of_sum<Cfg, Cfg::kLanesN, Cfg::kAlongKB>(0, first);
#pragma unroll 1
    for (int row = lane; row < Cfg::kWarpM && row < rows; row += 32) {
      const float* from = stage + row;
      float* to = c + row + first_column * ldc;
      int64_t left = columns - first_column;
#pragma unroll 1
      for (int column = 0; column < Stage::kColumns && left > 0; column += kGroup) {
        float results[kGroup] = {}, here[kGroup];
#pragma unroll
        for (int i = 0; i < kGroup; ++i) here[i] = from[i * Stage::kLd];
        if (reads_c) {
#pragma unroll
          for (int i = 0; i < kGroup; ++i) {
            if (Stage::column_of(i) < left) results[i] = to[Stage::column_of(i) * ldc];
          }
#pragma unroll
          for (int i = 0; i < kGroup; ++i) store_result(&results[i], here[i], finish);
        } else {
          // Without a branch for each: one load of the stage after the other would be waited for.
#pragma unroll
          for (int i = 0; i < kGroup; ++i) {
            results[i] = finish.has_product ? finish.alpha * here[i] : 0.0F;
          }
        }
#pragma unroll
        for (int i = 0; i < kGroup; ++i) {
          if (Stage::column_of(i) < left) to[Stage::column_of(i) * ldc] = results[i];
        }
        from += kGroup * Stage::kLd;
        to += kColumnsOfGroup * ldc;
        left -= kColumnsOfGroup;
      }
    }
    __syncwarp();  // all lanes' loads before any lane's stores of the next columns
  }
}

// Called by all threads of the block, at a time when nothing is in the ring, nor on its way there.
template <class Cfg>
__device__ __forceinline__ void store_tile(const SimtSums<Cfg>& sums, const GemmArgs& args,
                                           typename Cfg::Element* ring, typename Cfg::Element* c,
                                           int64_t first_m, int64_t first_n, int thread) {
  using Element = typename Cfg::Element;
  const bool has_sums = Cfg::kSlices == 1 || thread < Cfg::kSliceThreads;  // the first slice
  // Loaded again here: kept from the start, the scalars would hold registers in the main loop.
  const Finish<Element> finish = load_finish<Element>(args);
  const bool aligned = ((reinterpret_cast<uintptr_t>(c) | (args.ldc * sizeof(Element))) & 15) == 0;
  int lane_m, lane_n;
  lane_position<Cfg>(thread, &lane_m, &lane_n);
  const int warp = thread / 32;
  const int64_t warp_m = first_m + warp % Cfg::kWarpsM * Cfg::kWarpM;
  const int64_t warp_n = first_n + warp / Cfg::kWarpsM * Cfg::kWarpN;
  if constexpr (SimtStage<Cfg>::kIsUsed) {
    if (!aligned) {
      if (has_sums) {
        store_staged<Cfg>(sums, ring + warp * SimtStage<Cfg>::kElements,
                          c + warp_m + warp_n * args.ldc, args.ldc, args.m - warp_m,
                          args.n - warp_n, lane_m, lane_n, finish);
      }
      if constexpr (Cfg::kFedByTma) ptx::fence_async_shared();  // stores, and then TMA's
      __syncthreads();  // all warps' accesses to the ring before copies of the next tile
      return;
    }
  }
  if (!has_sums) return;
#pragma unroll
  for (int j = 0; j < Cfg::kAccN; ++j) {
    const int64_t n = warp_n + place_of_sum<Cfg, Cfg::kLanesN, Cfg::kAlongKB>(lane_n, j);
    if (n >= args.n) continue;
    constexpr int kRun = Cfg::kAlongKA ? 1 : Cfg::kRun;
#pragma unroll
    for (int i = 0; i < Cfg::kAccM; i += kRun) {
      const int64_t m = warp_m + place_of_sum<Cfg, Cfg::kLanesM, Cfg::kAlongKA>(lane_m, i);
      if constexpr (Cfg::kAlongKA) {
        if (m < args.m) store_result(c + m + n * args.ldc, sums[j][i], finish);
      } else {
        store_run<Cfg>(c + m + n * args.ldc, &sums[j][i], args.m - m, aligned, finish);
      }
    }
  }
}

}  // namespace myblas
