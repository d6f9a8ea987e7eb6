// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// simt/operand_loader.cuh: which elements of an operand's k-tile a thread brings
// to shared memory, and in what pieces. How they travel is the feed's affair.
//==============================================================================
#pragma once

#include <type_traits>

#include "kernels/common/batch.cuh"
#include "kernels/ptx/opaque.h"

namespace myblas {

// How a kRows x kTileK tile of one operand comes from global memory, with kRows a multiple of
// kThreads / 8.
//   kRowChunks  rows are contiguous, aligned, whole chunks: a thread copies 16 bytes of one k
//   kRowSingles rows are contiguous: a thread copies one row of one k
//   kKSingles   k is contiguous: a warp copies 8 (k) x 4 (rows) elements and so transposes
//   kKInside    the same of a tile whose rows all exist, which take() brings without a predicate
//               for each: a warp alone on its scheduler would wait 13 clocks for it
// Complex elements that come in planes are copied as the real numbers that they are in memory, one
// beside the other: twice as many rows, or a warp transposes 4 (k) x 2 (parts) x 4 (rows).
enum class LoaderMode { kRowChunks, kRowSingles, kKSingles, kKInside };

// A value that all lanes have, told to the compiler, which does not know it of what waited in a
// thread's own memory or came from an array of pointers: a branch on it then needs no convergence.
__device__ __forceinline__ int same_in_warp(int value) {
  return __shfl_sync(0xffffffffu, value, 0);
}
__device__ __forceinline__ bool same_in_warp(bool value) {
  return __any_sync(0xffffffffu, value) != 0;
}

// Elements that one piece holds, as a type: pieces differ in the instructions that move them.
template <int kElements>
using PieceSize = std::integral_constant<int, kElements>;

// kPlane: from a plane to the next. kTakesChunks: else aligned rows, too, come one by one.
template <class Cfg, int kRows, int kLd, int kPlane, bool kTakesChunks = true>
struct OperandLoader {
  using Element = typename Cfg::RingElement;
  static constexpr int kThreads = Cfg::kThreads, kTileK = Cfg::kTileK, kPlanes = Cfg::kPlanes;
  // Rows, where they are contiguous, are counted as they lie in memory: those of all planes.
  static constexpr int kMemoryRows = kRows * kPlanes;
  static constexpr int kLanesK = 8 / kPlanes;           // k of 8 lanes along it
  static constexpr int kChunk = Cfg::kRun;              // elements in 16 bytes
  static constexpr int kChunks = kMemoryRows / kChunk;  // in a k of the tile
  // Single copies walk a tile in parts of so many rows. Those of a thread lie at constant
  // distances, and only its steps of k take additions; but each part takes a predicate. Where sums
  // leave no registers, or slices share the SM, the FFMAs lose more by those than by additions, and
  // so they do where what was loaded waits in registers (feed_registers.cuh, two stages).
  static constexpr bool kHasWideParts = Cfg::kSlices > 1 || Cfg::kStages == 2;
  static constexpr int kMostPartRows = kHasWideParts ? kThreads : Cfg::kProducts < 128 ? 32 : 64;
  static constexpr int kPartRows = kMemoryRows < kMostPartRows ? kMemoryRows : kMostPartRows;
  static constexpr int kParts = kMemoryRows / kPartRows;
  static constexpr int kElements = kMemoryRows * kTileK / kThreads;  // that a thread moves
  // Threads with so many sums have no register for a second one.
  static constexpr int kPlaces = Cfg::kProducts < 128 ? 2 : 1;
  static_assert(kChunks * kTileK % kThreads == 0, "every thread copies as much as any other");
  static_assert(kMemoryRows % kPartRows == 0, "no row behind the last part");
  static_assert(kThreads % kPartRows == 0 && kPartRows % kPlanes == 0 && kThreads % 8 == 0);
  static_assert(kThreads % kChunks == 0 || !kTakesChunks);
  static_assert(kRows % (kThreads / 8) == 0, "no copy past the tile");
  static_assert(kTileK % (kThreads / kChunks) == 0 || !kTakesChunks);
  static_assert(kTileK % (kThreads / kPartRows) == 0 && kTileK % kLanesK == 0);

  // Few members: each holds a register through the main loop. ld stays with the arguments.
  LoaderMode mode;
  int valid_rows;             // rows of the tile that exist, from this thread's first one
  uint32_t offset;            // of this thread's first piece in a stage, bytes
  const Element* source;      // this thread's first element of the next k-tile
  const Element* row_source;  // of the rows that take_piece() has come to

  __device__ __forceinline__ bool in_rows() const {
    return mode == LoaderMode::kRowChunks || mode == LoaderMode::kRowSingles;
  }

