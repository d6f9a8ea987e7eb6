// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the hopper family with tf32 inputs, a line each: rows of
// src/dispatch/tables/hopper.inc.
#include "kernels/hopper/hgemm_wgmma.cuh"

using namespace myblas;

// clang-format off
MYBLAS_HGEMM_WGMMA(gemm_wgmma_tf32_f32_256x128x32,              float,   float,    kHopper256x128)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_tf32_f32_128x256x32,              float,   float,    kHopper128x256)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_tf32_f32_192x128x32,              float,   float,    kHopper192x128)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_tf32_f32_128x128x32,              float,   float,    kHopper128x128)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_tf32_f32_128x64x32,               float,   float,    kHopper128x64)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_tf32_f32_rows_m_128x128x32,       float,   float,    kHopper128x128RowsM)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_tf32_f32_64x128x32,               float,   float,    kHopper64x128)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_tf32_f32_64x64x32,                float,   float,    kHopper64x64)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_tf32_f32_64x32x32,                float,   float,    kHopper64x32)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_tf32_f32_64x16x32,                float,   float,    kHopper64x16)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_tf32_f32_pair_256x128x32,         float,   float,    kHopperPair256x128)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_tf32_f32_pair_128x256x32,         float,   float,    kHopperPair128x256)
