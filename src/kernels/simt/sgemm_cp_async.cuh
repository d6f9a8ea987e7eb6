// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// simt/sgemm_cp_async.cuh: C = alpha*op(A)*op(B) + beta*C, fp32, CUDA cores.
//
//   layout    column-major, any ld; op() folded into the loader, not the math
//   CTA tile  TileM x TileN x TileK; warps of WarpM x WarpN; 4 x 8 or 8 x 4 lanes a warp
//   pipeline  ring of kStages k-tiles by cp.async, one barrier a k-tile, fragments one k ahead
//   assumes   nothing: 16-byte copies where an operand is aligned and its rows are contiguous,
//             4-byte copies elsewhere; pointer batches
//   edges     what lies outside is zero-filled by the copies, stores are predicated; the k
//             remainder is the first k-tile, so that the main loop looks at no k
//   order     k ascending, one fused sum an element: the bits of the reference family, but for the
//             sign of a zero
//   limits    2^32 k-tiles (row.max_offset); offsets are 64-bit, blocks stride over tiles and
//   batches
//==============================================================================
#pragma once

#include "kernels/common/arithmetic.cuh"
#include "kernels/common/batch.cuh"
#include "kernels/common/gemm_args.h"
#include "kernels/ptx/cp_async.h"
#include "kernels/ptx/shared_memory.h"
#include "kernels/simt/sgemm_smem.h"

namespace myblas {

template <int TileM, int TileN, int TileK, int WarpM, int WarpN, int LanesM, int Stages>
struct SgemmSimtConfig {
  static constexpr int kTileM = TileM, kTileN = TileN, kTileK = TileK;
  static constexpr int kWarpM = WarpM, kWarpN = WarpN;
  static constexpr int kLanesM = LanesM, kLanesN = 32 / LanesM;
  static constexpr int kWarpsM = kTileM / kWarpM, kWarpsN = kTileN / kWarpN;
  static constexpr int kThreads = 32 * kWarpsM * kWarpsN;
  static constexpr int kStages = Stages;
  static constexpr int kRun = 4;  // neighbouring sums along m and n: one 16-byte shared load
  static constexpr int kAccM = kWarpM / kLanesM, kAccN = kWarpN / kLanesN;
  static constexpr int kLdA = kTileM + kSgemmPad, kLdB = kTileN + kSgemmPad;
  static constexpr int kStageFloats = (kLdA + kLdB) * kTileK;
  static_assert(sizeof(float) * kStageFloats * kStages ==
                sgemm_smem_bytes(kTileM, kTileN, kTileK, kStages));
  static_assert(kLanesM == 4 || kLanesM == 8, "lane maps below");
  static_assert(kAccM % kRun == 0 && kAccN % kRun == 0, "a thread's sums come in runs");
  static_assert(kTileK % 8 == 0 && kStages >= 2);
};

// ---- loader -----------------------------------------------------------------------------------

// How a kRows x kTileK tile of one operand comes from global memory, with kRows a multiple of 32.
//   kRows16B  rows are contiguous, aligned, a multiple of 4: a thread copies 4 rows of one k
//   kRows4B   rows are contiguous: a thread copies one row of one k
//   kK4B      k is contiguous: a warp copies 8 (k) x 4 (rows) words and so transposes
enum class LoaderMode { kRows16B, kRows4B, kK4B };

template <class Cfg, int kRows, int kLd>
struct OperandLoader {
  static constexpr int kThreads = Cfg::kThreads, kTileK = Cfg::kTileK;
  static constexpr int kChunks = kRows / 4;  // of 16 bytes in a row of the tile
  // A tile with more rows than threads: a thread's 4-byte copies walk its parts one by one.
  static constexpr int kParts = kRows > kThreads ? kRows / kThreads : 1;
  static constexpr int kPartRows = kRows / kParts;
  static_assert(kChunks * kTileK % kThreads == 0, "every thread copies as much as any other");
  static_assert(kThreads % kChunks == 0 && kThreads % kPartRows == 0 && kThreads % 8 == 0);
  static_assert(kRows % (kThreads / 8) == 0, "no copy past the tile");
  static_assert(kTileK % (kThreads / kChunks) == 0 && kTileK % (kThreads / kPartRows) == 0);

