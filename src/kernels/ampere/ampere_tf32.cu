// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the ampere family for tf32, a line each: rows of
// src/dispatch/tables/ampere.inc and ampere_wide.inc.
#include "kernels/common/mma_gemm.cuh"

using namespace myblas;

// clang-format off
MYBLAS_MMA_GEMM(ampere_tf32_f32_128x256x32,     MmaTf32, 16, float, float, 128, 256, 32, 64, 64, 3, 1)
MYBLAS_MMA_GEMM(ampere_tf32_f32_128x128x16,     MmaTf32, 16, float, float, 128, 128, 16, 64, 64, 3, 2)
MYBLAS_MMA_GEMM(ampere_tf32_f32_64x64x32,       MmaTf32, 16, float, float, 64, 64, 32, 32, 32, 4, 3)
MYBLAS_MMA_GEMM(ampere_tf32_f32_64x32x32,       MmaTf32, 16, float, float, 64, 32, 32, 32, 16, 4, 4)
MYBLAS_MMA_GEMM(ampere_tf32_by4_f32_128x128x16, MmaTf32, 4,  float, float, 128, 128, 16, 64, 64, 3, 2)
MYBLAS_MMA_GEMM(ampere_tf32_by4_f32_64x64x32,   MmaTf32, 4,  float, float, 64, 64, 32, 32, 32, 4, 3)
