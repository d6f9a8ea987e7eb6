// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/tma_loader.cuh: operands on their way into a ring of stages, by TMA.
// common/tma_shape.h says how they lie there.
//==============================================================================
#pragma once

#include <type_traits>

#include "kernels/common/arithmetic.cuh"
#include "kernels/common/batch.cuh"
#include "kernels/common/matrix_place.cuh"
#include "kernels/common/mma_layout.cuh"
#include "kernels/common/staged_box.cuh"
#include "kernels/common/tile_order.cuh"
#include "kernels/common/tma_args.h"
#include "kernels/common/tma_shape.h"
#include "kernels/ptx/elect.h"
#include "kernels/ptx/mbarrier.h"
#include "kernels/ptx/mma.h"
#include "kernels/ptx/opaque.h"
#include "kernels/ptx/shared_memory.h"
#include "kernels/ptx/tma.h"

namespace myblas {

// The stage that comes next, and the parity of its phase.
template <int kStages>
struct RingPosition {
  int stage = 0;
  int parity = 0;

  __device__ __forceinline__ void advance() {
    if (++stage == kStages) {
      stage = 0;
      parity ^= 1;
    }
  }
  __device__ __forceinline__ void advance(int stages) {
    const int next = stage + stages;
    parity ^= next / kStages & 1;
    stage = next % kStages;
  }
};

__device__ __forceinline__ bool a_is_transposed(const TmaArgs& args) {
  return (args.operand_bits & kIsTransposed) != 0;
}
__device__ __forceinline__ bool b_is_transposed(const TmaArgs& args) {
  return (args.operand_bits & kIsTransposed << kBitsOfA) != 0;
}
__device__ __forceinline__ bool a_moves(const TmaArgs& args) {
  return (args.operand_bits & kMovesInBatch) != 0;
}
__device__ __forceinline__ bool b_moves(const TmaArgs& args) {
  return (args.operand_bits & kMovesInBatch << kBitsOfA) != 0;
}

// Scale: of alpha.
template <class Scale>
__device__ __forceinline__ bool load_has_product(const TmaArgs& args) {
  if (args.product != Product::kUnlessAlphaIsZero) return args.product == Product::kAlways;
  return !is_zero(load_scalar<Scale>(args.gemm.alpha));
}

// By one thread, ahead of the first copies, which else would fetch the maps first.
// kAtEdges: tiles at the edges of A and B have maps of their own, which the only tile has alone.
template <bool kAtEdges>
__device__ __forceinline__ void prefetch_maps(const TmaArgs& args) {
  const auto prefetch = [](const TensorMap& map, const TensorMap& map_at_edge, EdgeBoxes edge) {
    if (!kAtEdges || edge.first > 0) ptx::prefetch_tensor_map(&map);
    if (kAtEdges && edge.rows > 0) ptx::prefetch_tensor_map(&map_at_edge);
  };
  if (args.product != Product::kNone) {
    prefetch(args.a, args.map_edge_a, args.edge_a);
    prefetch(args.b, args.map_edge_b, args.edge_b);
  }
  if (args.c_mapped != 0) ptx::prefetch_tensor_map(&args.c);
}

// One operand's tile of kSize (m or n) x a k-tile. Blocks that share it load a part each, for all
// kSharers. kBlock: rows of a box where the tile is transposed. kAtEdge: the tile may reach over
// the matrix's edge, where boxes hold no more than is there (EdgeBoxes); a loop for other tiles
// has no instruction for that.
template <int kSize, int kSharers, int kBlock, bool kAtEdge = false>
struct TileLoader {
  static constexpr int kTileSize = kSize, kBlockRows = kBlock;
  static constexpr bool kIsShared = kSharers > 1;
  const TensorMap* map;
  const TensorMap* edge_map;
  const EdgeBoxes* edge;
  bool transposed;
  bool batch_moves;           // place_in_batch
  int part;                   // this block's; 0 where it loads all
  uint32_t first_sharer = 0;  // its rank in the cluster
  bool over_edge = false;     // of kAtEdge

