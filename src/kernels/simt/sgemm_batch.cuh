// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// simt/sgemm_batch.cuh: C = alpha*op(A)*op(B) + beta*C, fp32, CUDA cores: many tiles of little k.
//
//   layout    column-major, any ld; op() folded into the loader
//   CTA tile  TileM x TileN x TileK; warps of WarpM x WarpN; 4 x 8 or 8 x 4 lanes a warp
//   pipeline  blocks stay and walk over the tiles of all products; cp.async fills a ring of kStages
//             k-tiles that goes on from one tile to the next, so that a tile's first k-tiles come
//             while the tile before it is multiplied and stored; one barrier a k-tile
//   assumes   elements aligned to their size; 16-byte copies where an operand is aligned, one
//             element a copy elsewhere, and where k is contiguous in a batch of pointers
//   k-tile    (k, row) in shared memory; (row, k) with chunks of 4 k swizzled where an operand is
//             copied 16 bytes of k at a time: a lane then loads 4 k of a row at once
//   edges     what lies outside is zero-filled by the feed, stores are predicated; the k remainder
//             is the first k-tile, multiplied up to a multiple of kStepK
//   order     k ascending, one fused sum an element, closed every k_of_chunk k
//             (common/blocked_sum.cuh)
//   beside    gemm_simt.cuh, the loop of one tile: a feed ends with it there, the ring goes on here
//   limits    2^31 tiles of one product and as many k-tiles (row.max_offset); k is not divided
//==============================================================================
#pragma once

#include "kernels/common/tile_walk.cuh"
#include "kernels/simt/feed_cp_async.cuh"
#include "kernels/simt/gemm_simt.cuh"

namespace myblas {

// What every tile of a launch has in common. kBesideTma: of batches of pointers, and tiles are
// numbered column by column, as PlaceWalk numbers them (simt_batch_tma.cuh); else in bands.
template <class Cfg, bool kBesideTma>
struct BatchShape {
  uint32_t tiles_m, tiles_n;
  int64_t k;                    // 0 where there is no product
  uint32_t k_tiles;             // of a tile
  uint32_t chunk_tiles;         // after which a sum is closed
  int first_k;                  // in its first k-tile
  bool k_chunks_a, k_chunks_b;  // whether the operand comes in 16-byte copies of k

  __device__ __forceinline__ BatchShape(const GemmArgs& args, bool has_product)
      : tiles_m(static_cast<uint32_t>((args.m + Cfg::kTileM - 1) / Cfg::kTileM)),
        tiles_n(static_cast<uint32_t>((args.n + Cfg::kTileN - 1) / Cfg::kTileN)),
        k(has_product ? args.k : 0),
        k_tiles(static_cast<uint32_t>((k + Cfg::kTileK - 1) / Cfg::kTileK)),
        chunk_tiles(static_cast<uint32_t>(k_of_chunk(k) / Cfg::kTileK)),
        first_k(static_cast<int>((k - 1) % Cfg::kTileK) + 1),
        k_chunks_a(!kBesideTma && args.a.transposed && !args.pointer_batch &&
                   in_chunks(args.a, args)),
        k_chunks_b(!kBesideTma && !args.b.transposed && !args.pointer_batch &&
                   in_chunks(args.b, args)) {}

  __device__ __forceinline__ uint32_t tiles() const { return tiles_m * tiles_n; }
  __device__ __forceinline__ void place(uint32_t tile, int64_t* first_m, int64_t* first_n) const {
    uint32_t tile_m, tile_n;
    if constexpr (kBesideTma) {
      tile_n = tile / tiles_m;
      tile_m = tile - tile_n * tiles_m;
    } else {
      raster_tile(tile, tiles_m, tiles_n, &tile_m, &tile_n);
    }
    *first_m = int64_t{tile_m} * Cfg::kTileM;
    *first_n = int64_t{tile_n} * Cfg::kTileN;
  }

