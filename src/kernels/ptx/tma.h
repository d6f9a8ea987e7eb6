// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// ptx/tma.h: boxes of a mapped matrix between global and shared memory (sm_90).
// PTX ISA, "cp.async.bulk.tensor".
//
// Shared addresses are aligned to 128 bytes (to 1024 where the map swizzles 128 bytes). x counts
// elements along the contiguous side, a multiple of 16 bytes; coordinates may lie outside of the
// matrix, of loads below 0 too. (Seen on an H200: it takes no other, and says illegal instruction.)
// One thread starts a copy.
//==============================================================================
#pragma once

#include <cstdint>

#include "kernels/common/tensor_map.h"

namespace myblas::ptx {

// A map, as part of a kernel's parameter, on its way to where copies look it up.
__device__ __forceinline__ void prefetch_tensor_map(const TensorMap* map) {
  asm volatile("prefetch.tensormap [%0];\n" ::"l"(map) : "memory");
}

// A box of a tensor from (x, y, ...) on, global to shared, of this block: sm_120, which has
// clusters but no copies into other blocks, would look at the address first if any block's were
// allowed. `barrier` (a shared address) is told of all bytes of the box, those outside of the
// tensor too.
__device__ __forceinline__ void tma_load_3d(uint32_t destination, const TensorMap* map, int x,
                                            int y, int z, uint32_t barrier) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cta.global.tile.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%2, %3, %4}], [%5];\n" ::"r"(destination),
      "l"(map), "r"(x), "r"(y), "r"(z), "r"(barrier)
      : "memory");
}
__device__ __forceinline__ void tma_load_4d(uint32_t destination, const TensorMap* map, int x,
                                            int y, int z, int w, uint32_t barrier) {
  asm volatile(
      "cp.async.bulk.tensor.4d.shared::cta.global.tile.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%2, %3, %4, %5}], [%6];\n" ::"r"(destination),
      "l"(map), "r"(x), "r"(y), "r"(z), "r"(w), "r"(barrier)
      : "memory");
}

// The same box to the same offset of shared memory in every block of the cluster whose bit is set
// in `ctas`, telling the barrier at the same offset there.
__device__ __forceinline__ void tma_load_3d_multicast(uint32_t destination, const TensorMap* map,
                                                      int x, int y, int z, uint32_t barrier,
                                                      uint16_t ctas) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
      ".multicast::cluster [%0], [%1, {%2, %3, %4}], [%5], %6;\n" ::"r"(destination),
      "l"(map), "r"(x), "r"(y), "r"(z), "r"(barrier), "h"(ctas)
      : "memory");
}
__device__ __forceinline__ void tma_load_4d_multicast(uint32_t destination, const TensorMap* map,
                                                      int x, int y, int z, int w, uint32_t barrier,
                                                      uint16_t ctas) {
  asm volatile(
      "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
      ".multicast::cluster [%0], [%1, {%2, %3, %4, %5}], [%6], %7;\n" ::"r"(destination),
      "l"(map), "r"(x), "r"(y), "r"(z), "r"(w), "r"(barrier), "h"(ctas)
      : "memory");
}

// Shared to global. What ordinary stores wrote is seen after fence_async_shared by the threads that
// wrote it and a barrier with the thread that starts the copy.
__device__ __forceinline__ void tma_store_3d(const TensorMap* map, int x, int y, int z,
                                             uint32_t source) {
  asm volatile(
      "cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%0, {%1, %2, %3}], [%4];\n" ::
          "l"(map),
      "r"(x), "r"(y), "r"(z), "r"(source)
      : "memory");
}
__device__ __forceinline__ void tma_store_4d(const TensorMap* map, int x, int y, int z, int w,
                                             uint32_t source) {
  asm volatile(
      "cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group [%0, {%1, %2, %3, %4}], "
      "[%5];\n" ::"l"(map),
      "r"(x), "r"(y), "r"(z), "r"(w), "r"(source)
      : "memory");
}

// Close this thread's group of the stores started since the last commit.
__device__ __forceinline__ void tma_store_commit() {
  asm volatile("cp.async.bulk.commit_group;\n" ::: "memory");
}

// Wait until at most kPending of this thread's groups have still to read their source.
template <int kPending>
__device__ __forceinline__ void tma_store_wait_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;\n" ::"n"(kPending) : "memory");
}

// This thread's accesses to shared memory before those of asynchronous copies and of wgmma behind
// it.
__device__ __forceinline__ void fence_async_shared() {
  asm volatile("fence.proxy.async.shared::cta;\n" ::: "memory");
}

}  // namespace myblas::ptx
