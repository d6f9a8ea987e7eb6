// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// simt/gemm_warp.cuh: C = alpha*op(A)*op(B) + beta*C, many tiny products.
//
//   layout    column-major, any ld; op() folded into the loader
//   tile      kTile x kTile x kTile by one warp, which shares nothing with the block's others;
//             8 (m) x 4 (n) lanes, sums of a lane 8 rows apart and in neighbouring columns
//   pipeline  none: a warp loads a k-tile, multiplies it, stores. The SM's other warps work while
//             it waits, as many as it holds
//   assumes   elements aligned to their size
//   edges     loads are zero-filled, stores predicated; m, n, k arbitrary
//   order     k ascending, one fused sum an element; fp32 sums are closed every k_of_chunk k
//             (common/blocked_sum.cuh)
//   limits    offsets in a matrix below 2^30 (kWarpMaxOffset), counted in 32 bits; k is not divided
//==============================================================================
#pragma once

#include <type_traits>

#include "kernels/common/arithmetic.cuh"
#include "kernels/common/batch.cuh"
#include "kernels/common/blocked_sum.cuh"
#include "kernels/common/gemm_args.h"
#include "kernels/common/tile_walk.cuh"
#include "kernels/simt/simt_smem.h"

namespace myblas {

template <class InType, class OutType, class AccType, int Tile>
struct GemmWarpConfig {
  using In = InType;
  using Out = OutType;
  using Acc = AccType;
  static constexpr uint32_t kTile = Tile;  // of m, n and k
  static constexpr uint32_t kWarps = kWarpsOfBlock;
  static constexpr uint32_t kLanesM = 8, kLanesN = 4;
  static constexpr uint32_t kAccM = kTile / kLanesM, kAccN = kTile / kLanesN;
  // Rows of 16 bytes more than the tile has, so that runs along n stay aligned.
  static constexpr uint32_t kLd = kTile + (sizeof(Acc) < 16 ? 16 / sizeof(Acc) : 1);
  static constexpr uint32_t kLoads = kTile * kTile / 32;  // of a lane, of one operand's k-tile
  static constexpr uint32_t kLoadStep = 32 / kTile;       // columns of memory from one to the next
  static constexpr bool kCloses = std::is_same_v<Acc, float> || std::is_same_v<Acc, Complex<float>>;
};

// A warp's k-tile.
template <class Cfg>
struct WarpSmem {
  using Acc = typename Cfg::Acc;
  alignas(16) Acc a[Cfg::kTile * Cfg::kLd];  // (k, m)
  alignas(16) Acc b[Cfg::kTile * Cfg::kLd];  // (k, n)
  static_assert(sizeof a + sizeof b == warp_smem_bytes(sizeof(Acc), Cfg::kTile) / Cfg::kWarps);
};

// A lane's part of an operand's k-tile, on its way from global to shared memory. Neighbouring lanes
// take neighbouring addresses, whichever way the operand lies.
template <class Cfg>
class WarpLoader {
  using In = typename Cfg::In;
  using Acc = typename Cfg::Acc;

 public:
  // Starts the loads from first_k on; what lies outside is zero and not read.
  // Offsets that are not used may wrap around.
  __device__ __forceinline__ void fetch(const BatchOperand& operand, uint32_t first_row,
                                        uint32_t first_k, uint32_t lane) {
    const bool rows_inside = operand.rows_contiguous;  // a column of memory
    const auto rows = static_cast<uint32_t>(operand.rows), k = static_cast<uint32_t>(operand.k);
    const auto ld = static_cast<uint32_t>(operand.ld);
    const uint32_t at = (rows_inside ? first_row : first_k) + lane % Cfg::kTile;
    const uint32_t at_column = (rows_inside ? first_k : first_row) + lane / Cfg::kTile;
    const uint32_t columns = rows_inside ? k : rows;
    // Past the columns that this lane loads from.
    const uint32_t end = at < (rows_inside ? rows : k) ? columns : 0;
    const In* from = operand.base<In>() + (at + at_column * ld);
#pragma unroll
    for (uint32_t i = 0; i < Cfg::kLoads; ++i) {
      loaded_[i] = In{};
      if (at_column + i * Cfg::kLoadStep < end) loaded_[i] = from[i * Cfg::kLoadStep * ld];
    }
  }

