// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemv/gemv_outer.cuh: C = alpha*op(A)*op(B) + beta*C where k is small: bound by writing C, or by
// nothing but its latencies.
//
//   layout    column-major, any ld; op() folded into the loader, not the math
//   CTA tile  256 threads, of which the launch says how many lie along m (outer_shape.h); 16 bytes
//             of rows a thread, by kCols columns: neighbours in a whole tile, elsewhere as far
//             apart as there are threads along n
//   pipeline  none: one k-tile in shared memory at a time; the other blocks of the SM cover it
//   assumes   nothing: 16-byte stores of whole tiles where C is aligned, elements otherwise, of
//             which neighbouring lanes take neighbouring ones; pointer batches
//   edges     what lies outside is neither read nor stored: threads there repeat the last row or
//             column
//   order     k ascending, one fused sum an element: the bits of the reference family
//   limits    fewer than 2^31 tiles; offsets are 64-bit, blocks stride over tiles and batches
//==============================================================================
#pragma once

#include "kernels/common/arithmetic.cuh"
#include "kernels/common/batch.cuh"
#include "kernels/common/divide.cuh"
#include "kernels/common/grid_start.cuh"
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
  static constexpr int kTileK = kOuterTileK;
  static constexpr int kPad = 4;  // spreads transposing stores over banks, keeps runs aligned
  // Elements of A and of B that are on their way to a thread, by registers.
  static constexpr int kAheadA = sizeof(In) > 4 ? 2 : 8,
                       kAheadB = sizeof(In) > 4 || kRun > 4 ? 2 : 4;
  // Both operands in shared memory.
  static constexpr int kLongest =
      kOuterLongestTile + kOuterThreads * kCols * kRun / kOuterLongestTile + 2 * kPad;
  static_assert(32 * kRun + 8 * kCols + 2 * kPad <= kLongest);
};

// ---- where things lie -------------------------------------------------------------------------

// A block's tile, of threads_m x threads_n threads.
template <class Cfg>
struct OuterTile {
  const OuterArgs& args;
  uint32_t tile_m, tile_n;  // its place among the tiles
  int rows, cols;           // that exist

  __device__ __forceinline__ OuterTile(const OuterArgs& all, uint32_t tile) : args(all) {
    tile_n = divide(tile, args.tiles_m);
    tile_m = tile - tile_n * args.tiles_m.divisor;
    const int64_t left_m = args.gemm.m - first_m(), left_n = args.gemm.n - first_n();
    rows = left_m < args.tile_m ? static_cast<int>(left_m) : args.tile_m;
    cols = left_n < args.tile_n ? static_cast<int>(left_n) : args.tile_n;
  }
  __device__ __forceinline__ int64_t first_m() const { return int64_t{tile_m} * args.tile_m; }
  __device__ __forceinline__ int64_t first_n() const { return int64_t{tile_n} * args.tile_n; }
  // Opaque: computed where it is needed, it holds no registers in between.
  static __device__ __forceinline__ int thread() {
    return ptx::opaque(static_cast<int>(threadIdx.x));
  }
  __device__ __forceinline__ int thread_m() const { return thread() & (args.threads_m - 1); }
  __device__ __forceinline__ int thread_n() const { return thread() >> args.log2_threads_m; }
  // The first column of a thread. The others follow it, or lie threads_n columns apart.
  template <bool kBlocks>
  __device__ __forceinline__ int first_col() const {
    return kBlocks ? thread_n() * Cfg::kCols : thread_n();
  }
  template <bool kBlocks>
  __device__ __forceinline__ int col_step() const {
    return kBlocks ? 1 : args.threads_n;
  }
  // The first row of a thread. The others follow it in a run of C, or threads_m rows apart.
  template <bool kRuns>
  __device__ __forceinline__ int first_row() const {
    return kRuns ? thread_m() * Cfg::kRun : thread_m();
  }
};

// ---- global -> shared -------------------------------------------------------------------------

// A thread's way through what exists of a k-tile of one operand: neighbouring threads take
// neighbouring addresses, whichever way it lies. In shared memory it is always (k, row).
template <class Cfg, int kAhead>
class OuterLoads {
  using In = typename Cfg::In;
  using Acc = typename Cfg::Acc;

