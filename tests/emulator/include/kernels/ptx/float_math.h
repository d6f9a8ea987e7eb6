// SPDX-License-Identifier: BSD-3-Clause
// src/kernels/ptx/float_math.h on the emulator: the same functions, rounded.
#pragma once

#include <cmath>

namespace myblas::ptx {

__device__ __forceinline__ float exp2_approximate(float x) { return std::exp2(x); }
__device__ __forceinline__ float reciprocal_approximate(float x) { return 1.0f / x; }
__device__ __forceinline__ float max_or_nan(float a, float b) { return a < b || b != b ? b : a; }
__device__ __forceinline__ double max_or_nan(double a, double b) { return a < b || b != b ? b : a; }

}  // namespace myblas::ptx
