// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of sums of columns, a line each: rows of src/dispatch/tables/gemv.inc.
#include "kernels/common/grid_start.cuh"
#include "kernels/gemv/gemv_axpy.cuh"

using namespace myblas;
using c32 = Complex<float>;
using c64 = Complex<double>;

// clang-format off
// blocks: resident blocks an SM, for which the compiler must find the registers.
#define MYBLAS_GEMV_AXPY(name, In, Out, Acc, cols, lanes, unroll, swapped, blocks)            \
  extern "C" __global__ void __launch_bounds__(kGemvThreads, blocks)                          \
      name(const __grid_constant__ GemmArgs args) {                                           \
    fetch_arguments(args, args.m);                                                            \
    gemv<GemvAxpy<GemvAxpyConfig<In, Out, Acc, cols, lanes, unroll, swapped>>>(args);         \
  }

// C has few columns; A is not transposed.
MYBLAS_GEMV_AXPY(gemv_axpy_f32_f32_64x1x128,     float, float, float, 1, 16, 8, false, 3)
MYBLAS_GEMV_AXPY(gemv_axpy_f32_f32_64x4x128,     float, float, float, 4, 16, 8, false, 2)
MYBLAS_GEMV_AXPY(gemv_axpy_f32_f32_64x8x128,     float, float, float, 8, 16, 8, false, 2)
MYBLAS_GEMV_AXPY(gemv_axpy_bf16_bf16_128x1x128,  __nv_bfloat16, __nv_bfloat16, float, 1, 16, 8, false, 2)
MYBLAS_GEMV_AXPY(gemv_axpy_bf16_bf16_128x4x96,   __nv_bfloat16, __nv_bfloat16, float, 4, 16, 6, false, 2)
MYBLAS_GEMV_AXPY(gemv_axpy_f16_f16_128x1x128,    __half, __half, float, 1, 16, 8, false, 2)
MYBLAS_GEMV_AXPY(gemv_axpy_f16_f16_128x4x96,     __half, __half, float, 4, 16, 6, false, 2)
MYBLAS_GEMV_AXPY(gemv_axpy_bf16_f32_128x1x128,   __nv_bfloat16, float, float, 1, 16, 8, false, 2)
MYBLAS_GEMV_AXPY(gemv_axpy_bf16_f32_128x4x96,    __nv_bfloat16, float, float, 4, 16, 6, false, 2)
MYBLAS_GEMV_AXPY(gemv_axpy_f16_f32_128x1x128,    __half, float, float, 1, 16, 8, false, 2)
MYBLAS_GEMV_AXPY(gemv_axpy_f16_f32_128x4x96,     __half, float, float, 4, 16, 6, false, 2)
MYBLAS_GEMV_AXPY(gemv_axpy_f64_f64_32x1x128,     double, double, double, 1, 16, 8, false, 2)
MYBLAS_GEMV_AXPY(gemv_axpy_f64_f64_32x4x128,     double, double, double, 4, 16, 8, false, 2)
MYBLAS_GEMV_AXPY(gemv_axpy_c32_c32_32x1x128,     c32, c32, c32, 1, 16, 8, false, 3)
MYBLAS_GEMV_AXPY(gemv_axpy_c32_c32_32x4x128,     c32, c32, c32, 4, 16, 8, false, 2)
MYBLAS_GEMV_AXPY(gemv_axpy_c64_c64_16x1x128,     c64, c64, c64, 1, 16, 8, false, 2)
MYBLAS_GEMV_AXPY(gemv_axpy_c64_c64_16x4x128,     c64, c64, c64, 4, 16, 8, false, 2)
MYBLAS_GEMV_AXPY(gemv_axpy_f32_f32_128x1x64,     float, float, float, 1, 32, 8, false, stream_blocks(4))
MYBLAS_GEMV_AXPY(gemv_axpy_bf16_bf16_256x1x64,   __nv_bfloat16, __nv_bfloat16, float, 1, 32, 8, false, stream_blocks(3))
MYBLAS_GEMV_AXPY(gemv_axpy_f16_f16_256x1x64,     __half, __half, float, 1, 32, 8, false, stream_blocks(3))
MYBLAS_GEMV_AXPY(gemv_axpy_bf16_f32_256x1x64,    __nv_bfloat16, float, float, 1, 32, 8, false, stream_blocks(3))
MYBLAS_GEMV_AXPY(gemv_axpy_f16_f32_256x1x64,     __half, float, float, 1, 32, 8, false, stream_blocks(3))
MYBLAS_GEMV_AXPY(gemv_axpy_f64_f64_64x1x64,      double, double, double, 1, 32, 8, false, stream_blocks(4))
MYBLAS_GEMV_AXPY(gemv_axpy_c32_c32_64x1x64,      c32, c32, c32, 1, 32, 8, false, stream_blocks(4))
MYBLAS_GEMV_AXPY(gemv_axpy_c64_c64_32x1x64,      c64, c64, c64, 1, 32, 8, false, stream_blocks(4))
// C has few rows; B is transposed.
MYBLAS_GEMV_AXPY(gemv_axpy_f32_f32_1x64x128,     float, float, float, 1, 16, 8, true, 3)
MYBLAS_GEMV_AXPY(gemv_axpy_f32_f32_4x64x128,     float, float, float, 4, 16, 8, true, 2)
MYBLAS_GEMV_AXPY(gemv_axpy_f32_f32_8x64x128,     float, float, float, 8, 16, 8, true, 2)
MYBLAS_GEMV_AXPY(gemv_axpy_bf16_bf16_1x128x128,  __nv_bfloat16, __nv_bfloat16, float, 1, 16, 8, true, 2)
MYBLAS_GEMV_AXPY(gemv_axpy_bf16_bf16_4x128x96,   __nv_bfloat16, __nv_bfloat16, float, 4, 16, 6, true, 2)
MYBLAS_GEMV_AXPY(gemv_axpy_f16_f16_1x128x128,    __half, __half, float, 1, 16, 8, true, 2)
MYBLAS_GEMV_AXPY(gemv_axpy_f16_f16_4x128x96,     __half, __half, float, 4, 16, 6, true, 2)
MYBLAS_GEMV_AXPY(gemv_axpy_bf16_f32_1x128x128,   __nv_bfloat16, float, float, 1, 16, 8, true, 2)
MYBLAS_GEMV_AXPY(gemv_axpy_bf16_f32_4x128x96,    __nv_bfloat16, float, float, 4, 16, 6, true, 2)
MYBLAS_GEMV_AXPY(gemv_axpy_f16_f32_1x128x128,    __half, float, float, 1, 16, 8, true, 2)
MYBLAS_GEMV_AXPY(gemv_axpy_f16_f32_4x128x96,     __half, float, float, 4, 16, 6, true, 2)
MYBLAS_GEMV_AXPY(gemv_axpy_f64_f64_1x32x128,     double, double, double, 1, 16, 8, true, 2)
MYBLAS_GEMV_AXPY(gemv_axpy_f64_f64_4x32x128,     double, double, double, 4, 16, 8, true, 2)
MYBLAS_GEMV_AXPY(gemv_axpy_c32_c32_1x32x128,     c32, c32, c32, 1, 16, 8, true, 3)
MYBLAS_GEMV_AXPY(gemv_axpy_c32_c32_4x32x128,     c32, c32, c32, 4, 16, 8, true, 2)
MYBLAS_GEMV_AXPY(gemv_axpy_c64_c64_1x16x128,     c64, c64, c64, 1, 16, 8, true, 2)
MYBLAS_GEMV_AXPY(gemv_axpy_c64_c64_4x16x128,     c64, c64, c64, 4, 16, 8, true, 2)
MYBLAS_GEMV_AXPY(gemv_axpy_f32_f32_1x128x64,     float, float, float, 1, 32, 8, true, stream_blocks(4))
MYBLAS_GEMV_AXPY(gemv_axpy_bf16_bf16_1x256x64,   __nv_bfloat16, __nv_bfloat16, float, 1, 32, 8, true, stream_blocks(3))
MYBLAS_GEMV_AXPY(gemv_axpy_f16_f16_1x256x64,     __half, __half, float, 1, 32, 8, true, stream_blocks(3))
MYBLAS_GEMV_AXPY(gemv_axpy_bf16_f32_1x256x64,    __nv_bfloat16, float, float, 1, 32, 8, true, stream_blocks(3))
MYBLAS_GEMV_AXPY(gemv_axpy_f16_f32_1x256x64,     __half, float, float, 1, 32, 8, true, stream_blocks(3))
MYBLAS_GEMV_AXPY(gemv_axpy_f64_f64_1x64x64,      double, double, double, 1, 32, 8, true, stream_blocks(4))
MYBLAS_GEMV_AXPY(gemv_axpy_c32_c32_1x64x64,      c32, c32, c32, 1, 32, 8, true, stream_blocks(4))
MYBLAS_GEMV_AXPY(gemv_axpy_c64_c64_1x32x64,      c64, c64, c64, 1, 32, 8, true, stream_blocks(4))