 private:
  // Whether every chunk of 16 bytes along a column of memory is aligned, and within k or past it.
  static __device__ __forceinline__ bool in_chunks(const OperandArg& operand,
                                                   const GemmArgs& args) {
    const int64_t elements = operand.ld | (args.batch_count > 1 ? operand.stride : 0) | args.k;
    return ((reinterpret_cast<uintptr_t>(operand.base) | elements * sizeof(float)) & 15) == 0;
  }
};

// ---- global -> shared -------------------------------------------------------------------------

inline constexpr int kChunkK = 4;  // k in 16 bytes

// Where in its row of 32 k a chunk of 4 lies.
__device__ __forceinline__ constexpr int swizzled_k(int row, int k) { return (row ^ k) & 28; }

// One operand's copies of k-tiles. In (row, k) the chunks of a row lie in the order that
// swizzled_k() says, so that lanes which load runs of rows reach all banks.
template <class Cfg, int kRows, int kLd>
class BatchLoader {
  static constexpr int kChunks = Cfg::kTileK / kChunkK;  // of a row
  static constexpr int kStepRows =
      Cfg::kThreads / kChunks;  // from one piece of a thread to the next
  static_assert(kChunks == 8 && kStepRows % 4 == 0 && kRows % kStepRows == 0);

 public:
  __device__ __forceinline__ void aim(const BatchOperand& operand, int64_t first_row,
                                      bool k_chunks) {
    if (!k_chunks) {
      pieces_ = {operand, first_row, 0};
      return;
    }
    const int row = static_cast<int>(threadIdx.x) / kChunks;
    const int k = static_cast<int>(threadIdx.x) % kChunks * kChunkK;
    const int64_t left = operand.rows - first_row - row;
    pieces_.valid_rows = static_cast<int>(left < 0 ? 0 : (left < kRows ? left : kRows));
    pieces_.source = operand.base<float>() + (first_row + row) * operand.ld + k;
    pieces_.offset = (row * Cfg::kTileK + swizzled_k(row, k)) * sizeof(float);
  }

  // Asks for the next k-tile, of which there are valid_k.
  __device__ __forceinline__ void bring(uint32_t stage, int64_t ld, int valid_k, bool k_chunks) {
    if (!k_chunks) {
      copy_k_tile<false>(pieces_, stage, ld, valid_k);
      return;
    }
    const bool exists = static_cast<int>(threadIdx.x) % kChunks * kChunkK < valid_k;
    const float* from = pieces_.source;
#pragma unroll
    for (int row = 0; row < kRows; row += kStepRows) {
      // The thread's first row is less than a step: their swizzles do not carry into each other.
      const uint32_t to = pieces_.offset ^ swizzled_k(row, 0) * sizeof(float);
      ptx::cp_async_16B(stage + to + row * Cfg::kTileK * sizeof(float), from,
                        exists && row < pieces_.valid_rows ? 16 : 0);
      from = ptx::opaque(from + kStepRows * ld);
    }
    pieces_.source += valid_k;
  }

 private:
  OperandLoader<Cfg, kRows, kLd, 0, Cfg::kTakesChunks> pieces_;
};

// The k-tiles of all tiles of a block, one behind the other.
template <class Cfg, bool kBesideTma>
class BatchFeed {
  using Shape = BatchShape<Cfg, kBesideTma>;

 public:
  __device__ __forceinline__ BatchFeed(const GemmArgs& args, const Shape& shape, float* smem)
      : args_(args), shape_(shape), walk_(shape.tiles()), first_stage_(ptx::shared_address(smem)) {
    aim();
#pragma unroll 1
    for (int stage = 0; stage < Cfg::kStages - 1; ++stage) bring(stage * Cfg::kStageElements);
  }

  // Asks for the next k-tile, if there is one. A group is committed even where there is none, so
  // that the number of groups tells which k-tile has landed.
  __device__ __forceinline__ void bring(int stage) {
    if (left_ != 0) {
      const int valid_k = left_ == shape_.k_tiles ? shape_.first_k : Cfg::kTileK;
      const uint32_t a = first_stage_ + stage * static_cast<uint32_t>(sizeof(float));
      const uint32_t b = a + Cfg::kLdA * Cfg::kTileK * static_cast<uint32_t>(sizeof(float));
      loader_a_.bring(a, args_.a.ld, valid_k, shape_.k_chunks_a);
      loader_b_.bring(b, args_.b.ld, valid_k, shape_.k_chunks_b);
      if (--left_ == 0) {
        walk_.advance();
        aim();
      }
    }
    ptx::cp_async_commit();
  }

