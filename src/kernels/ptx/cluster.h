// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// ptx/cluster.h: blocks that run together (sm_90). PTX ISA, "barrier.cluster".
//
// A launch without clusters is one of clusters of one block: everything here then works too.
//==============================================================================
#pragma once

#include <cstdint>

namespace myblas::ptx {

__device__ __forceinline__ uint32_t cluster_rank() {
  uint32_t rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;\n" : "=r"(rank));
  return rank;
}

// Which of the grid's clusters this is, along x, and how many there are.
__device__ __forceinline__ uint32_t cluster_index() {
  uint32_t index;
  asm volatile("mov.u32 %0, %%clusterid.x;\n" : "=r"(index));
  return index;
}
__device__ __forceinline__ uint32_t cluster_count() {
  uint32_t count;
  asm volatile("mov.u32 %0, %%nclusterid.x;\n" : "=r"(count));
  return count;
}

// 16 bytes of shared memory of the block `rank`, aligned, at the address that they have there.
__device__ __forceinline__ uint4 load_cluster_shared_16B(uint32_t address, uint32_t rank) {
  uint32_t there;
  uint4 value;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;\n" : "=r"(there) : "r"(address), "r"(rank));
  asm volatile("ld.shared::cluster.v4.u32 {%0, %1, %2, %3}, [%4];\n"
               : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
               : "r"(there)
               : "memory");
  return value;
}

// The barrier of all threads of the cluster, in two halves. All lanes of a warp take part.
__device__ __forceinline__ void cluster_arrive() {
  asm volatile("barrier.cluster.arrive.release.aligned;\n" ::: "memory");
}
// The first half where the others need to know of nothing but of mbarriers' initialisation, which
// mbarrier_fence_init releases: without the fence of all memory that a release is.
__device__ __forceinline__ void cluster_arrive_relaxed() {
  asm volatile("barrier.cluster.arrive.relaxed.aligned;\n" ::: "memory");
}
__device__ __forceinline__ void cluster_wait() {
  asm volatile("barrier.cluster.wait.acquire.aligned;\n" ::: "memory");
}

}  // namespace myblas::ptx
