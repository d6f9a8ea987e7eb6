// SPDX-License-Identifier: BSD-3-Clause
// The part of CUDA's <cuda_fp16.h> that our kernels use, for the host compiler.
#pragma once

#include "emulator/small_floats.h"

struct __half {
  uint16_t bits;
};
struct alignas(4) __half2 {
  __half x, y;
};

inline float __half2float(__half value) { return emulator::half_to_float(value.bits); }
inline __half __float2half_rn(float value) { return {emulator::half_from_float(value)}; }
inline __half __float2half(float value) { return __float2half_rn(value); }
inline unsigned short __half_as_ushort(__half value) { return value.bits; }
inline __half __ushort_as_half(unsigned short bits) { return {bits}; }
inline __half2 __floats2half2_rn(float x, float y) {
  return {__float2half_rn(x), __float2half_rn(y)};
}