 public:
  __device__ __forceinline__ OuterLoads(const BatchOperand& operand, const In* from, int rows,
                                        int valid_k, int pitch)
      : conjugate_(operand.conjugate) {
    const bool along_rows = operand.rows_contiguous;
    const int length = along_rows ? rows : valid_k;  // of a line of memory: at most kOuterThreads
    lines_ = along_rows ? valid_k : rows;
    const int log2_length = 32 - __clz(length - 1);  // rounded up
    const int thread = ptx::opaque(static_cast<int>(threadIdx.x));
    const int along = thread & ((1 << log2_length) - 1), line = thread >> log2_length;
    step_ = kOuterThreads >> log2_length;  // lines
    left_ = along < length ? lines_ - line : 0;
    next_ = from + along + line * operand.ld;
    next_step_ = step_ * operand.ld;
    to_ = along_rows ? line * pitch + along : along * pitch + line;
    to_step_ = along_rows ? step_ * pitch : step_;
  }
  // Whether there is more to do for any thread.
  __device__ __forceinline__ bool more() const { return lines_ > 0; }

  // All are under way before the first is waited for.
  __device__ __forceinline__ void fetch(In (&values)[kAhead]) {
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      if (i * step_ < left_) values[i] = *next_;
      next_ = ptx::opaque(next_ + next_step_);  // or each address would have registers of its own
    }
  }
  __device__ __forceinline__ void put(Acc* shared, const In (&values)[kAhead]) {
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      if (i * step_ < left_) shared[to_] = Widen<Acc, In>::from(values[i], conjugate_);
      to_ = ptx::opaque(to_ + to_step_);
    }
    left_ -= kAhead * step_;
    lines_ -= kAhead * step_;
  }

 private:
  const In* next_;
  int64_t next_step_;
  int lines_, left_, step_;  // of the block's, and of this thread's
  int to_, to_step_;         // in shared memory
  bool conjugate_;
};

// ---- math -------------------------------------------------------------------------------------

// Neighbours in shared memory, 16 bytes a load. Aligned by their place.
template <int kCount, class Acc>
__device__ __forceinline__ void load_neighbours(Acc* to, const Acc* from) {
  constexpr int kOfLoad = 16 / sizeof(Acc) < kCount ? 16 / sizeof(Acc) : kCount;
  struct alignas(kOfLoad * sizeof(Acc)) Load {
    Acc elements[kOfLoad];
  };
#pragma unroll
  for (int i = 0; i < kCount; i += kOfLoad) {
    const Load load = *reinterpret_cast<const Load*>(from + i);
#pragma unroll
    for (int e = 0; e < kOfLoad; ++e) to[i + e] = load.elements[e];
  }
}

// kRuns, kBlocks: a thread's rows, columns are neighbours, and exist as a whole or not at all.
template <class Cfg, bool kRuns, bool kBlocks>
__device__ __forceinline__ void multiply_tile(typename Cfg::Acc (&sums)[Cfg::kCols][Cfg::kRun],
                                              const OuterTile<Cfg>& tile,
                                              const typename Cfg::Acc* shared_a,
                                              const typename Cfg::Acc* shared_b, int valid_k) {
  using Acc = typename Cfg::Acc;
  // Of what a thread has outside the tile the last that exists stands in.
  const int last_row = tile.rows - (kRuns ? Cfg::kRun : 1);
  const int last_col = tile.cols - (kBlocks ? Cfg::kCols : 1);
  const int first_row = tile.template first_row<kRuns>();
  const int first_col = tile.template first_col<kBlocks>();
  int rows[kRuns ? 1 : Cfg::kRun], cols[kBlocks ? 1 : Cfg::kCols];
#pragma unroll
  for (int e = 0; e < (kRuns ? 1 : Cfg::kRun); ++e) {
    const int row = first_row + e * tile.args.threads_m;
    rows[e] = (row < last_row ? row : last_row);
  }
#pragma unroll
  for (int j = 0; j < (kBlocks ? 1 : Cfg::kCols); ++j) {
    const int col = first_col + j * tile.args.threads_n;
    cols[j] = col < last_col ? col : last_col;
  }
  // Opaque: what is compared each time is not to be computed each time.
  const int last_k = ptx::opaque(valid_k);
  constexpr int kUnroll = kRuns && Cfg::kRun <= 4 ? 2 : 1;  // by registers
#pragma unroll kUnroll
  for (int k = 0; k < last_k; ++k) {
    Acc a[Cfg::kRun];   // (m)
    Acc b[Cfg::kCols];  // (n)
    if constexpr (kRuns) {
      load_neighbours<Cfg::kRun>(a, shared_a + rows[0]);
    } else {
#pragma unroll
      for (int e = 0; e < Cfg::kRun; ++e) a[e] = shared_a[rows[e]];
    }
    if constexpr (kBlocks) {
      load_neighbours<Cfg::kCols>(b, shared_b + cols[0]);
    } else {
#pragma unroll
      for (int j = 0; j < Cfg::kCols; ++j) b[j] = shared_b[cols[j]];
    }
#pragma unroll
    for (int j = 0; j < Cfg::kCols; ++j) {
#pragma unroll
      for (int e = 0; e < Cfg::kRun; ++e) multiply_add(sums[j][e], a[e], b[j]);
    }
    shared_a += tile.args.tile_m + Cfg::kPad;
    shared_b += tile.args.tile_n + Cfg::kPad;
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
        if (e * step < rows_left) run.elements[e] = *c;
        c = ptx::opaque(c + step);  // or each address would have registers of its own
      }
    }
  }
  __device__ __forceinline__ void store(Out* c, int rows_left, int step) const {
    if constexpr (kRuns) {
      if (rows_left > 0) *reinterpret_cast<Run*>(c) = run;
    } else {
#pragma unroll
      for (int e = 0; e < Cfg::kRun; ++e) {
        if (e * step < rows_left) *c = run.elements[e];
        c = ptx::opaque(c + step);
      }
    }
  }
};