 private:
  // At the tile that the walk has come to.
  __device__ __forceinline__ void aim() {
    const int64_t batch = walk_.batch();
    if (shape_.k_tiles == 0 || batch >= args_.batch_count) return;
    int64_t first_m, first_n;
    shape_.place(walk_.tile(), &first_m, &first_n);
    loader_a_.aim(operand_a_of_batch<float>(args_, batch, shape_.k), first_m, shape_.k_chunks_a);
    loader_b_.aim(operand_b_of_batch<float>(args_, batch, shape_.k), first_n, shape_.k_chunks_b);
    left_ = shape_.k_tiles;
  }

  const GemmArgs& args_;
  const Shape& shape_;
  TileWalk walk_;
  BatchLoader<Cfg, Cfg::kTileM, Cfg::kLdA> loader_a_;
  BatchLoader<Cfg, Cfg::kTileN, Cfg::kLdB> loader_b_;
  uint32_t first_stage_;  // a shared address
  uint32_t left_ = 0;     // k-tiles of this tile
};

// ---- math -------------------------------------------------------------------------------------

inline constexpr int kStepK = 8;  // k between two looks at where a k-tile ends

// A k-tile in (k, row), of which valid_k count. a and b: this lane's first run in it.
template <class Cfg>
__device__ __forceinline__ void multiply_rows(SimtSums<Cfg>& sums, const float* a, const float* b,
                                              int valid_k) {
  static_assert(Cfg::kTileK % kStepK == 0 && kStepK % 2 == 0);
  Fragment<Cfg> fragments[2];
  fragments[0].load(a, b);
#pragma unroll 1
  for (int left = valid_k; left > 0; left -= kStepK) {
    // Behind the last step there is nothing to load: its first k stands in.
    const float* a_next = left > kStepK ? a + kStepK * Cfg::kLdA : a;
    const float* b_next = left > kStepK ? b + kStepK * Cfg::kLdB : b;
#pragma unroll
    for (int k = 0; k < kStepK; ++k) {
      if (k + 1 < kStepK) {
        fragments[(k + 1) % 2].load(a + (k + 1) * Cfg::kLdA, b + (k + 1) * Cfg::kLdB);
      } else {
        fragments[0].load(a_next, b_next);
      }
      multiply_fragment<Cfg>(sums, fragments[k % 2]);
    }
    a = a_next;
    b = b_next;
  }
}

// Four k from k on of a lane's kCount rows, the first of them `row`. `to(k, i)` takes them.
template <bool kChunks, int kTileK, int kLd, int kCount, int kStep, class To>
__device__ __forceinline__ void load_four_k(const float* tile, int row, int k, const To& to) {
  constexpr int kRun = 4;  // neighbouring rows; kStep from one run to the next
#pragma unroll
  for (int i = 0; i < kCount; i += kRun) {
    const int behind = i / kRun * kStep;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      float four[4];
      if constexpr (kChunks) {  // j is a row
        // kStep carries into the swizzle of nothing but its own bits: 16 rows swap halves.
        ptx::load_shared_4(four, tile + (row + behind + j) * kTileK +
                                     (swizzled_k(row, k) ^ swizzled_k(behind, 0)));
#pragma unroll
        for (int e = 0; e < 4; ++e) to(e, i + j) = four[e];
      } else {  // j is a k
        ptx::load_shared_4(four, tile + (k + j) * kLd + row + behind);
#pragma unroll
        for (int e = 0; e < 4; ++e) to(j, i + e) = four[e];
      }
    }
  }
}

// The same where A or B, or both, are in (row, k): a and b point at their part of the stage.
template <class Cfg, bool kChunksA, bool kChunksB>
__device__ __forceinline__ void multiply_chunks(SimtSums<Cfg>& sums, const float* a, int row_a,
                                                const float* b, int row_b, int valid_k) {
#pragma unroll 1
  for (int k = 0; k < valid_k; k += kChunkK) {
    Fragment<Cfg> four[kChunkK];
    load_four_k<kChunksA, Cfg::kTileK, Cfg::kLdA, Cfg::kAccM, Cfg::kLanesM * Cfg::kRun>(
        a, row_a, k, [&](int e, int i) -> float& { return four[e].a[i]; });
    load_four_k<kChunksB, Cfg::kTileK, Cfg::kLdB, Cfg::kAccN, Cfg::kLanesN * Cfg::kRun>(
        b, row_b, k, [&](int e, int i) -> float& { return four[e].b[i]; });
#pragma unroll
    for (int e = 0; e < kChunkK; ++e) multiply_fragment<Cfg>(sums, four[e]);
  }
}

