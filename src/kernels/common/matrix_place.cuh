// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/matrix_place.cuh: where a matrix of the batch lies in its tensor map.
//
// A strided batch is a map's third side. Of a batch of pointers the host knows no matrix's address,
// and makes a map of all memory (common/tma_shape.h), which holds every matrix whose first element
// lies at a multiple of 16 bytes; those of any other are for threads to read and write.
//==============================================================================
#pragma once

#include <type_traits>

#include "kernels/common/tma_args.h"
#include "kernels/common/tma_shape.h"
#include "kernels/ptx/tma.h"

namespace myblas {

// A map's last coordinates: of strided batches, and of memory.
struct BatchPlace {
  int z;
};
struct MemoryPlace {
  int z, w;
};
template <bool kByPointers>
using MatrixPlace = std::conditional_t<kByPointers, MemoryPlace, BatchPlace>;

__device__ __forceinline__ void load_box(uint32_t to, const TensorMap* map, int x, int y,
                                         BatchPlace matrix, uint32_t full) {
  ptx::tma_load_3d(to, map, x, y, matrix.z, full);
}
__device__ __forceinline__ void load_box(uint32_t to, const TensorMap* map, int x, int y,
                                         MemoryPlace matrix, uint32_t full) {
  ptx::tma_load_4d(to, map, x, y, matrix.z, matrix.w, full);
}
// To every block of the cluster whose bit is set.
__device__ __forceinline__ void load_box(uint32_t to, const TensorMap* map, int x, int y,
                                         BatchPlace matrix, uint32_t full, uint16_t blocks) {
  ptx::tma_load_3d_multicast(to, map, x, y, matrix.z, full, blocks);
}
__device__ __forceinline__ void load_box(uint32_t to, const TensorMap* map, int x, int y,
                                         MemoryPlace matrix, uint32_t full, uint16_t blocks) {
  ptx::tma_load_4d_multicast(to, map, x, y, matrix.z, matrix.w, full, blocks);
}
__device__ __forceinline__ void store_box(const TensorMap* map, int x, int y, BatchPlace matrix,
                                          uint32_t from) {
  ptx::tma_store_3d(map, x, y, matrix.z, from);
}
__device__ __forceinline__ void store_box(const TensorMap* map, int x, int y, MemoryPlace matrix,
                                          uint32_t from) {
  ptx::tma_store_4d(map, x, y, matrix.z, matrix.w, from);
}

// Whether TMA reaches the matrix at such an address.
__device__ __forceinline__ bool begins_for_tma(uintptr_t address) {
  return address % kMemoryMapStepBytes == 0;
}

// array: of the pointers, of which `matrix` is one.
__device__ __forceinline__ MemoryPlace place_in_memory(const void* matrix, const void* array) {
  const uint64_t steps = reinterpret_cast<uintptr_t>(matrix) / kMemoryMapStepBytes -
                         reinterpret_cast<uintptr_t>(array) / kMemoryMapStepBytes;
  return {static_cast<int>(steps % kMemoryMapSteps),
          static_cast<int>(steps / kMemoryMapSteps % kMemoryMapStretches)};
}

// moves: the map has a matrix for each of the batch; else one.
__device__ __forceinline__ BatchPlace place_in_batch(int batch, bool moves) {
  return {moves ? batch : 0};
}

// Of C, where TMA may write it.
template <bool kByPointers>
__device__ __forceinline__ MatrixPlace<kByPointers> place_of_c(const GemmArgs& args, int batch) {
  if constexpr (kByPointers) {
    return place_in_memory(static_cast<const void* const*>(args.c)[batch], args.c);
  } else {
    return place_in_batch(batch, true);
  }
}
// Whether TMA may write this matrix of the batch.
template <bool kByPointers>
__device__ __forceinline__ bool is_c_mapped(const TmaArgs& args, int batch) {
  if constexpr (!kByPointers) return args.c_mapped != 0;
  const void* const matrix = static_cast<const void* const*>(args.gemm.c)[batch];
  return args.c_mapped != 0 && begins_for_tma(reinterpret_cast<uintptr_t>(matrix));
}

}  // namespace myblas
