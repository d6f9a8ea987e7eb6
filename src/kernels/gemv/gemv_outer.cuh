// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemv/gemv_outer.cuh: C = alpha*op(A)*op(B) + beta*C where k is small: bound by writing C, or by
// nothing but its latencies.
//
//   layout    column-major, any ld; op() folded into the loader, not the math
//   CTA tile  256 threads, of which the launch says how many lie along m (outer_shape.h): 16 bytes
//             of rows a thread, kCols columns that lie as far apart as there are threads along n
//   pipeline  none: one k-tile in shared memory at a time; the other blocks of the SM cover it
//   assumes   nothing: 16-byte stores where C is aligned, elements otherwise, of which
//             neighbouring lanes take neighbouring ones; pointer batches
//   edges     what lies outside is neither read nor stored: threads there repeat the last row or
//             column
//   order     k ascending, one fused sum an element: the bits of the reference family
//   limits    fewer than 2^31 tiles; offsets are 64-bit, blocks stride over tiles and batches
//==============================================================================
#pragma once

#include "kernels/common/arithmetic.cuh"
#include "kernels/common/batch.cuh"
#include "kernels/common/divide.cuh"
#include "kernels/gemv/outer_shape.h"
#include "kernels/ptx/opaque.h"

namespace myblas {

template <class InType, class OutType, class AccType, int Cols>
struct GemvOuterConfig {
  using In = InType;
  using Out = OutType;
  using Acc = AccType;
  static constexpr int kCols = Cols;             // of a thread
  static constexpr int kRun = 16 / sizeof(Out);  // rows of a thread
  static constexpr int kArea = kOuterThreads * kCols * kRun;
  static constexpr int kPad = 4;  // spreads transposing stores over banks, keeps runs aligned
  // Elements of an operand on their way to a thread, by registers.
  static constexpr int kAhead = sizeof(In) > 4 ? 2 : 4;
  // Elements of both operands in shared memory, for every tile from the lowest to the longest.
  static constexpr int kStaged = [] {
    int most = 0;
    for (int tile_m = 4 * kRun; tile_m <= kOuterLongestTile; tile_m *= 2) {
      const int tile_n = kArea / tile_m;
      if (tile_n > kOuterLongestTile) continue;
      const int staged = outer_tile_k(tile_m, tile_n) * (tile_m + tile_n + 2 * kPad);
      if (staged > most) most = staged;
    }
    return most;
  }();
};

// ---- where things lie -------------------------------------------------------------------------

// A block's tile. Thread (thread_m, thread_n) of threads_m x threads_n.
template <class Cfg>
struct OuterTile {
  int log2_threads_m;
  int64_t first_m, first_n;
  int rows, cols;  // that exist

  __device__ __forceinline__ OuterTile(const OuterArgs& args, uint32_t tile) {
    log2_threads_m = args.log2_threads_m;
    const uint32_t tile_n = divide(tile, args.tiles_m);
    first_m = int64_t{tile - tile_n * args.tiles_m.divisor} * size_m();
    first_n = int64_t{tile_n} * size_n();
    const int64_t left_m = args.gemm.m - first_m, left_n = args.gemm.n - first_n;
    rows = static_cast<int>(left_m < size_m() ? left_m : size_m());
    cols = static_cast<int>(left_n < size_n() ? left_n : size_n());
  }
  __device__ __forceinline__ int threads_m() const { return 1 << log2_threads_m; }
  __device__ __forceinline__ int threads_n() const { return kOuterThreads >> log2_threads_m; }
  __device__ __forceinline__ int size_m() const { return Cfg::kRun << log2_threads_m; }
  __device__ __forceinline__ int size_n() const { return Cfg::kCols * threads_n(); }
  __device__ __forceinline__ int thread_m() const {
    return static_cast<int>(threadIdx.x) & (threads_m() - 1);
  }
  __device__ __forceinline__ int thread_n() const {
    return static_cast<int>(threadIdx.x) >> log2_threads_m;
  }
  // Element e of a thread: of a run of C, or of one of kRun stretches of threads_m rows.
  template <bool kRuns>
  __device__ __forceinline__ int row(int e) const {
    return kRuns ? thread_m() * Cfg::kRun + e : thread_m() + e * threads_m();
  }
  __device__ __forceinline__ int col(int j) const { return thread_n() + j * threads_n(); }
};

// ---- global -> shared -------------------------------------------------------------------------

// A block's way through what exists of a k-tile of one operand: neighbouring threads take
// neighbouring addresses, whichever way it lies. In shared memory it is always (k, row).
template <class Cfg>
struct OuterLoads {
  using In = typename Cfg::In;
  using Acc = typename Cfg::Acc;
  const In* base;
  int64_t ld;
  int contiguous, strided;            // elements in a line of memory; lines
  int log2_contiguous;                // rounded up
  int contiguous_step, strided_step;  // in shared memory
  bool conjugate;

