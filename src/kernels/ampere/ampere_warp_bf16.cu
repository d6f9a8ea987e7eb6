// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the ampere family for bf16 products in many small tiles, a warp each,
// sm_90: rows of src/dispatch/tables/ampere_warp.inc.
#include "kernels/common/mma_warp.cuh"

using namespace myblas;

// clang-format off
MYBLAS_MMA_WARP(ampere_warp_bf16_by4_32x32x32, MmaBf16, __nv_bfloat16, 8, 4)
MYBLAS_MMA_WARP(ampere_warp_bf16_any_32x32x32, MmaBf16, __nv_bfloat16, 2, 4)
