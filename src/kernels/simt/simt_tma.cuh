// SPDX-License-Identifier: BSD-3-Clause
// The line of a kernel of the simt family that TMA feeds (sgemm_tma.cu, cgemm_tma.cu).
#pragma once

#include "kernels/common/grid_start.cuh"
#include "kernels/simt/feed_tma.cuh"
#include "kernels/simt/gemm_simt.cuh"

// clang-format off
// closing: of sums, Closing. along_a, along_b: k is contiguous. pass_k: k of the main loop's code. slices: of a k-tile, each with warps of its own. blocks: resident blocks an SM,
// for which the compiler must find the registers.
#define MYBLAS_SIMT_TMA_CLOSED(name, closing, element, along_a, along_b, tile_m, tile_n, tile_k, warp_m, warp_n, lanes_m, stages, pass_k, slices, blocks) \
  using name##_config = SimtConfig<element, tile_m, tile_n, tile_k, warp_m, warp_n, lanes_m, stages, Closing::closing, true, pass_k, slices, along_a, along_b>; \
  extern "C" __global__ void __launch_bounds__(name##_config::kThreads, blocks)                         \
      name(const __grid_constant__ TmaArgs args) {                                                      \
    begin_grid(args, args.gemm.m);                                                                      \
    gemm_simt<name##_config, TmaFeed>(args.gemm, args);                                                 \
  }
#define MYBLAS_SIMT_TMA(name, ...) MYBLAS_SIMT_TMA_CLOSED(name, kInSharedMemory, __VA_ARGS__)
// clang-format on