  // Whether the tile that begins at row `first` reaches over the edge.
  __device__ __forceinline__ bool reaches_edge(int first) const { return first >= edge->first; }
  __device__ __forceinline__ TileLoader<kSize, kSharers, kBlock, true> at_edge(bool reaches) const {
    return {map, edge_map, edge, transposed, batch_moves, part, first_sharer, reaches};
  }

  // Of the box of a block's part, where the tile lies along k.
  __device__ __forceinline__ int rows() const {
    return kAtEdge && over_edge ? edge->rows : kSize / kSharers;
  }
  // Where the tile is transposed: blocks of it that are not all outside.
  __device__ __forceinline__ int blocks() const {
    return (rows() * kSharers + kBlock - 1) / kBlock;
  }
  __device__ __forceinline__ int bytes() const {
    return (transposed ? blocks() * kBlock : rows() * kSharers) * kTmaRowBytes;
  }

  // is_transposed: as the member says, of which the compiler may know.
  template <class Place>
  __device__ __forceinline__ void start(uint32_t to, int first, int k, Place matrix, uint32_t full,
                                        bool is_transposed) const {
    if (is_transposed) {
      constexpr int kBlocks = (kSize + kBlock - 1) / kBlock;
      // A shape whose blocks do not divide so has this operand contiguous along k alone.
      constexpr int kMine = (kBlocks + kSharers - 1) / kSharers;
#pragma unroll
      for (int i = 0; i < kMine; ++i) {
        const int block = part * kMine + i;
        if (kAtEdge && block >= blocks()) break;
        load(to + block * kBlock * kTmaRowBytes, first + block * kBlock, k, matrix, full);
      }
    } else {
      load(to + part * rows() * kTmaRowBytes, k, first + part * rows(), matrix, full);
    }
  }

 private:
  template <class Place>
  __device__ __forceinline__ void load(uint32_t to, int x, int y, Place matrix,
                                       uint32_t full) const {
    const TensorMap* const from = kAtEdge && over_edge ? edge_map : map;
    if constexpr (kSharers > 1) {
      constexpr uint32_t kAll = (1u << kSharers) - 1;
      load_box(to, from, x, y, matrix, full, static_cast<uint16_t>(kAll << first_sharer));
    } else {
      load_box(to, from, x, y, matrix, full);
    }
  }
};

// ---- batches of pointers ----------------------------------------------------------------------

// The tile that TileLoader::start brings, by the threads of a warp: of a matrix that lies where TMA
// cannot read. Slow, for it is rare (cuBLAS computes such products wrong), and with few registers,
// for a warp that loads has no more: 4 bytes at a time. TMA rounds fp32 (TensorMapShape), and so is
// it here.
template <class Element, int kSize, int kBlock>
__device__ __forceinline__ void copy_tile(uint32_t to, const void* matrix,
                                          const OperandArg& operand, bool along_rows, int rows,
                                          int k_end, int first, int k) {
  constexpr int kBytes = static_cast<int>(sizeof(Element));
  using Bits =
      std::conditional_t<kBytes == 1, uint8_t, std::conditional_t<kBytes == 2, uint16_t, uint32_t>>;
  constexpr int kTileK = kTmaRowBytes / kBytes;
  constexpr int kBlocks = (kSize + kBlock - 1) / kBlock;
  constexpr int kElements = kBytes < 4 ? 4 / kBytes : 1;  // of a word
  static_assert(kTmaRowBytes == 32 * 4, "a word of a line for each thread");
  // Lines of 128 bytes: kTileK of k for a row, or kBlock rows of a block for one k.
  const int lines = along_rows ? kBlocks * kTileK : kSize;
  const int byte = static_cast<int>(threadIdx.x) % 32 * 4;
  const auto ld = static_cast<int>(operand.ld);
#pragma unroll 4
  for (int line = 0; line < lines; ++line) {
    // Along the contiguous side of the matrix, and across it.
    const int along = (along_rows ? first + line / kTileK * kBlock : k) + byte / kBytes;
    const int across = along_rows ? k + line % kTileK : first + line;
    const int left = across < (along_rows ? k_end : rows) ? (along_rows ? rows : k_end) - along : 0;
    const auto* from = static_cast<const Bits*>(matrix) +
                       int64_t{across * ld + along} * (kBytes / sizeof(Bits)) +
                       byte % kBytes / static_cast<int>(sizeof(Bits));
    uint32_t word = 0;
#pragma unroll
    for (int i = 0; i < kElements; ++i) {
      if (i < left) word |= uint32_t{from[i]} << i * kBytes % 4 * 8;
    }
    if constexpr (std::is_same_v<Element, float>) word = ptx::round_to_tf32(word);
    ptx::store_shared_word(to + swizzled(line, byte), word);
  }
}

// Where the producer finds the operands of one matrix product.
template <class Element, bool kPointers>
struct TileSource {
  BatchPlace a, b;

