// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/cluster_sum.cuh: k divided among the blocks of a cluster, and their sums brought together
// in its shared memory.
//
// The blocks of a cluster have one tile and a part of k each, in the order of their ranks. The
// first one reads what the others left in their shared memory, and adds it up in this order: the
// same bits as by common/split_k.cuh for as many parts, without its way through L2 (on an H200 a
// microsecond for seven). The cluster's blocks run together, so that they may wait for each other.
//==============================================================================
#pragma once

#include <cstdint>

#include "kernels/ptx/cluster.h"
#include "kernels/ptx/shared_memory.h"

namespace myblas {

// A sum as it is left in shared memory.
__device__ __forceinline__ uint32_t bits_of_part(float sum) { return __float_as_uint(sum); }
__device__ __forceinline__ uint32_t bits_of_part(int32_t sum) { return static_cast<uint32_t>(sum); }
// One sum and its next part.
__device__ __forceinline__ float add_part(float sum, uint32_t bits) {
  return sum + __uint_as_float(bits);
}
__device__ __forceinline__ int32_t add_part(int32_t sum, uint32_t bits) {
  return static_cast<int32_t>(static_cast<uint32_t>(sum) + bits);  // wraps around
}

// Called by every thread of the group, in every block, with its kSums sums of 4 bytes; the others
// of the block have ended, or do. True in the first block, which then holds the sums over all of k.
// `memory`: a shared address, of kSums * kThreads * 4 bytes that nothing is on its way to and that
// only the group reads.
template <int kSums, class Sum, class Group>
__device__ __forceinline__ bool sum_in_cluster(const Group& group, Sum* sums, uint32_t memory,
                                               int parts) {
  static_assert(sizeof(Sum) == 4 && kSums % 4 == 0, "sums go in runs of 16 bytes");
  constexpr uint32_t kStep = Group::kThreads * 16;
  const uint32_t mine = memory + static_cast<uint32_t>(group.thread()) * 16;
  const uint32_t rank = ptx::cluster_rank();
  if constexpr (Group::kThreads > 128) {
    group.any(false);  // all warpgroups' products of what lies there before anyone's stores
  }
  if (rank != 0) {
#pragma unroll
    for (int i = 0; i < kSums; i += 4) {
      ptx::store_shared_16B(mine + i / 4 * kStep,
                            {bits_of_part(sums[i]), bits_of_part(sums[i + 1]),
                             bits_of_part(sums[i + 2]), bits_of_part(sums[i + 3])});
    }
  }
  // All blocks' stores before the first one's loads.
  ptx::cluster_arrive();
  ptx::cluster_wait();
  if (rank == 0) {
    for (int other = 1; other < parts; ++other) {
#pragma unroll
      for (int i = 0; i < kSums; i += 4) {
        const uint4 run =
            ptx::load_cluster_shared_16B(mine + i / 4 * kStep, static_cast<uint32_t>(other));
        sums[i] = add_part(sums[i], run.x);
        sums[i + 1] = add_part(sums[i + 1], run.y);
        sums[i + 2] = add_part(sums[i + 2], run.z);
        sums[i + 3] = add_part(sums[i + 3], run.w);
      }
    }
  }
  // The first one's loads before any block's end.
  ptx::cluster_arrive();
  ptx::cluster_wait();
  return rank == 0;
}

}  // namespace myblas
