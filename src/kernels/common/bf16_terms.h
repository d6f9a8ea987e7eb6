// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/bf16_terms.h: fp32 matrices as sums of bf16 ones, for tensor cores: how their terms lie.
//
//   x = first + second + third, of 8 bits and a sign each: exact, from 2^-110 on; below it to half
//   of the least bf16, 2^-134
//
// The terms of 16 neighbours in k are a line of 128 bytes, as TMA and wgmma take it: 16 of each
// kind, one behind the other. Infinities and NaN are a first term alone. Multiplied by a term that
// is 0 they would be NaN, so only first times first sees them: for the other products there is a
// copy of the first terms without them.
//==============================================================================
#pragma once

#include <cstdint>

#include "kernels/common/tma_shape.h"

namespace myblas {

inline constexpr int kTermStepK = 16;  // k of a line
enum TermPlace { kFirstTerm, kFiniteFirstTerm, kSecondTerm, kThirdTerm, kTermPlaces };
inline constexpr int kTermBytes = 2;
inline constexpr int kTermProducts = 6;  // for one of numbers (hopper/term_products.cuh)
static_assert(kTermStepK * kTermPlaces * kTermBytes == kTmaRowBytes);

// Bf16 elements that k elements become: whole lines.
constexpr int64_t k_in_terms(int64_t k) {
  return (k + kTermStepK - 1) / kTermStepK * (kTermStepK * kTermPlaces);
}

}  // namespace myblas