  __device__ __forceinline__ OuterLoads(const BatchOperand& operand, int64_t first_row, int rows,
                                        int64_t first_k, int valid_k, int pitch) {
    const bool along_rows = operand.rows_contiguous;
    ld = operand.ld;
    base = operand.base<In>() + (along_rows ? first_row + first_k * ld : first_k + first_row * ld);
    contiguous = along_rows ? rows : valid_k;
    strided = along_rows ? valid_k : rows;
    contiguous_step = along_rows ? 1 : pitch;
    strided_step = along_rows ? pitch : 1;
    log2_contiguous = 32 - __clz(contiguous - 1);
    conjugate = operand.conjugate;
  }
  // Places of which some exist, counted over all threads.
  __device__ __forceinline__ int count() const { return strided << log2_contiguous; }

  struct Place {
    int contiguous, strided;
    bool exists;
  };
  __device__ __forceinline__ Place place(int index) const {
    const int along = index & ((1 << log2_contiguous) - 1);
    const int line = index >> log2_contiguous;
    return {along, line, along < contiguous && line < strided};
  }
  // kAhead elements of a thread from place `first` of the block on.
  __device__ __forceinline__ void fetch(In (&values)[Cfg::kAhead], int first) const {
#pragma unroll
    for (int i = 0; i < Cfg::kAhead; ++i) {
      const int step = first + i * kOuterThreads;
      if (step >= count()) break;  // the same for all threads
      const Place at = place(step + static_cast<int>(threadIdx.x));
      if (at.exists) values[i] = base[at.contiguous + at.strided * ld];
    }
  }
  __device__ __forceinline__ void put(Acc* shared, const In (&values)[Cfg::kAhead],
                                      int first) const {
#pragma unroll
    for (int i = 0; i < Cfg::kAhead; ++i) {
      const int step = first + i * kOuterThreads;
      if (step >= count()) break;
      const Place at = place(step + static_cast<int>(threadIdx.x));
      if (at.exists) {
        shared[at.contiguous * contiguous_step + at.strided * strided_step] =
            Widen<Acc, In>::from(values[i], conjugate);
      }
    }
  }
};

// ---- math -------------------------------------------------------------------------------------

template <class Cfg, bool kRuns>
__device__ __forceinline__ void multiply_tile(typename Cfg::Acc (&sums)[Cfg::kCols][Cfg::kRun],
                                              const OuterTile<Cfg>& tile,
                                              const typename Cfg::Acc* shared_a,
                                              const typename Cfg::Acc* shared_b, int valid_k) {
  using Acc = typename Cfg::Acc;
  // Runs exist as a whole or not at all.
  const int last_run = tile.rows - Cfg::kRun;
  const int run = tile.template row<kRuns>(0) < last_run ? tile.template row<kRuns>(0) : last_run;
  int rows[Cfg::kRun], cols[Cfg::kCols];
#pragma unroll
  for (int e = 0; e < Cfg::kRun; ++e) {
    const int row = tile.template row<kRuns>(e);
    rows[e] = kRuns ? run + e : (row < tile.rows ? row : tile.rows - 1);
  }
#pragma unroll
  for (int j = 0; j < Cfg::kCols; ++j) {
    cols[j] = tile.col(j) < tile.cols ? tile.col(j) : tile.cols - 1;
  }
#pragma unroll 1
  for (int k = 0; k < valid_k; ++k) {
    Acc a[Cfg::kRun];   // (m)
    Acc b[Cfg::kCols];  // (n)
#pragma unroll
    for (int e = 0; e < Cfg::kRun; ++e) a[e] = shared_a[rows[e]];
#pragma unroll
    for (int j = 0; j < Cfg::kCols; ++j) b[j] = shared_b[cols[j]];
#pragma unroll
    for (int j = 0; j < Cfg::kCols; ++j) {
#pragma unroll
      for (int e = 0; e < Cfg::kRun; ++e) multiply_add(sums[j][e], a[e], b[j]);
    }
    shared_a += tile.size_m() + Cfg::kPad;
    shared_b += tile.size_n() + Cfg::kPad;
  }
}

// ---- registers -> C ---------------------------------------------------------------------------

// The rows of one column of a thread: all of a run or some of its stretches.
template <class Cfg, bool kRuns>
struct OuterColumn {
  using Out = typename Cfg::Out;
  struct alignas(16) Run {
    Out elements[Cfg::kRun];
  };
  Run run;

