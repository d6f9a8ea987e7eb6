// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// dispatch/summing.h: a product of long k as a batch of products of a part of k each, whose sums a
// pass behind it adds up (kernels/sum).
//==============================================================================
#pragma once

#include <array>

#include "dispatch/kernel_row.h"
#include "kernels/sum/launch_sum.h"

namespace myblas {

// Most parts that are tried, and the least k of each: of streams (sums of columns by whole warps,
// and what is forced), and of all others.
inline constexpr int kSummedPartsMost = 256;
inline constexpr int64_t kStreamedKLeast = 32;
inline constexpr int64_t kSummedKLeast = 128;

// Whether the problem may be served as so many products: one that is not a batch, whose sums fit
// into the scratch of the device. Where `parts` does not divide k the last one is shorter
// (GemmProblem::k_of_last), which what streams takes (check()).
bool may_sum(const GemmProblem& problem, int parts, const DeviceCaps& caps);

// Of a row that streams, numbers of parts whose blocks are a turn for all its places on the device,
// or for so many of an SM, or some such turns. 1 among them: one part, or none that differs.
std::array<int, 8> parts_that_fill(const KernelRow& row, const GemmProblem& problem,
                                   const DeviceCaps& caps);

// Memory for the sums.
size_t sums_bytes(const GemmProblem& problem, int parts);

// The batch: its C are the sums, in `memory` that is aligned to 256 bytes. alpha is in them, beta
// is left to the pass.
GemmProblem divided_problem(const GemmProblem& problem, int parts, void* memory);

// Whether a row's products wait for the grid ahead, which of calls one after the other is the pass
// of the call before, instead of starting while it ends. Long ones of blocks that are no clusters
// do, and as many as fill the SMs: where the pass leaves room for them in turn they ask L2 for
// more, and take longer by more than the start (on an H100, tiles of 128 x 64 in two parts: 1536 x
// 320 x 8960 26.7 us, else 21.9; 1024 x 512 x 4096 15.4 and 12.6). Short ones do not: 768 x 8 x
// 3072 in eight parts.
bool wait_for_pass_ahead(const KernelRow& row, const GemmProblem& products, int sm_count);

// Predicted time of the pass.
double predict_sum_us(const GemmProblem& problem, int parts, const DeviceCaps& caps);

}  // namespace myblas
