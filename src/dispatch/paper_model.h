// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// dispatch/paper_model.h: what a row's percent, measured on an H200, becomes on
// other chips: what the kernel was fed there, against what the chip's pipe,
// shared memory and L2 ask for. Choices on those chips are made by it (cost.cpp).
//==============================================================================
#pragma once

#include "dispatch/kernel_row.h"

namespace myblas {

// Share of the rate of the row's pipe on this chip, 0 to 1, and what bounds it. The hardware
// counts: an H200 that uses another chip's table (MYBLAS_TARGET) is an H200.
struct RateOnChip {
  double share;
  const char* bound;
};
RateOnChip rate_on(const KernelRow& row, const DeviceCaps& caps);

// Bytes of shared memory that a clock of math at this rate (FMA per SM) reads and writes, for the
// warp tiles of the row: architectures differ in the rate, a tile in the reuse.
double smem_bytes_per_clock(const KernelRow& row, double fma_per_clock);

}  // namespace myblas