  // As (k, row). Behind all loads: a conversion ahead of the next one would hold it up.
  __device__ __forceinline__ void stage(Acc* shared, bool rows_inside, bool conjugate,
                                        uint32_t lane) const {
    const uint32_t inside = lane % Cfg::kTile, column = lane / Cfg::kTile;
    Acc* to = shared + (rows_inside ? column * Cfg::kLd + inside : inside * Cfg::kLd + column);
    const uint32_t to_step = rows_inside ? Cfg::kLoadStep * Cfg::kLd : Cfg::kLoadStep;
#pragma unroll
    for (uint32_t i = 0; i < Cfg::kLoads; ++i) {
      to[i * to_step] = Widen<Acc, In>::from(loaded_[i], conjugate);
    }
  }

 private:
  In loaded_[Cfg::kLoads];
};

// Sums of a lane: (n, m).
template <class Cfg>
using WarpSums = typename Cfg::Acc[Cfg::kAccN][Cfg::kAccM];

template <class Cfg>
__device__ __forceinline__ void multiply_k_tile(WarpSums<Cfg>& sums, const WarpSmem<Cfg>& smem,
                                                uint32_t lane_m, uint32_t lane_n,
                                                uint32_t valid_k) {
  using Acc = typename Cfg::Acc;
  constexpr uint32_t kStep = 4;  // k between two looks at where k ends; up to there are zeros
#pragma unroll
  for (uint32_t first = 0; first < Cfg::kTile; first += kStep) {
    if (first >= valid_k) break;
#pragma unroll
    for (uint32_t k = first; k < first + kStep; ++k) {
      Acc a[Cfg::kAccM], b[Cfg::kAccN];
#pragma unroll
      for (uint32_t i = 0; i < Cfg::kAccM; ++i) {
        a[i] = smem.a[k * Cfg::kLd + lane_m + i * Cfg::kLanesM];
      }
#pragma unroll
      for (uint32_t j = 0; j < Cfg::kAccN; ++j) {
        b[j] = smem.b[k * Cfg::kLd + lane_n * Cfg::kAccN + j];
      }
#pragma unroll
      for (uint32_t j = 0; j < Cfg::kAccN; ++j) {
#pragma unroll
        for (uint32_t i = 0; i < Cfg::kAccM; ++i) multiply_add(sums[j][i], a[i], b[j]);
      }
    }
  }
}

// fp32 sums that are closed (common/blocked_sum.cuh), in registers: a lane has few. Those of other
// types are not.
template <class Cfg, bool kCloses = Cfg::kCloses>
class ClosedSums {
 public:
  __device__ __forceinline__ void count(WarpSums<Cfg>& /*sums*/, uint32_t /*chunk_tiles*/) {}
  __device__ __forceinline__ void add_to(WarpSums<Cfg>& /*sums*/) const {}
};
template <class Cfg>
class ClosedSums<Cfg, true> {
 public:
  // Behind a k-tile that is not the last. chunk_tiles: k-tiles between two closes.
  __device__ __forceinline__ void count(WarpSums<Cfg>& sums, uint32_t chunk_tiles) {
    if (++tiles_ != chunk_tiles) return;
    tiles_ = 0;
    auto* floats = reinterpret_cast<float*>(sums);
#pragma unroll
    for (int i = 0; i < kFloats; ++i) {
      closed_[i] += floats[i];
      floats[i] = 0.0F;
    }
  }
  __device__ __forceinline__ void add_to(WarpSums<Cfg>& sums) const {
#pragma unroll
    for (int i = 0; i < kFloats; ++i) reinterpret_cast<float*>(sums)[i] += closed_[i];
  }

