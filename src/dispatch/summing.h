// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// dispatch/summing.h: a product of long k as a batch of products of a part of k each, whose sums a
// pass behind it adds up (kernels/sum).
//==============================================================================
#pragma once

#include "dispatch/kernel_row.h"
#include "kernels/sum/launch_sum.h"

namespace myblas {

// Most parts that are tried, and the least k of each.
inline constexpr int kSummedPartsMost = 256;
inline constexpr int64_t kSummedKLeast = 128;

// Whether the problem may be served as so many products: one that is not a batch, of equal parts,
// whose sums fit into the scratch of the device.
bool may_sum(const GemmProblem& problem, int parts, const DeviceCaps& caps);

// Memory for the sums.
size_t sums_bytes(const GemmProblem& problem, int parts);

// The batch: its C are the sums, in `memory` that is aligned to 256 bytes. alpha is in them, beta
// is left to the pass.
GemmProblem divided_problem(const GemmProblem& problem, int parts, void* memory);

// Predicted time of the pass.
double predict_sum_us(const GemmProblem& problem, int parts, const DeviceCaps& caps);

}  // namespace myblas
