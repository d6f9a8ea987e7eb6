// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the ampere family for complex fp64, a line each: rows of
// src/dispatch/tables/ampere_c64.inc.
#include "kernels/common/mma_gemm.cuh"

using namespace myblas;

// clang-format off
MYBLAS_MMA_GEMM(ampere_c64_c64_64x64x8,  MmaC64, 16, Complex<double>, Complex<double>, 64, 64, 8, 32, 32, 4, 2)
MYBLAS_MMA_GEMM(ampere_c64_c64_32x32x8, MmaC64, 16, Complex<double>, Complex<double>, 32, 32, 8, 16, 16, 4, 4)
