// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the simt family for fp32 products of few columns or rows, sm_90: rows of
// src/dispatch/tables/simt_narrow.inc. On sm_100 the compiler does not find the registers.
#include "kernels/ptx/grid_dependency.h"
#include "kernels/simt/feed_cp_async.cuh"
#include "kernels/simt/gemm_simt.cuh"

using namespace myblas;

// clang-format off
// blocks: resident blocks an SM, for which the compiler must find the registers.
#define MYBLAS_SGEMM_NARROW(name, tile_m, tile_n, tile_k, warp_m, warp_n, lanes_m, stages, closing, blocks) \
  extern "C" __global__ void                                                                            \
      __launch_bounds__(SimtConfig<float, tile_m, tile_n, tile_k, warp_m, warp_n, lanes_m, stages, Closing::closing>::kThreads, blocks) \
      name(const __grid_constant__ GemmArgs args) {                                                     \
    ptx::wait_for_previous_grid();                                                                      \
    ptx::let_next_grid_start();                                                                         \
    gemm_simt<SimtConfig<float, tile_m, tile_n, tile_k, warp_m, warp_n, lanes_m, stages, Closing::closing>, CpAsyncFeed>(args); \
  }

MYBLAS_SGEMM_NARROW(sgemm_narrow_256x64x8, 256, 64, 8, 64, 64, 4, 4, kInSharedMemory, 2)
MYBLAS_SGEMM_NARROW(sgemm_narrow_64x256x8, 64, 256, 8, 64, 64, 4, 4, kInSharedMemory, 2)
