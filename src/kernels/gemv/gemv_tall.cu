// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of rows that threads sum, a line each: rows of src/dispatch/tables/gemv.inc.
#include "kernels/common/grid_start.cuh"
#include "kernels/gemv/gemv_tall.cuh"

using namespace myblas;
using c32 = Complex<float>;
using c64 = Complex<double>;

// clang-format off
// blocks: resident blocks an SM, for which the compiler must find the registers.
#define MYBLAS_GEMV_TALL(name, In, Out, Acc, unroll, swapped, blocks)                         \
  extern "C" __global__ void __launch_bounds__(kTallThreads, blocks)                          \
      name(const __grid_constant__ GemmArgs args) {                                           \
    fetch_arguments(args, args.m);                                                            \
    GemvTall<GemvTallConfig<In, Out, Acc, unroll, swapped>>::compute(args);                   \
  }

// C is one column.
MYBLAS_GEMV_TALL(gemv_tall_f32_f32_512x1x16,    float, float, float, 16, false, 3)
MYBLAS_GEMV_TALL(gemv_tall_bf16_bf16_1024x1x16, __nv_bfloat16, __nv_bfloat16, float, 16, false, 3)
MYBLAS_GEMV_TALL(gemv_tall_f16_f16_1024x1x16,   __half, __half, float, 16, false, 3)
MYBLAS_GEMV_TALL(gemv_tall_f64_f64_256x1x16,    double, double, double, 16, false, 3)
MYBLAS_GEMV_TALL(gemv_tall_c32_c32_256x1x16,    c32, c32, c32, 16, false, 3)
MYBLAS_GEMV_TALL(gemv_tall_c64_c64_128x1x8,     c64, c64, c64, 8, false, 3)
// The same where k is smaller still: more blocks an SM, for each has no more than one tile's loads in flight.
MYBLAS_GEMV_TALL(gemv_tall_f32_f32_512x1x4,     float, float, float, 4, false, 8)
MYBLAS_GEMV_TALL(gemv_tall_bf16_bf16_1024x1x4,  __nv_bfloat16, __nv_bfloat16, float, 4, false, stream_blocks(8))
MYBLAS_GEMV_TALL(gemv_tall_f16_f16_1024x1x4,    __half, __half, float, 4, false, stream_blocks(8))
MYBLAS_GEMV_TALL(gemv_tall_f64_f64_256x1x4,     double, double, double, 4, false, 8)
MYBLAS_GEMV_TALL(gemv_tall_c32_c32_256x1x4,     c32, c32, c32, 4, false, 8)
MYBLAS_GEMV_TALL(gemv_tall_c64_c64_128x1x4,     c64, c64, c64, 4, false, 8)
// C is one row.
MYBLAS_GEMV_TALL(gemv_tall_f32_f32_1x512x16,    float, float, float, 16, true, 3)
MYBLAS_GEMV_TALL(gemv_tall_bf16_bf16_1x1024x16, __nv_bfloat16, __nv_bfloat16, float, 16, true, 3)
MYBLAS_GEMV_TALL(gemv_tall_f16_f16_1x1024x16,   __half, __half, float, 16, true, 3)
MYBLAS_GEMV_TALL(gemv_tall_f64_f64_1x256x16,    double, double, double, 16, true, 3)
MYBLAS_GEMV_TALL(gemv_tall_c32_c32_1x256x16,    c32, c32, c32, 16, true, 3)
MYBLAS_GEMV_TALL(gemv_tall_c64_c64_1x128x8,     c64, c64, c64, 8, true, 3)
MYBLAS_GEMV_TALL(gemv_tall_f32_f32_1x512x4,     float, float, float, 4, true, 8)
MYBLAS_GEMV_TALL(gemv_tall_bf16_bf16_1x1024x4,  __nv_bfloat16, __nv_bfloat16, float, 4, true, stream_blocks(8))
MYBLAS_GEMV_TALL(gemv_tall_f16_f16_1x1024x4,    __half, __half, float, 4, true, stream_blocks(8))
MYBLAS_GEMV_TALL(gemv_tall_f64_f64_1x256x4,     double, double, double, 4, true, 8)
MYBLAS_GEMV_TALL(gemv_tall_c32_c32_1x256x4,     c32, c32, c32, 4, true, 8)
MYBLAS_GEMV_TALL(gemv_tall_c64_c64_1x128x4,     c64, c64, c64, 4, true, 8)