  // This thread's first row and k in a tile.
  static __device__ __forceinline__ int first_row_of(LoaderMode mode) {
    const int thread = static_cast<int>(threadIdx.x);
    if (mode == LoaderMode::kRowChunks) return thread % kChunks * kChunk;
    return mode == LoaderMode::kRowSingles ? thread % kPartRows : thread / 8;
  }
  static __device__ __forceinline__ int first_k_of(LoaderMode mode) {
    const int thread = static_cast<int>(threadIdx.x);
    if (mode == LoaderMode::kRowChunks) return thread / kChunks;
    return mode == LoaderMode::kRowSingles ? thread / kPartRows : thread % 8 / kPlanes;
  }

  OperandLoader() = default;
  // The tile of `operand` that starts at first_tile_row and, of k, at first_tile_k.
  __device__ __forceinline__ OperandLoader(const BatchOperand& operand, int64_t first_tile_row,
                                           int64_t first_tile_k, bool row_by_row = false) {
    const auto* base = operand.base<Element>();
    // Chunks are there whole or not at all: a copy that reads fewer bytes than its size still
    // counts as an access to all of them (compute-sanitizer).
    const bool in_chunks =
        kTakesChunks && !row_by_row &&
        ((reinterpret_cast<uintptr_t>(base) | (operand.ld * sizeof(Element))) & 15) == 0 &&
        operand.rows % kChunk == 0;
    const LoaderMode along_k =
        operand.rows - first_tile_row >= kRows ? LoaderMode::kKInside : LoaderMode::kKSingles;
    mode = static_cast<LoaderMode>(
        same_in_warp(static_cast<int>(!operand.rows_contiguous ? along_k
                                      : in_chunks              ? LoaderMode::kRowChunks
                                                               : LoaderMode::kRowSingles)));
    const int row = first_row_of(mode);
    const int k = first_k_of(mode);
    const int along_rows = kPlanes == 2 && operand.rows_contiguous ? 2 : 1;
    const int64_t left = (operand.rows - first_tile_row) * along_rows - row;
    valid_rows =
        ptx::opaque(static_cast<int>(left < 0 ? 0 : (left < kMemoryRows ? left : kMemoryRows)));
    offset = static_cast<uint32_t>((k * kLd + row / along_rows) * sizeof(Element));
    const int64_t global_row = first_tile_row * along_rows + row;
    const int64_t global_k = first_tile_k + k;
    const int64_t ld = operand.ld * kPlanes;
    source = base + (operand.rows_contiguous ? global_row + global_k * ld
                                             : global_k * kPlanes + global_row * ld);
    if constexpr (kPlanes == 2) {
      const int part = static_cast<int>(threadIdx.x) % 2;
      if (!operand.rows_contiguous) source += part;
      // i times the conjugate, where that is wanted: the planes exchanged (combine_planes).
      offset += (part ^ (operand.conjugate ? 1 : 0)) * (kPlane * sizeof(Element));
    }
  }

  // Calls visit(size, first, to, from, exists) for every piece of this thread in the next k-tile:
  // a PieceSize, the number of elements before it, its bytes behind `offset`, its place in global
  // memory, and whether it is there. kWhole: all k of the k-tile exist. Otherwise valid_k do. Then
  // the next k-tile is the one behind these. ld, here and below: of planes in real numbers.
  template <bool kWhole, class Visit>
  __device__ __forceinline__ void take(int64_t ld, int valid_k, const Visit& visit) {
    if (kTakesChunks && mode == LoaderMode::kRowChunks) {
      walk_rows<kChunk, kWhole>(0, ld, valid_k, visit);
      source += valid_k * ld;
    } else if (mode == LoaderMode::kRowSingles) {
#pragma unroll
      for (int part = 0; part < kParts; ++part) walk_rows<1, kWhole>(part, ld, valid_k, visit);
      source += valid_k * ld;
    } else {
      if (kWhole && mode == LoaderMode::kKInside) {
        walk_k<kWhole, true>(ld, valid_k, visit);
      } else {
        walk_k<kWhole, false>(ld, valid_k, visit);
      }
      source += valid_k * kPlanes;
    }
  }

