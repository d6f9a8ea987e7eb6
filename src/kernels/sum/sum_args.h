// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// sum/sum_args.h: what the kernel that adds up parts of k receives, by value.
//==============================================================================
#pragma once

#include <cstdint>

#include "kernels/common/divisor.h"
#include "kernels/common/gemm_args.h"

namespace myblas {

inline constexpr int kSumLog2Threads = 8;
inline constexpr int kSumThreads = 1 << kSumLog2Threads;
inline constexpr int kSumBlocks = 4;     // of an SM, with 64 registers a thread
inline constexpr int kSumRunBytes = 16;  // of sums: what a thread loads at a time
inline constexpr int kSumsInFlight = 8;  // such loads of a thread on their way
inline constexpr int kSumLog2MostGroups = 5;

// Parts lie behind each other, each a matrix whose columns begin at multiples of 16 bytes.
struct SumArgs {
  const void* sums;
  int64_t part_elements;  // from one part to the next
  int32_t parts;
  // So many threads share the parts of a run, `parts_of_group` each: 1 << log2_groups.
  int32_t log2_groups, parts_of_group;
  uint32_t runs;  // of 16 bytes, of one part
  Divisor runs_of_column;
  void* c;
  int64_t ldc, m;
  int32_t c_in_runs;  // C's columns begin at multiples of as many elements as a run has sums
  ScalarArg alpha, beta;
  EpilogueArg epilogue;
};

}  // namespace myblas
