// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the ampere family for fp16, a line each: rows of
// src/dispatch/tables/ampere.inc and ampere_wide.inc.
#include "kernels/common/mma_gemm.cuh"

using namespace myblas;

// clang-format off
MYBLAS_MMA_GEMM(ampere_f16_f16_128x256x64,     MmaF16, 16, __half, float, 128, 256, 64, 64, 64, 3, 1)
MYBLAS_MMA_GEMM(ampere_f16_f16_128x128x32,     MmaF16, 16, __half, float, 128, 128, 32, 64, 64, 3, 2)
MYBLAS_MMA_GEMM(ampere_f16_f16_64x64x64,       MmaF16, 16, __half, float, 64, 64, 64, 32, 32, 4, 3)
MYBLAS_MMA_GEMM(ampere_f16_f16_64x32x64,       MmaF16, 16, __half, float, 64, 32, 64, 32, 16, 4, 4)
MYBLAS_MMA_GEMM(ampere_f16_any_f16_128x128x64, MmaF16, 1,  __half, float, 128, 128, 64, 64, 32, 2, 1)
MYBLAS_MMA_GEMM(ampere_f16_any_f16_64x64x64,   MmaF16, 1,  __half, float, 64, 64, 64, 32, 32, 2, 2)
MYBLAS_MMA_GEMM(ampere_f16_f32_128x256x64,     MmaF16, 16, float, float, 128, 256, 64, 64, 64, 3, 1)
MYBLAS_MMA_GEMM(ampere_f16_f32_128x128x32,     MmaF16, 16, float, float, 128, 128, 32, 64, 64, 3, 2)
MYBLAS_MMA_GEMM(ampere_f16_f32_64x64x64,       MmaF16, 16, float, float, 64, 64, 64, 32, 32, 4, 3)
MYBLAS_MMA_GEMM(ampere_f16_by4_f16_128x128x32, MmaF16, 4,  __half, float, 128, 128, 32, 64, 64, 3, 2)
MYBLAS_MMA_GEMM(ampere_f16_by4_f16_64x64x64,   MmaF16, 4,  __half, float, 64, 64, 64, 32, 32, 4, 3)
MYBLAS_MMA_GEMM(ampere_f16_any_f32_128x128x64, MmaF16, 1,  float, float, 128, 128, 64, 64, 32, 2, 1)