  // The main loop's way to the same, between products: the kCount pieces of a whole k-tile one by
  // one. kBeside of them lie at constant distances, and so do kCount / kBeside such groups, kStep
  // rows or k apart.
  template <LoaderMode kMode>
  struct Pieces {
    static constexpr bool kAlongK = kMode == LoaderMode::kKInside || kMode == LoaderMode::kKSingles;
    static constexpr int kSize = kMode == LoaderMode::kRowChunks ? kChunk : 1;
    static constexpr int kCount = kElements / kSize;
    static constexpr int kBeside = kAlongK                            ? kTileK / kLanesK
                                   : kMode == LoaderMode::kRowSingles ? kParts
                                                                      : 1;
    static constexpr int kStep = (kAlongK ? kRows : kTileK) / (kCount / kBeside);
    static_assert(kCount % kBeside == 0);
  };
  template <LoaderMode kMode, class Visit>
  __device__ __forceinline__ void take_piece(int i, int64_t ld, bool exists, const Visit& visit) {
    using P = Pieces<kMode>;
    const int across = i / P::kBeside * P::kStep, beside = i % P::kBeside;
    const int row = P::kAlongK ? across : beside * kPartRows;
    const int k = P::kAlongK ? beside * kLanesK : across;
    if (P::kAlongK && i == 0) row_source = source;
    // Along k the next k-tile begins beside this one, else where this one ends.
    const Element*& from = P::kAlongK ? row_source : source;
    const int row_of_plane = P::kAlongK ? row : row / kPlanes;
    visit(PieceSize<P::kSize>{}, static_cast<uint32_t>((k * kLd + row_of_plane) * sizeof(Element)),
          from + (P::kAlongK ? k * kPlanes : row), exists && row < valid_rows);
    if (beside == P::kBeside - 1) from = ptx::opaque(from + P::kStep * ld);
    if (P::kAlongK && i == P::kCount - 1) source += kTileK * kPlanes;
  }

  // The same for what has no place in global memory any more: the pieces of a whole k-tile.
  template <class Visit>
  __device__ __forceinline__ void pieces(const Visit& visit) const {
    OperandLoader same = *this;
    same.take<true>(0, kTileK, visit);
  }

 private:
  // Down the k of one row, or chunk of rows.
  template <int kSize, bool kWhole, class Visit>
  __device__ __forceinline__ void walk_rows(int part, int64_t ld, int valid_k,
                                            const Visit& visit) const {
    constexpr int kStepK = kThreads / (kSize == 1 ? kPartRows : kChunks);
    const int first_k =
        kWhole ? 0 : first_k_of(kSize == 1 ? LoaderMode::kRowSingles : LoaderMode::kRowChunks);
    // Places that take turns: a warp that is alone on its scheduler would wait for each step.
    const Element* from[kPlaces];
#pragma unroll
    for (int i = 0; i < kPlaces; ++i) from[i] = source + part * kPartRows + i * kStepK * ld;
    const bool row_exists = valid_rows > part * kPartRows;
#pragma unroll
    for (int k = 0; k < kTileK; k += kStepK) {
      const bool exists = row_exists && (kWhole || first_k + k < valid_k);
      const Element*& here = from[k / kStepK % kPlaces];
      visit(PieceSize<kSize>{}, (part * (kTileK / kStepK) + k / kStepK) * kSize,
            static_cast<uint32_t>((k * kLd + part * (kPartRows / kPlanes)) * sizeof(Element)), here,
            exists);
      here = ptx::opaque(here + kPlaces * kStepK * ld);
    }
  }

  template <bool kWhole, bool kInside, class Visit>
  __device__ __forceinline__ void walk_k(int64_t ld, int valid_k, const Visit& visit) const {
    constexpr int kStepRows = kThreads / 8;
    const int first_k = kWhole ? 0 : first_k_of(LoaderMode::kKSingles);
    const Element* from = source;
#pragma unroll
    for (int row = 0; row < kRows; row += kStepRows) {
#pragma unroll
      for (int k = 0; k < kTileK; k += kLanesK) {
        const bool exists = (kInside || row < valid_rows) && (kWhole || first_k + k < valid_k);
        visit(PieceSize<1>{}, row / kStepRows * (kTileK / kLanesK) + k / kLanesK,
              static_cast<uint32_t>((k * kLd + row) * sizeof(Element)), from + k * kPlanes, exists);
      }
      from = ptx::opaque(from + kStepRows * ld);
    }
  }
};

// What feeds have in common whose copies all threads of a block share: operands are read where they
// lie, and the main loop's barrier says that a stage is free.
template <class Element>
class FeedFromMemory {
 public:
  static constexpr bool kCountsReaders = false, kGoesOn = false;
  __device__ __forceinline__ void leave(int /*stage*/, int /*free_stage*/, bool /*exists*/) {}

  using Operand = BatchOperand;
  static __device__ __forceinline__ Operand operand_a(const GemmArgs& args, int64_t batch,
                                                      int64_t k) {
    return operand_a_of_batch<Element>(args, batch, k);
  }
  static __device__ __forceinline__ Operand operand_b(const GemmArgs& args, int64_t batch,
                                                      int64_t k) {
    return operand_b_of_batch<Element>(args, batch, k);
  }
};

}  // namespace myblas
