// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// dispatch/chips.h: GPUs that are not at hand, as data. Tests choose kernels for
// them; tools/myblas_predict.cpp writes the table of docs/performance.md.
//==============================================================================
#pragma once

#include <span>

#include "dispatch/kernel_row.h"

namespace myblas {

struct Chip {
  DeviceCaps caps;  // clock: the boost clock that the data sheet's peaks stand for
  // Of an SM and clock: fused multiply-adds of 16-bit inputs with fp32 sums (GeForce has half of
  // its silicon's rate).
  double mma_fma;
  // Largest share of the data sheet's peak that the power limit was seen to let through, on the
  // plain pipes and on the tensor cores; 1 where none is known.
  double plain_power, mma_power;
};

// Ascending by compute capability.
std::span<const Chip> chips();
const Chip* find_chip(const char* name);

// Peak of the data sheet for products of this key, TFLOP/s; with fast_math TF32 for fp32.
double peak_tflops(const Chip& chip, const GemmKey& key, uint8_t fast_math);

}  // namespace myblas
