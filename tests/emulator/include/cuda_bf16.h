// SPDX-License-Identifier: BSD-3-Clause
// The part of CUDA's <cuda_bf16.h> that our kernels use, for the host compiler.
#pragma once

#include "emulator/small_floats.h"

struct __nv_bfloat16 {
  uint16_t bits;
};
struct alignas(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
};

inline float __bfloat162float(__nv_bfloat16 value) {
  return emulator::bfloat16_to_float(value.bits);
}
inline __nv_bfloat16 __float2bfloat16_rn(float value) {
  return {emulator::bfloat16_from_float(value)};
}
inline __nv_bfloat16 __float2bfloat16(float value) { return __float2bfloat16_rn(value); }
inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 value) { return value.bits; }
inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) { return {bits}; }
inline __nv_bfloat162 __floats2bfloat162_rn(float x, float y) {
  return {__float2bfloat16_rn(x), __float2bfloat16_rn(y)};
}
