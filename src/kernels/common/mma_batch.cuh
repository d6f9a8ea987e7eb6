// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/mma_batch.cuh: C = alpha*op(A)*op(B) + beta*C on tensor cores, mma.sync: many tiles of
// little k.
//
//   layout    as common/mma_gemm.cuh, whose tiles, fragments and instructions these are
//   CTA tile  TileM x TileN x TileK; warps of WarpM x WarpN
//   pipeline  blocks stay and walk over the tiles of all products. A thread asks for all that it
//             brings of a k-tile at once, into registers, and for the next k-tile, of this tile or
//             of the one after it, before it multiplies and stores: a latency a k-tile, under the
//             work of this and the SM's other blocks. Two stages in shared memory, one barrier a
//             k-tile
//   assumes   elements aligned to their size
//   edges     see BatchLoader; stores are predicated; m, n, k arbitrary
//   order     k ascending: bit-reproducible
//   beside    mma_gemm.cuh, the loop of one tile at a time, whose first k-tile comes chunk by chunk
//   limits    2^31 tiles of one product (row.max_offset); k is not divided
//==============================================================================
#pragma once

#include "kernels/common/batch.cuh"
#include "kernels/common/grid_start.cuh"
#include "kernels/common/mma_epilogue.cuh"
#include "kernels/common/mma_feed_registers.cuh"
#include "kernels/common/mma_gemm_config.cuh"
#include "kernels/common/mma_layout.cuh"
#include "kernels/common/mma_step.cuh"
#include "kernels/common/tile_walk.cuh"
#include "kernels/ptx/shared_memory.h"

namespace myblas {

// MmaGemmConfig through registers, with a place for staged sums behind the two stages: the next
// tile's first k-tile is stored while other warps still store this one.
template <class MmaType, class OutType, int TileM, int TileN, int TileK, int WarpM, int WarpN,
          int Blocks>
struct MmaBatchConfig : MmaGemmConfig<MmaType, OutType, typename MmaType::Sum, TileM, TileN, TileK,
                                      WarpM, WarpN, 2, Blocks> {
  using Base = MmaGemmConfig<MmaType, OutType, typename MmaType::Sum, TileM, TileN, TileK, WarpM,
                             WarpN, 2, Blocks>;
  static constexpr uint32_t kStageAreaOffset = Base::kRingBytes;
  static constexpr int kStageAreaBytes =
      mma_stage_bytes(sizeof(typename Base::Sum), WarpM, Base::kWarps);
  using Stage =
      SumStage<typename Base::Sum, WarpM, WarpN, kMmaStagePadBytes, kStageAreaBytes / Base::kWarps>;
  static_assert(WarpM == TileM && WarpM <= 32, "every warp has rows to store, a lane one");
  static_assert(MmaType::kParts == 1, "nobody sets the signs of complex elements");
};

// ---- global memory -> registers -> shared memory ----------------------------------------------

// What a thread brings of one operand's k-tiles: chunks of 16 bytes that begin anywhere, as the
// pieces of memory that hold them (RegisterFeed).
// NOTE: no piece is loaded that has nothing of the operand, so none lies on a page of its own.
// Where one ends behind all of the batch's memory its words are loaded one by one. What comes along
// of other columns or matrices meets sums that are not stored, or is overwritten with zeros.
template <class Tile, int kThreads>
class BatchLoader {
  using Feed = RegisterFeed<Tile, kThreads>;
  using Pieces = typename Feed::Pieces;
  using Element = typename Tile::Element;
  static constexpr int kSteps = Feed::kSteps, kLinesOfStep = Feed::kLinesOfStep;
  static constexpr int kElementBytes = Tile::kElementBytes;

 public:
  // At the first k-tile of a tile.
  __device__ __forceinline__ void aim(const BatchOperand& operand, int64_t first_row) {
    const int64_t row = first_row + row_of_lane();
    const int64_t element =
        Tile::kRowsContiguous ? row + k_of_lane() * operand.ld : k_of_lane() + row * operand.ld;
    source_ = reinterpret_cast<const char*>(operand.base<Element>() + element);
    const int64_t left = operand.rows - first_row;
    rows_left_ = static_cast<int>(left < Tile::kRows ? left : Tile::kRows) - row_of_lane();
  }
  // Memory that may be read ends here.
  __device__ __forceinline__ void end_at(const char* end) { end_ = end; }

