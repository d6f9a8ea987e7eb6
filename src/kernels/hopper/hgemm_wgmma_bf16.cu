// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the hopper family with bf16 inputs, a line each: rows of
// src/dispatch/tables/hopper.inc.
#include "kernels/hopper/hgemm_wgmma.cuh"

using namespace myblas;

// clang-format off
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_bf16_256x128x64,           __nv_bfloat16, __nv_bfloat16,  kHopper256x128)
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_bf16_128x256x64,           __nv_bfloat16, __nv_bfloat16,  kHopper128x256)
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_bf16_pingpong_pair_192x128x64, __nv_bfloat16, __nv_bfloat16,  kHopperPingPongPair192x128)
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_bf16_pingpong_pair_128x192x64, __nv_bfloat16, __nv_bfloat16,  kHopperPingPongPair128x192)
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_bf16_192x128x64,           __nv_bfloat16, __nv_bfloat16,  kHopper192x128)
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_bf16_160x128x64,           __nv_bfloat16, __nv_bfloat16,  kHopper160x128)
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_bf16_128x160x64,           __nv_bfloat16, __nv_bfloat16,  kHopper128x160)
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_bf16_128x144x64,           __nv_bfloat16, __nv_bfloat16,  kHopper128x144)
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_bf16_128x128x64,           __nv_bfloat16, __nv_bfloat16,  kHopper128x128)
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_bf16_128x64x64,            __nv_bfloat16, __nv_bfloat16,  kHopper128x64)
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_bf16_64x128x64,            __nv_bfloat16, __nv_bfloat16,  kHopper64x128)
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_bf16_64x64x64,             __nv_bfloat16, __nv_bfloat16,  kHopper64x64)
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_bf16_64x32x64,             __nv_bfloat16, __nv_bfloat16,  kHopper64x32)
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_bf16_64x16x64,             __nv_bfloat16, __nv_bfloat16,  kHopper64x16)
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_bf16_pair_256x128x64,      __nv_bfloat16, __nv_bfloat16,  kHopperPair256x128)
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_bf16_pair_128x256x64,      __nv_bfloat16, __nv_bfloat16,  kHopperPair128x256)
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_bf16_pair_128x128x64,      __nv_bfloat16, __nv_bfloat16,  kHopperPair128x128)
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_bf16_pair_128x64x64,       __nv_bfloat16, __nv_bfloat16,  kHopperPair128x64)
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_bf16_quad_64x64x64,        __nv_bfloat16, __nv_bfloat16,  kHopperQuad64x64)
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_bf16_pair_96x64x64,        __nv_bfloat16, __nv_bfloat16,  kHopperPair96x64)

MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_f32_256x128x64,            __nv_bfloat16, float,          kHopper256x128)
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_f32_128x256x64,            __nv_bfloat16, float,          kHopper128x256)
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_f32_pingpong_pair_192x128x64, __nv_bfloat16, float,          kHopperPingPongPair192x128)
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_f32_pingpong_pair_128x192x64, __nv_bfloat16, float,          kHopperPingPongPair128x192)
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_f32_160x128x64,            __nv_bfloat16, float,          kHopper160x128)
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_f32_128x160x64,            __nv_bfloat16, float,          kHopper128x160)
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_f32_128x144x64,            __nv_bfloat16, float,          kHopper128x144)
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_f32_128x128x64,            __nv_bfloat16, float,          kHopper128x128)
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_f32_128x64x64,             __nv_bfloat16, float,          kHopper128x64)
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_f32_64x64x64,              __nv_bfloat16, float,          kHopper64x64)
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_f32_64x32x64,              __nv_bfloat16, float,          kHopper64x32)
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_f32_64x16x64,              __nv_bfloat16, float,          kHopper64x16)
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_f32_pair_256x128x64,       __nv_bfloat16, float,          kHopperPair256x128)
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_f32_pair_128x256x64,       __nv_bfloat16, float,          kHopperPair128x256)
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_f32_pair_128x128x64,       __nv_bfloat16, float,          kHopperPair128x128)
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_bf16_f32_pair_128x64x64,        __nv_bfloat16, float,          kHopperPair128x64)
