// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the ampere family for int8, a line each: rows of
// src/dispatch/tables/ampere.inc and ampere_wide.inc.
#include "kernels/common/mma_gemm.cuh"

using namespace myblas;

// clang-format off
MYBLAS_MMA_GEMM(ampere_s8_s32_128x256x128,     MmaS8, 16, int32_t, int32_t, 128, 256, 128, 64, 64, 3, 1)
MYBLAS_MMA_GEMM(ampere_s8_s32_128x128x64,      MmaS8, 16, int32_t, int32_t, 128, 128, 64, 64, 64, 3, 2)
MYBLAS_MMA_GEMM(ampere_s8_s32_64x64x128,       MmaS8, 16, int32_t, int32_t, 64, 64, 128, 32, 32, 4, 3)
MYBLAS_MMA_GEMM(ampere_s8_f32_128x128x64,      MmaS8, 16, float, float, 128, 128, 64, 64, 64, 3, 2, Layouts::kTn)
MYBLAS_MMA_GEMM(ampere_s8_f32_64x64x128,       MmaS8, 16, float, float, 64, 64, 128, 32, 32, 4, 3, Layouts::kTn)
MYBLAS_MMA_GEMM(ampere_s8_by4_s32_128x128x64,  MmaS8, 4,  int32_t, int32_t, 128, 128, 64, 64, 64, 3, 2, Layouts::kTn)
MYBLAS_MMA_GEMM(ampere_s8_by4_s32_64x64x128,   MmaS8, 4,  int32_t, int32_t, 64, 64, 128, 32, 32, 4, 3, Layouts::kTn)
MYBLAS_MMA_GEMM(ampere_s8_any_s32_128x128x128, MmaS8, 1,  int32_t, int32_t, 128, 128, 128, 64, 32, 2, 1)
MYBLAS_MMA_GEMM(ampere_s8_any_f32_128x128x128, MmaS8, 1,  float, float, 128, 128, 128, 64, 32, 2, 1)
