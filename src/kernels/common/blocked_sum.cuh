// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/blocked_sum.cuh: fp32 sums over k that are closed now and then.
//
// An addition rounds at the size of the sum so far. Products of either sign make a sequential sum
// of k of them grow like sqrt(k), and its error like k. Closed every c of k and added to a total,
// it ends with an error like sqrt(k * (c + k / c)): at k = 4096 and c = 512 a third. It would be
// least for c = sqrt(k); a close costs as much as 2 to 3 k of products, so c is longer than that.
// An eighth of k leaves a third of the error of one sum, which is about what cuBLAS has where it
// sums k in parts (it does for few tiles, squares of 384 to 1536 among them). Past k = 8192 the
// error is far below cuBLAS's, but so is the share of the closes; there the chunks stay at 1024.
//==============================================================================
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/ptx/shared_memory.h"

namespace myblas {

// k between two closes, by k alone: whole k-tiles of every kernel that closes its sums.
inline constexpr int kChunkStep = 32;

__device__ __forceinline__ constexpr int64_t k_of_chunk(int64_t k) {
  constexpr int64_t kShortest = 96, kLongest = 1024, kChunks = 8;
  const int64_t share = k / kChunks;
  const int64_t many = share < kShortest ? kShortest : (share < kLongest ? share : kLongest);
  const int64_t wanted = k < 2 * kShortest ? k : many;
  return (wanted + kChunkStep - 1) / kChunkStep * kChunkStep;
}

// The totals of a thread's kSums sums. They live in the thread's own memory (L1), because sums fill
// the registers of the kernels that need this; volatile keeps the compiler from bringing them back.
template <int kSums, bool kSparesRegisters = true>
class Totals {
  // A word that no register holds meanwhile.
  template <class Word>
  using Apart = std::conditional_t<kSparesRegisters, volatile Word, Word>;

 public:
  static constexpr bool kClosesLast = false;

  // Of sums over k; tile_k divides kChunkStep.
  __device__ __forceinline__ Totals(int64_t k, int tile_k) {
    const int64_t chunk = k_of_chunk(k);
    chunk_tiles_ = static_cast<uint32_t>(chunk / tile_k);
    used_ = chunk < k;
    if (chunk >= k) return;
#pragma unroll
    for (int i = 0; i < kSums; ++i) totals_[i] = 0.0F;
  }

  __device__ __forceinline__ uint32_t chunk_tiles() const { return chunk_tiles_; }

  // Of `left` k-tiles, those behind the chunk that begins; 0: it is the last one, and the sums are
  // not closed again.
  __device__ __forceinline__ void begin_chunk(uint32_t left) {
    const uint32_t chunk_tiles = chunk_tiles_;
    tiles_behind_ = left > chunk_tiles ? left - chunk_tiles : 0;
  }
  __device__ __forceinline__ uint32_t tiles_behind_chunk() const { return tiles_behind_; }

  // At the end of a chunk: the totals take the sums, which begin anew.
  __device__ __forceinline__ void close(float* sums) {
    if (!used_) return;
#pragma unroll
    for (int first = 0; first < kSums; first += kBatch) {
      float batch[kBatch];
      load(batch, first);
#pragma unroll
      for (int i = 0; i < kBatch; ++i) {
        totals_[first + i] = batch[i] + sums[first + i];
        sums[first + i] = 0.0F;
      }
    }
  }

  // At the end, the last chunk closed or not: the sums become those over all of k.
  __device__ __forceinline__ void add_to(float* sums) const {
    if (!used_) return;
#pragma unroll
    for (int first = 0; first < kSums; first += kBatch) {
      float batch[kBatch];
      load(batch, first);
#pragma unroll
      for (int i = 0; i < kBatch; ++i) sums[first + i] += batch[i];
    }
  }

 private:
  // So many loads in flight at once. The warp's barrier keeps the compiler from starting those of
  // the next batch too, for which it would lack registers.
  static constexpr int kBatch = 16;
  static_assert(kSums % kBatch == 0);
  __device__ __forceinline__ void load(float (&batch)[kBatch], int first) const {
    __syncwarp();
#pragma unroll
    for (int i = 0; i < kBatch; ++i) batch[i] = totals_[first + i];
  }

  Apart<uint32_t> chunk_tiles_;
  Apart<uint32_t> tiles_behind_;
  Apart<bool> used_;
  volatile float totals_[kSums];
};

// The same in shared memory, for kernels whose threads' own memory would not stay in L1: kThreads
// runs of 16 bytes side by side, so that a warp reaches all banks. Only the thread itself looks at
// its totals, but in add_slices(). The first close writes them, so that one chunk alone costs
// nothing. kClosesTheLast: where sums that live on behind the loop would not find registers, and of
// slices, whose totals are what the others add.
template <int kSums, int kThreads, bool kClosesTheLast>
class SharedTotals {
 public:
  static constexpr bool kClosesLast = kClosesTheLast;
  static constexpr int kBytes = kSums * kThreads * static_cast<int>(sizeof(float));

  // `shared`: kBytes, aligned to 16.
  __device__ __forceinline__ SharedTotals(int64_t k, int tile_k, float* shared, int thread) {
    mine_ = ptx::shared_address(shared) + thread * kRunBytes;
    chunk_tiles_ = static_cast<uint32_t>(k_of_chunk(k) / tile_k);
    are_there_ = false;
  }

  __device__ __forceinline__ void begin_chunk(uint32_t left) {
    const uint32_t chunk_tiles = chunk_tiles_;
    tiles_behind_ = left > chunk_tiles ? left - chunk_tiles : 0;
  }
  __device__ __forceinline__ uint32_t tiles_behind_chunk() const { return tiles_behind_; }

