// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the reference family, a line each: the names are the rows of
// src/dispatch/tables/reference.inc.
#include "kernels/common/grid_start.cuh"
#include "kernels/reference/gemm_reference.cuh"

using namespace myblas;

// clang-format off
// blocks: resident blocks an SM, for which the compiler must find the registers.
#define MYBLAS_REFERENCE(name, In, Out, Acc, tile_m, tile_n, tile_k, blocks) \
  extern "C" __global__ void __launch_bounds__(256, blocks)          \
      name(const __grid_constant__ GemmArgs args) {                  \
    begin_grid(args, args.m);                                        \
    gemm_reference<GemmReferenceConfig<In, Out, Acc, tile_m, tile_n, tile_k>>(args); \
  }

MYBLAS_REFERENCE(gemm_reference_f32_f32_128x128x8, float, float, float, 128, 128, 8, 2)
MYBLAS_REFERENCE(gemm_reference_f32_f32_64x64x16, float, float, float, 64, 64, 16, 3)
MYBLAS_REFERENCE(gemm_reference_bf16_bf16_128x128x8, __nv_bfloat16, __nv_bfloat16, float, 128, 128, 8, 2)
MYBLAS_REFERENCE(gemm_reference_bf16_bf16_64x64x16, __nv_bfloat16, __nv_bfloat16, float, 64, 64, 16, 3)
MYBLAS_REFERENCE(gemm_reference_f16_f16_128x128x8, __half, __half, float, 128, 128, 8, 2)
MYBLAS_REFERENCE(gemm_reference_f16_f16_64x64x16, __half, __half, float, 64, 64, 16, 3)
MYBLAS_REFERENCE(gemm_reference_bf16_f32_64x64x16, __nv_bfloat16, float, float, 64, 64, 16, 3)
MYBLAS_REFERENCE(gemm_reference_f16_f32_64x64x16, __half, float, float, 64, 64, 16, 3)
MYBLAS_REFERENCE(gemm_reference_s8_f32_64x64x16, int8_t, float, float, 64, 64, 16, 3)
MYBLAS_REFERENCE(gemm_reference_s8_s32_64x64x16, int8_t, int32_t, int32_t, 64, 64, 16, 2)
MYBLAS_REFERENCE(gemm_reference_f64_f64_64x64x16, double, double, double, 64, 64, 16, 2)
MYBLAS_REFERENCE(gemm_reference_c8_c32_64x64x8, Complex<int8_t>, Complex<float>, Complex<float>, 64, 64, 8, 2)
MYBLAS_REFERENCE(gemm_reference_c32_c32_64x64x8, Complex<float>, Complex<float>, Complex<float>, 64, 64, 8, 2)
MYBLAS_REFERENCE(gemm_reference_c64_c64_64x64x16, Complex<double>, Complex<double>, Complex<double>, 64, 64, 16, 1)
