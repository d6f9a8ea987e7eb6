// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// dispatch/cost.h: predicted time of a row on a problem, in microseconds.
//
// Rounds of blocks, each with a start and an end that nothing hides, plus the longest of math,
// loads and DRAM, plus what parts of k cost to bring together. Constants are in
// dispatch/cost_constants.h.
//==============================================================================
#pragma once

#include "dispatch/kernel_row.h"

namespace myblas {

// `row` is legal for `problem`; 1 <= parts <= largest_split(). summed: the problem is the products
// of a sum (dispatch/summing.h), of which what is stored is read again at once, and is not much.
double predict_us(const KernelRow& row, const GemmProblem& problem, const DeviceCaps& caps,
                  int parts, bool summed = false);

// The same for k-tiles dealt evenly; even_places() is not 0.
double predict_even_us(const KernelRow& row, const GemmProblem& problem, const DeviceCaps& caps);

// Blocks that k-tiles are dealt to, as many as run at once; 0: the row does not deal,
// there is too little of k, or the scratch does not hold their sums.
int even_places(const KernelRow& row, const GemmProblem& problem, const DeviceCaps& caps);
// The slots in which those sums meet.
int64_t even_slots(int places);

// Whether parts of k are the blocks of a cluster, which add up their sums in its shared memory: of
// rows for wgmma, where all of them run at once.
bool sums_in_cluster(const KernelRow& row, const GemmProblem& problem, int sm_count, int parts);

// Most parts of k for which the row, the k-tiles and the scratch suffice; 1 where k stays whole.
int largest_split(const KernelRow& row, const GemmProblem& problem, const DeviceCaps& caps);

// Sums of one tile, in bytes, and how many tiles C has.
int64_t slot_bytes(const KernelRow& row);
int64_t tile_count(const KernelRow& row, const GemmProblem& problem);

// The sums of one wave of blocks, in bytes; parts of k take no more.
size_t wave_bytes(int sm_count);
// Scratch of a device for sums that wait for each other, in bytes, and how many there may be: what
// k-tiles that are dealt take. By the SM count alone: the choice of a division must not depend on
// what memory is free.
size_t scratch_bytes(int sm_count);
// The first, or less where the caps bound it: for a call that did not get its memory
// (api/scratch.h).
size_t sum_bytes_of(const DeviceCaps& caps);
inline constexpr int64_t kScratchSlots = 16384;

}  // namespace myblas
