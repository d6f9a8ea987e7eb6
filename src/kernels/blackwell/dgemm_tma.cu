// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels for fp64 on sm_90 that TMA feeds, a line each: rows of
// src/dispatch/tables/dgemm_tma.inc.
#include "kernels/blackwell/blackwell_gemm.cuh"

using namespace myblas;

// clang-format off
#define MYBLAS_DGEMM_TMA(name, shape)                                                   \
  extern "C" __global__ void __launch_bounds__((shape).bound_threads(), (shape).blocks) \
      name(const __grid_constant__ TmaArgs args) {                                      \
    blackwell_gemm<BlackwellConfig<MmaF64Sm90, double, shape>>(args);                   \
  }

MYBLAS_DGEMM_TMA(dgemm_tma_128x128x16, kDouble128x128)
MYBLAS_DGEMM_TMA(dgemm_tma_128x64x16,  kDouble128x64)
MYBLAS_DGEMM_TMA(dgemm_tma_64x64x16,   kDouble64x64)
MYBLAS_DGEMM_TMA(dgemm_tma_32x32x16,   kDouble32x32)
MYBLAS_DGEMM_TMA(dgemm_tma_pointers_128x128x16, of_pointers(kDouble128x128))
MYBLAS_DGEMM_TMA(dgemm_tma_pointers_64x64x16,   of_pointers(kDouble64x64))