  // Starts the loads of the next k-tile, of which there are valid_k.
  __device__ __forceinline__ void fetch(int valid_k, int64_t ld) {
    const int64_t step_bytes = kLinesOfStep * ld * kElementBytes;
    const int k_left = valid_k - k_of_lane();
    const int along = Tile::kRowsContiguous ? rows_left_ : k_left;
    const int lines = along <= 0 ? 0 : Tile::kRowsContiguous ? k_left : rows_left_;
    const int elements = along < kChunkElements ? along : kChunkElements;
    first_ = Feed::misaligned(source_);
    const bool high = static_cast<int>(first_) + elements * kElementBytes > kChunkBytes;
    const char* piece = source_ - first_;
    int steps = 0;
#pragma unroll
    for (int i = 0; i < kSteps; ++i) {
      pieces_[i] = {};
      steps += i * kLinesOfStep < lines ? 1 : 0;
    }
    // Steps whose pieces lie inside of what may be read: mostly all, else all but the last few. The
    // others are waited for one after the other.
    const int64_t reach = (high ? 2 : 1) * kChunkBytes;
    int inside = steps;
    if (steps != 0 && piece + (steps - 1) * step_bytes + reach > end_) {
      inside = steps_before(end_ - reach, piece, step_bytes, steps);
    }
#pragma unroll
    for (int i = 0; i < kSteps; ++i) {
      if (i < inside) pieces_[i].low = Feed::load_piece(piece);
      if (i < inside && high) pieces_[i].high = Feed::load_piece(piece + kChunkBytes);
      piece = Feed::moved(piece, step_bytes);
    }
    if (inside < steps) {
      fetch_at_end(source_ - first_ + inside * step_bytes, step_bytes, inside, steps);
    }
    source_ += Tile::kRowsContiguous ? kSteps * step_bytes : Tile::kLineBytes;
  }

  // Stores what was fetched last at tile_offset of `smem`.
  __device__ __forceinline__ void put(char* smem, uint32_t tile_offset, int valid_k) const {
    char* const to = smem + tile_offset + Tile::offset_of_chunk(Feed::first_line(), Feed::chunk());
#pragma unroll
    for (int i = 0; i < kSteps; ++i) {
      uint4 chunk = Feed::chunk_of(pieces_[i], first_);
      if (!Tile::kRowsContiguous) {
        chunk = head_of(chunk, valid_k - k_of_lane());
      }
      *reinterpret_cast<uint4*>(to + i * (kLinesOfStep * Tile::kLineBytes)) = chunk;
    }
  }

 private:
  static constexpr int kChunkElements = Tile::kChunkElements;
  // Where in a tile a thread's first chunk begins.
  static __device__ __forceinline__ int row_of_lane() {
    return Tile::kRowsContiguous ? Feed::chunk() * kChunkElements : Feed::first_line();
  }
  static __device__ __forceinline__ int k_of_lane() {
    return Tile::kRowsContiguous ? Feed::first_line() : Feed::chunk() * kChunkElements;
  }

  // Of `steps`, those whose pieces begin at `from` or ahead of it.
  static __device__ __forceinline__ int steps_before(const char* from, const char* piece,
                                                     int64_t step_bytes, int steps) {
    int before = 0;
#pragma unroll
    for (int i = 0; i < kSteps; ++i) {
      before += i < steps && piece <= from ? 1 : 0;
      piece = Feed::moved(piece, step_bytes);
    }
    return before;
  }

  // The steps from `first` on, which begins at `piece`. Little code, for it is there once for each
  // operand.
  __device__ __forceinline__ void fetch_at_end(const char* piece, int64_t step_bytes, int first,
                                               int steps) {
#pragma unroll 1
    for (int i = first; i < steps; ++i) {
      const Pieces loaded = Feed::pieces_before(end_, piece);
#pragma unroll
      for (int j = 0; j < kSteps; ++j) {
        if (i == j) pieces_[j] = loaded;
      }
      piece += step_bytes;
    }
  }

