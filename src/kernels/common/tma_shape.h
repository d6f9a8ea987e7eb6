// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/tma_shape.h: how tiles that TMA brings lie in shared memory, as kernels,
// rows of the tables and launchers must agree on it.
//
// Rows of 128 bytes, swizzled. Where an operand is contiguous along k, a row is a k-tile of one
// row (m or n) of the tile; else (not of 8-bit types) as many rows of the tile as 128 bytes
// hold, for one k, and blocks of so many (64, 32 or 16) lie behind each other.
//==============================================================================
#pragma once

#include <cstdint>

namespace myblas {

inline constexpr int kTmaRowBytes = 128;  // what a swizzle exchanges
inline constexpr int kSwizzleRows = 8;    // after so many rows it begins anew

// k-tile: the elements of such a row.
constexpr int tma_tile_k(int element_bytes) { return kTmaRowBytes / element_bytes; }
inline constexpr int kTmaTileK = tma_tile_k(2);  // of 16-bit types

// Rows of a block of a transposed operand: as many elements, too.
constexpr int tma_block(int element_bytes) { return tma_tile_k(element_bytes); }
inline constexpr int kTmaBlock = tma_block(2);

// A batch of pointers has one map for each operand, of all memory there is: a matrix begins at
// every 16 bytes from the map's base on, kMemoryMapSteps of them along the map's third side, and
// the two sides' 64 bits of address come round to what lies ahead of the base. What the first two
// sides say of rows and columns bounds each matrix.
inline constexpr uint64_t kMemoryMapStepBytes = 16;
inline constexpr uint64_t kMemoryMapSteps = uint64_t{1} << 30;
inline constexpr uint64_t kMemoryMapStretches = uint64_t{1} << 30;

// Its base: the array of pointers, to 16 bytes. NOTE: any memory would do, but memory it must be: a
// line of a box that begins outside of its matrix is looked up at the base, and dropped (seen on an
// H200: else an illegal address). The array is there whenever the kernel runs, in a graph's replay
// too.

// Clusters of one to eight blocks that run at once, a block an SM. Two fit the SMs of a TPC; of
// larger ones GPCs leave SMs over. As an H100 and an H200 say of their 132 SMs
// (cudaOccupancyMaxActiveClusters; 40 of three took twice as long as 39).
inline constexpr int kMostOfCluster = 8;
constexpr int clusters_at_once(int sm_count, int blocks) {
  constexpr int kOf132[kMostOfCluster + 1] = {0, 132, 66, 39, 30, 22, 17, 15, 15};
  return sm_count * kOf132[blocks] / 132;
}

// Whether units of four blocks, which share B, run two to a cluster. Those that follow each other
// along n ask for the same part of A: on SMs that are near each other, and at the same time, L2
// answers them together. Short products would rather start on any SMs that are free.
inline constexpr int64_t kByEightLeastK = 1024;
constexpr bool by_eight(int cluster, int tile_n, int64_t n, int64_t k) {
  return cluster == 4 && n > tile_n && k >= kByEightLeastK;
}

// TMA counts in 32 bits with a sign, and boxes reach past the last element.
inline constexpr int64_t kTmaMaxOffset = (int64_t{1} << 31) - 1024;

}  // namespace myblas
