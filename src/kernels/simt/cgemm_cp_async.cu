// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the simt family for complex fp32, sm_80 and newer: rows of
// src/dispatch/tables/simt_complex.inc.
#include "kernels/common/grid_start.cuh"
#include "kernels/simt/feed_cp_async.cuh"
#include "kernels/simt/gemm_simt.cuh"

using namespace myblas;

// clang-format off
// blocks: resident blocks an SM, for which the compiler must find the registers.
#define MYBLAS_CGEMM_CP_ASYNC(name, tile_m, tile_n, tile_k, warp_m, warp_n, lanes_m, stages, blocks)    \
  extern "C" __global__ void                                                                            \
      __launch_bounds__(SimtConfig<Complex<float>, tile_m, tile_n, tile_k, warp_m, warp_n, lanes_m, stages>::kThreads, blocks) \
      name(const __grid_constant__ GemmArgs args) {                                                     \
    begin_grid(args, args.m);                                                                           \
    gemm_simt<SimtConfig<Complex<float>, tile_m, tile_n, tile_k, warp_m, warp_n, lanes_m, stages>, CpAsyncFeed>(args); \
  }

MYBLAS_CGEMM_CP_ASYNC(cgemm_cp_async_64x64x8,    64, 64, 8, 32, 32, 4, 4, 2)
MYBLAS_CGEMM_CP_ASYNC(cgemm_cp_async_32x32x16,   32, 32, 16, 32, 16, 8, 3, 6)