  // Few members: each holds a register through the main loop. ld stays with the arguments.
  LoaderMode mode;
  int valid_rows;       // rows of the tile that exist, from this thread's first one
  uint32_t offset;      // of this thread's first copy in a stage, bytes
  const float* source;  // this thread's first element of the next k-tile

  // This thread's first row and k in a tile.
  static __device__ __forceinline__ int first_row_of(LoaderMode mode) {
    const int thread = static_cast<int>(threadIdx.x);
    if (mode == LoaderMode::kRows16B) return thread % kChunks * 4;
    return mode == LoaderMode::kRows4B ? thread % kPartRows : thread / 8;
  }
  static __device__ __forceinline__ int first_k_of(LoaderMode mode) {
    const int thread = static_cast<int>(threadIdx.x);
    if (mode == LoaderMode::kRows16B) return thread / kChunks;
    return mode == LoaderMode::kRows4B ? thread / kPartRows : thread % 8;
  }

  // The tile of `operand` that starts at row first_tile_row.
  __device__ __forceinline__ OperandLoader(const BatchOperand& operand, int64_t first_tile_row) {
    const auto* base = operand.base<float>();
    // Chunks of 4 rows are there whole or not at all: a copy that reads fewer bytes than its size
    // still counts as an access to all of them (compute-sanitizer).
    const bool in_chunks =
        ((reinterpret_cast<uintptr_t>(base) | (operand.ld * sizeof(float))) & 15) == 0 &&
        operand.rows % 4 == 0;
    mode = !operand.rows_contiguous ? LoaderMode::kK4B
           : in_chunks              ? LoaderMode::kRows16B
                                    : LoaderMode::kRows4B;
    const int row = first_row_of(mode);
    const int k = first_k_of(mode);
    const int64_t left = operand.rows - first_tile_row - row;
    valid_rows = static_cast<int>(left < 0 ? 0 : (left < kRows ? left : kRows));
    offset = static_cast<uint32_t>((k * kLd + row) * sizeof(float));
    const int64_t global_row = first_tile_row + row;
    source = base +
             (operand.rows_contiguous ? global_row + k * operand.ld : k + global_row * operand.ld);
  }

  // Starts the copies of one k-tile into `stage` (a shared address) and moves on to the next one.
  // kWhole: all of its k exist. Otherwise valid_k do, and the next k-tile begins behind them.
  template <bool kWhole>
  __device__ __forceinline__ void start(uint32_t stage, int64_t ld, int valid_k = kTileK) {
    const uint32_t target = stage + offset;
    if (mode == LoaderMode::kRows16B) {
      start_rows<16, kWhole>(target, source, ld, valid_rows > 0 ? 16 : 0, valid_k);
      source += valid_k * ld;
    } else if (mode == LoaderMode::kRows4B) {
#pragma unroll
      for (int part = 0; part < kParts; ++part) {
        constexpr uint32_t kPartBytes = kPartRows * sizeof(float);
        start_rows<4, kWhole>(target + part * kPartBytes, source + part * kPartRows, ld,
                              valid_rows > part * kPartRows ? 4 : 0, valid_k);
      }
      source += valid_k * ld;
    } else {
      start_transposed<kWhole>(target, ld, valid_k);
      source += valid_k;
    }
  }

