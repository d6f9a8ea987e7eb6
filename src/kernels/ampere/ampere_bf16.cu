// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the ampere family for bf16, a line each: rows of
// src/dispatch/tables/ampere.inc.
#include "kernels/common/mma_gemm.cuh"
#include "kernels/ptx/grid_dependency.h"

using namespace myblas;

// clang-format off
// alignment: of operands, bytes; 1 stands for any, through registers. blocks: resident blocks an SM, for which the
// compiler must find the registers.
#define MYBLAS_AMPERE(name, alignment, Out, Scale, tile_m, tile_n, tile_k, warp_m, warp_n, stages, blocks)         \
  extern "C" __global__ void                                                                                 \
      __launch_bounds__(MmaGemmConfig<MmaBf16, Out, Scale, tile_m, tile_n, tile_k, warp_m, warp_n, stages, blocks, alignment>::kThreads, blocks) \
      name(const __grid_constant__ GemmArgs args) {                                                          \
    ptx::wait_for_previous_grid();                                                                           \
    ptx::let_next_grid_start();                                                                              \
    mma_gemm<MmaGemmConfig<MmaBf16, Out, Scale, tile_m, tile_n, tile_k, warp_m, warp_n, stages, blocks, alignment>>(args); \
  }

MYBLAS_AMPERE(ampere_bf16_bf16_128x256x64,     16, __nv_bfloat16, float, 128, 256, 64, 64, 64, 3, 1)
MYBLAS_AMPERE(ampere_bf16_bf16_128x128x32,     16, __nv_bfloat16, float, 128, 128, 32, 64, 64, 3, 2)
MYBLAS_AMPERE(ampere_bf16_bf16_64x64x64,       16, __nv_bfloat16, float, 64, 64, 64, 32, 32, 4, 3)
MYBLAS_AMPERE(ampere_bf16_bf16_64x32x64,       16, __nv_bfloat16, float, 64, 32, 64, 32, 16, 4, 4)
MYBLAS_AMPERE(ampere_bf16_any_bf16_128x128x64, 1,  __nv_bfloat16, float, 128, 128, 64, 64, 32, 2, 1)
MYBLAS_AMPERE(ampere_bf16_any_bf16_64x64x64,   1,  __nv_bfloat16, float, 64, 64, 64, 32, 32, 2, 2)
MYBLAS_AMPERE(ampere_bf16_f32_128x256x64,      16, float, float, 128, 256, 64, 64, 64, 3, 1)
MYBLAS_AMPERE(ampere_bf16_f32_128x128x32,      16, float, float, 128, 128, 32, 64, 64, 3, 2)
MYBLAS_AMPERE(ampere_bf16_f32_64x64x64,        16, float, float, 64, 64, 64, 32, 32, 4, 3)
MYBLAS_AMPERE(ampere_bf16_by4_bf16_128x128x32, 4,  __nv_bfloat16, float, 128, 128, 32, 64, 64, 3, 2)
MYBLAS_AMPERE(ampere_bf16_by4_bf16_64x64x64,   4,  __nv_bfloat16, float, 64, 64, 64, 32, 32, 4, 3)
MYBLAS_AMPERE(ampere_bf16_by4_f32_128x128x32,  4,  float, float, 128, 128, 32, 64, 64, 3, 2)
MYBLAS_AMPERE(ampere_bf16_any_f32_128x128x64,  1,  float, float, 128, 128, 64, 64, 32, 2, 1)
