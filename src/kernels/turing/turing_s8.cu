// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the turing family for int8, a line each: rows of
// src/dispatch/tables/turing.inc.
#include "kernels/common/mma_gemm.cuh"
#include "kernels/ptx/grid_dependency.h"

using namespace myblas;

// clang-format off
// alignment: 16 bytes, or 1 for any. blocks: resident blocks an SM, for which the compiler must find
// the registers.
#define MYBLAS_TURING(name, alignment, Out, Scale, tile_m, tile_n, tile_k, warp_m, warp_n, blocks)            \
  extern "C" __global__ void                                                                                 \
      __launch_bounds__(MmaGemmConfig<MmaS8Sm75, Out, Scale, tile_m, tile_n, tile_k, warp_m, warp_n, 2, blocks, alignment>::kThreads, blocks) \
      name(const __grid_constant__ GemmArgs args) {                                                          \
    ptx::wait_for_previous_grid();                                                                           \
    ptx::let_next_grid_start();                                                                              \
    mma_gemm<MmaGemmConfig<MmaS8Sm75, Out, Scale, tile_m, tile_n, tile_k, warp_m, warp_n, 2, blocks, alignment>>(args); \
  }

MYBLAS_TURING(turing_s8_s32_256x128x64,      16, int32_t, int32_t, 256, 128, 64, 64, 64, 1)
MYBLAS_TURING(turing_s8_s32_128x128x64,      16, int32_t, int32_t, 128, 128, 64, 64, 32, 1)
MYBLAS_TURING(turing_s8_s32_64x64x64,        16, int32_t, int32_t, 64, 64, 64, 32, 32, 3)
MYBLAS_TURING(turing_s8_any_s32_64x64x64,    1,  int32_t, int32_t, 64, 64, 64, 32, 32, 3)
MYBLAS_TURING(turing_s8_f32_256x128x64,      16, float, float, 256, 128, 64, 64, 64, 1)
MYBLAS_TURING(turing_s8_f32_128x128x64,      16, float, float, 128, 128, 64, 64, 32, 1)
MYBLAS_TURING(turing_s8_f32_64x64x64,        16, float, float, 64, 64, 64, 32, 32, 3)
