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
