// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the simt family for fp32 products of few columns, sm_90: the row of
// src/dispatch/tables/simt_narrow.inc. On sm_100 the compiler does not find the registers.
#include "kernels/simt/simt_cp_async.cuh"

using namespace myblas;

// clang-format off
MYBLAS_SIMT_CP_ASYNC(sgemm_narrow_256x64x8, float, 256, 64, 8, 64, 64, 4, 4, kInSharedMemory, 1, 2)
