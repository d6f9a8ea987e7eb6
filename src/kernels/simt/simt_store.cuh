// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// simt/simt_store.cuh: a thread's sums of a tile -> alpha * sums + beta * C and its
// epilogue.
//
// From registers where C's columns are whole runs of 16 bytes, or k is contiguous in A; else, and
// of planes that are not added to C, by way of the ring, a warp's columns after each other. One
// form for each, of sums that were scaled before: code that runs once a tile is waited for
// instruction by instruction.
//==============================================================================
#pragma once

#include "kernels/common/arithmetic.cuh"
#include "kernels/common/epilogue.cuh"
#include "kernels/common/gemm_args.h"
#include "kernels/ptx/opaque.h"
#include "kernels/ptx/tma.h"
#include "kernels/simt/lane_sides.cuh"
#include "kernels/simt/simt_step.cuh"

namespace myblas {

// Neighbouring rows of one column of sums, 16 bytes.
template <class Cfg>
__device__ __forceinline__ float4 run_of_sums(const typename Cfg::Element* sums) {
  if constexpr (Cfg::kIsComplex) {
    const auto first = sums[place_in_registers<Cfg>(0)], second = sums[place_in_registers<Cfg>(1)];
    return make_float4(first.x, first.y, second.x, second.y);
  } else {
    return make_float4(sums[place_in_registers<Cfg>(0)], sums[place_in_registers<Cfg>(1)],
                       sums[place_in_registers<Cfg>(2)], sums[place_in_registers<Cfg>(3)]);
  }
}

// A warp's part of the ring for sums on their way to a C that is not aligned to 16 bytes: of each
// lane along n a run of columns, or half or a quarter of one where the ring has no more room. The
// pad keeps a quarter of a warp's stores in different banks where 8 lanes lie along m or a run is 2
// columns; else two meet. Where k is contiguous in A, lanes have neighbouring rows anyway. Of
// planes a lane has 4 rows, 32 bytes of C: from registers it would store half of a sector at a
// time.
template <class Cfg>
struct SimtStage {
  static constexpr bool kIsUsed = !Cfg::kAlongKA;
  static constexpr int kLd = Cfg::kWarpM + 4;
  static constexpr int kMostElements =
      Cfg::kStages * Cfg::kStageElements / Cfg::kPlanes / (Cfg::kThreads / 32) / 4 * 4;
  static constexpr int columns_of_run() {
    int columns = Cfg::kAlongKB ? Cfg::kRun : StoredColumns<Cfg>::kOfRun;
    if (columns > Cfg::kStoredN) columns = Cfg::kStoredN;
    while (columns * Cfg::kLanesN * kLd > kMostElements) columns /= 2;
    return columns;
  }
  static constexpr int kOfRun = columns_of_run();
  static constexpr int kColumns = kOfRun * Cfg::kLanesN;
  static constexpr int kElements = kColumns * kLd;
  // Where the j-th column that a lane stages lies, and from the first column in C of all lanes to
  // that of staged column i. Along k in B lanes have neighbouring columns, else runs.
  static __device__ __forceinline__ constexpr int place_of(int lane_n, int j) {
    return Cfg::kAlongKB ? j * Cfg::kLanesN + lane_n : lane_n * kOfRun + j;
  }
  static __device__ __forceinline__ constexpr int column_of(int i) {
    if (Cfg::kAlongKB) return i / Cfg::kLanesN * (Cfg::kSlices * Cfg::kLanesN) + i % Cfg::kLanesN;
    return i / kOfRun * Cfg::kRun + i % kOfRun;
  }
};

// alpha times the sums, ahead of all stores: one branch instead of one an element.
// NOTE: without a product only beta * c is left, of which -0 keeps the sign.
template <class Cfg>
__device__ __forceinline__ void scale_sums(StoredSums<Cfg>& sums,
                                           const Finish<typename Cfg::Element>& finish) {
  using Element = typename Cfg::Element;
  if (!finish.has_product) {
    const double zero = is_zero(finish.beta) ? 0.0 : -0.0;
    const Element nothing = ScalarOf<Element>::from(zero, zero);
#pragma unroll
    for (int j = 0; j < Cfg::kStoredN; ++j) {
#pragma unroll
      for (int i = 0; i < Cfg::kAccM; ++i) sums[j][i] = nothing;
    }
    return;
  }
#pragma unroll
  for (int j = 0; j < Cfg::kStoredN; ++j) {
#pragma unroll
    for (int i = 0; i < Cfg::kAccM; ++i) sums[j][i] = multiply(finish.alpha, sums[j][i]);
  }
}

// The epilogue of scaled sums, ahead of beta * C: with an activation goes a beta of 0. epilogue:
// from the thread's first row on, of which rows_left are C's.
template <class Cfg>
__device__ __forceinline__ void finish_sums(StoredSums<Cfg>& sums,
                                            const RowEpilogue<typename Cfg::Element>& epilogue,
                                            int rows_left) {
  typename Cfg::Element biases[Cfg::kAccM];
  epilogue.load(biases, rows_left,
                [](int i) { return place_of_sum<Cfg, Cfg::kLanesM, Cfg::kAlongKA>(0, i); });
  epilogue.template finish<Cfg::kStoredN * Cfg::kAccM>(
      &sums[0][0], biases, [](int i) { return place_in_registers<Cfg>(i % Cfg::kAccM); });
}

// One element of C, which is aligned to its parts alone.
__device__ __forceinline__ float load_parts(const float* from) { return *from; }
__device__ __forceinline__ Complex<float> load_parts(const Complex<float>* from) {
  return {from->x, from->y};
}
__device__ __forceinline__ void store_parts(float* to, float value) { *to = value; }
__device__ __forceinline__ void store_parts(Complex<float>* to, Complex<float> value) {
  to->x = value.x;
  to->y = value.y;
}

// The same where it is known to be aligned to its size, and whether all of a matrix are.
__device__ __forceinline__ float load_whole(const float* from) { return *from; }
__device__ __forceinline__ Complex<float> load_whole(const Complex<float>* from) {
  const float2 parts = *reinterpret_cast<const float2*>(from);
  return {parts.x, parts.y};
}
__device__ __forceinline__ void store_whole(float* to, float value) { *to = value; }
__device__ __forceinline__ void store_whole(Complex<float>* to, Complex<float> value) {
  *reinterpret_cast<float2*>(to) = make_float2(value.x, value.y);
}
template <class Element>
__device__ __forceinline__ bool is_of_whole_elements(const Element* c) {
  return sizeof(Element) == alignof(Element) ||
         (reinterpret_cast<uintptr_t>(c) & (sizeof(Element) - 1)) == 0;
}

// Neighbouring rows of C: runs of 16 bytes where C is aligned to them, else one element.
template <class Element, int kPiece>
struct alignas(kPiece > 1 ? kPiece * sizeof(Element) : alignof(Element)) Piece {
  Element elements[kPiece];

