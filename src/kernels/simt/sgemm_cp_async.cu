// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the simt family, a line each: rows of src/dispatch/tables/simt.inc.
#include "kernels/simt/sgemm_cp_async.cuh"

using namespace myblas;

// clang-format off
// blocks: resident blocks an SM, for which the compiler must find the registers.
#define MYBLAS_SGEMM_SIMT(name, tile_m, tile_n, tile_k, warp_m, warp_n, lanes_m, stages, blocks)        \
  extern "C" __global__ void                                                                            \
      __launch_bounds__(SgemmSimtConfig<tile_m, tile_n, tile_k, warp_m, warp_n, lanes_m, stages>::kThreads, blocks) \
      name(const __grid_constant__ GemmArgs args) {                                                     \
    sgemm_simt<SgemmSimtConfig<tile_m, tile_n, tile_k, warp_m, warp_n, lanes_m, stages>>(args);         \
  }

MYBLAS_SGEMM_SIMT(sgemm_cp_async_128x128x8,  128, 128, 8, 64, 64, 4, 4, 2)
MYBLAS_SGEMM_SIMT(sgemm_cp_async_128x64x16,  128, 64, 16, 32, 64, 4, 3, 3)
MYBLAS_SGEMM_SIMT(sgemm_cp_async_64x128x16,  64, 128, 16, 32, 64, 4, 3, 3)
MYBLAS_SGEMM_SIMT(sgemm_cp_async_64x64x16,   64, 64, 16, 32, 32, 4, 4, 4)
MYBLAS_SGEMM_SIMT(sgemm_cp_async_64x32x16,   64, 32, 16, 32, 16, 8, 4, 4)
MYBLAS_SGEMM_SIMT(sgemm_cp_async_32x32x32,   32, 32, 32, 32, 16, 8, 3, 6)