  template <class LoaderA, class LoaderB>
  __device__ __forceinline__ TileSource(const TmaArgs&, int batch, const LoaderA& loader_a,
                                        const LoaderB& loader_b)
      : a(place_in_batch(batch, loader_a.batch_moves)),
        b(place_in_batch(batch, loader_b.batch_moves)) {}
  __device__ __forceinline__ BatchPlace place_a() const { return a; }
  __device__ __forceinline__ BatchPlace place_b() const { return b; }
};

// Of a batch of pointers. Its threads are a warp. NOTE: they have few registers, and look pointers
// up again.
template <class Element>
struct TileSource<Element, true> {
  const GemmArgs& args;
  const int batch;
  const bool mapped;

  template <class LoaderA, class LoaderB>
  __device__ __forceinline__ TileSource(const TmaArgs& all, int index, const LoaderA&,
                                        const LoaderB&)
      : args(all.gemm),
        batch(index),
        mapped(begins_for_tma(reinterpret_cast<uintptr_t>(matrix_a()) |
                              reinterpret_cast<uintptr_t>(matrix_b()))) {}
  __device__ __forceinline__ const void* matrix_a() const { return matrix_at(args.a); }
  __device__ __forceinline__ const void* matrix_b() const { return matrix_at(args.b); }
  __device__ __forceinline__ const void* matrix_at(const OperandArg& operand) const {
    return static_cast<const void* const*>(operand.base)[ptx::opaque(batch)];
  }
  __device__ __forceinline__ MemoryPlace place_a() const {
    return place_in_memory(matrix_a(), args.a.base);
  }
  __device__ __forceinline__ MemoryPlace place_b() const {
    return place_in_memory(matrix_b(), args.b.base);
  }
  __device__ __forceinline__ bool is_mapped() const { return mapped; }
  // Fills a stage that the warp's first lane has seen empty.
  template <class LoaderA, class LoaderB>
  __device__ __forceinline__ void copy(const LoaderA&, const LoaderB&, uint32_t to_a, uint32_t to_b,
                                       int first_m, int first_n, int k, uint32_t full) const {
    const auto m = static_cast<int>(args.m), n = static_cast<int>(args.n);
    const auto k_end = static_cast<int>(args.k);
    __syncwarp();  // the first lane's wait for the stage before all lanes' stores
    copy_tile<Element, LoaderA::kTileSize, LoaderA::kBlockRows>(
        to_a, matrix_a(), args.a, args.a.transposed == 0, m, k_end, first_m, k);
    copy_tile<Element, LoaderB::kTileSize, LoaderB::kBlockRows>(
        to_b, matrix_b(), args.b, args.b.transposed != 0, n, k_end, first_n, k);
    ptx::fence_async_shared();
    __syncwarp();  // all lanes' stores before the arrival of one
    if (threadIdx.x % 32 == 0) ptx::mbarrier_arrive(full);
  }
};

// ---- the producer ------------------------------------------------------------------------------

// A quick producer is a thread that the compiler knows to be alone (ptx/elect.h), in a loop for
// each pair of layouts. A k-tile takes it 330 clocks else, which tiles that multiply for less wait
// for.

// One thread behind those that multiply; of a batch of pointers its warp.
template <class Cfg>
__device__ __forceinline__ bool is_producer() {
  if constexpr (Cfg::kShape.has_quick_producer()) {
    const int warp = __shfl_sync(0xffffffffu, static_cast<int>(threadIdx.x) / 32, 0);
    return warp == Cfg::kConsumerThreads / 32 && ptx::elect_one();
  }
  constexpr int kThreads = Cfg::kShape.by_pointers ? 32 : 1;
  return threadIdx.x / kThreads == Cfg::kConsumerThreads / kThreads;
}
// Of its threads the one that starts copies.
template <class Cfg>
__device__ __forceinline__ bool leads_producer() {
  return !Cfg::kShape.by_pointers || threadIdx.x % 32 == 0;
}

// Whole k-tiles of a tile of C into the ring, by the producer's leader.
template <class Cfg, class Source, class LoaderA, class LoaderB, class Ring>
__device__ __forceinline__ void copy_k_tiles(const Source& source, const LoaderA& a,
                                             const LoaderB& b, const TileOfC& tile,
                                             const Ring& ring, RingPosition<Cfg::kStages>& at) {
  const auto place_a = source.place_a(), place_b = source.place_b();
  constexpr bool kMayLieOutside = LoaderA::kIsShared || LoaderB::kIsShared;
  const bool brings_a = !kMayLieOutside || LoaderA::kIsShared || tile.exists;
  const bool brings_b = !kMayLieOutside || LoaderB::kIsShared || tile.exists;
  const int bytes = (brings_a ? a.bytes() : 0) + (brings_b ? b.bytes() : 0);
  const auto bring = [&](auto a_transposed, auto b_transposed) {
    for (int i = 0; i < tile.k_tiles; ++i) {
      const int first_k = tile.first_k + i * Cfg::kTileK;
      const uint32_t full = ring.full(at.stage);
      // All reads of what the stage held before the copies over it.
      ptx::mbarrier_wait(ring.empty(at.stage), at.parity ^ 1);
      ptx::mbarrier_arrive_expect_tx(full, bytes);
      if (brings_a) {
        a.start(ring.a(at.stage), tile.first_m, first_k, place_a, full, a_transposed());
      }
      if (brings_b) {
        b.start(ring.b(at.stage), tile.first_n, first_k, place_b, full, b_transposed());
      }
      at.advance();
    }
  };
  if constexpr (Cfg::kShape.has_quick_producer()) {
    with_transposition(a.transposed, b.transposed, [&](auto rows_a, auto rows_b) {
      bring([] { return decltype(rows_a)::value; }, [] { return decltype(rows_b)::value; });
    });
  } else {
    bring([&] { return a.transposed; }, [&] { return b.transposed; });
  }
}

// The k-tiles of a tile of C into the ring, by the producer. leads: leads_producer. Of a tile that
// lies outside of C only what the cluster's other blocks share is brought: TMA would make the rest,
// rows of zeros, one by one, which takes longer than the products of the others do.
template <class Cfg, class Element, class LoaderA, class LoaderB, class Ring>
__device__ __forceinline__ void load_k_tiles(const TmaArgs& args, const LoaderA& a,
                                             const LoaderB& b, const TileOfC& tile,
                                             const Ring& ring, bool leads,
                                             RingPosition<Cfg::kStages>& at) {
  const TileSource<Element, Cfg::kShape.by_pointers> source(args, tile.batch, a, b);
  if constexpr (Cfg::kShape.by_pointers) {
    if (!source.is_mapped()) {
      for (int i = 0; i < tile.k_tiles; ++i) {
        // All reads of what the stage held before the writes over it.
        if (leads) ptx::mbarrier_wait(ring.empty(at.stage), at.parity ^ 1);
        source.copy(a, b, ring.a(at.stage), ring.b(at.stage), tile.first_m, tile.first_n,
                    tile.first_k + i * Cfg::kTileK, ring.full(at.stage));
        at.advance();
      }
      return;
    }
    if (!leads) {
      at.advance(tile.k_tiles);
      return;
    }
  }
  if constexpr (Cfg::kShape.knows_edges()) {
    const bool edge_a = a.reaches_edge(tile.first_m), edge_b = b.reaches_edge(tile.first_n);
    if (edge_a || edge_b) {
      copy_k_tiles<Cfg>(source, a.at_edge(edge_a), b.at_edge(edge_b), tile, ring, at);
      return;
    }
  }
  copy_k_tiles<Cfg>(source, a, b, tile, ring, at);
}

}  // namespace myblas
