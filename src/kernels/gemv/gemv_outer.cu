// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of outer products, a line each: rows of src/dispatch/tables/gemv.inc.
#include "kernels/common/grid_start.cuh"
#include "kernels/gemv/gemv_outer.cuh"

using namespace myblas;
using c32 = Complex<float>;

// clang-format off
// blocks: resident blocks an SM, for which the compiler must find the registers.
#define MYBLAS_GEMV_OUTER(name, In, Out, Acc, cols, blocks)                                   \
  extern "C" __global__ void __launch_bounds__(kOuterThreads, blocks)                         \
      name(const __grid_constant__ OuterArgs args) {                                          \
    fetch_arguments(args, args.gemm.m);                                                       \
    gemv_outer<GemvOuterConfig<In, Out, Acc, cols>>(args);                                    \
  }

MYBLAS_GEMV_OUTER(gemv_outer_f32_f32_128x64x16,    float, float, float, 8, 3)
MYBLAS_GEMV_OUTER(gemv_outer_bf16_bf16_256x32x16,  __nv_bfloat16, __nv_bfloat16, float, 4, 3)
MYBLAS_GEMV_OUTER(gemv_outer_f16_f16_256x32x16,    __half, __half, float, 4, 3)
MYBLAS_GEMV_OUTER(gemv_outer_bf16_f32_128x64x16,   __nv_bfloat16, float, float, 8, 3)
MYBLAS_GEMV_OUTER(gemv_outer_f16_f32_128x64x16,    __half, float, float, 8, 3)
MYBLAS_GEMV_OUTER(gemv_outer_f64_f64_64x64x16,     double, double, double, 8, 3)
MYBLAS_GEMV_OUTER(gemv_outer_c32_c32_64x64x16,     c32, c32, c32, 8, 2)
