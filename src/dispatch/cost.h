// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// dispatch/cost.h: predicted time of a row on a problem, in microseconds.
//
// max(math, loads, DRAM) over whole waves of blocks, plus the launch and, where k is divided, the
// reduction. Constants were fitted on an H200; on other chips they order rows, no more.
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

// Time for one k-tile to come from DRAM when nothing hides it (first tile of a block). A block's
// ring of stages brings its k-tiles no sooner than one ring in that time.
inline constexpr double kTileLatencyUs = 0.8;

// What one SM, and all of them together, take from L2.
inline constexpr double kL2BytesPerClockOfSm = 64.0;
inline constexpr double kL2BytesPerClockShared = 46.0;

// DRAM bandwidth that a kernel reaches of what the data sheet says.
inline constexpr double kDramShare = 0.82;

// A byte written to DRAM costs this much of a byte read (H200: 2.6 against 4.3 TB/s).
inline constexpr double kWriteWeight = 1.65;

// TMA: a box whose rows all lie outside of the matrix costs this much more than one inside.
inline constexpr double kOutsideCost = 1.1;

// What a tile of a streaming kernel takes at least, and each step of k in it: many tiles of little
// work are no work for these kernels.
inline constexpr double kStreamTileUs = 1.2;
inline constexpr double kStreamStepUs = 0.35;

// An element read from L2 alone in its sector, against one among its neighbours.
inline constexpr double kStridedWeight = 32.0;

// A block's epilogue and the start of the next one on its place.
inline constexpr double kNextWaveUs = 3.0;

// Where parts of k meet: an arrival and a wait for the slots of L2, once a level of the tree.
inline constexpr double kMeetingUs = 2.0;

// `row` is legal for `problem`; 1 <= parts <= largest_split().
double predict_us(const KernelRow& row, const GemmProblem& problem, const DeviceCaps& caps,
                  int parts);

// Most parts of k for which the row, the k-tiles and the scratch suffice; 1 where k stays whole.
int largest_split(const KernelRow& row, const GemmProblem& problem, const DeviceCaps& caps);

// Sums of one tile, in bytes, and how many tiles C has.
int64_t slot_bytes(const KernelRow& row);
int64_t tile_count(const KernelRow& row, const GemmProblem& problem);

// Scratch of a device for sums that wait for each other, in bytes, and how many there may be. By
// the SM count alone: the choice of a split must not depend on what memory is free.
size_t scratch_bytes(int sm_count);
inline constexpr int64_t kScratchSlots = 16384;

}  // namespace myblas
