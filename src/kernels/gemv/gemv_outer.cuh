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
#include "kernels/ptx/opaque.h"

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

// A thread's share of a k-tile of one operand on its way from global to shared memory, where it is
// always (k, row). All loads are under way before the first is waited for. What lies outside the
// operand is zero, and is not read.
template <class Cfg, int kRows>
class StagedRows {
  using In = typename Cfg::In;
  using Acc = typename Cfg::Acc;
  static constexpr int kThreads = Cfg::kThreads, kTileK = Cfg::kTileK;
  static constexpr int kCount = kRows * kTileK / kThreads;
  static_assert(kThreads % kRows == 0 && kCount * kThreads == kRows * kTileK);

 public:
  __device__ __forceinline__ void fetch(const BatchOperand& operand, int64_t first_row,
                                        int64_t first_k, int valid_k) {
    const Walk walk(operand.rows_contiguous);
    const int64_t row = first_row + walk.row, k = first_k + walk.k;
    const In* from = operand.base<In>();
    from += operand.rows_contiguous ? row + k * operand.ld : k + row * operand.ld;
    const int64_t step = (operand.rows_contiguous ? Walk::kStepK : Walk::kStepRow) * operand.ld;
    const int count = walk.existing(operand, first_row, valid_k);
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      values_[i] = i < count ? Widen<Acc, In>::from(*from, operand.conjugate) : Acc{};
      from = ptx::opaque(from + step);  // or each address would have registers of its own
    }
  }

  __device__ __forceinline__ void put(Acc (*shared)[kRows + 4], bool rows_contiguous) const {
    const Walk walk(rows_contiguous);
    Acc* all = &shared[0][0];
    int at = walk.k * (kRows + 4) + walk.row;
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      all[at] = values_[i];
      at = ptx::opaque(at + (rows_contiguous ? Walk::kStepK * (kRows + 4) : Walk::kStepRow));
    }
  }

 private:
  // A thread's way through the k-tile. Where rows are contiguous, neighbouring threads take
  // neighbouring rows and a thread goes on along k; else the other way round.
  struct Walk {
    static constexpr int kStepRow = kThreads / kTileK, kStepK = kThreads / kRows;
    int row, k;

    __device__ __forceinline__ explicit Walk(bool rows_contiguous) {
      const int thread = ptx::opaque(static_cast<int>(threadIdx.x));  // no registers in between
      row = rows_contiguous ? thread % kRows : thread / kTileK;
      k = rows_contiguous ? thread / kRows : thread % kTileK;
    }

    // How many of the thread's elements exist: the first ones.
    __device__ __forceinline__ int existing(const BatchOperand& operand, int64_t first_row,
                                            int valid_k) const {
      const int64_t left = operand.rows - first_row - row;
      const int rows_left = static_cast<int>(left < kRows ? left : kRows);
      const int k_left = valid_k - k;
      if (rows_left <= 0 || k_left <= 0) return 0;
      return operand.rows_contiguous ? (k_left + kStepK - 1) / kStepK
                                     : (rows_left + kStepRow - 1) / kStepRow;
    }
  };

  Acc values_[kCount];
};

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
    StagedRows<Cfg, Cfg::kTileM> rows_a;
    StagedRows<Cfg, Cfg::kTileN> rows_b;
    rows_a.fetch(a, first_m, first_k, valid_k);
    rows_b.fetch(b, first_n, first_k, valid_k);
    rows_a.put(smem.a, a.rows_contiguous);
    rows_b.put(smem.b, b.rows_contiguous);
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
  for (int64_t batch = blockIdx.y; batch < args.batch_count; batch += gridDim.y) {
    const BatchOperand a = operand_a_of_batch<In>(args, batch, k);
    const BatchOperand b = operand_b_of_batch<In>(args, batch, k);
    Out* c = matrix_c_of_batch<Out>(args, batch);
    const bool aligned =
        ((reinterpret_cast<uintptr_t>(c) | (static_cast<uint64_t>(args.ldc) * sizeof(Out))) & 15) ==
        0;
    for (int64_t tile = blockIdx.x;; tile += gridDim.x) {
      // For each tile: from one to the next they would hold registers.
      const int64_t tiles_m = (ptx::opaque(args.m) + Cfg::kTileM - 1) / Cfg::kTileM;
      const int64_t tiles_n = (ptx::opaque(args.n) + Cfg::kTileN - 1) / Cfg::kTileN;
      if (tile >= tiles_m * tiles_n) break;
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
