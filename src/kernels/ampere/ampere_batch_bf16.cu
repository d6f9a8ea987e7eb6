// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the ampere family for bf16 products of little k in many tiles,
// sm_90: rows of src/dispatch/tables/ampere_batch.inc.
#include "kernels/common/mma_batch.cuh"
#include "kernels/ptx/grid_dependency.h"

using namespace myblas;

// clang-format off
// blocks: resident blocks an SM, for which the compiler must find the registers.
#define MYBLAS_AMPERE_BATCH(name, Out, tile_m, tile_n, tile_k, warp_m, warp_n, blocks)                        \
  extern "C" __global__ void                                                                                 \
      __launch_bounds__(MmaBatchConfig<MmaBf16, Out, tile_m, tile_n, tile_k, warp_m, warp_n, blocks>::kThreads, blocks) \
      name(const __grid_constant__ GemmArgs args) {                                                          \
    ptx::wait_for_previous_grid();                                                                           \
    ptx::let_next_grid_start();                                                                              \
    mma_batch<MmaBatchConfig<MmaBf16, Out, tile_m, tile_n, tile_k, warp_m, warp_n, blocks>>(args);            \
  }

MYBLAS_AMPERE_BATCH(ampere_batch_bf16_32x64x32,  __nv_bfloat16, 32, 64, 32, 32, 16, 4)
MYBLAS_AMPERE_BATCH(ampere_batch_bf16_32x64x64,  __nv_bfloat16, 32, 64, 64, 32, 16, 4)
MYBLAS_AMPERE_BATCH(ampere_batch_bf16_32x128x32, __nv_bfloat16, 32, 128, 32, 32, 32, 3)
