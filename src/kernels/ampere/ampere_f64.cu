// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the ampere family for fp64 on sm_80, a line each: rows of
// src/dispatch/tables/ampere_f64.inc.
#include "kernels/common/mma_gemm.cuh"

using namespace myblas;

// clang-format off
MYBLAS_MMA_GEMM(ampere_f64_f64_128x64x16,     MmaF64, 16, double, double, 128, 64, 16, 32, 32, 4, 1)
MYBLAS_MMA_GEMM(ampere_f64_f64_64x64x16,      MmaF64, 16, double, double, 64, 64, 16, 32, 32, 4, 2)
MYBLAS_MMA_GEMM(ampere_f64_by8_f64_128x64x16, MmaF64, 8,  double, double, 128, 64, 16, 32, 32, 4, 1)
MYBLAS_MMA_GEMM(ampere_f64_by8_f64_64x64x16,  MmaF64, 8,  double, double, 64, 64, 16, 32, 32, 4, 2)