// kPlain: there is a product, and beta is 0.
template <class Cfg, bool kRuns, bool kBlocks, bool kPlain>
__device__ __forceinline__ void store_tile(const typename Cfg::Acc (&sums)[Cfg::kCols][Cfg::kRun],
                                           const OuterTile<Cfg>& tile, int64_t batch,
                                           const Finish<typename Cfg::Acc>& finish) {
  constexpr int kAhead = Cfg::kRun == 4 ? 2 : 1;  // columns that are read together, by registers
  const OuterArgs& args = tile.args;
  const int first_row = tile.template first_row<kRuns>();
  const int first_col = tile.template first_col<kBlocks>(),
            step = tile.template col_step<kBlocks>();
  const int rows_left = tile.rows - first_row, cols_left = tile.cols - first_col;
  const int64_t col_step = step * args.gemm.ldc;
  auto* c = matrix_c_of_batch<typename Cfg::Out>(args.gemm, batch);
  c += tile.first_m() + first_row + (tile.first_n() + first_col) * args.gemm.ldc;
#pragma unroll
  for (int first = 0; first < Cfg::kCols; first += kAhead) {
    if (first * step >= tile.cols) return;  // all threads
    OuterColumn<Cfg, kRuns> columns[kAhead] = {};
    if (!kPlain && !is_zero(finish.beta)) {
#pragma unroll
      for (int j = 0; j < kAhead; ++j) {
        if ((first + j) * step < cols_left) {
          columns[j].load(c + j * col_step, rows_left, args.threads_m);
        }
      }
    }
#pragma unroll
    for (int j = 0; j < kAhead; ++j) {
#pragma unroll
      for (int e = 0; e < Cfg::kRun; ++e) {
        auto* to = &columns[j].run.elements[e];
        if constexpr (kPlain) {
          *to = Narrow<typename Cfg::Out, typename Cfg::Acc>::from(
              multiply(finish.alpha, sums[first + j][e]));
        } else {
          store_result(to, sums[first + j][e], finish);
        }
      }
      if ((first + j) * step < cols_left) {
        columns[j].store(c + j * col_step, rows_left, args.threads_m);
      }
    }
    c = ptx::opaque(c + kAhead * col_step);  // or each address would have registers of its own
  }
}

// ---- one tile of C ----------------------------------------------------------------------------

