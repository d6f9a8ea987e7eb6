// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/staged_box.cuh: sums as elements of a box of C in shared memory.
//==============================================================================
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

#include "kernels/common/tma_shape.h"

namespace myblas {

__device__ __forceinline__ uint32_t pack_pair(float low, float high, __nv_bfloat16) {
  const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
  return static_cast<uint32_t>(__bfloat16_as_ushort(pair.x)) |
         static_cast<uint32_t>(__bfloat16_as_ushort(pair.y)) << 16;
}
__device__ __forceinline__ uint32_t pack_pair(float low, float high, __half) {
  const __half2 pair = __floats2half2_rn(low, high);
  return static_cast<uint32_t>(__half_as_ushort(pair.x)) |
         static_cast<uint32_t>(__half_as_ushort(pair.y)) << 16;
}

// Offset of a byte of a row in a swizzled box of rows of 128, 64 or 32: the pieces of 16 bytes
// change places as lines of 128 follow each other.
template <int kRowBytes>
__device__ __forceinline__ uint32_t swizzled_in(int row, int byte) {
  static_assert(kRowBytes == kTmaRowBytes || kRowBytes == 64 || kRowBytes == 32);
  constexpr int kRowsOfLine = kTmaRowBytes / kRowBytes, kPieces = kRowBytes / 16;
  return static_cast<uint32_t>(row * kRowBytes + (byte ^ (row / kRowsOfLine % kPieces * 16)));
}
__device__ __forceinline__ uint32_t swizzled(int row, int byte) {
  return swizzled_in<kTmaRowBytes>(row, byte);
}

}  // namespace myblas
