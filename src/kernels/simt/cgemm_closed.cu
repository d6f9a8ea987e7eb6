// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the simt family for complex fp32 where an SM has 228 KB of shared memory,
// which then holds the totals of closed sums too: rows of src/dispatch/tables/simt_closed.inc.
#include "kernels/simt/simt_cp_async.cuh"

using namespace myblas;

// clang-format off
MYBLAS_SIMT_CP_ASYNC(cgemm_closed_128x64x8,         Complex<float>, 128, 64, 8, 64, 32, 8, 3, kInSharedMemory, 1, 2)
MYBLAS_SIMT_CP_ASYNC(cgemm_closed_64x64x8,          Complex<float>, 64, 64, 8, 32, 32, 8, 3, kInSharedMemory, 1, 3)
MYBLAS_SIMT_CP_ASYNC(cgemm_closed_sliced_64x64x16,  Complex<float>, 64, 64, 16, 32, 32, 8, 3, kInSharedMemory, 2, 1)
MYBLAS_SIMT_CP_ASYNC(cgemm_closed_sliced_64x32x32,  Complex<float>, 64, 32, 32, 32, 32, 8, 3, kInSharedMemory, 4, 1)
