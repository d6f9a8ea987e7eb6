// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemv/gemv_outer.cuh: C = alpha*op(A)*op(B) + beta*C where k is small: bound by writing C.
//
//   layout    column-major, any ld; op() folded into the loader, not the math
//   CTA tile  32 lanes of 16 bytes of C by 8 warps of kWarpN columns: a warp writes whole lines
//   pipeline  none: one k-tile in shared memory at a time; the other blocks of the SM cover it
//   assumes   nothing: 16-byte stores where C is aligned, elements otherwise, of which
//             neighbouring lanes take neighbouring ones; pointer batches
//   edges     what lies outside is zero in shared memory, stores are predicated
//   order     k ascending, one fused sum an element: the bits of the reference family
//   limits    none; offsets are 64-bit, blocks stride over tiles and batches
//==============================================================================
#pragma once

#include "kernels/common/arithmetic.cuh"
#include "kernels/common/batch.cuh"
#include "kernels/common/gemm_args.h"

namespace myblas {

template <class InType, class OutType, class AccType, int WarpN>
struct GemvOuterConfig {
  using In = InType;
  using Out = OutType;
  using Acc = AccType;
  static constexpr int kThreads = 256;
  static constexpr int kWarpN = WarpN;
  static constexpr int kRun = 16 / sizeof(Out);  // rows a thread
  static constexpr int kTileM = 32 * kRun, kTileN = kThreads / 32 * kWarpN, kTileK = 16;
  static_assert(kThreads % kTileK == 0);
};

template <class Cfg>
struct GemvOuterSmem {
  using Acc = typename Cfg::Acc;
  static constexpr int kPad = 4;                       // spreads transposing stores over banks
  alignas(16) Acc a[Cfg::kTileK][Cfg::kTileM + kPad];  // (k, m)
  alignas(16) Acc b[Cfg::kTileK][Cfg::kTileN + kPad];  // (k, n)
};

// Global -> shared, always as (k, row). What lies outside the operand is zero, and is not read; k
// past the last is not even written, as nothing looks at it.
template <class Cfg, int kRows>
__device__ __forceinline__ void stage_rows(typename Cfg::Acc (*shared)[kRows + 4],
                                           const BatchOperand& operand, int64_t first_row,
                                           int64_t first_k, int valid_k) {
  using In = typename Cfg::In;
  using Acc = typename Cfg::Acc;
  const int thread = static_cast<int>(threadIdx.x);
  const In* base = operand.base<In>();
  if (operand.rows_contiguous) {
    constexpr int kPass = Cfg::kThreads < kRows ? Cfg::kThreads : kRows;  // rows side by side
    constexpr int kStepK = Cfg::kThreads / kPass;
    static_assert(kRows % kPass == 0);
    for (int k = thread / kPass; k < valid_k; k += kStepK) {
#pragma unroll
      for (int row = thread % kPass; row < kRows; row += kPass) {
        Acc value{};
        if (first_row + row < operand.rows) {
          value = Widen<Acc, In>::from(base[first_row + row + (first_k + k) * operand.ld],
                                       operand.conjugate);
        }
        shared[k][row] = value;
      }
    }
    return;
  }
  const int k = thread % Cfg::kTileK;
  if (k >= valid_k) return;
#pragma unroll 4
  for (int row = thread / Cfg::kTileK; row < kRows; row += Cfg::kThreads / Cfg::kTileK) {
    Acc value{};
    if (first_row + row < operand.rows) {
      value = Widen<Acc, In>::from(base[first_k + k + (first_row + row) * operand.ld],
                                   operand.conjugate);
    }
    shared[k][row] = value;
  }
}

// Where element e of a lane lies in the tile: a run of C, or one of kRun stretches of 32 rows.
template <class Cfg, bool kRuns>
__device__ __forceinline__ int row_of_element(int lane, int e) {
  return kRuns ? lane * Cfg::kRun + e : e * 32 + lane;
}

template <class Cfg, bool kRuns>
__device__ __forceinline__ void multiply_tile(typename Cfg::Acc (&sums)[Cfg::kWarpN][Cfg::kRun],
                                              const GemvOuterSmem<Cfg>& smem, int valid_k) {
  using Acc = typename Cfg::Acc;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
#pragma unroll 1
  for (int k = 0; k < valid_k; ++k) {
    Acc a[Cfg::kRun];    // (m)
    Acc b[Cfg::kWarpN];  // (n)
#pragma unroll
    for (int e = 0; e < Cfg::kRun; ++e) a[e] = smem.a[k][row_of_element<Cfg, kRuns>(lane, e)];
#pragma unroll
    for (int j = 0; j < Cfg::kWarpN; ++j) b[j] = smem.b[k][warp * Cfg::kWarpN + j];
#pragma unroll
    for (int j = 0; j < Cfg::kWarpN; ++j) {
#pragma unroll
      for (int e = 0; e < Cfg::kRun; ++e) multiply_add(sums[j][e], a[e], b[j]);
    }
  }
}

template <class Out, int kCount>
struct alignas(16) OutputRun {
  Out elements[kCount];
};

// A lane's runs of neighbouring columns of C, a few loaded before the first is used.
template <class Cfg>
__device__ __forceinline__ void store_runs(const typename Cfg::Acc (&sums)[Cfg::kWarpN][Cfg::kRun],
                                           const Finish<typename Cfg::Acc>& finish,
                                           typename Cfg::Out* c, int64_t ldc, int64_t columns) {
  using Run = OutputRun<typename Cfg::Out, Cfg::kRun>;
  constexpr int kAhead = Cfg::kRun > 4 ? 2 : 4;  // by registers
#pragma unroll
  for (int first = 0; first < Cfg::kWarpN; first += kAhead) {
    Run runs[kAhead] = {};
    if (!is_zero(finish.beta)) {
#pragma unroll
      for (int j = 0; j < kAhead; ++j) {
        if (first + j < columns) runs[j] = *reinterpret_cast<const Run*>(c + j * ldc);
      }
    }
#pragma unroll
    for (int j = 0; j < kAhead; ++j) {
#pragma unroll
      for (int e = 0; e < Cfg::kRun; ++e) {
        store_result(&runs[j].elements[e], sums[first + j][e], finish);
      }
      if (first + j < columns) *reinterpret_cast<Run*>(c + j * ldc) = runs[j];
    }
    c += kAhead * ldc;
  }
}

template <class Cfg, bool kRuns>
__device__ __forceinline__ void store_tile(const typename Cfg::Acc (&sums)[Cfg::kWarpN][Cfg::kRun],
                                           const GemmArgs& args, typename Cfg::Out* c,
                                           int64_t first_m, int64_t first_n) {
  const auto finish = load_finish<typename Cfg::Acc>(args);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int64_t warp_n = first_n + static_cast<int>(threadIdx.x) / 32 * Cfg::kWarpN;
  const int64_t columns = args.n - warp_n;
  c += first_m + warp_n * args.ldc;
  if constexpr (kRuns) {
    if (first_m + lane * Cfg::kRun < args.m) {
      store_runs<Cfg>(sums, finish, c + lane * Cfg::kRun, args.ldc, columns);
    }
  } else {
#pragma unroll
    for (int j = 0; j < Cfg::kWarpN; ++j) {
#pragma unroll
      for (int e = 0; e < Cfg::kRun; ++e) {
        const int row = row_of_element<Cfg, kRuns>(lane, e);
        if (j < columns && first_m + row < args.m) store_result(c + row, sums[j][e], finish);
      }
      c += args.ldc;
    }
  }
}

template <class Cfg, bool kRuns>
__device__ __forceinline__ void compute_tile(GemvOuterSmem<Cfg>& smem, const GemmArgs& args,
                                             const BatchOperand& a, const BatchOperand& b,
                                             typename Cfg::Out* c, int64_t first_m,
                                             int64_t first_n) {
  typename Cfg::Acc sums[Cfg::kWarpN][Cfg::kRun] = {};  // (n, m)
  for (int64_t first_k = 0; first_k < a.k; first_k += Cfg::kTileK) {
    const int64_t left = a.k - first_k;
    const int valid_k = static_cast<int>(left < Cfg::kTileK ? left : Cfg::kTileK);
    stage_rows<Cfg, Cfg::kTileM>(smem.a, a, first_m, first_k, valid_k);
    stage_rows<Cfg, Cfg::kTileN>(smem.b, b, first_n, first_k, valid_k);
    __syncthreads();  // all threads' stores of this k-tile before any thread's loads of it
    multiply_tile<Cfg, kRuns>(sums, smem, valid_k);
    __syncthreads();  // all threads' loads of this k-tile before any thread's stores of the next
  }
  store_tile<Cfg, kRuns>(sums, args, c, first_m, first_n);
}

template <class Cfg>
__device__ __forceinline__ void gemv_outer(const GemmArgs& args) {
  using In = typename Cfg::In;
  using Out = typename Cfg::Out;
  __shared__ GemvOuterSmem<Cfg> smem;
  // NOTE: alpha == 0 must not read A or B; they may hold NaN, or be NULL.
  const int64_t k = load_finish<typename Cfg::Acc>(args).has_product ? args.k : 0;
  const int64_t tiles_m = (args.m + Cfg::kTileM - 1) / Cfg::kTileM;
  const int64_t tiles = tiles_m * ((args.n + Cfg::kTileN - 1) / Cfg::kTileN);
  for (int64_t batch = blockIdx.y; batch < args.batch_count; batch += gridDim.y) {
    const BatchOperand a = operand_a_of_batch<In>(args, batch, k);
    const BatchOperand b = operand_b_of_batch<In>(args, batch, k);
    Out* c = matrix_c_of_batch<Out>(args, batch);
    const bool aligned =
        ((reinterpret_cast<uintptr_t>(c) | (static_cast<uint64_t>(args.ldc) * sizeof(Out))) & 15) ==
        0;
    for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
      const int64_t first_m = tile % tiles_m * Cfg::kTileM;
      const int64_t first_n = tile / tiles_m * Cfg::kTileN;
      // Runs are there whole or not at all.
      if (aligned && (first_m + Cfg::kTileM <= args.m || args.m % Cfg::kRun == 0)) {
        compute_tile<Cfg, true>(smem, args, a, b, c, first_m, first_n);
      } else {
        compute_tile<Cfg, false>(smem, args, a, b, c, first_m, first_n);
      }
    }
  }
}

}  // namespace myblas
