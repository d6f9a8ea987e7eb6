// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the turing family for fp16, a line each: rows of
// src/dispatch/tables/turing.inc.
#include "kernels/common/mma_gemm.cuh"

using namespace myblas;

// clang-format off
MYBLAS_MMA_GEMM(turing_f16_f16_256x128x32,      MmaF16Sm75, 16, __half, float, 256, 128, 32, 64, 64, 2, 1)
MYBLAS_MMA_GEMM(turing_f16_f16_128x128x32,      MmaF16Sm75, 16, __half, float, 128, 128, 32, 64, 64, 2, 1)
MYBLAS_MMA_GEMM(turing_f16_f16_64x64x32,        MmaF16Sm75, 16, __half, float, 64, 64, 32, 32, 32, 2, 3)
MYBLAS_MMA_GEMM(turing_f16_any_f16_128x128x32,  MmaF16Sm75, 1,  __half, float, 128, 128, 32, 64, 32, 2, 1)
MYBLAS_MMA_GEMM(turing_f16_any_f16_64x64x32,    MmaF16Sm75, 1,  __half, float, 64, 64, 32, 32, 32, 2, 3)
MYBLAS_MMA_GEMM(turing_f16_f32_256x128x32,      MmaF16Sm75, 16, float, float, 256, 128, 32, 64, 64, 2, 1)
MYBLAS_MMA_GEMM(turing_f16_f32_128x128x32,      MmaF16Sm75, 16, float, float, 128, 128, 32, 64, 64, 2, 1)
MYBLAS_MMA_GEMM(turing_f16_f32_64x64x32,        MmaF16Sm75, 16, float, float, 64, 64, 32, 32, 32, 2, 3)
MYBLAS_MMA_GEMM(turing_f16_any_f32_64x64x32,    MmaF16Sm75, 1,  float, float, 64, 64, 32, 32, 32, 2, 3)
MYBLAS_MMA_GEMM(turing_f16_f16sum_f16_128x128x32, MmaF16SumsSm75, 16, __half, float, 128, 128, 32, 64, 32, 2, 1)