  // Down the k of one row (or chunk of 4 rows).
  template <int kBytes, bool kWhole>
  static __device__ __forceinline__ void start_rows(uint32_t target, const float* from, int64_t ld,
                                                    int bytes, int valid_k) {
    constexpr int kStepK = kThreads / (kBytes == 16 ? kChunks : kPartRows);
    const int first_k =
        kWhole ? 0 : first_k_of(kBytes == 16 ? LoaderMode::kRows16B : LoaderMode::kRows4B);
#pragma unroll
    for (int k = 0; k < kTileK; k += kStepK) {
      const bool exists = kWhole || first_k + k < valid_k;
      const uint32_t to = target + static_cast<uint32_t>(k * kLd * sizeof(float));
      if constexpr (kBytes == 16) {
        ptx::cp_async_16B(to, from, exists ? bytes : 0);
      } else {
        ptx::cp_async_4B(to, from, exists ? bytes : 0);
      }
      from += kStepK * ld;
    }
  }

  template <bool kWhole>
  __device__ __forceinline__ void start_transposed(uint32_t target, int64_t ld, int valid_k) const {
    constexpr int kStepRows = kThreads / 8;
    const int first_k = kWhole ? 0 : first_k_of(LoaderMode::kK4B);
    const float* from = source;
#pragma unroll
    for (int row = 0; row < kRows; row += kStepRows) {
#pragma unroll
      for (int k = 0; k < kTileK; k += 8) {
        const bool exists = row < valid_rows && (kWhole || first_k + k < valid_k);
        ptx::cp_async_4B(target + static_cast<uint32_t>((k * kLd + row) * sizeof(float)), from + k,
                         exists ? 4 : 0);
      }
      from += kStepRows * ld;
    }
  }
};

// ---- math -------------------------------------------------------------------------------------

// Lane -> position in the warp's kLanesM x kLanesN arrangement. Two lanes next to each other read
// the same 16 bytes of the side with 8 lanes, which halves the wavefronts of its loads.
template <class Cfg>
__device__ __forceinline__ void lane_position(int* lane_m, int* lane_n) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int of_eight = lane / 2 % 8;
  const int of_four = lane / 16 * 2 + lane % 2;
  *lane_m = Cfg::kLanesM == 8 ? of_eight : of_four;
  *lane_n = Cfg::kLanesM == 8 ? of_four : of_eight;
}

// Position in the warp's tile of sum i of a lane: runs of kRun, one run of every lane after the
// other.
template <class Cfg, int kLanes>
__device__ __forceinline__ constexpr int place_of_sum(int lane, int i) {
  return i / Cfg::kRun * (kLanes * Cfg::kRun) + lane * Cfg::kRun + i % Cfg::kRun;
}

template <class Cfg>
struct Fragment {
  float a[Cfg::kAccM];  // (m)
  float b[Cfg::kAccN];  // (n)

  // One k of the warp's part of the tile; a_row and b_row point at this lane's first run.
  __device__ __forceinline__ void load(const float* a_row, const float* b_row) {
#pragma unroll
    for (int i = 0; i < Cfg::kAccM; i += Cfg::kRun) {
      ptx::load_shared_4(a + i, a_row + i * Cfg::kLanesM);
    }
#pragma unroll
    for (int j = 0; j < Cfg::kAccN; j += Cfg::kRun) {
      ptx::load_shared_4(b + j, b_row + j * Cfg::kLanesN);
    }
  }
};

// Outer product, back and forth along m: each FFMA shares an operand with the one before it.
template <class Cfg>
__device__ __forceinline__ void multiply_fragment(float (&sums)[Cfg::kAccN][Cfg::kAccM],
                                                  const Fragment<Cfg>& fragment) {
#pragma unroll
  for (int j = 0; j < Cfg::kAccN; ++j) {
#pragma unroll
    for (int step = 0; step < Cfg::kAccM; ++step) {
      const int i = j % 2 == 0 ? step : Cfg::kAccM - 1 - step;
      multiply_add(sums[j][i], fragment.a[i], fragment.b[j]);
    }
  }
}

// ---- one tile of C ----------------------------------------------------------------------------