 private:
  static constexpr int kFloats = static_cast<int>(sizeof(WarpSums<Cfg>) / sizeof(float));
  static_assert(kChunkStep % Cfg::kTile == 0);
  uint32_t tiles_ = 0;
  float closed_[kFloats] = {};
};

template <class Cfg>
__device__ __forceinline__ void gemm_warp(const GemmArgs& args) {
  using In = typename Cfg::In;
  using Out = typename Cfg::Out;
  using Acc = typename Cfg::Acc;
  constexpr uint32_t kTile = Cfg::kTile;
  extern __shared__ __align__(16) float of_warps[];
  const uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const uint32_t lane_m = lane % Cfg::kLanesM, lane_n = lane / Cfg::kLanesM;
  WarpSmem<Cfg>& smem = reinterpret_cast<WarpSmem<Cfg>*>(of_warps)[warp];
  // NOTE: alpha == 0 must not read A or B; they may hold NaN, or be NULL.
  const Finish<Acc> finish = load_finish<Acc>(args);
  const uint32_t product_k = finish.has_product ? static_cast<uint32_t>(args.k) : 0;
  const auto chunk_tiles = static_cast<uint32_t>(k_of_chunk(args.k)) / kTile;
  const auto rows = static_cast<uint32_t>(args.m), cols = static_cast<uint32_t>(args.n);
  const uint32_t tiles_m = (rows + kTile - 1) / kTile, tiles_n = (cols + kTile - 1) / kTile;
  // Warps of a block lie a grid apart: few products go to as many SMs.
  for (TileWalk walk(tiles_m * tiles_n, blockIdx.x + warp * gridDim.x, Cfg::kWarps * gridDim.x);
       walk.batch() < args.batch_count; walk.advance()) {
    const uint32_t tile_n = tiles_m == 1 ? walk.tile() : walk.tile() / tiles_m;
    const uint32_t first_m = (walk.tile() - tile_n * tiles_m) * kTile;
    const uint32_t first_n = tile_n * kTile;
    const BatchOperand a = operand_a_of_batch<In>(args, walk.batch(), product_k);
    const BatchOperand b = operand_b_of_batch<In>(args, walk.batch(), product_k);
    WarpSums<Cfg> sums = {};
    ClosedSums<Cfg> closed;
    for (uint32_t k = 0; k < product_k; k += kTile) {
      WarpLoader<Cfg> load_a, load_b;
      load_a.fetch(a, first_m, k, lane);
      load_b.fetch(b, first_n, k, lane);
      load_a.stage(smem.a, a.rows_contiguous, a.conjugate, lane);
      load_b.stage(smem.b, b.rows_contiguous, b.conjugate, lane);
      __syncwarp();  // all lanes' stores of this k-tile before any lane's loads of it
      multiply_k_tile<Cfg>(sums, smem, lane_m, lane_n, product_k - k);
      __syncwarp();  // all lanes' loads of this k-tile before any lane's stores of the next
      if (product_k - k > kTile) closed.count(sums, chunk_tiles);
    }
    if (product_k > chunk_tiles * kTile) closed.add_to(sums);
    const uint32_t m = first_m + lane_m, n = first_n + lane_n * Cfg::kAccN;
    Out* c = matrix_c_of_batch<Out>(args, walk.batch()) + (m + n * static_cast<uint32_t>(args.ldc));
    const auto store_all = [&](const auto& store) {
#pragma unroll
      for (uint32_t j = 0; j < Cfg::kAccN; ++j) {
#pragma unroll
        for (uint32_t i = 0; i < Cfg::kAccM; ++i) {
          const bool inside = m + i * Cfg::kLanesM < rows && n + j < cols;
          if (inside) store(c + i * Cfg::kLanesM + j * args.ldc, sums[j][i]);
        }
      }
    };
    // What is asked for mostly has no branch for each element.
    if (finish.has_product && is_zero(finish.beta)) {
      store_all(
          [&](Out* to, Acc sum) { *to = Narrow<Out, Acc>::from(multiply(finish.alpha, sum)); });
    } else {
      store_all([&](Out* to, Acc sum) { store_result(to, sum, finish); });
    }
  }
}

}  // namespace myblas