  __device__ __forceinline__ void load(const Out* c, int rows_left, int step) {
    if constexpr (kRuns) {
      if (rows_left > 0) run = *reinterpret_cast<const Run*>(c);
    } else {
#pragma unroll
      for (int e = 0; e < Cfg::kRun; ++e) {
        if (e * step < rows_left) run.elements[e] = c[e * step];
      }
    }
  }
  __device__ __forceinline__ void store(Out* c, int rows_left, int step) const {
    if constexpr (kRuns) {
      if (rows_left > 0) *reinterpret_cast<Run*>(c) = run;
    } else {
#pragma unroll
      for (int e = 0; e < Cfg::kRun; ++e) {
        if (e * step < rows_left) c[e * step] = run.elements[e];
      }
    }
  }
};

template <class Cfg, bool kRuns>
__device__ __forceinline__ void store_tile(const typename Cfg::Acc (&sums)[Cfg::kCols][Cfg::kRun],
                                           const OuterTile<Cfg>& tile, const GemmArgs& args,
                                           typename Cfg::Out* c) {
  constexpr int kAhead = Cfg::kRun > 4 ? 2 : 4;  // columns that are read together, by registers
  const auto finish = load_finish<typename Cfg::Acc>(args);
  const int first_row = tile.template row<kRuns>(0);
  const int rows_left = tile.rows - first_row;
  const int64_t col_step = tile.threads_n() * args.ldc;
  c += tile.first_m + first_row + (tile.first_n + tile.thread_n()) * args.ldc;
#pragma unroll
  for (int first = 0; first < Cfg::kCols; first += kAhead) {
    OuterColumn<Cfg, kRuns> columns[kAhead] = {};
    if (!is_zero(finish.beta)) {
#pragma unroll
      for (int j = 0; j < kAhead; ++j) {
        if (tile.col(first + j) < tile.cols) {
          columns[j].load(c + j * col_step, rows_left, tile.threads_m());
        }
      }
    }
#pragma unroll
    for (int j = 0; j < kAhead; ++j) {
#pragma unroll
      for (int e = 0; e < Cfg::kRun; ++e) {
        store_result(&columns[j].run.elements[e], sums[first + j][e], finish);
      }
      if (tile.col(first + j) < tile.cols) {
        columns[j].store(c + j * col_step, rows_left, tile.threads_m());
      }
    }
    c += kAhead * col_step;
  }
}

// ---- one tile of C ----------------------------------------------------------------------------

template <class Cfg, bool kRuns>
__device__ __forceinline__ void compute_tile(typename Cfg::Acc* shared, const OuterArgs& args,
                                             const OuterTile<Cfg>& tile, const BatchOperand& a,
                                             const BatchOperand& b, typename Cfg::Out* c) {
  using In = typename Cfg::In;
  using Acc = typename Cfg::Acc;
  const int pitch_a = tile.size_m() + Cfg::kPad, pitch_b = tile.size_n() + Cfg::kPad;
  Acc* shared_a = shared;                          // (k, m)
  Acc* shared_b = shared + args.tile_k * pitch_a;  // (k, n)
  Acc sums[Cfg::kCols][Cfg::kRun] = {};            // (n, m)
  for (int64_t first_k = 0; first_k < a.k; first_k += args.tile_k) {
    const int64_t left = a.k - first_k;
    const int valid_k = static_cast<int>(left < args.tile_k ? left : args.tile_k);
    const OuterLoads<Cfg> loads_a(a, tile.first_m, tile.rows, first_k, valid_k, pitch_a);
    const OuterLoads<Cfg> loads_b(b, tile.first_n, tile.cols, first_k, valid_k, pitch_b);
    const int count = loads_a.count() > loads_b.count() ? loads_a.count() : loads_b.count();
#pragma unroll 1
    for (int first = 0; first < count; first += Cfg::kAhead * kOuterThreads) {
      In values_a[Cfg::kAhead], values_b[Cfg::kAhead];
      loads_a.fetch(values_a, first);
      loads_b.fetch(values_b, first);
      loads_a.put(shared_a, values_a, first);
      loads_b.put(shared_b, values_b, first);
    }
    __syncthreads();  // all threads' stores of this k-tile before any thread's loads of it
    multiply_tile<Cfg, kRuns>(sums, tile, shared_a, shared_b, valid_k);
    __syncthreads();  // all threads' loads of this k-tile before any thread's stores of the next
  }
  store_tile<Cfg, kRuns>(sums, tile, args.gemm, c);
}

template <class Cfg>
__device__ __forceinline__ void gemv_outer(const OuterArgs& args) {
  using In = typename Cfg::In;
  using Out = typename Cfg::Out;
  __shared__ __align__(16) typename Cfg::Acc shared[Cfg::kStaged];
  const GemmArgs& gemm = args.gemm;
  // NOTE: alpha == 0 must not read A or B; they may hold NaN, or be NULL.
  const int64_t k = load_finish<typename Cfg::Acc>(gemm).has_product ? gemm.k : 0;
  for (int64_t batch = blockIdx.y; batch < gemm.batch_count; batch += gridDim.y) {
    const BatchOperand a = operand_a_of_batch<In>(gemm, batch, k);
    const BatchOperand b = operand_b_of_batch<In>(gemm, batch, k);
    Out* c = matrix_c_of_batch<Out>(gemm, batch);
    const uint64_t column = gemm.n > 1 ? static_cast<uint64_t>(gemm.ldc) * sizeof(Out) : 0;
    const bool aligned = ((reinterpret_cast<uintptr_t>(c) | column) & 15) == 0;
    for (uint32_t index = blockIdx.x; index < args.tiles; index += gridDim.x) {
      const OuterTile<Cfg> tile(args, index);
      if (aligned && tile.rows % Cfg::kRun == 0) {
        compute_tile<Cfg, true>(shared, args, tile, a, b, c);
      } else {
        compute_tile<Cfg, false>(shared, args, tile, a, b, c);
      }
    }
  }
}

}  // namespace myblas
