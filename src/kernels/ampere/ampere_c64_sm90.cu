// SPDX-License-Identifier: BSD-3-Clause
// ampere_c64.cu's kernels for sm_90 alone, whose tensor cores take 16 rows of fp64 at a time: rows
// of src/dispatch/tables/ampere_c64_sm90.inc.
#include "kernels/common/mma_gemm.cuh"

using namespace myblas;

// clang-format off
MYBLAS_MMA_GEMM(ampere_c64_sm90_c64_64x64x8,  MmaC64Sm90, 16, Complex<double>, Complex<double>, 64, 64, 8, 32, 32, 4, 2)
MYBLAS_MMA_GEMM(ampere_c64_sm90_c64_32x32x8, MmaC64Sm90, 16, Complex<double>, Complex<double>, 32, 32, 8, 16, 16, 4, 4)
MYBLAS_MMA_GEMM(ampere_c64_sm90_c64_32x32x16, MmaC64Sm90, 16, Complex<double>, Complex<double>, 32, 32, 16, 16, 16, 3, 4)
MYBLAS_MMA_GEMM(ampere_c64_sm90_c64_16x32x16, MmaC64Sm90, 16, Complex<double>, Complex<double>, 16, 32, 16, 8, 16, 4, 4)
MYBLAS_MMA_GEMM(ampere_c64_sm90_c64_32x16x16, MmaC64Sm90, 16, Complex<double>, Complex<double>, 32, 16, 16, 8, 16, 4, 4)
