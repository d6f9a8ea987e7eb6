// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the ampere family for fp64 on sm_90, a line each: rows of
// src/dispatch/tables/ampere.inc.
#include "kernels/common/mma_gemm.cuh"
#include "kernels/ptx/grid_dependency.h"

using namespace myblas;

// clang-format off
// alignment: of operands, bytes; 1 stands for any, through registers. blocks: resident blocks an SM, for which the
// compiler must find the registers.
#define MYBLAS_AMPERE(name, alignment, Out, Scale, tile_m, tile_n, tile_k, warp_m, warp_n, stages, blocks)         \
  extern "C" __global__ void                                                                                 \
      __launch_bounds__(MmaGemmConfig<MmaF64Sm90, Out, Scale, tile_m, tile_n, tile_k, warp_m, warp_n, stages, blocks, alignment>::kThreads, blocks) \
      name(const __grid_constant__ GemmArgs args) {                                                          \
    ptx::wait_for_previous_grid();                                                                           \
    ptx::let_next_grid_start();                                                                              \
    mma_gemm<MmaGemmConfig<MmaF64Sm90, Out, Scale, tile_m, tile_n, tile_k, warp_m, warp_n, stages, blocks, alignment>>(args); \
  }

MYBLAS_AMPERE(ampere_f64_sm90_f64_128x64x16,     16, double, double, 128, 64, 16, 64, 32, 3, 2)
MYBLAS_AMPERE(ampere_f64_sm90_f64_64x64x16,      16, double, double, 64, 64, 16, 32, 32, 4, 2)
MYBLAS_AMPERE(ampere_f64_sm90_f64_32x64x32,      16, double, double, 32, 64, 32, 16, 32, 3, 3)
MYBLAS_AMPERE(ampere_f64_sm90_by8_f64_128x64x16, 8,  double, double, 128, 64, 16, 64, 32, 3, 2)
MYBLAS_AMPERE(ampere_f64_sm90_by8_f64_64x64x16,  8,  double, double, 64, 64, 16, 32, 32, 4, 2)
