// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// reference/gemm_reference.cuh: C = alpha*op(A)*op(B) + beta*C, every type.
//
//   layout    column-major, any ld; op() folded into the loader, not the math
//   CTA tile  64 x 64 x 16 or 128 x 128 x 8, 256 threads in 16 x 16, 4 x 4 or 8 x 8 sums each
//   pipeline  next k-tile waits in registers while this one is multiplied; two barriers a k-tile
//   assumes   nothing: element-aligned pointers, any strides, pointer batches
//   edges     loads are zero-filled, stores predicated; m, n, k arbitrary
//   order     k ascending, one fused sum an element; fp32 sums are closed every k_of_chunk k
//             (common/blocked_sum.cuh). Every tile shape gives the same bits, but for the sign of a
//             zero
//   limits    none: offsets are 64-bit, blocks stride over tiles and batches
//==============================================================================
#pragma once

#include <type_traits>

#include "kernels/common/arithmetic.cuh"
#include "kernels/common/batch.cuh"
#include "kernels/common/blocked_sum.cuh"
#include "kernels/common/epilogue.cuh"
#include "kernels/common/gemm_args.h"
#include "kernels/ptx/opaque.h"

namespace myblas {

template <class InType, class OutType, class AccType, int TileM, int TileN, int TileK>
struct GemmReferenceConfig {
  using In = InType;
  using Out = OutType;
  using Acc = AccType;
  static constexpr int kTileM = TileM, kTileN = TileN, kTileK = TileK;
  static constexpr int kThreads = 256;
  static constexpr int kThreadsM = 16, kThreadsN = 16;
  static constexpr int kAccM = kTileM / kThreadsM, kAccN = kTileN / kThreadsN;
  // Larger tiles have no registers left for it (KernelRow::takes_epilogue).
  static constexpr bool kTakesEpilogue = kAccM * kAccN <= 16;
  // Neighbouring sums along m and along n: one 16-byte shared load each.
  static constexpr int kRun = sizeof(Acc) < 16 ? 16 / sizeof(Acc) : 1;
  static constexpr int kPad = 4;  // keeps runs aligned and spreads transposing stores over banks
  static constexpr bool kSumsAreFloat =
      std::is_same_v<Acc, float> || std::is_same_v<Acc, Complex<float>>;
  static constexpr int kLoadsA = kTileM * kTileK / kThreads;
  static constexpr int kLoadsB = kTileN * kTileK / kThreads;
  static_assert(kThreadsM * kThreadsN == kThreads, "each thread owns one block of sums");
  static_assert(kAccM % kRun == 0 && kAccN % kRun == 0, "a thread's sums come in runs");
  static_assert(kTileM * kTileK % kThreads == 0 && kTileN * kTileK % kThreads == 0);
};

template <class Cfg>
struct GemmReferenceSmem {
  using Acc = typename Cfg::Acc;
  alignas(16) Acc a[Cfg::kTileK][Cfg::kTileM + Cfg::kPad];  // (k, m)
  alignas(16) Acc b[Cfg::kTileK][Cfg::kTileN + Cfg::kPad];  // (k, n)
};

// ---- loaders ----------------------------------------------------------------------------------

// The elements of a kRows x kTileK tile that one thread moves: step s takes (row + s * row_step,
// k + s * k_step). Neighbouring threads take neighbouring addresses, whichever way the operand
// lies.
struct LoaderMap {
  int row, k;
  int row_step, k_step;
};

template <class Cfg, int kRows>
__device__ __forceinline__ LoaderMap loader_map(bool rows_contiguous) {
  static_assert(Cfg::kThreads % kRows == 0 && Cfg::kThreads % Cfg::kTileK == 0);
  const int thread = static_cast<int>(threadIdx.x);
  if (rows_contiguous) return {thread % kRows, thread / kRows, 0, Cfg::kThreads / kRows};
  return {thread / Cfg::kTileK, thread % Cfg::kTileK, Cfg::kThreads / Cfg::kTileK, 0};
}

// Global -> registers. What lies outside the operand is zero, and is not read.
template <class Cfg, int kRows, int kLoads>
__device__ __forceinline__ void fetch_tile(typename Cfg::Acc (&staged)[kLoads],
                                           const BatchOperand& view, int64_t first_row,
                                           int64_t first_k) {
  using In = typename Cfg::In;
  using Acc = typename Cfg::Acc;
  const LoaderMap map = loader_map<Cfg, kRows>(view.rows_contiguous);
  const int64_t row_stride = view.rows_contiguous ? 1 : view.ld;
  const int64_t k_stride = view.rows_contiguous ? view.ld : 1;
  const int64_t row = first_row + map.row;
  const int64_t k = first_k + map.k;
  const int64_t step_offset = map.row_step * row_stride + map.k_step * k_stride;
  const In* source = view.base<In>() + row * row_stride + k * k_stride;
#pragma unroll
  for (int step = 0; step < kLoads; ++step) {
    staged[step] = Acc{};
    if (row + step * map.row_step < view.rows && k + step * map.k_step < view.k) {
      staged[step] = Widen<Acc, In>::from(source[step * step_offset], view.conjugate);
    }
  }
}

// Registers -> shared, always as (k, row).
template <class Cfg, int kRows, int kLoads>
__device__ __forceinline__ void stage_tile(typename Cfg::Acc (*shared)[kRows + Cfg::kPad],
                                           const typename Cfg::Acc (&staged)[kLoads],
                                           bool rows_contiguous) {
  const LoaderMap map = loader_map<Cfg, kRows>(rows_contiguous);
#pragma unroll
  for (int step = 0; step < kLoads; ++step) {
    shared[map.k + step * map.k_step][map.row + step * map.row_step] = staged[step];
  }
}

// ---- math -------------------------------------------------------------------------------------

// Position of this thread in the 16 x 16 arrangement: a warp covers 8 (m) x 4 (n), so that its
// shared loads touch the fewest distinct words.
template <class Cfg>
__device__ __forceinline__ void thread_position(int* thread_m, int* thread_n) {
  // Opaque: computed where it is needed, it holds no registers in between.
  const int thread = ptx::opaque(static_cast<int>(threadIdx.x));
  const int lane = thread % 32;
  const int warp = thread / 32;
  *thread_m = (warp % 2) * 8 + lane % 8;
  *thread_n = (warp / 2) * 4 + lane / 8;
}

// Sum i of a thread sits at this row of the tile: runs of kRun, kThreadsM * kRun apart.
template <class Cfg>
__device__ __forceinline__ int row_of_sum(int thread, int i) {
  return (i / Cfg::kRun) * (16 * Cfg::kRun) + thread * Cfg::kRun + i % Cfg::kRun;
}

template <class Cfg>
__device__ __forceinline__ void multiply_tile(typename Cfg::Acc (&sums)[Cfg::kAccN][Cfg::kAccM],
                                              const GemmReferenceSmem<Cfg>& smem, int thread_m,
                                              int thread_n) {
  using Acc = typename Cfg::Acc;
#pragma unroll 2  // deeper unrolling costs the registers of a second block on the SM
  for (int k = 0; k < Cfg::kTileK; ++k) {
    Acc a[Cfg::kAccM];  // (m)
    Acc b[Cfg::kAccN];  // (n)
#pragma unroll
    for (int i = 0; i < Cfg::kAccM; ++i) a[i] = smem.a[k][row_of_sum<Cfg>(thread_m, i)];
#pragma unroll
    for (int j = 0; j < Cfg::kAccN; ++j) b[j] = smem.b[k][row_of_sum<Cfg>(thread_n, j)];
#pragma unroll
    for (int j = 0; j < Cfg::kAccN; ++j) {
#pragma unroll
      for (int i = 0; i < Cfg::kAccM; ++i) multiply_add(sums[j][i], a[i], b[j]);
    }
  }
}

// Sums of other types than fp32 are exact, or exact enough: one block, whatever k.
template <class Cfg, bool kClosed = Cfg::kSumsAreFloat>
struct SumBlocks {
  using Sums = typename Cfg::Acc[Cfg::kAccN][Cfg::kAccM];
  __device__ __forceinline__ explicit SumBlocks(int64_t /*k*/) {}
  __device__ __forceinline__ void count_tile(Sums& /*sums*/) {}
  __device__ __forceinline__ void add_to(Sums& /*sums*/) const {}
};
template <class Cfg>
struct SumBlocks<Cfg, true> {
  using Sums = typename Cfg::Acc[Cfg::kAccN][Cfg::kAccM];
  static_assert(kChunkStep % Cfg::kTileK == 0);
  static constexpr int kFloats = static_cast<int>(sizeof(Sums) / sizeof(float));
  Totals<kFloats> totals;
  volatile uint32_t until_close;  // k-tiles; not even this has a register
  __device__ __forceinline__ explicit SumBlocks(int64_t k)
      : totals(k, Cfg::kTileK), until_close(totals.chunk_tiles()) {}
  __device__ __forceinline__ void count_tile(Sums& sums) {
    const uint32_t left = until_close - 1;
    until_close = left;
    if (left != 0) return;
    until_close = totals.chunk_tiles();
    totals.close(reinterpret_cast<float*>(sums));
  }
  __device__ __forceinline__ void add_to(Sums& sums) const {
    totals.add_to(reinterpret_cast<float*>(sums));
  }
};

// ---- one tile of C ----------------------------------------------------------------------------

// The sums over all of k of the tile at (first_m, first_n).
template <class Cfg>
__device__ __forceinline__ void sum_over_k(typename Cfg::Acc (&sums)[Cfg::kAccN][Cfg::kAccM],
                                           GemmReferenceSmem<Cfg>& smem, const BatchOperand& a,
                                           const BatchOperand& b, int64_t first_m,
                                           int64_t first_n) {
  using Acc = typename Cfg::Acc;
  int thread_m, thread_n;
  thread_position<Cfg>(&thread_m, &thread_n);
  Acc staged_a[Cfg::kLoadsA];
  Acc staged_b[Cfg::kLoadsB];
  fetch_tile<Cfg, Cfg::kTileM>(staged_a, a, first_m, 0);
  fetch_tile<Cfg, Cfg::kTileN>(staged_b, b, first_n, 0);
  SumBlocks<Cfg> blocks(a.k);
#pragma unroll
  for (int j = 0; j < Cfg::kAccN; ++j) {
#pragma unroll
    for (int i = 0; i < Cfg::kAccM; ++i) sums[j][i] = {};
  }
  for (int64_t first_k = 0; first_k < a.k; first_k += Cfg::kTileK) {
    stage_tile<Cfg, Cfg::kTileM>(smem.a, staged_a, a.rows_contiguous);
    stage_tile<Cfg, Cfg::kTileN>(smem.b, staged_b, b.rows_contiguous);
    __syncthreads();  // all threads' stores of this k-tile before any thread's loads of it
    if (first_k + Cfg::kTileK < a.k) {
      fetch_tile<Cfg, Cfg::kTileM>(staged_a, a, first_m, first_k + Cfg::kTileK);
      fetch_tile<Cfg, Cfg::kTileN>(staged_b, b, first_n, first_k + Cfg::kTileK);
    }
    multiply_tile<Cfg>(sums, smem, thread_m, thread_n);
    __syncthreads();  // all threads' loads of this k-tile before any thread's stores of the next
    // Opaque: compared again, it holds no register through the product.
    if (first_k < ptx::opaque(a.k) - Cfg::kTileK) blocks.count_tile(sums);
  }
  blocks.add_to(sums);
}

// The epilogue, where there is one.
template <class Cfg>
__device__ __forceinline__ void finish_tile(typename Cfg::Acc (&sums)[Cfg::kAccN][Cfg::kAccM],
                                            Finish<typename Cfg::Acc>& finish, const GemmArgs& args,
                                            int64_t batch, int64_t first_m) {
  const auto epilogue = epilogue_of_batch<typename Cfg::Out>(args.epilogue, batch, first_m);
  if (!epilogue.any()) return;
  int thread_m, thread_n;
  thread_position<Cfg>(&thread_m, &thread_n);
  finish_ahead<Cfg::kAccN * Cfg::kAccM, Cfg::kAccM>(
      &sums[0][0], finish, epilogue, args.m - first_m,
      [&](int i) { return row_of_sum<Cfg>(thread_m, i); }, [](int i) { return i % Cfg::kAccM; });
}

template <class Cfg>
__device__ __forceinline__ void store_tile(const typename Cfg::Acc (&sums)[Cfg::kAccN][Cfg::kAccM],
                                           const GemmArgs& args,
                                           const Finish<typename Cfg::Acc>& finish,
                                           typename Cfg::Out* c, int64_t first_m, int64_t first_n) {
  int thread_m, thread_n;
  thread_position<Cfg>(&thread_m, &thread_n);
#pragma unroll
  for (int j = 0; j < Cfg::kAccN; ++j) {
    const int64_t n = first_n + row_of_sum<Cfg>(thread_n, j);
#pragma unroll
    for (int i = 0; i < Cfg::kAccM; ++i) {
      const int64_t m = first_m + row_of_sum<Cfg>(thread_m, i);
      if (m < args.m && n < args.n) {
        store_result(c + m + n * args.ldc, sums[j][i], finish);
      }
    }
  }
}

// What a block is at: in the thread's own memory (volatile) while sums fill the registers.
struct ReferencePlace {
  volatile int64_t batch, tile, first_m, first_n;
  volatile int64_t k;  // of the problem; 0 where there is no product
};

template <class Cfg>
__device__ __forceinline__ void gemm_reference(const GemmArgs& args) {
  using In = typename Cfg::In;
  using Out = typename Cfg::Out;
  using Acc = typename Cfg::Acc;
  __shared__ GemmReferenceSmem<Cfg> smem;
  ReferencePlace place;
  // NOTE: alpha == 0 must not read A or B; they may hold NaN, or be NULL.
  place.k = load_finish<Acc>(args).has_product ? args.k : 0;
  for (int64_t batch = blockIdx.y; batch < args.batch_count; batch += gridDim.y) {
    place.batch = batch;
    for (int64_t tile = blockIdx.x;; tile += gridDim.x) {
      // Opaque: computed for each tile, they hold no registers in between.
      const int64_t tiles_m = (ptx::opaque(args.m) + Cfg::kTileM - 1) / Cfg::kTileM;
      const int64_t tiles_n = (ptx::opaque(args.n) + Cfg::kTileN - 1) / Cfg::kTileN;
      if (tile >= tiles_m * tiles_n) break;
      const int64_t first_m = tile % tiles_m * Cfg::kTileM;
      const int64_t first_n = tile / tiles_m * Cfg::kTileN;
      place.tile = tile;
      place.first_m = first_m;
      place.first_n = first_n;
      Acc sums[Cfg::kAccN][Cfg::kAccM];  // (n, m)
      sum_over_k<Cfg>(sums, smem, operand_a_of_batch<In>(args, batch, place.k),
                      operand_b_of_batch<In>(args, batch, place.k), first_m, first_n);
      batch = place.batch;
      tile = place.tile;
      // Loaded again here: kept from the start, the scalars would hold registers in the main loop.
      auto finish = load_finish<Acc>(args);
      if constexpr (Cfg::kTakesEpilogue) {
        finish_tile<Cfg>(sums, finish, args, batch, place.first_m);
      }
      store_tile<Cfg>(sums, args, finish, matrix_c_of_batch<Out>(args, batch), place.first_m,
                      place.first_n);
    }
  }
}

}  // namespace myblas
