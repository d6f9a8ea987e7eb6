// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// dispatch/cost.h: predicted time of a row on a problem, in microseconds.
//==============================================================================
#pragma once

#include "dispatch/kernel_row.h"

namespace myblas {

// Least time of a kernel that does nothing: 0.5 us as a node of a graph
// (bench/results/h200/public_ceilings.csv), plus its start and end on the device.
inline constexpr double kLaunchUs = 2.0;

// What a block alone on its SM reaches of the rate of a full SM: nothing covers its latencies, and
// fewer than four warps leave schedulers idle. Fitted to the sgemm rows on an H200, squares 256 to
// 2048: 0.74 to 0.85 with four warps, 0.53 with two.
inline constexpr int kThreadsForAllSchedulers = 128;
inline constexpr double kLoneBlockShare = 0.8;
inline constexpr double kSmallBlockShare = 0.53;

// Time for one k-tile to come from DRAM when nothing hides it (first tile of a block).
inline constexpr double kTileLatencyUs = 0.8;

// max(math, DRAM) over whole waves, plus the launch. `row` is legal for `problem`.
double predict_us(const KernelRow& row, const GemmProblem& problem, const DeviceCaps& caps);

}  // namespace myblas
