// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the simt family for batches of pointers in fp32 that TMA feeds, sm_90:
// rows of src/dispatch/tables/simt_batch.inc.
#include "kernels/simt/simt_batch_tma.cuh"

using namespace myblas;

// clang-format off
// As MYBLAS_SGEMM_BATCH_TMA in sgemm_batch_tma.cu, and behind it as MYBLAS_SGEMM_BATCH in sgemm_batch.cu: the
// configuration for what TMA does not reach.
#define MYBLAS_SGEMM_BATCH_TMA_POINTERS(name, along_a, along_b, tile_m, tile_n, tile_k, warp_m, warp_n, lanes_m, stages, blocks, ...) \
  extern "C" __global__ void                                                                            \
      __launch_bounds__(SimtConfig<float, tile_m, tile_n, tile_k, warp_m, warp_n, lanes_m, stages, Closing::kInOwnMemory, true, tile_k, 1, along_a, along_b>::kThreads, blocks) \
      name(const __grid_constant__ TmaArgs args) {                                                      \
    simt_batch_by_tma<SimtConfig<float, tile_m, tile_n, tile_k, warp_m, warp_n, lanes_m, stages, Closing::kInOwnMemory, true, tile_k, 1, along_a, along_b>, \
                      SimtConfig<float, __VA_ARGS__>>(args); \
  }

MYBLAS_SGEMM_BATCH_TMA_POINTERS(sgemm_batch_tma_pointers_64x64x32,    false, false, 64, 64, 32, 32, 32, 4, 3, 4, 64, 64, 32, 32, 32, 4, 3)
MYBLAS_SGEMM_BATCH_TMA_POINTERS(sgemm_batch_tma_pointers_nn_64x64x16, false, true, 64, 64, 16, 32, 32, 4, 6, 4, 64, 64, 32, 32, 32, 4, 3)
MYBLAS_SGEMM_BATCH_TMA_POINTERS(sgemm_batch_tma_pointers_tn_64x64x16, true, true, 64, 64, 16, 32, 32, 8, 6, 4, 64, 64, 32, 32, 32, 4, 3)
MYBLAS_SGEMM_BATCH_TMA_POINTERS(sgemm_batch_tma_pointers_32x32x32,    false, false, 32, 32, 32, 32, 16, 8, 3, 8, 32, 32, 32, 32, 16, 8, 3)
MYBLAS_SGEMM_BATCH_TMA_POINTERS(sgemm_batch_tma_pointers_nn_32x32x32, false, true, 32, 32, 32, 32, 16, 8, 3, 8, 32, 32, 32, 32, 16, 8, 3)
MYBLAS_SGEMM_BATCH_TMA_POINTERS(sgemm_batch_tma_pointers_tn_32x32x32, true, true, 32, 32, 32, 32, 16, 8, 3, 8, 32, 32, 32, 32, 16, 8, 3)
