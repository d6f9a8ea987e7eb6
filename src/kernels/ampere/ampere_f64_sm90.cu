// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the ampere family for fp64 on sm_90, a line each: rows of
// src/dispatch/tables/ampere_f64_sm90.inc.
#include "kernels/common/mma_gemm.cuh"

using namespace myblas;

// clang-format off
MYBLAS_MMA_GEMM(ampere_f64_sm90_f64_128x64x16,     MmaF64Sm90, 16, double, double, 128, 64, 16, 64, 32, 3, 2)
MYBLAS_MMA_GEMM(ampere_f64_sm90_f64_64x64x16,      MmaF64Sm90, 16, double, double, 64, 64, 16, 32, 32, 4, 3)
MYBLAS_MMA_GEMM(ampere_f64_sm90_f64_32x64x32,      MmaF64Sm90, 16, double, double, 32, 64, 32, 16, 32, 3, 3)
MYBLAS_MMA_GEMM(ampere_f64_sm90_by8_f64_128x64x16, MmaF64Sm90, 8,  double, double, 128, 64, 16, 64, 32, 3, 2)
MYBLAS_MMA_GEMM(ampere_f64_sm90_by8_f64_64x64x16,  MmaF64Sm90, 8,  double, double, 64, 64, 16, 32, 32, 4, 3)
MYBLAS_MMA_GEMM(ampere_f64_sm90_by8_f64_64x16x32,  MmaF64Sm90, 8,  double, double, 64, 16, 32, 16, 16, 4, 2)
MYBLAS_MMA_GEMM(ampere_f64_sm90_by8_f64_16x64x32,  MmaF64Sm90, 8,  double, double, 16, 64, 32, 16, 16, 4, 2)
