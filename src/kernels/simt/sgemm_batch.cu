// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the simt family for fp32 products of little k in many tiles, sm_90: rows
// of src/dispatch/tables/simt_batch.inc.
#include "kernels/common/grid_start.cuh"
#include "kernels/simt/sgemm_batch.cuh"

using namespace myblas;

// clang-format off
// blocks: resident blocks an SM, for which the compiler must find the registers.
#define MYBLAS_SGEMM_BATCH(name, tile_m, tile_n, tile_k, warp_m, warp_n, lanes_m, stages, blocks)       \
  extern "C" __global__ void                                                                            \
      __launch_bounds__(SimtConfig<float, tile_m, tile_n, tile_k, warp_m, warp_n, lanes_m, stages>::kThreads, blocks) \
      name(const __grid_constant__ GemmArgs args) {                                                     \
    begin_grid(args, args.m);                                                                           \
    sgemm_batch<SimtConfig<float, tile_m, tile_n, tile_k, warp_m, warp_n, lanes_m, stages>>(args);      \
  }

MYBLAS_SGEMM_BATCH(sgemm_batch_64x64x32,  64, 64, 32, 32, 32, 4, 3, 4)
MYBLAS_SGEMM_BATCH(sgemm_batch_32x32x32,  32, 32, 32, 32, 16, 8, 3, 8)
MYBLAS_SGEMM_BATCH(sgemm_batch_16x128x32, 16, 128, 32, 16, 32, 4, 3, 3)
MYBLAS_SGEMM_BATCH(sgemm_batch_128x16x32, 128, 16, 32, 32, 16, 8, 3, 3)
