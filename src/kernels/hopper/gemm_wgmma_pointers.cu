// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the hopper family with tf32 and int8 inputs for batches of pointers, a
// line each: rows of src/dispatch/tables/hopper_pointers.inc.
#include "kernels/hopper/hgemm_wgmma.cuh"

using namespace myblas;

// clang-format off
MYBLAS_HGEMM_WGMMA(gemm_wgmma_pointers_tf32_f32_pair_256x128x32,      float,         float,         of_pointers(kHopperPair256x128))
MYBLAS_HGEMM_WGMMA(gemm_wgmma_pointers_tf32_f32_128x128x32,           float,         float,         of_pointers(kHopper128x128))
MYBLAS_HGEMM_WGMMA(gemm_wgmma_pointers_tf32_f32_64x64x32,             float,         float,         of_pointers(kHopper64x64))
MYBLAS_HGEMM_WGMMA(gemm_wgmma_pointers_tf32_f32_64x16x32,             float,         float,         of_pointers(kHopper64x16))
MYBLAS_HGEMM_WGMMA(gemm_wgmma_pointers_tf32_f32_rs_nn_pair_128x256x32, float,         float,         of_pointers(kHopperRsPair128x256))
MYBLAS_HGEMM_WGMMA(gemm_wgmma_pointers_tf32_f32_rs_nn_128x128x32,     float,         float,         of_pointers(kHopperRs128x128M))
MYBLAS_HGEMM_WGMMA(gemm_wgmma_pointers_tf32_f32_rs_nn_64x64x32,       float,         float,         of_pointers(kHopperRs64x64))
MYBLAS_HGEMM_WGMMA(gemm_wgmma_pointers_tf32_f32_rs_nn_64x16x32,       float,         float,         of_pointers(kHopperRs64x16))
MYBLAS_HGEMM_WGMMA(gemm_wgmma_pointers_tf32_f32_rs_tt_pair_256x128x32, float,         float,         of_pointers(kHopperRsPair256x128))
MYBLAS_HGEMM_WGMMA(gemm_wgmma_pointers_tf32_f32_rs_tt_128x128x32,     float,         float,         of_pointers(kHopperRs128x128N))
MYBLAS_HGEMM_WGMMA(gemm_wgmma_pointers_s8_s32_256x128x128,            int8_t,        int32_t,       of_pointers(kHopper256x128))
MYBLAS_HGEMM_WGMMA(gemm_wgmma_pointers_s8_s32_128x128x128,            int8_t,        int32_t,       of_pointers(kHopper128x128))
MYBLAS_HGEMM_WGMMA(gemm_wgmma_pointers_s8_s32_64x64x128,              int8_t,        int32_t,       of_pointers(kHopper64x64))
MYBLAS_HGEMM_WGMMA(gemm_wgmma_pointers_s8_f32_256x128x128,            int8_t,        float,         of_pointers(kHopper256x128))
MYBLAS_HGEMM_WGMMA(gemm_wgmma_pointers_s8_f32_64x64x128,              int8_t,        float,         of_pointers(kHopper64x64))
