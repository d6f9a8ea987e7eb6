// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the simt family for fp32 that TMA feeds, sm_90: rows of
// src/dispatch/tables/simt_tma.inc.
#include "kernels/simt/simt_tma.cuh"

using namespace myblas;

// clang-format off
MYBLAS_SIMT_TMA_CLOSED(sgemm_tma_128x128x32,     kByHalves, float, false, false, 128, 128, 32, 64, 64, 4, 3, 8, 1, 2)
MYBLAS_SIMT_TMA_CLOSED(sgemm_tma_128x64x32,      kByHalves, float, false, false, 128, 64, 32, 32, 64, 4, 3, 16, 1, 3)
MYBLAS_SIMT_TMA(sgemm_tma_64x64x32,              float, false, false, 64, 64, 32, 32, 32, 4, 3, 32, 1, 3)
MYBLAS_SIMT_TMA(sgemm_tma_sliced_128x64x32,      float, false, false, 128, 64, 32, 32, 64, 4, 3, 16, 2, 1)
MYBLAS_SIMT_TMA(sgemm_tma_tn_64x64x32,           float, true, true, 64, 64, 32, 32, 32, 8, 3, 32, 1, 3)
MYBLAS_SIMT_TMA(sgemm_tma_sliced_96x64x32,       float, false, false, 96, 64, 32, 48, 32, 4, 3, 16, 2, 2)
MYBLAS_SIMT_TMA(sgemm_tma_nn_sliced_96x64x32,    float, false, true, 96, 64, 32, 48, 32, 4, 3, 16, 2, 2)
MYBLAS_SIMT_TMA(sgemm_tma_sliced_128x96x32,      float, false, false, 128, 96, 32, 64, 48, 8, 3, 8, 2, 1)