  // The first `elements` of a chunk, with zeros behind them.
  static __device__ __forceinline__ uint4 head_of(uint4 chunk, int elements) {
    static_assert(kElementBytes == 2 || kElementBytes == 8);
    const int bytes = elements * kElementBytes;
    const auto word = [bytes](uint32_t bits, int first) {
      return bytes >= first + 4 ? bits : bytes > first ? bits & 0xffffu : 0u;
    };
    return {word(chunk.x, 0), word(chunk.y, 4), word(chunk.z, 8), word(chunk.w, 12)};
  }

  const char* source_;  // this thread's first chunk of the next k-tile
  const char* end_;     // of the memory that may be read
  int rows_left_;       // rows of the tile that exist, from this thread's first one on
  uint32_t first_;      // byte of their low pieces at which the chunks that were fetched begin
  Pieces pieces_[kSteps];
};

// What the tiles of a launch have in common.
template <class Cfg>
struct BatchTiles {
  uint32_t tiles_m, tiles_n;  // of a product
  uint32_t k_tiles;           // 0 where there is no product
  int last_k;                 // k of the last of them

  __device__ __forceinline__ explicit BatchTiles(const GemmArgs& args)
      : tiles_m(static_cast<uint32_t>((args.m + Cfg::kTileM - 1) / Cfg::kTileM)),
        tiles_n(static_cast<uint32_t>((args.n + Cfg::kTileN - 1) / Cfg::kTileN)),
        // NOTE: alpha == 0 must not read A or B; they may hold NaN, or be NULL.
        k_tiles(load_finish<typename Cfg::Scale>(args).has_product
                    ? static_cast<uint32_t>((args.k + Cfg::kTileK - 1) / Cfg::kTileK)
                    : 0),
        last_k(static_cast<int>((args.k - 1) % Cfg::kTileK) + 1) {}

  __device__ __forceinline__ uint32_t count() const { return tiles_m * tiles_n; }
  __device__ __forceinline__ void place(uint32_t tile, int64_t* first_m, int64_t* first_n) const {
    uint32_t tile_m = 0, tile_n = tile;
    if (tiles_m > 1) raster_tile(tile, tiles_m, tiles_n, &tile_m, &tile_n);
    *first_m = int64_t{tile_m} * Cfg::kTileM;
    *first_n = int64_t{tile_n} * Cfg::kTileN;
  }
  // K of the k-tile from which on `left` are left.
  __device__ __forceinline__ int k_of_tile(uint32_t left) const {
    return left == 1 ? last_k : Cfg::kTileK;
  }
};

// The k-tiles of all tiles of a block, one behind the other.
template <class Cfg, class TileA, class TileB>
class MmaBatchFeed {
  using Element = typename Cfg::Element;

 public:
  __device__ __forceinline__ MmaBatchFeed(const GemmArgs& args, const BatchTiles<Cfg>& tiles)
      : args_(args), tiles_(tiles), walk_(tiles.count()) {
    if (tiles.k_tiles == 0) return;
    if (!args.pointer_batch) {
      const auto a = operand_a_of_batch<Element>(args, last_matrix(args.a.stride), args.k);
      const auto b = operand_b_of_batch<Element>(args, last_matrix(args.b.stride), args.k);
      end_at(a, b);
    }
    aim();
  }

  // Starts the loads of the next k-tile, if there is one.
  __device__ __forceinline__ void fetch() {
    if (left_ == 0) return;
    const int valid_k = tiles_.k_of_tile(left_);
    loader_a_.fetch(valid_k, args_.a.ld);
    loader_b_.fetch(valid_k, args_.b.ld);
    if (--left_ == 0) {
      walk_.advance();
      aim();
    }
  }

  // Stores what was fetched last.
  __device__ __forceinline__ void put(char* stage, int valid_k) const {
    loader_a_.put(stage, 0, valid_k);
    loader_b_.put(stage, TileA::kBytes, valid_k);
  }

 private:
  // At the tile that the walk has come to.
  __device__ __forceinline__ void aim() {
    const int64_t batch = walk_.batch();
    if (batch >= args_.batch_count) return;
    left_ = tiles_.k_tiles;
    int64_t first_m, first_n;
    tiles_.place(walk_.tile(), &first_m, &first_n);
    const auto a = operand_a_of_batch<Element>(args_, batch, args_.k);
    const auto b = operand_b_of_batch<Element>(args_, batch, args_.k);
    loader_a_.aim(a, first_m);
    loader_b_.aim(b, first_n);
    if (args_.pointer_batch) end_at(a, b);  // where others lie is not known
  }

