// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the simt family for fp32 products of little k in many tiles that TMA
// feeds, sm_90: rows of src/dispatch/tables/simt_batch.inc.
#include "kernels/simt/simt_batch_tma.cuh"

using namespace myblas;

// clang-format off
// along_a, along_b: k is contiguous. blocks: resident blocks an SM, for which the compiler must find the registers.
#define MYBLAS_SGEMM_BATCH_TMA(name, along_a, along_b, tile_m, tile_n, tile_k, warp_m, warp_n, lanes_m, stages, blocks) \
  extern "C" __global__ void                                                                            \
      __launch_bounds__(SimtConfig<float, tile_m, tile_n, tile_k, warp_m, warp_n, lanes_m, stages, Closing::kInOwnMemory, true, tile_k, 1, along_a, along_b>::kThreads, blocks) \
      name(const __grid_constant__ TmaArgs args) {                                                      \
    simt_batch_by_tma<SimtConfig<float, tile_m, tile_n, tile_k, warp_m, warp_n, lanes_m, stages, Closing::kInOwnMemory, true, tile_k, 1, along_a, along_b>>(args); \
  }

MYBLAS_SGEMM_BATCH_TMA(sgemm_batch_tma_64x64x32,     false, false, 64, 64, 32, 32, 32, 4, 3, 4)
MYBLAS_SGEMM_BATCH_TMA(sgemm_batch_tma_nn_64x64x32,  false, true, 64, 64, 32, 32, 32, 4, 3, 4)
MYBLAS_SGEMM_BATCH_TMA(sgemm_batch_tma_tn_64x64x32,  true, true, 64, 64, 32, 32, 32, 8, 3, 4)
MYBLAS_SGEMM_BATCH_TMA(sgemm_batch_tma_64x64x16,     false, false, 64, 64, 16, 32, 32, 4, 6, 4)
MYBLAS_SGEMM_BATCH_TMA(sgemm_batch_tma_nn_64x64x16,  false, true, 64, 64, 16, 32, 32, 4, 6, 4)
MYBLAS_SGEMM_BATCH_TMA(sgemm_batch_tma_tn_64x64x16,  true, true, 64, 64, 16, 32, 32, 8, 6, 4)
MYBLAS_SGEMM_BATCH_TMA(sgemm_batch_tma_32x32x32,     false, false, 32, 32, 32, 32, 16, 8, 3, 8)
MYBLAS_SGEMM_BATCH_TMA(sgemm_batch_tma_nn_32x32x32,  false, true, 32, 32, 32, 32, 16, 8, 3, 8)
MYBLAS_SGEMM_BATCH_TMA(sgemm_batch_tma_tn_32x32x32,  true, true, 32, 32, 32, 32, 16, 8, 3, 8)
MYBLAS_SGEMM_BATCH_TMA(sgemm_batch_tma_32x32x16,     false, false, 32, 32, 16, 32, 16, 8, 6, 8)
MYBLAS_SGEMM_BATCH_TMA(sgemm_batch_tma_nn_32x32x16,  false, true, 32, 32, 16, 32, 16, 8, 6, 8)
MYBLAS_SGEMM_BATCH_TMA(sgemm_batch_tma_tn_32x32x16,  true, true, 32, 32, 16, 32, 16, 8, 6, 8)
MYBLAS_SGEMM_BATCH_TMA(sgemm_batch_tma_96x32x16,     false, false, 96, 32, 16, 48, 32, 4, 4, 6)
MYBLAS_SGEMM_BATCH_TMA(sgemm_batch_tma_nn_96x32x16,  false, true, 96, 32, 16, 48, 32, 4, 4, 6)
MYBLAS_SGEMM_BATCH_TMA(sgemm_batch_tma_tn_32x96x16,  true, true, 32, 96, 16, 32, 48, 8, 4, 6)
