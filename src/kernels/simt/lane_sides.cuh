// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// simt/lane_sides.cuh: how a lane reads its rows of one operand (m of A, n of B) from a stage of
// simt/gemm_simt.cuh, and which rows those are.
//
//   RowSide    the operand's rows are neighbours: a line of them for each k, or one of their real
//              and one of their imaginary parts. A lane has runs of 16 bytes, of one k each
//   ChunkSide  k is contiguous: a line of TileK for each row, its chunks of 4 k swizzled as TMA
//              does it (CU_TENSOR_MAP_SWIZZLE_64B, _128B). A lane has every kLanes-th row, so that
//              lanes next to each other read lines next to each other, which lie in different banks
//==============================================================================
#pragma once

#include "kernels/common/swizzle.h"
#include "kernels/ptx/shared_memory.h"

namespace myblas {

// Lane -> position in the warp's kLanesM x kLanesN arrangement. Two lanes next to each other read
// the same 16 bytes of the side with 8 lanes, which halves the wavefronts of its loads.
template <class Cfg>
__device__ __forceinline__ void lane_position(int thread, int* lane_m, int* lane_n) {
  const int lane = thread % 32;
  const int of_eight = lane / 2 % 8;
  const int of_four = lane / 16 * 2 + lane % 2;
  *lane_m = Cfg::kLanesM == 8 ? of_eight : of_four;
  *lane_n = Cfg::kLanesM == 8 ? of_four : of_eight;
}

// Position in the warp's tile of sum i of a lane: runs of kRun, one run of every lane after the
// other; along k, one row of every lane after the other.
template <class Cfg, int kLanes, bool kAlongK = false>
__device__ __forceinline__ constexpr int place_of_sum(int lane, int i) {
  constexpr int kRun = kAlongK ? 1 : Cfg::kRun;
  return i / kRun * (kLanes * kRun) + lane * kRun + i % kRun;
}

// Which of the columns that a thread has sums of it stores: all, or where slices of k share the
// tile, a share of each run, along k every kSlices-th.
template <class Cfg>
struct StoredColumns {
  static constexpr int kOfRun = Cfg::kAlongKB ? 1 : Cfg::kRun / Cfg::kSlices;
  static_assert(Cfg::kAccN % (Cfg::kAlongKB ? Cfg::kSlices : Cfg::kRun) == 0);
  static_assert(Cfg::kAlongKB || Cfg::kRun % Cfg::kSlices == 0, "a slice has its share of a run");
  // The number of the j-th one among the first slice's sums; another's are kOfRun a slice behind.
  static __device__ __forceinline__ constexpr int number_of(int j) {
    // NOTE: by the general form the compiler (13.0) orders the registers of main loops anew.
    if constexpr (Cfg::kSlices == 1) return j;
    return Cfg::kAlongKB ? j * Cfg::kSlices : j / kOfRun * Cfg::kRun + j % kOfRun;
  }
  // In the warp's tile, from the first one of a lane and slice on; and where that one is.
  static __device__ __forceinline__ constexpr int place_of(int j) {
    return place_of_sum<Cfg, Cfg::kLanesN, Cfg::kAlongKB>(0, number_of(j));
  }
  static __device__ __forceinline__ constexpr int first_of(int lane_n, int slice) {
    return place_of_sum<Cfg, Cfg::kLanesN, Cfg::kAlongKB>(lane_n, slice * kOfRun);
  }
};

// One k of a lane's kCount rows; `from` is its first run. Of planes, the real parts of all rows
// come first; kPlane: from these to the imaginary parts.
template <class Cfg, int kLanes, int kCount, int kPlane>
__device__ __forceinline__ void load_runs(float* values, const typename Cfg::RingElement* from) {
  constexpr int kFloats = sizeof(*from) / sizeof(float);
#pragma unroll
  for (int plane = 0; plane < Cfg::kPlanes; ++plane) {
#pragma unroll
    for (int i = 0; i < kCount; i += Cfg::kRun) {
      ptx::load_shared_4(values + (plane * kCount + i) * kFloats,
                         reinterpret_cast<const float*>(from + plane * kPlane + i * kLanes));
    }
  }
}

// kCount: rows of a lane. kLd: from one k to the next, of what the ring holds.
template <class Cfg, int kLanes, int kCount, int kLd, int kPlane>
struct RowSide {
  using Element = typename Cfg::RingElement;
  const Element* row;  // this lane's first run of the slice's first k, in the first stage
  const Element* at;   // and of the pass, in the stage that is read

  __device__ __forceinline__ RowSide(const Element* tile, int first_row, int lane, int first_k)
      : row(tile + first_row + lane * Cfg::kRun + first_k * kLd), at(row) {}
  __device__ __forceinline__ void go_to_stage(int stage) { at = row + stage; }
  __device__ __forceinline__ void go_to_pass(int /*stage*/, int /*k*/) { at += Cfg::kPassK * kLd; }

  __device__ __forceinline__ void load(float* values, int k) const {
    load_runs<Cfg, kLanes, kCount, kPlane>(values, at + k * kLd);
  }
};

template <class Cfg, int kLanes>
struct ChunkSide {
  static constexpr int kChunkK = 4;  // k of 16 bytes
  static constexpr int kLineBytes = Cfg::kTileK * 4;
  using TmaSwizzle = LineSwizzle<SwizzleFor::kMatrixRows, kLineBytes>;
  static_assert(kLineBytes == 64 || kLineBytes == 128, "as TMA swizzles");
  uint32_t row;  // this lane's first chunk of the slice's first k, in the first stage: an address
  uint32_t at;   // and in the stage that is read

  __device__ __forceinline__ ChunkSide(const float* tile, int first_row, int lane, int first_k) {
    const int line = first_row + lane;
    row = ptx::shared_address(tile) +
          static_cast<uint32_t>(line * kLineBytes +
                                (first_k / kChunkK ^ TmaSwizzle::of_line(line)) * 16);
    at = row;
  }
  __device__ __forceinline__ void go_to_stage(int stage) { at = row + stage * 4; }
  __device__ __forceinline__ void go_to_pass(int /*stage*/, int /*k*/) {}  // there is one

  // Four k, from `k` on, of the lane's row `i`.
  __device__ __forceinline__ void load(float (&values)[4], int i, int k) const {
    // The lane's own line and chunk end below the bits that i * kLanes sets: no carries.
    const auto swizzle =
        static_cast<uint32_t>((k / kChunkK ^ TmaSwizzle::of_line(i * kLanes)) * 16);
    ptx::load_shared_4(values, (at ^ swizzle) + i * kLanes * kLineBytes);
  }
};

}  // namespace myblas
