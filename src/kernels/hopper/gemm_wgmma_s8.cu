// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the hopper family with int8 inputs, a line each: rows of
// src/dispatch/tables/hopper.inc.
#include "kernels/hopper/hgemm_wgmma.cuh"

using namespace myblas;

// clang-format off
MYBLAS_HGEMM_WGMMA(gemm_wgmma_s8_s32_256x128x128,               int8_t,  int32_t,  kHopper256x128)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_s8_s32_128x256x128,               int8_t,  int32_t,  kHopper128x256)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_s8_s32_128x128x128,               int8_t,  int32_t,  kHopper128x128)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_s8_s32_pingpong_pair_192x128x128, int8_t,  int32_t,  kHopperPingPongPair192x128)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_s8_s32_160x128x128,               int8_t,  int32_t,  kHopper160x128)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_s8_s32_128x144x128,               int8_t,  int32_t,  kHopper128x144)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_s8_s32_pair_256x128x128,          int8_t,  int32_t,  kHopperPair256x128)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_s8_s32_pair_128x128x128,          int8_t,  int32_t,  kHopperPair128x128)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_s8_s32_quad_64x128x128,           int8_t,  int32_t,  kHopperQuad64x128)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_s8_s32_64x32x128,                 int8_t,  int32_t,  kHopper64x32)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_s8_s32_128x64x128,                int8_t,  int32_t,  kHopper128x64)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_s8_s32_64x64x128,                 int8_t,  int32_t,  kHopper64x64)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_s8_s32_64x16x128,                 int8_t,  int32_t,  kHopper64x16)

MYBLAS_HGEMM_WGMMA(gemm_wgmma_s8_f32_256x128x128,               int8_t,  float,    kHopper256x128)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_s8_f32_128x256x128,               int8_t,  float,    kHopper128x256)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_s8_f32_pair_256x128x128,          int8_t,  float,    kHopperPair256x128)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_s8_f32_128x128x128,               int8_t,  float,    kHopper128x128)
MYBLAS_HGEMM_WGMMA(gemm_wgmma_s8_f32_64x64x128,                 int8_t,  float,    kHopper64x64)
