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

// A block alone on its SM reaches this share of the rate that a full SM reaches: nothing covers
// its latencies. Fitted to one-wave and large squares of the sgemm rows on an H200.
inline constexpr double kLoneBlockShare = 0.6;

// Time for one k-tile to come from DRAM when nothing hides it (first tile of a block).
inline constexpr double kTileLatencyUs = 0.8;

// max(math, DRAM) over whole waves, plus the launch. `row` is legal for `problem`.
double predict_us(const KernelRow& row, const GemmProblem& problem, const DeviceCaps& caps);

}  // namespace myblas
