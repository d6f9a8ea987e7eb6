// SPDX-License-Identifier: BSD-3-Clause
// src/kernels/ptx/tma.h on the emulator: the same functions; what they start lands late.
#pragma once

#include "emulator/tensor_copy.h"

namespace myblas::ptx {

__device__ __forceinline__ void prefetch_tensor_map(const TensorMap* map) {
  emulator::prefetch_map(map);
}
__device__ __forceinline__ void tma_load_3d(uint32_t destination, const TensorMap* map, int x,
                                            int y, int z, uint32_t barrier) {
  emulator::load_box(destination, map, {3, x, y, z, 0}, barrier, 0);
}
__device__ __forceinline__ void tma_load_4d(uint32_t destination, const TensorMap* map, int x,
                                            int y, int z, int w, uint32_t barrier) {
  emulator::load_box(destination, map, {4, x, y, z, w}, barrier, 0);
}
__device__ __forceinline__ void tma_load_3d_multicast(uint32_t destination, const TensorMap* map,
                                                      int x, int y, int z, uint32_t barrier,
                                                      uint16_t ctas) {
  emulator::load_box(destination, map, {3, x, y, z, 0}, barrier, ctas);
}
__device__ __forceinline__ void tma_load_4d_multicast(uint32_t destination, const TensorMap* map,
                                                      int x, int y, int z, int w, uint32_t barrier,
                                                      uint16_t ctas) {
  emulator::load_box(destination, map, {4, x, y, z, w}, barrier, ctas);
}
__device__ __forceinline__ void tma_store_3d(const TensorMap* map, int x, int y, int z,
                                             uint32_t source) {
  emulator::store_box(map, {3, x, y, z, 0}, source);
}
__device__ __forceinline__ void tma_store_4d(const TensorMap* map, int x, int y, int z, int w,
                                             uint32_t source) {
  emulator::store_box(map, {4, x, y, z, w}, source);
}
__device__ __forceinline__ void tma_store_commit() { emulator::commit_stores(); }
template <int kPending>
__device__ __forceinline__ void tma_store_wait_read() {
  emulator::wait_for_store_reads(kPending);
}
__device__ __forceinline__ void fence_async_shared() { emulator::fence_for_copies(); }

}  // namespace myblas::ptx
