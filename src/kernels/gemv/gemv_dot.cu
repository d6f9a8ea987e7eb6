// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of dot products, a line each: rows of src/dispatch/tables/gemv.inc.
#include "kernels/common/grid_start.cuh"
#include "kernels/gemv/gemv_dot.cuh"

using namespace myblas;
using c32 = Complex<float>;
using c64 = Complex<double>;

// clang-format off
// blocks: resident blocks an SM, for which the compiler must find the registers.
#define MYBLAS_GEMV_DOT(name, In, Out, Acc, cols, span, rows, unroll, swapped, blocks)       \
  extern "C" __global__ void __launch_bounds__(kGemvThreads, blocks)                          \
      name(const __grid_constant__ GemmArgs args) {                                           \
    fetch_arguments(args, args.m);                                                            \
    gemv<GemvDot<GemvDotConfig<In, Out, Acc, cols, span, rows, unroll, swapped>>>(args);     \
  }

// C has few columns; A is transposed.
MYBLAS_GEMV_DOT(gemv_dot_f32_f32_16x1x512,     float, float, float, 1, 32, 2, 4, false, stream_blocks(3))
MYBLAS_GEMV_DOT(gemv_dot_f32_f32_64x1x128,     float, float, float, 1, 8, 2, 4, false, 2)
MYBLAS_GEMV_DOT(gemv_dot_f32_f32_32x4x256,     float, float, float, 4, 32, 4, 2, false, 2)
MYBLAS_GEMV_DOT(gemv_dot_f32_f32_32x8x128,     float, float, float, 8, 32, 4, 1, false, 2)
MYBLAS_GEMV_DOT(gemv_dot_f32_f32_4x1x2048,     float, float, float, 1, 256, 4, 2, false, 2)
MYBLAS_GEMV_DOT(gemv_dot_bf16_bf16_16x1x1024,  __nv_bfloat16, __nv_bfloat16, float, 1, 32, 2, 4, false, stream_blocks(3))
MYBLAS_GEMV_DOT(gemv_dot_bf16_bf16_64x1x256,   __nv_bfloat16, __nv_bfloat16, float, 1, 8, 2, 4, false, 2)
MYBLAS_GEMV_DOT(gemv_dot_bf16_bf16_16x4x768,   __nv_bfloat16, __nv_bfloat16, float, 4, 32, 2, 3, false, 2)
MYBLAS_GEMV_DOT(gemv_dot_f16_f16_16x1x1024,    __half, __half, float, 1, 32, 2, 4, false, stream_blocks(3))
MYBLAS_GEMV_DOT(gemv_dot_f16_f16_64x1x256,     __half, __half, float, 1, 8, 2, 4, false, 2)
MYBLAS_GEMV_DOT(gemv_dot_f16_f16_16x4x768,     __half, __half, float, 4, 32, 2, 3, false, 2)
MYBLAS_GEMV_DOT(gemv_dot_bf16_f32_16x1x1024,   __nv_bfloat16, float, float, 1, 32, 2, 4, false, stream_blocks(3))
MYBLAS_GEMV_DOT(gemv_dot_bf16_f32_16x4x768,    __nv_bfloat16, float, float, 4, 32, 2, 3, false, 2)
MYBLAS_GEMV_DOT(gemv_dot_f16_f32_16x1x1024,    __half, float, float, 1, 32, 2, 4, false, stream_blocks(3))
MYBLAS_GEMV_DOT(gemv_dot_f16_f32_16x4x768,     __half, float, float, 4, 32, 2, 3, false, 2)
MYBLAS_GEMV_DOT(gemv_dot_f64_f64_16x1x256,     double, double, double, 1, 32, 2, 4, false, stream_blocks(3))
MYBLAS_GEMV_DOT(gemv_dot_f64_f64_64x1x64,      double, double, double, 1, 8, 2, 4, false, stream_blocks(3))
MYBLAS_GEMV_DOT(gemv_dot_f64_f64_16x4x256,     double, double, double, 4, 32, 2, 4, false, 2)
MYBLAS_GEMV_DOT(gemv_dot_f64_f64_4x1x1024,     double, double, double, 1, 256, 4, 2, false, 2)
MYBLAS_GEMV_DOT(gemv_dot_c32_c32_16x1x256,     c32, c32, c32, 1, 32, 2, 4, false, 2)
MYBLAS_GEMV_DOT(gemv_dot_c32_c32_64x1x64,      c32, c32, c32, 1, 8, 2, 4, false, 2)
MYBLAS_GEMV_DOT(gemv_dot_c32_c32_16x4x128,      c32, c32, c32, 4, 32, 2, 2, false, 2)
MYBLAS_GEMV_DOT(gemv_dot_c32_c32_4x1x1024,     c32, c32, c32, 1, 256, 4, 2, false, 2)
MYBLAS_GEMV_DOT(gemv_dot_c64_c64_16x1x128,     c64, c64, c64, 1, 32, 2, 4, false, stream_blocks(3))
MYBLAS_GEMV_DOT(gemv_dot_c64_c64_64x1x32,      c64, c64, c64, 1, 8, 2, 4, false, 2)
MYBLAS_GEMV_DOT(gemv_dot_c64_c64_16x4x64,      c64, c64, c64, 4, 32, 2, 2, false, 2)
MYBLAS_GEMV_DOT(gemv_dot_c64_c64_2x1x1024,     c64, c64, c64, 1, 256, 2, 4, false, 2)
// C has few rows; B is not transposed.
MYBLAS_GEMV_DOT(gemv_dot_f32_f32_1x16x512,     float, float, float, 1, 32, 2, 4, true, stream_blocks(3))
MYBLAS_GEMV_DOT(gemv_dot_f32_f32_1x64x128,     float, float, float, 1, 8, 2, 4, true, 2)
MYBLAS_GEMV_DOT(gemv_dot_f32_f32_4x32x256,     float, float, float, 4, 32, 4, 2, true, 2)
MYBLAS_GEMV_DOT(gemv_dot_f32_f32_8x32x128,     float, float, float, 8, 32, 4, 1, true, 2)
MYBLAS_GEMV_DOT(gemv_dot_f32_f32_1x4x2048,     float, float, float, 1, 256, 4, 2, true, 2)
MYBLAS_GEMV_DOT(gemv_dot_bf16_bf16_1x16x1024,  __nv_bfloat16, __nv_bfloat16, float, 1, 32, 2, 4, true, stream_blocks(3))
MYBLAS_GEMV_DOT(gemv_dot_bf16_bf16_1x64x256,   __nv_bfloat16, __nv_bfloat16, float, 1, 8, 2, 4, true, 2)
MYBLAS_GEMV_DOT(gemv_dot_bf16_bf16_4x16x768,   __nv_bfloat16, __nv_bfloat16, float, 4, 32, 2, 3, true, 2)
MYBLAS_GEMV_DOT(gemv_dot_f16_f16_1x16x1024,    __half, __half, float, 1, 32, 2, 4, true, stream_blocks(3))
MYBLAS_GEMV_DOT(gemv_dot_f16_f16_1x64x256,     __half, __half, float, 1, 8, 2, 4, true, 2)
MYBLAS_GEMV_DOT(gemv_dot_f16_f16_4x16x768,     __half, __half, float, 4, 32, 2, 3, true, 2)
MYBLAS_GEMV_DOT(gemv_dot_bf16_f32_1x16x1024,   __nv_bfloat16, float, float, 1, 32, 2, 4, true, stream_blocks(3))
MYBLAS_GEMV_DOT(gemv_dot_bf16_f32_4x16x768,    __nv_bfloat16, float, float, 4, 32, 2, 3, true, 2)
MYBLAS_GEMV_DOT(gemv_dot_f16_f32_1x16x1024,    __half, float, float, 1, 32, 2, 4, true, stream_blocks(3))
MYBLAS_GEMV_DOT(gemv_dot_f16_f32_4x16x768,     __half, float, float, 4, 32, 2, 3, true, 2)
MYBLAS_GEMV_DOT(gemv_dot_f64_f64_1x16x256,     double, double, double, 1, 32, 2, 4, true, stream_blocks(3))
MYBLAS_GEMV_DOT(gemv_dot_f64_f64_1x64x64,      double, double, double, 1, 8, 2, 4, true, stream_blocks(3))
MYBLAS_GEMV_DOT(gemv_dot_f64_f64_4x16x256,     double, double, double, 4, 32, 2, 4, true, 2)
MYBLAS_GEMV_DOT(gemv_dot_f64_f64_1x4x1024,     double, double, double, 1, 256, 4, 2, true, 2)
MYBLAS_GEMV_DOT(gemv_dot_c32_c32_1x16x256,     c32, c32, c32, 1, 32, 2, 4, true, 2)
MYBLAS_GEMV_DOT(gemv_dot_c32_c32_1x64x64,      c32, c32, c32, 1, 8, 2, 4, true, 2)
MYBLAS_GEMV_DOT(gemv_dot_c32_c32_4x16x128,      c32, c32, c32, 4, 32, 2, 2, true, 2)
MYBLAS_GEMV_DOT(gemv_dot_c32_c32_1x4x1024,     c32, c32, c32, 1, 256, 4, 2, true, 2)
MYBLAS_GEMV_DOT(gemv_dot_c64_c64_1x16x128,     c64, c64, c64, 1, 32, 2, 4, true, stream_blocks(3))
MYBLAS_GEMV_DOT(gemv_dot_c64_c64_1x64x32,      c64, c64, c64, 1, 8, 2, 4, true, 2)
MYBLAS_GEMV_DOT(gemv_dot_c64_c64_4x16x64,      c64, c64, c64, 4, 32, 2, 2, true, 2)
MYBLAS_GEMV_DOT(gemv_dot_c64_c64_1x2x1024,     c64, c64, c64, 1, 256, 2, 4, true, 2)