  __device__ __forceinline__ void load(const Element* from) {
    if constexpr (kPiece == 1) {
      elements[0] = load_parts(from);
    } else {
      *this = *reinterpret_cast<const Piece*>(from);
    }
  }
  __device__ __forceinline__ void store(Element* to) const {
    if constexpr (kPiece == 1) {
      store_parts(to, elements[0]);
    } else {
      *reinterpret_cast<Piece*>(to) = *this;
    }
  }
};

// The pieces of what a thread has of a tile, each there as a whole or not at all, one after the
// other along its columns. c: the thread's first element; rows_left, columns_left: what exists from
// there.
template <class Cfg, int kPiece, class Pointer>
struct PieceWalk {
  static constexpr int kOfColumn = Cfg::kAccM / kPiece, kPieces = Cfg::kStoredN * kOfColumn;
  Pointer column;
  int64_t ldc;
  int rows_left, columns_left;

  static __device__ __forceinline__ constexpr int column_of(int j) {
    return StoredColumns<Cfg>::place_of(j);
  }
  static __device__ __forceinline__ constexpr int first_sum(int piece) {  // of its column's
    return piece % kOfColumn * kPiece;
  }
  // Calls body(address) where C has the piece, and goes on. By each piece in turn.
  template <class Body>
  __device__ __forceinline__ void take(int piece, const Body& body) {
    const int j = piece / kOfColumn;
    const int row = place_of_sum<Cfg, Cfg::kLanesM, Cfg::kAlongKA>(0, first_sum(piece));
    if (column_of(j) < columns_left && row < rows_left) body(column + row);
    if (piece % kOfColumn == kOfColumn - 1) {
      column = ptx::opaque(column + (column_of(j + 1) - column_of(j)) * ldc);
    }
  }
};

// Of C, that are on their way to a thread while it adds what came before: as it has registers.
template <class Cfg>
inline constexpr int kBytesAhead = Cfg::kSumFloats < 128 ? 128 : 64;

// What C is read for is added ahead of the first store: no load waits for a store that it might
// depend on, and the main loop keeps its registers, in whose ports it would meet others else.
template <class Cfg, int kPiece>
__device__ __forceinline__ void store_pieces(StoredSums<Cfg>& sums, typename Cfg::Element* c,
                                             int64_t ldc, int rows_left, int columns_left,
                                             typename Cfg::Element beta) {
  using Element = typename Cfg::Element;
  if (!is_zero(beta)) {
    using Walk = PieceWalk<Cfg, kPiece, const Element*>;
    constexpr int kMostAhead = kBytesAhead<Cfg> / static_cast<int>(sizeof(Piece<Element, kPiece>));
    constexpr int kAhead = kMostAhead < Walk::kPieces ? kMostAhead : Walk::kPieces;
    Walk walk{c, ldc, rows_left, columns_left};
    Piece<Element, kPiece> old[kAhead] = {};
    const auto load = [&](int piece) {
      walk.take(piece, [&](const Element* from) { old[piece % kAhead].load(from); });
    };
#pragma unroll
    for (int piece = 0; piece < kAhead; ++piece) load(piece);
#pragma unroll
    for (int piece = 0; piece < Walk::kPieces; ++piece) {
#pragma unroll
      for (int e = 0; e < kPiece; ++e) {
        const int sum = place_in_registers<Cfg>(Walk::first_sum(piece) + e);
        multiply_add(sums[piece / Walk::kOfColumn][sum], beta, old[piece % kAhead].elements[e]);
      }
      if (piece + kAhead < Walk::kPieces) load(piece + kAhead);
    }
    // Back from behind the last column: kept meanwhile, the address would hold registers.
    c = const_cast<Element*>(walk.column) - Walk::column_of(Cfg::kStoredN) * ldc;
  }
  using Walk = PieceWalk<Cfg, kPiece, Element*>;
  Walk walk{c, ldc, rows_left, columns_left};
#pragma unroll
  for (int piece = 0; piece < Walk::kPieces; ++piece) {
    walk.take(piece, [&](Element* to) {
      Piece<Element, kPiece> result;
#pragma unroll
      for (int e = 0; e < kPiece; ++e) {
        const int sum = place_in_registers<Cfg>(Walk::first_sum(piece) + e);
        result.elements[e] = sums[piece / Walk::kOfColumn][sum];
      }
      result.store(to);
    });
  }
}

// A warp's sums where columns of C lie anywhere, by way of its part of the ring: lanes then store
// neighbouring rows. From their registers each store would touch as many columns as lanes lie along
// n, and a quarter of the bytes. c: the first element that the warp stores; rows, columns: what
// exists from there.
template <class Cfg>
__device__ __forceinline__ void store_staged(const StoredSums<Cfg>& sums,
                                             typename Cfg::Element* stage, typename Cfg::Element* c,
                                             int64_t ldc, int rows, int columns, int lane_m,
                                             int lane_n, typename Cfg::Element beta) {
  using Element = typename Cfg::Element;
  using Stage = SimtStage<Cfg>;
  // Columns that a lane loads before it stores.
  constexpr int kGroup = Stage::kColumns < 8 ? Stage::kColumns : 8;
  constexpr int kColumnsOfGroup = Stage::column_of(kGroup);
  static_assert(Stage::kColumns % kGroup == 0 && kGroup % Stage::kOfRun == 0);
  const int lane = ptx::opaque(static_cast<int>(threadIdx.x)) % 32;
  const bool reads_c = !is_zero(beta);
#pragma unroll
  for (int first = 0; first < Cfg::kStoredN; first += Stage::kOfRun) {
#pragma unroll
    for (int j = 0; j < Stage::kOfRun; ++j) {
      Element* const to = stage + Stage::place_of(lane_n, j) * Stage::kLd;
#pragma unroll
      for (int i = 0; i < Cfg::kAccM; i += Cfg::kRunOfC) {
        *reinterpret_cast<float4*>(to + place_of_sum<Cfg, Cfg::kLanesM>(lane_m, i)) =
            run_of_sums<Cfg>(&sums[first + j][i]);
      }
    }
    __syncwarp();  // all lanes' stores of these columns before any lane's loads
    const int first_column = StoredColumns<Cfg>::place_of(first);
#pragma unroll 1
    for (int row = lane; row < Cfg::kWarpM && row < rows; row += 32) {
      const Element* from = stage + row;
      Element* to = c + row + first_column * ldc;
      int left = columns - first_column;
#pragma unroll 1
      for (int column = 0; column < Stage::kColumns && left > 0; column += kGroup) {
        Element results[kGroup];
#pragma unroll
        for (int i = 0; i < kGroup; ++i) results[i] = load_whole(from + i * Stage::kLd);
        if (reads_c) {
          Element old[kGroup] = {};
#pragma unroll
          for (int i = 0; i < kGroup; ++i) {
            if (Stage::column_of(i) < left) old[i] = load_whole(to + Stage::column_of(i) * ldc);
          }
#pragma unroll
          for (int i = 0; i < kGroup; ++i) multiply_add(results[i], beta, old[i]);
        }
#pragma unroll
        for (int i = 0; i < kGroup; ++i) {
          if (Stage::column_of(i) < left) store_whole(to + Stage::column_of(i) * ldc, results[i]);
        }
        from += kGroup * Stage::kLd;
        to += kColumnsOfGroup * ldc;
        left -= kColumnsOfGroup;
      }
    }
    __syncwarp();  // all lanes' loads before any lane's stores of the next columns
  }
}

// Called by all threads of the block, at a time when nothing is in the ring, nor on its way there,
// unless kRingIsTaken: then a C whose columns are no whole runs is stored element by element.
template <class Cfg, bool kRingIsTaken = false>
__device__ __forceinline__ void store_tile(StoredSums<Cfg>& sums, const GemmArgs& args,
                                           typename Cfg::RingElement* ring,
                                           typename Cfg::Element* c, int64_t batch, int64_t first_m,
                                           int64_t first_n, int thread) {
  using Element = typename Cfg::Element;
  // Loaded again here: kept from the start, the scalars would hold registers in the main loop.
  const Finish<Element> finish = load_finish<Element>(args);
  const bool in_runs =
      ((reinterpret_cast<uintptr_t>(c) | ((args.ldc | args.m) * sizeof(Element))) & 15) == 0;
  int lane_m, lane_n;
  lane_position<Cfg>(thread, &lane_m, &lane_n);
  const int warp = thread / 32;
  const int slice = Cfg::kSlices == 1 ? 0 : thread / Cfg::kSliceThreads;
  const int warp_of_slice = Cfg::kSlices == 1 ? warp : thread % Cfg::kSliceThreads / 32;
  const int row = warp_of_slice % Cfg::kWarpsM * Cfg::kWarpM;
  const int column =
      warp_of_slice / Cfg::kWarpsM * Cfg::kWarpN + StoredColumns<Cfg>::first_of(0, slice);
  const auto rows_left = static_cast<int>(min(args.m - first_m, int64_t{Cfg::kTileM})) - row;
  const auto columns_left = static_cast<int>(min(args.n - first_n, int64_t{Cfg::kTileN})) - column;
  Element* const of_warp = c + first_m + row + (first_n + column) * args.ldc;
  const int row_of_lane = place_of_sum<Cfg, Cfg::kLanesM, Cfg::kAlongKA>(lane_m, 0);
  scale_sums<Cfg>(sums, finish);
  const auto epilogue =
      epilogue_of_batch<Element>(args.epilogue, batch, first_m + row + row_of_lane);
  if (epilogue.any()) finish_sums<Cfg>(sums, epilogue, rows_left - row_of_lane);
  constexpr bool kIsStaged = SimtStage<Cfg>::kIsUsed && !kRingIsTaken;
  if constexpr (kIsStaged) {
    // To add to, runs have more loads on their way.
    const bool by_ring = !in_runs || (Cfg::kPlanes == 2 && is_zero(finish.beta));
    if (by_ring && is_of_whole_elements(c)) {
      Element* const stage = reinterpret_cast<Element*>(ring) + warp * SimtStage<Cfg>::kElements;
      store_staged<Cfg>(sums, stage, of_warp, args.ldc, rows_left, columns_left, lane_m, lane_n,
                        finish.beta);
      if constexpr (Cfg::kFedByTma) ptx::fence_async_shared();  // stores, and then TMA's
      __syncthreads();  // all warps' accesses to the ring before copies of the next tile
      return;
    }
  }
  const int column_of_lane = StoredColumns<Cfg>::first_of(lane_n, 0);
  Element* const of_lane = of_warp + row_of_lane + column_of_lane * args.ldc;
  const auto store = [&](auto piece) {
    store_pieces<Cfg, decltype(piece)::value>(sums, of_lane, args.ldc, rows_left - row_of_lane,
                                              columns_left - column_of_lane, finish.beta);
  };
  if constexpr (Cfg::kAlongKA) {
    store(PieceSize<1>{});
  } else if ((kIsStaged && !Cfg::kIsComplex) || in_runs) {
    store(PieceSize<Cfg::kRunOfC>{});
  } else {
    store(PieceSize<1>{});
  }
}

}  // namespace myblas