template <class Cfg>
__device__ __forceinline__ void sum_over_k(float (&sums)[Cfg::kAccN][Cfg::kAccM], float* smem,
                                           const BatchOperand& a, const BatchOperand& b, int64_t k,
                                           int64_t first_m, int64_t first_n) {
  constexpr int kTileK = Cfg::kTileK, kStages = Cfg::kStages;
  constexpr uint32_t kStageBytes = Cfg::kStageFloats * sizeof(float);
  constexpr uint32_t kOffsetB = Cfg::kLdA * kTileK * sizeof(float);
  OperandLoader<Cfg, Cfg::kTileM, Cfg::kLdA> loader_a(a, first_m);
  OperandLoader<Cfg, Cfg::kTileN, Cfg::kLdB> loader_b(b, first_n);
  const uint32_t first_stage = ptx::shared_address(smem);
  const auto k_tiles = static_cast<uint32_t>((k + kTileK - 1) / kTileK);
  const auto remainder = static_cast<int>((k - 1) % kTileK) + 1;  // 1 ... kTileK

  // Fill all stages but one. A group is committed even where there is no tile, so that the number
  // of groups tells which tile has landed.
  loader_a.template start<false>(first_stage, a.ld, remainder);
  loader_b.template start<false>(first_stage + kOffsetB, b.ld, remainder);
  ptx::cp_async_commit();
#pragma unroll
  for (int stage = 1; stage < kStages - 1; ++stage) {
    if (static_cast<uint32_t>(stage) < k_tiles) {
      loader_a.template start<true>(first_stage + stage * kStageBytes, a.ld);
      loader_b.template start<true>(first_stage + stage * kStageBytes + kOffsetB, b.ld);
    }
    ptx::cp_async_commit();
  }

  int lane_m, lane_n;
  lane_position<Cfg>(&lane_m, &lane_n);
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const float* a_row = smem + warp % Cfg::kWarpsM * Cfg::kWarpM + lane_m * Cfg::kRun;
  const float* b_row =
      smem + Cfg::kLdA * kTileK + warp / Cfg::kWarpsM * Cfg::kWarpN + lane_n * Cfg::kRun;

  ptx::cp_async_wait<kStages - 2>();
  __syncthreads();  // all threads' copies of the first k-tile before any thread's loads of it
  Fragment<Cfg> fragments[2];
  fragments[0].load(a_row, b_row);
  int reading = 0;
  uint32_t started = kStages - 1;
  for (uint32_t tile = 0; tile < k_tiles; ++tile) {
    const float* stage = smem + reading * Cfg::kStageFloats;
    const int next = reading + 1 == kStages ? 0 : reading + 1;
    const int writing = reading == 0 ? kStages - 1 : reading - 1;  // freed by the last barrier
#pragma unroll
    for (int kk = 0; kk < kTileK; ++kk) {
      if (kk == kTileK - 1) {
        ptx::cp_async_wait<kStages - 2>();
        // All threads' copies of the next k-tile before any thread's loads of it; all threads'
        // loads of this one before any thread's copies over it.
        __syncthreads();
        stage = smem + next * Cfg::kStageFloats;
      }
      const int ahead = (kk + 1) % kTileK;
      const ptrdiff_t moved = stage - smem;
      fragments[(kk + 1) % 2].load(a_row + moved + ahead * Cfg::kLdA,
                                   b_row + moved + ahead * Cfg::kLdB);
      if (kk == 0) {
        if (started < k_tiles) {
          loader_a.template start<true>(first_stage + writing * kStageBytes, a.ld);
          loader_b.template start<true>(first_stage + writing * kStageBytes + kOffsetB, b.ld);
        }
        ptx::cp_async_commit();
        ++started;
      }
      multiply_fragment<Cfg>(sums, fragments[kk % 2]);
    }
    reading = next;
  }
  ptx::cp_async_wait<0>();
  __syncthreads();  // all threads' loads of this tile before any thread's copies of the next one
}

