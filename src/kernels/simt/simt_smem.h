// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// simt/simt_smem.h: what a simt kernel and its row of the tables must agree on.
//==============================================================================
#pragma once

#include <cstddef>
#include <cstdint>

namespace myblas {

// Largest element offset, and so the largest k: half of the 2^32 k-tiles of 8 that are counted.
inline constexpr int64_t kSimtMaxOffset = int64_t{1} << 34;

// The same where offsets are counted in 32 bits: many tiny products.
inline constexpr int64_t kWarpMaxOffset = int64_t{1} << 30;

// Rows of a k-tile in shared memory are 16 bytes longer than the tile: a transposing warp, 8 (k) x
// 4 (row) elements, then touches as many banks as it can, and runs stay aligned to 16 bytes.
constexpr size_t simt_smem_bytes(size_t element_bytes, int tile_m, int tile_n, int tile_k,
                                 int stages) {
  return (element_bytes * static_cast<size_t>(tile_m + tile_n) + 2 * 16) *
         static_cast<size_t>(tile_k) * static_cast<size_t>(stages);
}

// With the totals of the tile's sums behind the ring (Closing::kInSharedMemory). Each slice of k
// has totals of its own.
constexpr size_t simt_smem_bytes_closed(size_t element_bytes, int tile_m, int tile_n, int tile_k,
                                        int stages, int slices = 1) {
  return simt_smem_bytes(element_bytes, tile_m, tile_n, tile_k, stages) +
         element_bytes * static_cast<size_t>(tile_m) * static_cast<size_t>(tile_n) *
             static_cast<size_t>(slices);
}

// Complex operands in planes: for each k a line of the tile's real parts, and one of its imaginary
// parts. So far apart a transposing warp, 4 (k) x 2 (parts) x 4 (rows), touches every bank once.
inline constexpr int kPlanePad = 16, kPlaneLinePad = 4;  // real numbers
constexpr size_t simt_smem_bytes_of_planes(int tile_m, int tile_n, int tile_k, int stages) {
  return sizeof(float) * static_cast<size_t>(2 * (tile_m + tile_n + kPlanePad + kPlaneLinePad)) *
         static_cast<size_t>(tile_k) * static_cast<size_t>(stages);
}
constexpr size_t simt_smem_bytes_of_planes_closed(int tile_m, int tile_n, int tile_k, int stages,
                                                  int slices = 1) {
  return simt_smem_bytes_of_planes(tile_m, tile_n, tile_k, stages) +
         2 * sizeof(float) * static_cast<size_t>(tile_m) * static_cast<size_t>(tile_n) *
             static_cast<size_t>(slices);
}

// By TMA: rows without gaps, and behind the ring the barriers of its stages.
inline constexpr int kSimtBarrierBytes = 128;
constexpr size_t simt_smem_bytes_by_tma(size_t element_bytes, int tile_m, int tile_n, int tile_k,
                                        int stages) {
  return element_bytes * static_cast<size_t>(tile_m + tile_n) * static_cast<size_t>(tile_k) *
             static_cast<size_t>(stages) +
         kSimtBarrierBytes;
}
constexpr size_t simt_smem_bytes_by_tma_closed(size_t element_bytes, int tile_m, int tile_n,
                                               int tile_k, int stages, int slices = 1) {
  return simt_smem_bytes_by_tma(element_bytes, tile_m, tile_n, tile_k, stages) +
         element_bytes * static_cast<size_t>(tile_m) * static_cast<size_t>(tile_n) *
             static_cast<size_t>(slices);
}

// From this k on, kernels by TMA without totals sum it in two halves (Closing::kByHalves): of a
// shorter one the close would take 3 % and more.
inline constexpr int64_t kHalvedFrom = 1024;

// Of warps that share nothing (gemm_warp.cuh): a k-tile each, whose rows are 16 bytes longer too.
inline constexpr int kWarpsOfBlock = 4;
constexpr size_t warp_smem_bytes(size_t element_bytes, int tile) {
  const auto side = static_cast<size_t>(tile);
  return kWarpsOfBlock * 2 * side * (side * element_bytes + 16);
}

}  // namespace myblas