// The k-tile of a stage, in the layouts of this launch. row_a, row_b: this lane's first rows.
template <class Cfg, class Shape>
__device__ __forceinline__ void multiply_k_tile(SimtSums<Cfg>& sums, const Shape& shape,
                                                const float* stage, int row_a, int row_b,
                                                int valid_k) {
  const float* a = stage;
  const float* b = stage + Cfg::kLdA * Cfg::kTileK;
  if (!shape.k_chunks_a && !shape.k_chunks_b) {
    multiply_rows<Cfg>(sums, a + row_a, b + row_b, valid_k);
  } else if (!shape.k_chunks_a) {
    multiply_chunks<Cfg, false, true>(sums, a, row_a, b, row_b, valid_k);
  } else if (!shape.k_chunks_b) {
    multiply_chunks<Cfg, true, false>(sums, a, row_a, b, row_b, valid_k);
  } else {
    multiply_chunks<Cfg, true, true>(sums, a, row_a, b, row_b, valid_k);
  }
}

// ---- registers -> C ---------------------------------------------------------------------------

// A tile that has other rows, by way of a stage that nothing is on its way to: neighbouring lanes
// then store neighbouring rows. row, col: of this thread's first sum.
template <class Cfg>
__device__ __forceinline__ void store_elements(const SimtSums<Cfg>& sums, float* stage, float* c,
                                               int64_t ldc, int row, int col, int rows, int cols,
                                               float beta) {
  static_assert(Cfg::kTileM * Cfg::kTileN <= Cfg::kStageElements && Cfg::kTileM <= Cfg::kThreads);
  __syncthreads();  // all threads' loads from the stage before any thread's stores to it
#pragma unroll
  for (int j = 0; j < Cfg::kAccN; ++j) {
    float* to = stage + (col + place_of_sum<Cfg, Cfg::kLanesN>(0, j)) * Cfg::kTileM + row;
#pragma unroll
    for (int i = 0; i < Cfg::kAccM; i += Cfg::kRun) {
      *reinterpret_cast<float4*>(to + place_of_sum<Cfg, Cfg::kLanesM>(0, i)) =
          run_of_sums<Cfg>(&sums[j][i]);
    }
  }
  __syncthreads();  // all threads' stores of the tile before any thread's loads of it
  const int log2_rows = 32 - __clz(rows - 1);  // rounded up
  const int thread = ptx::opaque(static_cast<int>(threadIdx.x));
  const int my_row = thread & ((1 << log2_rows) - 1);
  if (my_row >= rows) return;
  const bool reads_c = !is_zero(beta);
  constexpr int kGroup = 8;  // columns whose loads wait together
  const int step = Cfg::kThreads >> log2_rows;
#pragma unroll 1
  for (int first = thread >> log2_rows; first < cols; first += kGroup * step) {
    float values[kGroup];
#pragma unroll
    for (int i = 0; i < kGroup; ++i) {
      const int at = first + i * step;
      if (at < cols) values[i] = stage[at * Cfg::kTileM + my_row];
      if (reads_c && at < cols) multiply_add(values[i], beta, c[my_row + at * ldc]);
    }
#pragma unroll
    for (int i = 0; i < kGroup; ++i) {
      const int at = first + i * step;
      if (at < cols) c[my_row + at * ldc] = values[i];
    }
  }
}

