// SPDX-License-Identifier: BSD-3-Clause
// support/type_combos.h: the rows of GemmEx's type table, one per compute type.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "support/elements.h"

namespace myblas::test {

struct TypeCombo {
  const char* name;  // "s8_s32_32I": type of A and B, type of C, compute type
  myblasComputeType_t compute;
  myblasDataType_t ab, c, scale;
};

std::span<const TypeCombo> type_combos();
const TypeCombo* find_combo(std::string_view name);  // nullptr: no such row

// The relative error that the compute type permits on each input element before it is multiplied
// (0 where the inputs are taken as they are), and on each step of the sum.
double input_roundoff(const TypeCombo& combo);
double sum_roundoff(const TypeCombo& combo);

// What sums in fp16 may add to that, of the sum of all products' magnitudes: a kernel may add up to
// four instructions' products before it goes on in fp32, each cut off at 2^-10 (mma_step.cuh).
double f16_sum_error(const TypeCombo& combo);

}  // namespace myblas::test
