// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the ampere family for bf16 products of little k in many tiles,
// sm_90: rows of src/dispatch/tables/ampere_batch.inc.
#include "kernels/common/mma_batch.cuh"

using namespace myblas;

// clang-format off
MYBLAS_MMA_BATCH(ampere_batch_bf16_32x64x32,  MmaBf16, __nv_bfloat16, 32, 64, 32, 32, 16, 4)
MYBLAS_MMA_BATCH(ampere_batch_bf16_32x64x64,  MmaBf16, __nv_bfloat16, 32, 64, 64, 32, 16, 4)
MYBLAS_MMA_BATCH(ampere_batch_bf16_32x128x32, MmaBf16, __nv_bfloat16, 32, 128, 32, 32, 32, 3)