  // That with the highest addresses.
  __device__ __forceinline__ int64_t last_matrix(int64_t stride) const {
    return stride < 0 ? 0 : args_.batch_count - 1;
  }
  __device__ __forceinline__ void end_at(const BatchOperand& a, const BatchOperand& b) {
    loader_a_.end_at(RegisterFeed<TileA, Cfg::kThreads>::end_of(a));
    loader_b_.end_at(RegisterFeed<TileB, Cfg::kThreads>::end_of(b));
  }

  const GemmArgs& args_;
  const BatchTiles<Cfg>& tiles_;
  TileWalk walk_;
  BatchLoader<TileA, Cfg::kThreads> loader_a_;
  BatchLoader<TileB, Cfg::kThreads> loader_b_;
  uint32_t left_ = 0;  // k-tiles of this tile that were not fetched
};

// ---- registers -> C ---------------------------------------------------------------------------

// A warp's part of a tile of C, an element a lane: neighbouring lanes store neighbouring rows, of
// as many columns at a time as the rows that exist leave lanes for. kPlain: there is a product, and
// beta is 0.
template <bool kPlain, class Stage, int kCountN, int kCountM, class Out, class Scale>
__device__ __forceinline__ void store_elements(
    const typename Stage::Sum (&sums)[kCountN][kCountM][4], typename Stage::Sum* stage,
    const WarpTarget<Out>& target, const Finish<Scale>& finish) {
  constexpr int kColumns = Stage::kColumns;
  const int rows =
      static_cast<int>(target.rows_left < Stage::kRows ? target.rows_left : Stage::kRows);
  const int log2_rows = 32 - __clz(rows - 1);  // rounded up
  const int lane = opaque_thread() % 32;
  const int row = lane & ((1 << log2_rows) - 1), first = lane >> log2_rows;
  const int step = 32 >> log2_rows;
  const int64_t step_elements = step * target.ld;
  Out* c = target.c + row + first * target.ld;
  const auto* from = stage + first * Stage::kLd + row;
#pragma unroll
  for (int octet = 0; octet < 2 * kCountN; octet += kColumns / 8) {
    const int64_t left = target.columns_left - octet * 8;
    if (left <= 0) return;  // all lanes
    const int columns = row >= rows ? 0 : static_cast<int>(left < kColumns ? left : kColumns);
    // All loads of C before the first store: one wait for memory.
    Out results[kColumns] = {};
    if (!kPlain && !is_zero(finish.beta)) {
      const Out* old = c;
#pragma unroll
      for (int i = 0; i < kColumns; ++i) {
        if (first + i * step < columns) results[i] = *old;
        old = ptx::opaque(old + step_elements);
      }
    }
    stage_sums<Stage, false>(stage, sums, octet);
    __syncwarp();  // all lanes' stores of these columns before any lane's loads
    Out* to = c;
#pragma unroll
    for (int i = 0; i < kColumns; ++i) {
      if (i * step >= kColumns) break;  // all lanes
      if (first + i * step < columns) {
        const Scale sum = from[i * step * Stage::kLd];
        if constexpr (kPlain) {
          results[i] = Narrow<Out, Scale>::from(multiply(finish.alpha, sum));
        } else {
          store_result(&results[i], sum, finish);
        }
        *to = results[i];
      }
      to = ptx::opaque(to + step_elements);
    }
    __syncwarp();  // all lanes' loads before any lane's stores of the next columns
    c += kColumns * target.ld;
  }
}

template <class Cfg>
__device__ __forceinline__ void store_batch_tile(
    const typename Cfg::Sum (&sums)[Cfg::kCountN][Cfg::kCountM][4], char* smem,
    const GemmArgs& args, int64_t batch, int64_t first_m, int64_t first_n) {
  using Out = typename Cfg::Out;
  const int warp = opaque_thread() / 32;
  const int64_t warp_n = first_n + warp * Cfg::kWarpN;
  if (warp_n >= args.n) return;
  Out* c = matrix_c_of_batch<Out>(args, batch);
  const bool aligned = ((reinterpret_cast<uintptr_t>(c) | (args.ldc * sizeof(Out))) & 15) == 0;
  // Without an epilogue (KernelRow::takes_epilogue).
  const WarpTarget<Out> target{
      c + first_m + warp_n * args.ldc, args.ldc, args.m - first_m, args.n - warp_n, aligned,
      {nullptr, Activation::kIdentity}};
  auto* stage = reinterpret_cast<typename Cfg::Sum*>(smem + Cfg::kStageAreaOffset +
                                                     warp * Cfg::Stage::kBytes);
  // Scalars are loaded again here: kept from the start, they would hold registers all along.
  const auto finish = load_finish<typename Cfg::Scale>(args);
  if (aligned && target.rows_left >= Cfg::kWarpM) {
    store_warp<typename Cfg::Stage, false, false>(sums, stage, target, finish);
  } else if (finish.has_product && is_zero(finish.beta)) {
    store_elements<true, typename Cfg::Stage>(sums, stage, target, finish);
  } else {
    store_elements<false, typename Cfg::Stage>(sums, stage, target, finish);
  }
}

// ---- all tiles --------------------------------------------------------------------------------

template <class Cfg, class TileA, class TileB>
__device__ __forceinline__ void multiply_batch(const GemmArgs& args) {
  using Fragments = StepFragments<Cfg, TileA, TileB>;
  extern __shared__ __align__(128) char smem[];  // 2 x (TileA, TileB), staged sums
  const BatchTiles<Cfg> tiles(args);
  MmaBatchFeed<Cfg, TileA, TileB> feed(args, tiles);
  feed.fetch();
  uint32_t stage = 0;
  for (TileWalk walk(tiles.count()); walk.batch() < args.batch_count; walk.advance()) {
    typename Cfg::Sum sums[Cfg::kCountN][Cfg::kCountM][4] = {};
#pragma unroll 1
    for (uint32_t left = tiles.k_tiles; left > 0; --left) {
      const int valid_k = tiles.k_of_tile(left);
      feed.put(smem + stage, valid_k);
      // All threads' stores of this k-tile before any thread's loads of it; all threads' loads of
      // the one before it before any thread's stores of the next over that.
      __syncthreads();
      feed.fetch();
      const uint32_t ring = ptx::shared_address(smem) + stage;
      const uint32_t a_offset = Fragments::ForA::lane_offset(0);
      const uint32_t b_offset = Fragments::ForB::lane_offset(opaque_thread() / 32 * Cfg::kWarpN);
#pragma unroll
      for (int step = 0; step < Cfg::kSteps; ++step) {
        if (step * Cfg::Mma::kK >= valid_k) break;
        Fragments fragments;
        fragments.load(ring, a_offset, b_offset, step);
        multiply_step<Cfg>(sums, fragments);
      }
      stage = Cfg::kStageBytes - stage;
    }
    int64_t first_m, first_n;
    tiles.place(walk.tile(), &first_m, &first_n);
    store_batch_tile<Cfg>(sums, smem, args, walk.batch(), first_m, first_n);
  }
}

template <class Cfg>
__device__ __forceinline__ void mma_batch(const GemmArgs& args) {
  with_layout<Cfg>(args, [&](auto layout) {
    using L = decltype(layout);
    multiply_batch<Cfg, typename L::TileA, typename L::TileB>(args);
  });
}

}  // namespace myblas

// A compiled kernel, a line of the family's .cu files. blocks: resident blocks an SM, for which the
// compiler must find the registers.
// clang-format off
#define MYBLAS_MMA_BATCH(name, Type, Out, tile_m, tile_n, tile_k, warp_m, warp_n, blocks)                    \
  extern "C" __global__ void                                                                                 \
      __launch_bounds__(MmaBatchConfig<Type, Out, tile_m, tile_n, tile_k, warp_m, warp_n, blocks>::kThreads, blocks) \
      name(const __grid_constant__ GemmArgs args) {                                                          \
    begin_grid(args, args.m);                                                                                \
    mma_batch<MmaBatchConfig<Type, Out, tile_m, tile_n, tile_k, warp_m, warp_n, blocks>>(args);              \
  }
// clang-format on
