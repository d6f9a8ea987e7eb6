// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// pack/split_terms.cuh: A and B of an fp32 product, as they lie -> bf16 terms, k in lines.
//
//   layout    column-major fp32 matrices at any address, any ld -> for each row of m (A) or n (B)
//             its k, in lines of 128 bytes of 16 each (common/bf16_terms.h)
//   CTA tile  64 rows x 64 k, by way of shared memory
//   pipeline  none: the loads of a tile before its stores, many blocks an SM
//   loads     16 bytes a thread where the matrix is aligned to that, else 4; along its columns
//   edges     what lies past k is 0, up to the end of the last line
//   order     none to keep: no sums
//   limits    tiles < 2^31 (launch_pack.cpp)
//==============================================================================
#pragma once

#include "kernels/common/bf16_terms.h"
#include "kernels/pack/pack_operands.cuh"

namespace myblas {

// ---- one number -------------------------------------------------------------------------------

// Terms as fp32 bits, of which the upper half is bf16, each at its TermPlace.
struct Bf16Terms {
  uint32_t of[kTermPlaces];
};

// To nearest, ties to even; an infinity past the largest number.
__device__ __forceinline__ uint32_t round_to_bf16(uint32_t bits) {
  return (bits + 0x7fffu + (bits >> 16 & 1)) & 0xffff0000u;
}

__device__ __forceinline__ Bf16Terms split_into_terms(float x) {
  constexpr uint32_t kInfinity = 0x7f800000u, kQuiet = 0x00400000u, kUpperHalf = 0xffff0000u;
  const uint32_t bits = __float_as_uint(x);
  if ((bits & kInfinity) == kInfinity) {
    const bool is_nan = (bits & ~kInfinity & 0x7fffffffu) != 0;
    return {{(bits & kUpperHalf) | (is_nan ? kQuiet : 0u), 0, 0, 0}};
  }
  uint32_t first = round_to_bf16(bits);
  if ((first & kInfinity) == kInfinity) first = bits & kUpperHalf;
  const float rest = x - __uint_as_float(first);
  const uint32_t second = round_to_bf16(__float_as_uint(rest));
  const uint32_t third = round_to_bf16(__float_as_uint(rest - __uint_as_float(second)));
  return {{first, first, second, third}};
}

// ---- a tile -----------------------------------------------------------------------------------

inline constexpr int kTermTileLd = kTermTileK + 1;  // shared words from a row to the next

// kAlongK: k is the contiguous side. kWide: 16 bytes at a time, aligned and whole.
template <bool kAlongK, bool kWide>
__device__ __forceinline__ void stage_numbers(const PackOperand& operand, uint32_t matrix,
                                              int64_t first_row, int64_t first_k, float* staged) {
  constexpr int kSide = 64, kRun = kWide ? 4 : 1;
  static_assert(kTermTileRows == kSide && kTermTileK == kSide);
  constexpr int kRuns = kSide / kRun;
  constexpr int kAtOnce = kPackThreads / kRuns, kLoads = kSide / kAtOnce;
  const int along = static_cast<int>(threadIdx.x) % kRuns * kRun;
  const int across = static_cast<int>(threadIdx.x) / kRuns;
  const int64_t along_at = (kAlongK ? first_k : first_row) + along;
  const int64_t across_at = (kAlongK ? first_row : first_k) + across;
  const float* from = static_cast<const float*>(operand.from) + matrix * operand.from_stride +
                      along_at + across_at * operand.from_ld;
  float numbers[kLoads][kRun];
#pragma unroll
  for (int i = 0; i < kLoads; ++i) {
    const bool exists = along_at < operand.rows && across_at + i * kAtOnce < operand.columns;
    if constexpr (kWide) {
      const uint4 run = ptx::load_streamed_16B(from, exists);
      numbers[i][0] = __uint_as_float(run.x);
      numbers[i][1] = __uint_as_float(run.y);
      numbers[i][2] = __uint_as_float(run.z);
      numbers[i][3] = __uint_as_float(run.w);
    } else {
      numbers[i][0] = exists ? __ldg(from) : 0.0f;
    }
    from += kAtOnce * operand.from_ld;
  }
#pragma unroll
  for (int i = 0; i < kLoads; ++i) {
#pragma unroll
    for (int j = 0; j < kRun; ++j) {
      const int row = kAlongK ? across + i * kAtOnce : along + j;
      const int k = kAlongK ? along + j : across + i * kAtOnce;
      staged[row * kTermTileLd + k] = numbers[i][j];
    }
  }
}

// Whether 16 bytes at a time begin aligned everywhere, and end where the matrix does.
__device__ __forceinline__ bool is_in_runs(const PackOperand& operand) {
  const int64_t elements = operand.from_ld | operand.from_stride | operand.rows;
  return ((reinterpret_cast<uintptr_t>(operand.from) | elements * sizeof(float)) & 15) == 0;
}
template <bool kAlongK>
__device__ __forceinline__ void stage_numbers(const PackOperand& operand, uint32_t matrix,
                                              int64_t first_row, int64_t first_k, float* staged) {
  if (is_in_runs(operand)) {
    stage_numbers<kAlongK, true>(operand, matrix, first_row, first_k, staged);
  } else {
    stage_numbers<kAlongK, false>(operand, matrix, first_row, first_k, staged);
  }
}

// A thread has 8 k of a row at a time: 16 bytes of each kind of term.
__device__ __forceinline__ void store_terms(const PackOperand& operand, uint32_t matrix,
                                            int64_t first_row, int64_t first_k, int64_t rows,
                                            int64_t k, const float* staged) {
  constexpr int kOfChunk = kPackChunkBytes / kTermBytes;
  constexpr int kChunks = kTermTileK / kOfChunk;
  constexpr int kChunksOfLine = kTermStepK / kOfChunk;
#pragma unroll
  for (int at = 0; at < kTermTileRows * kChunks; at += kPackThreads) {
    const int row = (at + static_cast<int>(threadIdx.x)) / kChunks;
    const int chunk = static_cast<int>(threadIdx.x) % kChunks;
    const int64_t line_k = first_k + chunk / kChunksOfLine * kTermStepK;
    if (first_row + row >= rows || line_k >= k) continue;
    const float* const numbers = staged + row * kTermTileLd + chunk * kOfChunk;
    uint32_t words[kTermPlaces][4];
#pragma unroll
    for (int i = 0; i < kOfChunk; i += 2) {
      const Bf16Terms even = split_into_terms(numbers[i]);
      const Bf16Terms odd = split_into_terms(numbers[i + 1]);
#pragma unroll
      for (int place = 0; place < kTermPlaces; ++place) {
        words[place][i / 2] = even.of[place] >> 16 | (odd.of[place] & 0xffff0000u);
      }
    }
    auto* const to =
        static_cast<unsigned char*>(operand.to) +
        (matrix * rows + first_row + row) * operand.to_ld * static_cast<int64_t>(sizeof(float)) +
        line_k * (kTermPlaces * kTermBytes) + chunk % kChunksOfLine * kPackChunkBytes;
#pragma unroll
    for (int place = 0; place < kTermPlaces; ++place) {
      __stcg(reinterpret_cast<uint4*>(to + place * (kTermStepK * kTermBytes)),
             uint4{words[place][0], words[place][1], words[place][2], words[place][3]});
    }
  }
}

__device__ __forceinline__ void split_tile(const PackOperand& operand, uint32_t tile,
                                           float* staged) {
  const uint32_t strip = divide(tile, operand.inner);
  const uint32_t matrix = divide(strip, operand.outer);
  const int64_t along = int64_t{tile - strip * operand.inner.divisor} * kTermTileK;
  const int64_t across = int64_t{strip - matrix * operand.outer.divisor} * kTermTileK;
  if (operand.transposes != 0) {
    stage_numbers<false>(operand, matrix, along, across, staged);
    __syncthreads();  // all threads' numbers before anyone's loads of them
    store_terms(operand, matrix, along, across, operand.rows, operand.columns, staged);
  } else {
    stage_numbers<true>(operand, matrix, across, along, staged);
    __syncthreads();  // as above
    store_terms(operand, matrix, across, along, operand.columns, operand.rows, staged);
  }
  __syncthreads();  // all threads' loads before anyone's numbers of the next tile
}

__device__ __forceinline__ void split_operands(const PackArgs& args) {
  __shared__ float staged[kTermTileRows * kTermTileLd];
  // The grids ahead may write A and B, and read what an earlier launch of this kernel wrote.
  begin_grid(args, args.operands[0].rows);
  if (!operands_are_read(args)) return;
  const uint32_t tiles_a = args.operands[0].tiles;
  const uint32_t tiles = tiles_a + args.operands[1].tiles;
  for (uint32_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const bool of_a = tile < tiles_a;
    split_tile(args.operands[of_a ? 0 : 1], of_a ? tile : tile - tiles_a, staged);
  }
}

}  // namespace myblas
