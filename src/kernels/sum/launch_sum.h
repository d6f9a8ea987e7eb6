// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// sum/launch_sum.h: launcher of the pass that adds up parts of k behind a product.
//==============================================================================
#pragma once

#include "kernels/common/launch.h"

namespace myblas {

inline constexpr int kSumCc = 90;  // what the kernels are compiled for

// One kernel for each type of C, and of the sums that go into it: its place in this list, or -1.
inline constexpr const char* kSumKernels[] = {"sum_parts_f32_f16", "sum_parts_f32_bf16",
                                              "sum_parts_f32_f32", "sum_parts_f64_f64",
                                              "sum_parts_c32_c32", "sum_parts_c64_c64"};
inline constexpr int kSumKernelCount = 6;
constexpr int sum_kernel_of(DataType c_type) {
  switch (c_type) {
    case DataType::kF16: return 0;
    case DataType::kBF16: return 1;
    case DataType::kF32: return 2;
    case DataType::kF64: return 3;
    case DataType::kCF32: return 4;
    case DataType::kCF64: return 5;
    default: return -1;
  }
}

// C = the sum of the matrices that `divided` writes + beta*C.
struct SumLaunch {
  const GemmProblem& problem;  // as the caller gave it
  const GemmProblem& divided;  // a strided batch of its parts (dispatch/summing.h)
  PassLaunch pass;             // of kSumKernels
  int sm_count;
};
Status launch_sum(const SumLaunch& launch);

}  // namespace myblas
