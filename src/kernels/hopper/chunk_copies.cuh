// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// hopper/chunk_copies.cuh: a chunk of C between its staging buffer and a C that
// TMA cannot reach.
//
// By all threads of a consumer: each goes along a row of m of a box, and the loads of a group of
// its elements wait together. left: columns of C from the group's first.
//==============================================================================
#pragma once

#include "kernels/hopper/hopper_shape.h"
#include "kernels/ptx/opaque.h"

namespace myblas {

template <class Out, class Layout, HopperShape kShape>
struct ChunkCopies {
  static constexpr int kBoxM = Layout::kBoxM, kChunkN = Layout::kChunkN;
  static constexpr int kBoxes = Layout::kBoxes;

  static constexpr int kGroup = 4;
  static constexpr int kColumnStep = 128 / kBoxM;
  static_assert(128 % kBoxM == 0 && kChunkN % (kGroup * kColumnStep) == 0);

  static __device__ __forceinline__ void read_chunk(unsigned char* buffer, const Out* c,
                                                    int64_t ldc, int left_m, int left_n) {
    for_groups(c, ldc, left_n, [&](const Out* from, int m, int first_n, int left) {
      Out group[kGroup];
#pragma unroll
      for (int i = 0; i < kGroup; ++i) {
        group[i] = m < left_m && i * kColumnStep < left ? *from : Out{};
        from += kColumnStep * ldc;
      }
#pragma unroll
      for (int i = 0; i < kGroup; ++i) {
        *reinterpret_cast<Out*>(buffer + Layout::offset_of(m, first_n + i * kColumnStep)) =
            group[i];
      }
    });
  }
  static __device__ __forceinline__ void copy_chunk(Out* c, int64_t ldc,
                                                    const unsigned char* buffer, int left_m,
                                                    int left_n) {
    for_groups(c, ldc, left_n, [&](Out* to, int m, int first_n, int left) {
      Out group[kGroup];
#pragma unroll
      for (int i = 0; i < kGroup; ++i) {
        group[i] =
            *reinterpret_cast<const Out*>(buffer + Layout::offset_of(m, first_n + i * kColumnStep));
      }
#pragma unroll
      for (int i = 0; i < kGroup; ++i) {
        if (m < left_m && i * kColumnStep < left) *to = group[i];
        to += kColumnStep * ldc;
      }
    });
  }
  // Calls body(address in C, m, n, columns left) for the first element of each of the thread's
  // groups.
  template <class Pointer, class Body>
  static __device__ __forceinline__ void for_groups(Pointer c, int64_t ldc, int left_n,
                                                    const Body& body) {
    // Of the largest tiles, for want of registers.
    constexpr bool kAgain = kShape.tile_m * kShape.tile_n >= kTileOfLeanProducer;
    const int thread = kAgain ? ptx::thread_again(static_cast<uint32_t>(left_n)) % 128
                              : static_cast<int>(threadIdx.x) % 128;
    int m = thread % kBoxM;
    Pointer first = c + m + thread / kBoxM * ldc;
    const auto along_box = [&](Pointer place) {
#pragma unroll 1
      for (int n = thread / kBoxM; n < kChunkN; n += kGroup * kColumnStep) {
        body(place, m, n, left_n - n);
        place += kGroup * kColumnStep * ldc;
      }
    };
    along_box(first);
#pragma unroll 1
    for (int box = 1; box < kBoxes; ++box) {
      m += kBoxM;
      first += kBoxM;
      along_box(first);
    }
  }
};

}  // namespace myblas
