// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the simt family for fp32, sm_80 and newer: rows of
// src/dispatch/tables/simt.inc and simt_sequential.inc. Where an SM has 228 KB: sgemm_closed.cu.
#include "kernels/simt/simt_cp_async.cuh"

using namespace myblas;

// clang-format off
MYBLAS_SIMT_CP_ASYNC(sgemm_cp_async_128x128x8,  float, 128, 128, 8, 64, 64, 4, 4, kNever, 1, 2)
MYBLAS_SIMT_CP_ASYNC(sgemm_cp_async_128x64x16,  float, 128, 64, 16, 32, 64, 4, 3, kInOwnMemory, 1, 3)
MYBLAS_SIMT_CP_ASYNC(sgemm_cp_async_64x128x16,  float, 64, 128, 16, 32, 64, 4, 3, kInOwnMemory, 1, 3)
MYBLAS_SIMT_CP_ASYNC(sgemm_cp_async_64x64x16,   float, 64, 64, 16, 32, 32, 4, 4, kInOwnMemory, 1, 4)
MYBLAS_SIMT_CP_ASYNC(sgemm_cp_async_64x32x16,   float, 64, 32, 16, 32, 16, 8, 4, kInOwnMemory, 1, 4)
MYBLAS_SIMT_CP_ASYNC(sgemm_cp_async_32x32x32,   float, 32, 32, 32, 32, 16, 8, 3, kInOwnMemory, 1, 6)