template <class Cfg, bool kRuns, bool kBlocks>
__device__ __forceinline__ void compute_tile(typename Cfg::Acc* shared, const OuterTile<Cfg>& tile,
                                             const BatchOperand& a, const BatchOperand& b,
                                             int64_t batch) {
  using In = typename Cfg::In;
  using Acc = typename Cfg::Acc;
  const OuterArgs& args = tile.args;
  const int pitch_a = args.tile_m + Cfg::kPad, pitch_b = args.tile_n + Cfg::kPad;
  Acc* shared_a = shared;                          // (k, m)
  Acc* shared_b = shared + Cfg::kTileK * pitch_a;  // (k, n)
  const In* from_a = a.base<In>() + tile.first_m() * args.a.row;
  const In* from_b = b.base<In>() + tile.first_n() * args.b.row;
  Acc sums[Cfg::kCols][Cfg::kRun] = {};  // (n, m)
  for (int64_t left_k = a.k; left_k > 0; left_k -= Cfg::kTileK) {
    const int valid_k = left_k < Cfg::kTileK ? static_cast<int>(left_k) : Cfg::kTileK;
    OuterLoads<Cfg, Cfg::kAheadA> loads_a(a, from_a, tile.rows, valid_k, pitch_a);
    OuterLoads<Cfg, Cfg::kAheadB> loads_b(b, from_b, tile.cols, valid_k, pitch_b);
    follow_previous_grid();  // what is computed until here, small products would else wait for
#pragma unroll 1
    while (loads_a.more() || loads_b.more()) {
      In values_a[Cfg::kAheadA], values_b[Cfg::kAheadB];
      loads_a.fetch(values_a);
      loads_b.fetch(values_b);
      loads_a.put(shared_a, values_a);
      loads_b.put(shared_b, values_b);
    }
    __syncthreads();  // all threads' stores of this k-tile before any thread's loads of it
    multiply_tile<Cfg, kRuns, kBlocks>(sums, tile, shared_a, shared_b, valid_k);
    __syncthreads();  // all threads' loads of this k-tile before any thread's stores of the next
    from_a += Cfg::kTileK * args.a.k;
    from_b += Cfg::kTileK * args.b.k;
  }
  follow_previous_grid();  // without a product nothing was loaded
  const auto finish = load_finish<Acc>(args.gemm);
  if constexpr (kRuns) {  // what is seldom run asks for each element
    if (finish.has_product && is_zero(finish.beta)) {
      store_tile<Cfg, kRuns, kBlocks, true>(sums, tile, batch, finish);
      return;
    }
  }
  store_tile<Cfg, kRuns, kBlocks, false>(sums, tile, batch, finish);
}

template <class Cfg>
__device__ __forceinline__ void gemv_outer(const OuterArgs& args) {
  using In = typename Cfg::In;
  using Out = typename Cfg::Out;
  __shared__ __align__(16) typename Cfg::Acc shared[Cfg::kTileK * Cfg::kLongest];
  const GemmArgs& gemm = args.gemm;
  if (gemm.alpha.device != nullptr || gemm.pointer_batch != 0) follow_previous_grid();
  // NOTE: alpha == 0 must not read A or B; they may hold NaN, or be NULL.
  const int64_t k = is_zero(load_scalar<typename Cfg::Acc>(gemm.alpha)) ? 0 : gemm.k;
  for (int64_t batch = blockIdx.y; batch < gemm.batch_count; batch += gridDim.y) {
    for (uint32_t index = blockIdx.x; index < args.tiles; index += gridDim.x) {
      const OuterTile<Cfg> tile(args, index);
      // Looked up again for each tile: kept, they would hold registers.
      const BatchOperand a = operand_a_of_batch<In>(gemm, batch, k);
      const BatchOperand b = operand_b_of_batch<In>(gemm, batch, k);
      const uint64_t column = gemm.n > 1 ? static_cast<uint64_t>(gemm.ldc) * sizeof(Out) : 0;
      const auto c = reinterpret_cast<uintptr_t>(matrix_c_of_batch<Out>(gemm, batch));
      const bool aligned = ((c | column) & 15) == 0;
      // Both or neither: each further pair would be code that is seldom run.
      const bool blocks = args.tile_n == args.threads_n * Cfg::kCols && tile.cols % Cfg::kCols == 0;
      if (aligned && tile.rows % Cfg::kRun == 0 && blocks) {
        compute_tile<Cfg, true, true>(shared, tile, a, b, batch);
      } else {
        compute_tile<Cfg, false, false>(shared, tile, a, b, batch);
      }
    }
  }
}

}  // namespace myblas
