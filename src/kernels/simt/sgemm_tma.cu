// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the simt family for fp32 that TMA feeds, sm_90: rows of
// src/dispatch/tables/simt_tma.inc.
#include "kernels/common/grid_start.cuh"
#include "kernels/simt/feed_tma.cuh"
#include "kernels/simt/gemm_simt.cuh"

using namespace myblas;

// clang-format off
// along_a, along_b: k is contiguous. pass_k: k of the main loop's code. slices: of a k-tile, each with warps of its own. blocks: resident blocks an SM,
// for which the compiler must find the registers.
#define MYBLAS_SGEMM_TMA(name, along_a, along_b, tile_m, tile_n, tile_k, warp_m, warp_n, lanes_m, stages, pass_k, slices, blocks) \
  extern "C" __global__ void                                                                            \
      __launch_bounds__(SimtConfig<float, tile_m, tile_n, tile_k, warp_m, warp_n, lanes_m, stages, Closing::kInSharedMemory, true, pass_k, slices, along_a, along_b>::kThreads, blocks) \
      name(const __grid_constant__ TmaArgs args) {                                                      \
    begin_grid(args, args.gemm.m);                                                                      \
    gemm_simt<SimtConfig<float, tile_m, tile_n, tile_k, warp_m, warp_n, lanes_m, stages, Closing::kInSharedMemory, true, pass_k, slices, along_a, along_b>, TmaFeed>(args.gemm, args); \
  }

MYBLAS_SGEMM_TMA(sgemm_tma_128x128x16,            false, false, 128, 128, 16, 64, 64, 4, 3, 4, 1, 2)
MYBLAS_SGEMM_TMA(sgemm_tma_128x64x16,             false, false, 128, 64, 16, 32, 64, 4, 3, 16, 1, 3)
MYBLAS_SGEMM_TMA(sgemm_tma_64x64x32,              false, false, 64, 64, 32, 32, 32, 4, 3, 32, 1, 3)
MYBLAS_SGEMM_TMA(sgemm_tma_sliced_128x64x32,      false, false, 128, 64, 32, 32, 64, 4, 3, 16, 2, 1)
MYBLAS_SGEMM_TMA(sgemm_tma_nn_sliced_128x64x32,   false, true, 128, 64, 32, 32, 64, 4, 3, 16, 2, 1)
MYBLAS_SGEMM_TMA(sgemm_tma_nn_sliced_64x32x32,    false, true, 64, 32, 32, 32, 32, 4, 3, 8, 4, 2)
MYBLAS_SGEMM_TMA(sgemm_tma_tn_128x128x16,         true, true, 128, 128, 16, 64, 64, 8, 3, 8, 1, 2)
MYBLAS_SGEMM_TMA(sgemm_tma_tn_64x64x32,           true, true, 64, 64, 32, 32, 32, 8, 3, 32, 1, 3)
MYBLAS_SGEMM_TMA(sgemm_tma_tn_sliced_64x32x32,    true, true, 64, 32, 32, 32, 32, 8, 3, 8, 4, 2)
