// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// dispatch/chips.h: GPUs that are not at hand, as data, and what a row's figures
// become on them.
//
// `percent` of a row is measured on an H200. as_on() carries it to another chip
// by the paper model: what the kernel was fed there, against what the other
// chip's pipe, shared memory and L2 ask for. Tests choose kernels for these
// chips; tools/myblas_predict.cpp writes the table of docs/performance.md.
//==============================================================================
#pragma once

#include <span>

#include "dispatch/kernel_row.h"

namespace myblas {

struct Chip {
  DeviceCaps caps;  // clock: the boost clock that the data sheet's peaks stand for
  // Of an SM and clock: fused multiply-adds of 16-bit inputs with fp32 sums (GeForce has half of
  // its silicon's rate), bytes of shared memory, bytes of its share of L2 (0: not published).
  double mma_fma;
  double smem_bytes;
  double l2_bytes;
  int threads_per_sm;
  // Largest share of the data sheet's peak that the power limit was seen to let through, on the
  // plain pipes and on the tensor cores; 1 where none is known.
  double plain_power, mma_power;
};

// Ascending by compute capability.
std::span<const Chip> chips();
const Chip* find_chip(const char* name);

// Peak of the data sheet for products of this key, TFLOP/s; with fast_math TF32 for fp32.
double peak_tflops(const Chip& chip, const GemmKey& key, uint8_t fast_math);

// A row with the percent and the blocks an SM that this chip should show, and what bounds it.
struct RowOnChip {
  KernelRow row;
  const char* bound;
};
RowOnChip as_on(const Chip& chip, const KernelRow& row);

// Bytes of shared memory that a clock of math at this rate (FMA per SM) reads and writes, for the
// warp tiles of the row: architectures differ in the rate, a tile in the reuse.
double smem_bytes_per_clock(const KernelRow& row, double fma_per_clock);

}  // namespace myblas
