// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the simt family for complex fp32 that TMA feeds, sm_90: rows of
// src/dispatch/tables/simt_tma.inc.
#include "kernels/simt/simt_tma.cuh"

using namespace myblas;

// clang-format off
MYBLAS_SIMT_TMA(cgemm_tma_64x32x16,         Complex<float>, false, false, 64, 32, 16, 16, 32, 4, 3, 16, 1, 3)
MYBLAS_SIMT_TMA_CLOSED(cgemm_tma_64x64x32,  kByHalves, Complex<float>, false, false, 64, 64, 32, 32, 32, 4, 3, 8, 1, 2)
MYBLAS_SIMT_TMA(cgemm_tma_32x32x32,         Complex<float>, false, false, 32, 32, 32, 16, 16, 4, 3, 32, 1, 3)
MYBLAS_SIMT_TMA(cgemm_tma_sliced_64x32x32,  Complex<float>, false, false, 64, 32, 32, 16, 32, 4, 3, 16, 2, 1)