// A run of four rows of one column of C, as 16 bytes where C allows it.
template <class Cfg>
__device__ __forceinline__ void store_run(float* c, const float* sums, int64_t rows_left,
                                          bool aligned, const Finish<float>& finish) {
  if (aligned && rows_left >= Cfg::kRun) {
    float4 old{};
    if (!is_zero(finish.beta)) old = *reinterpret_cast<const float4*>(c);
    store_result(&old.x, sums[0], finish);
    store_result(&old.y, sums[1], finish);
    store_result(&old.z, sums[2], finish);
    store_result(&old.w, sums[3], finish);
    *reinterpret_cast<float4*>(c) = old;
    return;
  }
#pragma unroll
  for (int i = 0; i < Cfg::kRun; ++i) {
    if (i < rows_left) store_result(c + i, sums[i], finish);
  }
}

template <class Cfg>
__device__ __forceinline__ void store_tile(const float (&sums)[Cfg::kAccN][Cfg::kAccM],
                                           const GemmArgs& args, float* c, int64_t first_m,
                                           int64_t first_n) {
  // Loaded again here: kept from the start, the scalars would hold registers in the main loop.
  const Finish<float> finish = load_finish<float>(args);
  const bool aligned = ((reinterpret_cast<uintptr_t>(c) | (args.ldc * sizeof(float))) & 15) == 0;
  int lane_m, lane_n;
  lane_position<Cfg>(&lane_m, &lane_n);
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int64_t warp_m = first_m + warp % Cfg::kWarpsM * Cfg::kWarpM;
  const int64_t warp_n = first_n + warp / Cfg::kWarpsM * Cfg::kWarpN;
#pragma unroll
  for (int j = 0; j < Cfg::kAccN; ++j) {
    const int64_t n = warp_n + place_of_sum<Cfg, Cfg::kLanesN>(lane_n, j);
    if (n >= args.n) continue;
#pragma unroll
    for (int i = 0; i < Cfg::kAccM; i += Cfg::kRun) {
      const int64_t m = warp_m + place_of_sum<Cfg, Cfg::kLanesM>(lane_m, i);
      store_run<Cfg>(c + m + n * args.ldc, &sums[j][i], args.m - m, aligned, finish);
    }
  }
}

template <class Cfg>
__device__ __forceinline__ void sgemm_simt(const GemmArgs& args) {
  extern __shared__ __align__(16) float smem[];  // kStages x (A: TileK x kLdA, B: TileK x kLdB)
  // NOTE: alpha == 0 must not read A or B; they may hold NaN, or be NULL.
  const int64_t k = load_finish<float>(args).has_product ? args.k : 0;
  const int64_t tiles_m = (args.m + Cfg::kTileM - 1) / Cfg::kTileM;
  const int64_t tiles_n = (args.n + Cfg::kTileN - 1) / Cfg::kTileN;
  for (int64_t batch = blockIdx.y; batch < args.batch_count; batch += gridDim.y) {
    const BatchOperand a = operand_a_of_batch<float>(args, batch, k);
    const BatchOperand b = operand_b_of_batch<float>(args, batch, k);
    for (int64_t tile = blockIdx.x; tile < tiles_m * tiles_n; tile += gridDim.x) {
      int64_t tile_m, tile_n;
      raster_tile(tile, tiles_m, tiles_n, &tile_m, &tile_n);
      float sums[Cfg::kAccN][Cfg::kAccM] = {};  // (n, m)
      if (k > 0) {
        sum_over_k<Cfg>(sums, smem, a, b, k, tile_m * Cfg::kTileM, tile_n * Cfg::kTileN);
      }
      store_tile<Cfg>(sums, args, matrix_c_of_batch<float>(args, batch), tile_m * Cfg::kTileM,
                      tile_n * Cfg::kTileN);
    }
  }
}

}  // namespace myblas
