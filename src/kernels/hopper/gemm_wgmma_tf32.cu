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
MYBLAS_HGEMM_WGMMA(gemm_wgmma_tf32_f32_64x64x32,                float,   float,    kHopper64x64)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_tf32_f32_64x32x32,                float,   float,    kHopper64x32)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_tf32_f32_64x16x32,                float,   float,    kHopper64x16)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_tf32_f32_pair_256x128x32,         float,   float,    kHopperPair256x128)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_tf32_f32_rs_nn_128x256x32,           float,   float,    kHopperRs128x256)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_tf32_f32_rs_nn_pair_128x256x32,      float,   float,    kHopperRsPair128x256)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_tf32_f32_rs_nn_128x192x32,           float,   float,    kHopperRs128x192)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_tf32_f32_rs_nn_128x128x32,           float,   float,    kHopperRs128x128M)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_tf32_f32_rs_nn_64x128x32,            float,   float,    kHopperRs64x128)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_tf32_f32_rs_nn_64x64x32,             float,   float,    kHopperRs64x64)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_tf32_f32_rs_nn_64x32x32,             float,   float,    kHopperRs64x32)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_tf32_f32_rs_nn_64x16x32,             float,   float,    kHopperRs64x16)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_tf32_f32_rs_tt_256x128x32,           float,   float,    kHopperRs256x128)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_tf32_f32_rs_tt_pair_256x128x32,      float,   float,    kHopperRsPair256x128)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_tf32_f32_rs_tt_192x128x32,           float,   float,    kHopperRs192x128)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_tf32_f32_rs_tt_128x128x32,           float,   float,    kHopperRs128x128N)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_tf32_f32_rs_tt_128x64x32,            float,   float,    kHopperRs128x64)
