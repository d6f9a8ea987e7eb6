// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemv/gemv_tall.cuh: C = alpha*op(A)*op(B) + beta*C where C is one column, or one row, and k is
// small: each thread sums rows of its own.
//
//   layout    column-major, any ld. The large operand is seen as rows x k, the small one as one
//             column of k, and C as rows: A, B, C as they are, or, where C is one row, B, A and C
//             transposed (kSwapped). A C of more columns is as many such products
//   CTA tile  kTallThreads threads, 16 bytes of rows each
//   pipeline  kUnroll k of a thread's rows are loaded before the first is used; of the small
//             operand an element a lane, from where shuffles bring it to the warp
//   assumes   nothing: 16-byte loads where the large operand's rows are contiguous and aligned and
//             the tile has no cut run, elsewhere elements, of which neighbouring threads take
//             neighbouring rows; pointer batches
//   edges     rows past the edge repeat the last ones and are not stored; k is predicated
//   order     k ascending, one fused sum an element
//   limits    none; offsets are 64-bit, blocks stride over tiles and batches
//==============================================================================
#pragma once

#include "kernels/gemv/gemv_frame.cuh"
#include "kernels/ptx/opaque.h"

namespace myblas {

template <class InType, class OutType, class AccType, int Unroll, bool Swapped>
struct GemvTallConfig {
  using In = InType;
  using Out = OutType;
  using Acc = AccType;
  static constexpr bool kSwapped = Swapped;
  static constexpr int kUnroll = Unroll;
  static constexpr int kRun = MatrixRun<In>::kCount;
  static constexpr int kElements =
      tall_elements(kRun, kUnroll, sizeof(In));  // k in flight without runs
  static constexpr int kCols = 1, kTileRows = kTallThreads * kRun;
  static_assert(kUnroll <= 32 && kElements <= 32, "a lane loads one factor");
  static_assert(sizeof(Out) == sizeof(In), "a run of rows is a run of C");
};

template <class Cfg>
struct GemvTall {
  using In = typename Cfg::In;
  using Out = typename Cfg::Out;
  using Acc = typename Cfg::Acc;
  using Run = MatrixRun<In>;
  static constexpr int kRun = Cfg::kRun;

  // Row e of this thread in the tile: of a run, or of kRun stretches of kTallThreads.
  template <bool kRuns>
  static __device__ __forceinline__ int row_of(int e) {
    const int thread = static_cast<int>(threadIdx.x);
    return kRuns ? thread * kRun + e : e * kTallThreads + thread;
  }

  // The tile's rows in the large operand.
  struct LargeRows {
    const In* base;  // of the tile's first row
    int64_t row_step, k_step;
    int64_t k;
    int rows;  // that exist
    bool conjugate;
  };

  template <bool kRuns>
  static __device__ __forceinline__ void sum_rows(Acc (&sums)[kRun], const LargeRows& large,
                                                  const SmallOperand<In>& small) {
    constexpr int kCount = kRuns ? Cfg::kUnroll : Cfg::kElements;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const In* rows[kRuns ? 1 : kRun];
#pragma unroll
    for (int e = 0; e < (kRuns ? 1 : kRun); ++e) {
      const int row = row_of<kRuns>(e), last = large.rows - (kRuns ? kRun : 1);
      rows[e] = large.base + (row < last ? row : last) * large.row_step;
    }
#pragma unroll 1
    for (int64_t first = 0; first < large.k; first += kCount) {
      Acc factor{};
      if (lane < kCount && first + lane < large.k) {
        factor = Widen<Acc, In>::from(small.base[(first + lane) * small.k_step], small.conjugate);
      }
      Run runs[kCount];
#pragma unroll
      for (int step = 0; step < kCount; ++step) {
        const bool exists = first + step < large.k;
        if constexpr (kRuns) {
          runs[step] = Run::streamed(rows[0], exists);
          rows[0] += large.k_step;
        } else {
#pragma unroll
          for (int e = 0; e < kRun; ++e) {
            runs[step].elements[e] = exists ? *rows[e] : In{};
            rows[e] += large.k_step;
          }
        }
      }
#pragma unroll
      for (int step = 0; step < kCount; ++step) {
        const Acc of_step = shuffle_from(factor, step, 32);
#pragma unroll
        for (int e = 0; e < kRun; ++e) {
          multiply_add(sums[e], Widen<Acc, In>::from(runs[step].elements[e], large.conjugate),
                       of_step);
        }
      }
    }
  }