  __device__ __forceinline__ void close(float* sums) {
    const uint32_t mine = mine_;  // asked for anew: it is to hold no register between two closes
    const bool are_there = are_there_;
#pragma unroll
    for (int first = 0; first < kSums; first += kBatch) {
      float totals[kBatch] = {};
      if (are_there) load(totals, mine, first);
#pragma unroll
      for (int i = 0; i < kBatch; ++i) {
        float& sum = sums[first + i];
        totals[i] += sum;
        sum = 0.0F;
      }
#pragma unroll
      for (int i = 0; i < kBatch; i += kRun) {
        ptx::store_shared_4(place(mine, first + i), totals + i);
      }
    }
    are_there_ = true;
  }

  __device__ __forceinline__ void add_to(float* sums) const {
    if (!are_there_) return;
    const uint32_t mine = mine_;
#pragma unroll
    for (int first = 0; first < kSums; first += kBatch) {
      float totals[kBatch];
      load(totals, mine, first);
#pragma unroll
      for (int i = 0; i < kBatch; ++i) sums[first + i] += totals[i];
    }
  }

  // Where slices of k have kThreads / kSlices threads each: kCount totals from number `first` on,
  // those of all slices added up in their order. slice: this thread's. All have closed the last.
  template <int kSlices, int kCount>
  __device__ __forceinline__ void add_slices(float* sums, int slice, int first) const {
    static_assert(kClosesLast && kCount % kRun == 0);
    constexpr uint32_t kStep = kThreads / kSlices * kRunBytes;
    const uint32_t of_first = place(mine_ - slice * kStep, first);
#pragma unroll
    for (int other = 0; other < kSlices; ++other) {
#pragma unroll
      for (int i = 0; i < kCount; i += kRun) {
        float totals[kRun];
        ptx::load_shared_4(totals, place(of_first + other * kStep, i));
#pragma unroll
        for (int e = 0; e < kRun; ++e) {
          sums[i + e] = other == 0 ? totals[e] : sums[i + e] + totals[e];
        }
      }
    }
  }

 private:
  static constexpr int kRun = 4, kRunBytes = 16;
  static constexpr int kBatch = 8;  // sums whose totals are on their way
  static_assert(kSums % kBatch == 0);
  __device__ __forceinline__ static uint32_t place(uint32_t mine, int i) {
    return mine + i / kRun * (kThreads * kRunBytes);
  }
  __device__ __forceinline__ static void load(float (&totals)[kBatch], uint32_t mine, int first) {
#pragma unroll
    for (int i = 0; i < kBatch; i += kRun) {
      ptx::load_shared_4(totals + i, place(mine, first + i));
    }
  }

  volatile uint32_t mine_;  // a shared address
  volatile uint32_t chunk_tiles_;
  volatile uint32_t tiles_behind_;
  volatile bool are_there_;
};

// Two sums: that of the first half of k waits in the thread's own memory for the second one. An
// error of 0.7 times that of one sum, which is what cuBLAS has of large products, for one close a
// tile: all blocks write their sums at once, and these leave L1 (64 KB of a tile of 128 x 128). A k
// below kShortest is one sum. For kernels whose ring takes the shared memory of totals
// (docs/adr/0011).
template <int kSums, int64_t kShortest>
class HalvedSum {
 public:
  static constexpr bool kClosesLast = false;

  // Of sums over k; tile_k divides kChunkStep.
  __device__ __forceinline__ HalvedSum(int64_t k, int tile_k) {
    const int64_t half = (k / 2 + kChunkStep - 1) / kChunkStep * kChunkStep;
    half_tiles_ = k < kShortest ? UINT32_MAX : static_cast<uint32_t>(half / tile_k);
    is_there_ = false;
  }

  __device__ __forceinline__ void begin_chunk(uint32_t left) {
    const uint32_t half_tiles = half_tiles_;
    tiles_behind_ = left > half_tiles ? left - half_tiles : 0;
  }
  __device__ __forceinline__ uint32_t tiles_behind_chunk() const { return tiles_behind_; }

  __device__ __forceinline__ void close(float* sums) {
#pragma unroll
    for (int i = 0; i < kSums; ++i) {
      half_[i] = sums[i];
      sums[i] = 0.0F;
    }
    is_there_ = true;
  }

  __device__ __forceinline__ void add_to(float* sums) const {
    if (!is_there_) return;
#pragma unroll
    for (int first = 0; first < kSums; first += kBatch) {
      __syncwarp();  // as in Totals::load()
      float batch[kBatch];
#pragma unroll
      for (int i = 0; i < kBatch; ++i) batch[i] = half_[first + i];
#pragma unroll
      for (int i = 0; i < kBatch; ++i) sums[first + i] += batch[i];
    }
  }

 private:
  static constexpr int kBatch = 32;
  static_assert(kSums % kBatch == 0);
  volatile uint32_t half_tiles_;
  volatile uint32_t tiles_behind_;
  volatile bool is_there_;
  volatile float half_[kSums];
};

// One sequential sum.
class NoTotals {
 public:
  static constexpr bool kClosesLast = false;
  __device__ __forceinline__ void begin_chunk(uint32_t /*left*/) {}
  __device__ __forceinline__ uint32_t tiles_behind_chunk() const { return 0; }
  __device__ __forceinline__ void close(float* /*sums*/) {}
  __device__ __forceinline__ void add_to(float* /*sums*/) const {}
};

}  // namespace myblas
