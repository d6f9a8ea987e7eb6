// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the simt family for fp32 where an SM has 228 KB of shared memory, which
// then holds the totals of closed sums too: rows of src/dispatch/tables/simt_closed.inc.
#include "kernels/simt/simt_cp_async.cuh"

using namespace myblas;

// clang-format off
MYBLAS_SIMT_CP_ASYNC(sgemm_closed_128x128x8, float, 128, 128, 8, 64, 64, 4, 4, kInSharedMemory, 1, 2)
MYBLAS_SIMT_CP_ASYNC(sgemm_closed_128x64x16, float, 128, 64, 16, 32, 64, 4, 3, kInSharedMemory, 1, 3)
MYBLAS_SIMT_CP_ASYNC(sgemm_closed_64x128x16, float, 64, 128, 16, 32, 64, 4, 3, kInSharedMemory, 1, 3)
MYBLAS_SIMT_CP_ASYNC(sgemm_closed_64x64x16,  float, 64, 64, 16, 32, 32, 4, 4, kInSharedMemory, 1, 4)
MYBLAS_SIMT_CP_ASYNC(sgemm_closed_64x32x16,  float, 64, 32, 16, 32, 16, 8, 4, kInSharedMemory, 1, 4)
MYBLAS_SIMT_CP_ASYNC(sgemm_closed_32x32x32,  float, 32, 32, 32, 32, 16, 8, 3, kInSharedMemory, 1, 6)
MYBLAS_SIMT_CP_ASYNC(sgemm_closed_sliced_128x64x32, float, 128, 64, 32, 32, 64, 4, 3, kInSharedMemory, 2, 1)
MYBLAS_SIMT_CP_ASYNC(sgemm_closed_sliced_64x64x32, float, 64, 64, 32, 64, 32, 8, 3, kInSharedMemory, 4, 1)
MYBLAS_SIMT_CP_ASYNC(sgemm_closed_sliced_64x32x32, float, 64, 32, 32, 32, 32, 8, 3, kInSharedMemory, 4, 2)
