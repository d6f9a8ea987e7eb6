// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/split_k.cuh: k divided among blocks, and their sums brought together in
// a fixed order.
//
// A work item is (tile of C, part of k). Parts of a tile meet in groups of kSplitFanIn: each leaves
// its sums in its slot of scratch memory and counts itself in; the last to arrive adds the group's
// slots in ascending order and goes on as one part of the next level. Of two parts the second adds
// what the first left to its own sums: a sum of two has one order. Whoever is last, the order of
// the additions is the same: the same bits every run. Nobody waits for anybody, so blocks need not
// be resident together.
//==============================================================================
#pragma once

#include <cstdint>

#include "kernels/common/gemm_args.h"
#include "kernels/common/shares.cuh"
#include "kernels/ptx/named_barrier.h"

namespace myblas {

// Sums of one thread that are on their way from a slot at the same time.
inline constexpr int kSumBytesAtOnce = 256;

struct WorkItem {
  int64_t tile;
  int part;
};

// Blocks that run together work on the same k: their operands meet in L2.
// NOTE: here and below, what needs no division takes a branch around it: a division of 64 bits
// takes as long as a small product does.
__device__ __forceinline__ WorkItem work_item(int64_t index, int64_t tiles) {
  if (index < tiles) return {index, 0};
  const int64_t part = index / tiles;
  return {index - part * tiles, static_cast<int>(part)};
}

// Whole k-tiles but for the end of the last part. `parts` is at most the number of k-tiles, or
// ranges are empty.
__device__ __forceinline__ KRange k_range_of_part(int64_t k, int tile_k, int parts, int part) {
  if (parts == 1) return {0, k};
  const int64_t k_tiles = (k + tile_k - 1) / tile_k;
  const int64_t each = k_tiles / parts;
  const int64_t longer = k_tiles - each * parts;  // the first so many parts have a k-tile more
  const int64_t first = part * each + (part < longer ? part : longer);
  const int64_t last = first + each + (part < longer ? 1 : 0);
  return {first * tile_k, last * tile_k < k ? last * tile_k : k};
}

// ---- who adds: all threads of a block, or some of its warps -----------------------------------

template <int kThreadCount>
struct BlockGroup {
  static constexpr int kThreads = kThreadCount;
  __device__ __forceinline__ int thread() const { return static_cast<int>(threadIdx.x); }
  // A barrier of the group that tells all whether anyone's flag is set.
  __device__ __forceinline__ bool any(bool flag) const { return __syncthreads_or(flag) != 0; }
};

// kThreadCount threads from first_thread on, with a named barrier of their own.
template <int kThreadCount>
struct NamedBarrierGroup {
  static constexpr int kThreads = kThreadCount;
  int first_thread;
  int barrier;
  __device__ __forceinline__ int thread() const {
    return static_cast<int>(threadIdx.x) - first_thread;
  }
  __device__ __forceinline__ bool any(bool flag) const {
    return ptx::named_barrier_or(barrier, kThreads, flag);
  }
};

// ---- slots ------------------------------------------------------------------------------------

// 16 bytes of sums. Past L1, which does not see what other SMs wrote.
template <class T>
struct SumRun;
template <>
struct SumRun<float> {
  static constexpr int kSums = 4;
  static __device__ __forceinline__ void store(float* to, const float* sums) {
    __stcg(reinterpret_cast<float4*>(to), make_float4(sums[0], sums[1], sums[2], sums[3]));
  }
  static __device__ __forceinline__ void add(float* sums, const float* from) {
    const float4 run = __ldcg(reinterpret_cast<const float4*>(from));
    sums[0] += run.x;
    sums[1] += run.y;
    sums[2] += run.z;
    sums[3] += run.w;
  }
};
template <>
struct SumRun<int32_t> {
  static constexpr int kSums = 4;
  static __device__ __forceinline__ void store(int32_t* to, const int32_t* sums) {
    __stcg(reinterpret_cast<int4*>(to), make_int4(sums[0], sums[1], sums[2], sums[3]));
  }
  static __device__ __forceinline__ void add(int32_t* sums, const int32_t* from) {
    const int4 run = __ldcg(reinterpret_cast<const int4*>(from));
    const int32_t parts[4] = {run.x, run.y, run.z, run.w};
#pragma unroll
    for (int i = 0; i < 4; ++i) {  // wraps around, as the sums themselves do
      sums[i] =
          static_cast<int32_t>(static_cast<uint32_t>(sums[i]) + static_cast<uint32_t>(parts[i]));
    }
  }
};
template <>
struct SumRun<double> {
  static constexpr int kSums = 2;
  static __device__ __forceinline__ void store(double* to, const double* sums) {
    __stcg(reinterpret_cast<double2*>(to), make_double2(sums[0], sums[1]));
  }
  static __device__ __forceinline__ void add(double* sums, const double* from) {
    const double2 run = __ldcg(reinterpret_cast<const double2*>(from));
    sums[0] += run.x;
    sums[1] += run.y;
  }
};

// A warp that adds alone has few sums, and takes them from all slots of its group at a time: from
// one after the other, it would wait for each on its way from L2. So many bytes of each slot.
inline constexpr int kWarpBytesAtOnce = 32;

// sums = the group's slots, in ascending order, slot_step sums from one to the next.
template <int kSums, int kThreads, class T>
__device__ __forceinline__ void add_slots_together(T* sums, const T* slots, int64_t slot_step,
                                                   int size) {
  constexpr int kRun = SumRun<T>::kSums;
  constexpr int kWarpSums = kWarpBytesAtOnce / static_cast<int>(sizeof(T));
  constexpr int kTogether = kSums < kWarpSums ? kSums : kWarpSums;
#pragma unroll
  for (int first = 0; first < kSums; first += kTogether) {
    T terms[kSplitFanIn][kTogether] = {};
#pragma unroll
    for (int slot = 0; slot < kSplitFanIn; ++slot) {
#pragma unroll
      for (int i = 0; i < kTogether; i += kRun) {
        if (slot >= size) break;
        SumRun<T>::add(terms[slot] + i, slots + slot * slot_step + (first + i) * kThreads);
      }
    }
#pragma unroll
    for (int slot = 0; slot < kSplitFanIn; ++slot) {
#pragma unroll
      for (int i = 0; i < kTogether; ++i) sums[first + i] += terms[slot][i];
    }
  }
}

// `tile` is counted over the whole batch.
__device__ __forceinline__ MeetingPlace meeting_of_part(const SplitArgs& split, int64_t tile,
                                                        int part) {
  return {tile * split.parts, part, split.parts};
}

// Called by every thread of the group with its kSums sums of one part of a tile. True in the one
// group that then holds the sums over all of k; the others are done with the tile. A slot has
// kThreads * kSums sums.
template <int kSums, int kBytesAtOnce = kSumBytesAtOnce, class T, class Group>
__device__ __forceinline__ bool sum_of_parts(const Group& group, T* sums, const SplitArgs& split,
                                             const MeetingPlace& place) {
  constexpr int kRun = SumRun<T>::kSums;
  static_assert(kSums % kRun == 0, "slots are written in runs of 16 bytes");
  constexpr int kAtOnce = kBytesAtOnce / static_cast<int>(sizeof(T));
  constexpr int64_t kSlotSums = int64_t{kSums} * Group::kThreads;
  constexpr bool kOneWarp = Group::kThreads <= 32;

  int index = place.part, count = place.parts, level = 0;
  int64_t stride = 1;  // slots from one part of this level to the next
  while (count > 1) {
    T* const mine =
        static_cast<T*>(split.partials) + place.first_slot * kSlotSums + group.thread() * kRun;
    const int first = index / kSplitFanIn * kSplitFanIn;
    const int size = count - first < kSplitFanIn ? count - first : kSplitFanIn;
    if (size > 1) {
      // Counters of two levels are never the same: a group of level l starts at a multiple of
      // kSplitFanIn^(l+1), and l < kSplitFanIn.
      uint32_t* const arrivals = split.arrivals + place.first_slot + first * stride + level;
      const auto arrive = [&](uint32_t arrived, int others) {
        bool last = false;
        if (group.thread() == 0) {
          last = atomicAdd(arrivals, arrived) == static_cast<uint32_t>(others);
          __threadfence();
          if (last) *arrivals = 0;  // for the next call; behind the fence, which would wait for it
        }
        return group.any(last);
      };
      // The second of two that finds the first's sums leaves none: it adds those to its own.
      const bool of_two = !kOneWarp && size == 2;
      if (!(of_two && arrive(0, 1))) {
        T* slot = mine + index * stride * kSlotSums;
#pragma unroll
        for (int i = 0; i < kSums; i += kRun) {
          SumRun<T>::store(slot + i * Group::kThreads, sums + i);
        }
        // The slot before the arrival, seen from any SM: each thread's stores, then the barrier,
        // then the count.
        __threadfence();
        group.any(false);
        if (!arrive(1, size - 1)) return false;
      }
      if (!of_two) {
#pragma unroll
        for (int i = 0; i < kSums; ++i) sums[i] = T(0);
      }
      if constexpr (kOneWarp) {
        add_slots_together<kSums, Group::kThreads>(sums, mine + first * stride * kSlotSums,
                                                   stride * kSlotSums, size);
      } else {
        for (int other = first; other < first + size; ++other) {
          if (of_two && other == index) continue;
          const T* from = mine + other * stride * kSlotSums;
#pragma unroll
          for (int i = 0; i < kSums; i += kRun) {
            // Keeps the compiler from starting more loads than it has registers for.
            if (kSums > kAtOnce && i % kAtOnce == 0) __syncwarp();
            SumRun<T>::add(sums + i, from + i * Group::kThreads);
          }
        }
      }
    }
    index /= kSplitFanIn;
    count = (count + kSplitFanIn - 1) / kSplitFanIn;
    stride *= kSplitFanIn;
    ++level;
  }
  return true;
}

}  // namespace myblas
