// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the simt family for fp32 that TMA feeds, sm_90: rows of
// src/dispatch/tables/simt_tma.inc.
#include "kernels/ptx/grid_dependency.h"
#include "kernels/simt/feed_tma.cuh"
#include "kernels/simt/gemm_simt.cuh"

using namespace myblas;

// clang-format off
// blocks: resident blocks an SM, for which the compiler must find the registers.
#define MYBLAS_SGEMM_TMA(name, tile_m, tile_n, tile_k, warp_m, warp_n, lanes_m, stages, pass_k, blocks) \
  extern "C" __global__ void                                                                            \
      __launch_bounds__(SimtConfig<float, tile_m, tile_n, tile_k, warp_m, warp_n, lanes_m, stages, 1, Closing::kInSharedMemory, true, pass_k>::kThreads, blocks) \
      name(const __grid_constant__ TmaArgs args) {                                                      \
    ptx::wait_for_previous_grid();                                                                      \
    ptx::let_next_grid_start();                                                                         \
    gemm_simt<SimtConfig<float, tile_m, tile_n, tile_k, warp_m, warp_n, lanes_m, stages, 1, Closing::kInSharedMemory, true, pass_k>, TmaFeed>(args.gemm, args); \
  }

MYBLAS_SGEMM_TMA(sgemm_tma_128x64x16,  128, 64, 16,  32, 64, 4, 3, 16, 3)
MYBLAS_SGEMM_TMA(sgemm_tma_128x128x16, 128, 128, 16, 64, 64, 4, 3, 4, 2)
