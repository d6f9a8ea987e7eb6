// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// ptx/float_math.h: floating-point functions that C++ has no operator for. PTX ISA, "ex2", "rcp",
// "max".
//==============================================================================
#pragma once

namespace myblas::ptx {

// 2^x and 1 / x by the SM's special units: to 2^-22 and 2^-23, relative; subnormal arguments and
// results count as zeros.
__device__ __forceinline__ float exp2_approximate(float x) {
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;\n" : "=f"(result) : "f"(x));
  return result;
}
__device__ __forceinline__ float reciprocal_approximate(float x) {
  float result;
  asm("rcp.approx.ftz.f32 %0, %1;\n" : "=f"(result) : "f"(x));
  return result;
}

// The greater one; NaN where either is.
__device__ __forceinline__ float max_or_nan(float a, float b) {
#if __CUDA_ARCH__ >= 800
  float result;
  asm("max.NaN.f32 %0, %1, %2;\n" : "=f"(result) : "f"(a), "f"(b));
  return result;
#else
  return a < b || b != b ? b : a;
#endif
}
__device__ __forceinline__ double max_or_nan(double a, double b) { return a < b || b != b ? b : a; }

}  // namespace myblas::ptx
