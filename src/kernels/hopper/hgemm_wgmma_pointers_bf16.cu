// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the hopper family with bf16 inputs for batches of pointers, a line each:
// rows of src/dispatch/tables/hopper_pointers.inc.
#include "kernels/hopper/hgemm_wgmma.cuh"

using namespace myblas;

// clang-format off
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_pointers_bf16_bf16_pair_256x128x64,    __nv_bfloat16, __nv_bfloat16, of_pointers(kHopperPair256x128))
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_pointers_bf16_bf16_pair_128x256x64,    __nv_bfloat16, __nv_bfloat16, of_pointers(kHopperPair128x256))
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_pointers_bf16_bf16_128x128x64,         __nv_bfloat16, __nv_bfloat16, of_pointers(kHopper128x128))
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_pointers_bf16_bf16_64x64x64,           __nv_bfloat16, __nv_bfloat16, of_pointers(kHopper64x64))
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_pointers_bf16_bf16_64x32x64,           __nv_bfloat16, __nv_bfloat16, of_pointers(kHopper64x32))
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_pointers_bf16_bf16_64x16x64,           __nv_bfloat16, __nv_bfloat16, of_pointers(kHopper64x16))
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_pointers_bf16_f32_pair_256x128x64,     __nv_bfloat16, float,         of_pointers(kHopperPair256x128))
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_pointers_bf16_f32_pair_128x256x64,     __nv_bfloat16, float,         of_pointers(kHopperPair128x256))
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_pointers_bf16_f32_128x128x64,          __nv_bfloat16, float,         of_pointers(kHopper128x128))
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_pointers_bf16_f32_64x64x64,            __nv_bfloat16, float,         of_pointers(kHopper64x64))
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_pointers_bf16_f32_64x32x64,            __nv_bfloat16, float,         of_pointers(kHopper64x32))
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_pointers_bf16_f32_64x16x64,            __nv_bfloat16, float,         of_pointers(kHopper64x16))
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_pointers_bf16_bf16_pingpong_pair_192x128x64, __nv_bfloat16, __nv_bfloat16, of_pointers(kHopperPingPongPair192x128))
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_pointers_bf16_bf16_pingpong_pair_128x192x64, __nv_bfloat16, __nv_bfloat16, of_pointers(kHopperPingPongPair128x192))
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_pointers_bf16_bf16_128x64x64,              __nv_bfloat16, __nv_bfloat16, of_pointers(kHopper128x64))
MYBLAS_HGEMM_WGMMA(hgemm_wgmma_pointers_bf16_f32_128x64x64,               __nv_bfloat16, float,         of_pointers(kHopper128x64))
