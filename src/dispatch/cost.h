// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// dispatch/cost.h: predicted time of a row on a problem, in microseconds.
//==============================================================================
#pragma once

#include "dispatch/kernel_row.h"

namespace myblas {

// Host and device cost of one empty node: bench/results/h200/ceilings.csv, `launch`.
inline constexpr double kLaunchUs = 2.0;

// A block alone on its SM reaches this share of the rate that a full SM reaches: nothing covers
// its latencies. bench/results/h200/rows.csv, one-wave shapes against large ones.
inline constexpr double kLoneBlockShare = 0.6;

// Time for one k-tile to come from DRAM when nothing hides it (first tile of a block).
inline constexpr double kTileLatencyUs = 0.8;

// max(math, DRAM) over whole waves, plus the launch. `row` is legal for `problem`.
double predict_us(const KernelRow& row, const GemmProblem& problem, const DeviceCaps& caps);

}  // namespace myblas