  // c: the tile's first row.
  template <bool kRuns>
  static __device__ __forceinline__ void store_rows(const Acc (&sums)[kRun], Out* c, int64_t step,
                                                    int rows, const Finish<Acc>& finish,
                                                    const RowEpilogue<Out>& epilogue,
                                                    int64_t epilogue_step) {
    struct alignas(16) OutRun {
      Out elements[kRun];
    };
    if constexpr (kRuns) {
      Out* const to = c + row_of<true>(0);
      if (step == 1 && reinterpret_cast<uintptr_t>(c) % sizeof(OutRun) == 0 && !epilogue.any()) {
        if (row_of<true>(0) >= rows) return;
        OutRun run{};
        if (!is_zero(finish.beta)) run = *reinterpret_cast<const OutRun*>(to);
#pragma unroll
        for (int e = 0; e < kRun; ++e) store_result(&run.elements[e], sums[e], finish);
        *reinterpret_cast<OutRun*>(to) = run;
        return;
      }
    }
#pragma unroll
    for (int e = 0; e < kRun; ++e) {
      const int row = row_of<kRuns>(e);
      if (row >= rows) continue;
      store_result(c + row * step, sums[e], finish, epilogue, row * epilogue_step);
    }
  }

  static __device__ __forceinline__ void compute_tile(const GemmArgs& args, int64_t batch,
                                                      int64_t first_row, int64_t col, int64_t k) {
    const BatchOperand a = operand_a_of_batch<In>(args, batch, k);
    const BatchOperand b = operand_b_of_batch<In>(args, batch, k);
    const BatchOperand& operand = Cfg::kSwapped ? b : a;
    const SmallOperand<In> small(Cfg::kSwapped ? a : b, col, 1);
    const int64_t left = operand.rows - first_row;
    LargeRows large;
    large.row_step = operand.rows_contiguous ? 1 : operand.ld;
    large.k_step = operand.rows_contiguous ? operand.ld : 1;
    large.base = operand.base<In>() + first_row * large.row_step;
    large.k = operand.k;
    large.rows = static_cast<int>(left < Cfg::kTileRows ? left : Cfg::kTileRows);
    large.conjugate = operand.conjugate;
    const bool has_runs = operand.rows_contiguous && large.rows % kRun == 0 &&
                          runs_are_aligned(operand.base<In>(), operand.ld, operand.k);
    Out* c = matrix_c_of_batch<Out>(args, batch);
    const int64_t c_step = Cfg::kSwapped ? args.ldc : 1;
    c += Cfg::kSwapped ? col + first_row * args.ldc : first_row + col * args.ldc;
    const int64_t epilogue_row = Cfg::kSwapped ? col : first_row;
    follow_previous_grid();  // what is computed until here, small products would else wait for
    Acc sums[kRun] = {};
    const auto finish_rows = [&](auto runs) {
      sum_rows<runs.value>(sums, large, small);
      store_rows<runs.value>(sums, c, c_step, large.rows, load_finish<Acc>(args),
                             epilogue_of_batch<Out>(args.epilogue, batch, epilogue_row),
                             Cfg::kSwapped ? 0 : 1);
    };
    if (has_runs) {
      finish_rows(std::true_type{});
    } else {
      finish_rows(std::false_type{});
    }
  }

  static __device__ __forceinline__ void compute(const GemmArgs& args) {
    if (args.alpha.device != nullptr || args.pointer_batch != 0) follow_previous_grid();
    // NOTE: alpha == 0 must not read A or B; they may hold NaN, or be NULL.
    const bool has_product = args.k > 0 && !is_zero(load_scalar<Acc>(args.alpha));
    const GemvTiles tiles = count_tiles<Cfg>(args);
    for (int64_t batch = blockIdx.y; batch < args.batch_count; batch += gridDim.y) {
      for (int64_t tile = blockIdx.x; tile < tiles.all; tile += gridDim.x) {
        // Tiles of the same rows follow each other: the large operand comes from DRAM once.
        const int64_t tile_row = tiles.cols == 1 ? tile : tile / tiles.cols;
        compute_tile(args, batch, tile_row * Cfg::kTileRows, tile - tile_row * tiles.cols,
                     has_product ? args.k : 0);
      }
    }
  }
};

}  // namespace myblas
