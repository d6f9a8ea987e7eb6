// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the ampere family that sum a k-tile in fp16, a line each: rows of
// src/dispatch/tables/ampere_f16_sums.inc.
#include "kernels/common/mma_gemm.cuh"

using namespace myblas;

// clang-format off
MYBLAS_MMA_GEMM(ampere_f16_f16sum_f16_128x128x32, MmaF16Sums, 16, __half, float, 128, 128, 32, 64, 32, 4, 1)
MYBLAS_MMA_GEMM(ampere_f16_f16sum_f16_64x64x32,   MmaF16Sums, 16, __half, float, 64, 64, 32, 32, 32, 4, 3)
