// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the simt family for complex fp32, sm_80 and newer: rows of
// src/dispatch/tables/simt.inc. Where an SM has 228 KB: cgemm_closed.cu.
#include "kernels/simt/simt_cp_async.cuh"

using namespace myblas;

// clang-format off
MYBLAS_SIMT_CP_ASYNC(cgemm_cp_async_128x64x8,   Complex<float>, 128, 64, 8, 64, 32, 8, 3, kInOwnMemory, 1, 2)
MYBLAS_SIMT_CP_ASYNC(cgemm_cp_async_64x64x8,    Complex<float>, 64, 64, 8, 32, 32, 8, 3, kInOwnMemory, 1, 3)
