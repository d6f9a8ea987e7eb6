// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the turing family for int8, a line each: rows of
// src/dispatch/tables/turing.inc.
#include "kernels/common/mma_gemm.cuh"

using namespace myblas;

// clang-format off
MYBLAS_MMA_GEMM(turing_s8_s32_256x128x64,      MmaS8Sm75, 16, int32_t, int32_t, 256, 128, 64, 64, 64, 2, 1)
MYBLAS_MMA_GEMM(turing_s8_s32_128x128x64,      MmaS8Sm75, 16, int32_t, int32_t, 128, 128, 64, 64, 32, 2, 1)
MYBLAS_MMA_GEMM(turing_s8_s32_64x64x64,        MmaS8Sm75, 16, int32_t, int32_t, 64, 64, 64, 32, 32, 2, 3)
MYBLAS_MMA_GEMM(turing_s8_any_s32_64x64x64,    MmaS8Sm75, 1,  int32_t, int32_t, 64, 64, 64, 32, 32, 2, 3)
MYBLAS_MMA_GEMM(turing_s8_f32_128x128x64,      MmaS8Sm75, 16, float, float, 128, 128, 64, 64, 32, 2, 1, Layouts::kTn)
MYBLAS_MMA_GEMM(turing_s8_f32_64x64x64,        MmaS8Sm75, 16, float, float, 64, 64, 64, 32, 32, 2, 3, Layouts::kTn)
