// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// simt/cgemm_cp_async.cuh: a compiled complex fp32 kernel fed by cp.async, a line of the .cu files.
//==============================================================================
#pragma once

#include "kernels/common/grid_start.cuh"
#include "kernels/simt/feed_cp_async.cuh"
#include "kernels/simt/gemm_simt.cuh"

// clang-format off
// slices: of a k-tile, each with warps of its own. blocks: resident blocks an SM, for
// which the compiler must find the registers.
#define MYBLAS_CGEMM_CP_ASYNC(name, tile_m, tile_n, tile_k, warp_m, warp_n, lanes_m, stages, closing, slices, blocks) \
  extern "C" __global__ void                                                                            \
      __launch_bounds__(SimtConfig<Complex<float>, tile_m, tile_n, tile_k, warp_m, warp_n, lanes_m, stages, Closing::closing, false, tile_k / slices, slices>::kThreads, blocks) \
      name(const __grid_constant__ GemmArgs args) {                                                     \
    begin_grid(args, args.m);                                                                           \
    gemm_simt<SimtConfig<Complex<float>, tile_m, tile_n, tile_k, warp_m, warp_n, lanes_m, stages, Closing::closing, false, tile_k / slices, slices>, CpAsyncFeed>(args); \
  }
// clang-format on