// `stage`: the one that was read last.
template <class Cfg>
__device__ __forceinline__ void store_batch_tile(SimtSums<Cfg>& sums, const GemmArgs& args,
                                                 float* stage, int64_t batch, int64_t first_m,
                                                 int64_t first_n, const Finish<float>& finish) {
  const int thread = ptx::opaque(static_cast<int>(threadIdx.x));
  int lane_m, lane_n;
  lane_position<Cfg>(thread, &lane_m, &lane_n);
  const int warp = thread / 32;
  const int row = warp % Cfg::kWarpsM * Cfg::kWarpM + lane_m * Cfg::kRun;
  const int col = warp / Cfg::kWarpsM * Cfg::kWarpN + lane_n * Cfg::kRun;
  const int64_t left_m = args.m - first_m, left_n = args.n - first_n;
  const int rows = left_m < Cfg::kTileM ? static_cast<int>(left_m) : Cfg::kTileM;
  const int cols = left_n < Cfg::kTileN ? static_cast<int>(left_n) : Cfg::kTileN;
  auto* c = matrix_c_of_batch<float>(args, batch);
  const bool aligned = ((reinterpret_cast<uintptr_t>(c) | (args.ldc * sizeof(float))) & 15) == 0;
  c += first_m + first_n * args.ldc;
  scale_sums<Cfg>(sums, finish);
  const auto epilogue = epilogue_of_batch<float>(args.epilogue, batch, first_m + row);
  if (epilogue.any()) finish_sums<Cfg>(sums, epilogue, rows - row);
  if (!aligned || rows % Cfg::kRun != 0) {
    store_elements<Cfg>(sums, stage, c, args.ldc, row, col, rows, cols, finish.beta);
    return;
  }
  c += row + col * args.ldc;
  store_pieces<Cfg, Cfg::kRun>(sums, c, args.ldc, rows - row, cols - col, finish.beta);
}

// ---- all tiles --------------------------------------------------------------------------------

// smem: kStages x (A: TileK x kLdA, B: TileK x kLdB), aligned to 128 bytes.
template <class Cfg, bool kBesideTma>
__device__ __forceinline__ void sgemm_batch_in(float* smem, const GemmArgs& args) {
  static_assert(Cfg::kClosing == Closing::kInOwnMemory);
  // NOTE: alpha == 0 must not read A or B; they may hold NaN, or be NULL.
  const Finish<float> finish = load_finish<float>(args);
  const BatchShape<Cfg, kBesideTma> shape(args, finish.has_product);
  BatchFeed<Cfg, kBesideTma> feed(args, shape, smem);
  const int warp = static_cast<int>(threadIdx.x) / 32;
  int lane_m, lane_n;
  lane_position<Cfg>(static_cast<int>(threadIdx.x), &lane_m, &lane_n);
  const int row_a = warp % Cfg::kWarpsM * Cfg::kWarpM + lane_m * Cfg::kRun;
  const int row_b = warp / Cfg::kWarpsM * Cfg::kWarpN + lane_n * Cfg::kRun;
  // Stages by the place of their first element.
  int reading = 0, freed = (Cfg::kStages - 1) * Cfg::kStageElements;
  for (TileWalk walk(shape.tiles()); walk.batch() < args.batch_count; walk.advance()) {
    SimtSums<Cfg> sums;
    clear_sums(sums);
    Totals<Cfg::kSumFloats> totals(shape.k, Cfg::kTileK);
    uint32_t left = shape.k_tiles;
    while (left != 0) {
      const uint32_t behind = left > shape.chunk_tiles ? left - shape.chunk_tiles : 0;
      do {
        ptx::cp_async_wait<Cfg::kStages - 2>();
        // All threads' copies of this k-tile before any thread's loads of it; all threads' loads of
        // the one before it before any thread's copies over that.
        __syncthreads();
        feed.bring(freed);
        multiply_k_tile<Cfg>(sums, shape, smem + reading, row_a, row_b,
                             left == shape.k_tiles ? shape.first_k : Cfg::kTileK);
        freed = reading;
        reading += Cfg::kStageElements;
        if (reading == Cfg::kStages * Cfg::kStageElements) reading = 0;
        --left;
      } while (left > behind);
      if (left != 0) totals.close(reinterpret_cast<float*>(sums));
    }
    // One chunk has no totals, and does not wait for the thread's memory to say so.
    if (shape.chunk_tiles < shape.k_tiles) totals.add_to(reinterpret_cast<float*>(sums));
    int64_t first_m, first_n;
    shape.place(walk.tile(), &first_m, &first_n);
    // Loaded again beside TMA, whose kernels have no registers to keep the scalars.
    store_batch_tile<Cfg>(sums, args, smem + freed, walk.batch(), first_m, first_n,
                          kBesideTma ? load_finish<float>(args) : finish);
  }
}

template <class Cfg>
__device__ __forceinline__ void sgemm_batch(const GemmArgs& args) {
  extern __shared__ __align__(128) float smem[];
  sgemm_batch_in<Cfg, false>(smem, args);
}

}  // namespace myblas
