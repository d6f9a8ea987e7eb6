// SPDX-License-Identifier: BSD-3-Clause
// The line of a kernel of the simt family that cp.async feeds (sgemm_cp_async.cu, cgemm_closed.cu
// and their like).
#pragma once

#include "kernels/common/grid_start.cuh"
#include "kernels/simt/feed_cp_async.cuh"
#include "kernels/simt/gemm_simt.cuh"

// clang-format off
// slices: of a k-tile, each with warps of its own. blocks: resident blocks an SM, for which the compiler must find the
// registers.
#define MYBLAS_SIMT_CP_ASYNC(name, element, tile_m, tile_n, tile_k, warp_m, warp_n, lanes_m, stages, closing, slices, blocks) \
  using name##_config = SimtConfig<element, tile_m, tile_n, tile_k, warp_m, warp_n, lanes_m, stages, Closing::closing, false, tile_k / slices, slices>; \
  extern "C" __global__ void __launch_bounds__(name##_config::kThreads, blocks)                         \
      name(const __grid_constant__ GemmArgs args) {                                                     \
    begin_grid(args, args.m);                                                                           \
    gemm_simt<name##_config, CpAsyncFeed>(args);                                                        \
  }
// clang-format on
