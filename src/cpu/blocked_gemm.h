// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// cpu/blocked_gemm.h: a batch of products as calls of OpenBLAS's gemm.
//
//   direct     on the caller's own matrices, cut only where a size or an ld
//              does not fit OpenBLAS's 32-bit integers
//   converted  blocks of A and B copied into the arithmetic type, the product
//              summed over the k-blocks in a block of C in that type, then one
//              pass of alpha, beta and rounding
//   integer    int8 as fp32 in k-blocks whose sums stay exact, added in int32
//
// Callers have handled empty problems, alpha == 0 and k == 0.
//==============================================================================
#pragma once

#include "cpu/convert.h"
#include "cpu/openblas_library.h"
#include "kernels/common/gemm_problem.h"

namespace myblas::cpu {

// The largest block one OpenBLAS call gets. A parameter, so that tests cross its edges with small
// matrices.
struct BlockSizes {
  int64_t m, n, k;
};
// 20 MiB of fp32 scratch for A, B and C together; at this size conversion costs little beside the
// product. NOTE: from 32 MiB on glibc maps every allocation afresh, and the page faults of a call
// cost as much as the conversion.
inline constexpr BlockSizes kConvertedBlocks{2048, 1024, 1024};
inline constexpr BlockSizes kConvertedBlocksWide{1024, 1024, 512};  // 8 and 16 byte elements
inline constexpr BlockSizes kDirectBlocks{1 << 30, 1 << 30, 1 << 30};
// (-128)^2 * 1024 = 2^24: every partial sum is an integer that fp32 holds exactly.
inline constexpr int64_t kExactIntegerK = 1024;

// One matrix product of the batch.
struct Operands {
  const void* a;
  const void* b;
  void* c;
};
Operands operands(const GemmProblem& problem, int64_t batch_index);

// Whether every ld reaches OpenBLAS unchanged. The ld of a matrix of one column does not matter.
bool fits_direct(const GemmProblem& problem);

template <class T>
Status direct_gemm(const OpenBlas& blas, const GemmProblem& problem, T alpha, T beta,
                   const BlockSizes& blocks = kDirectBlocks);

template <class In, class Acc, class Out>
Status converted_gemm(const OpenBlas& blas, const GemmProblem& problem, Acc alpha, Acc beta,
                      const BlockSizes& blocks = sizeof(Acc) > 4 ? kConvertedBlocksWide
                                                                 : kConvertedBlocks);

// A blocks.k past kExactIntegerK is cut to it.
Status integer_gemm(const OpenBlas& blas, const GemmProblem& problem, int32_t alpha, int32_t beta,
                    const BlockSizes& blocks = kConvertedBlocks);

}  // namespace myblas::cpu
