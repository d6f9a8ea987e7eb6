// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// accuracy.h: a computed C against fp64, on sampled entries.
//==============================================================================
#pragma once

#include <string>

#include "machine.h"

namespace bench {

struct Accuracy {
  double max_error = 0.0;  // over the samples, of |c - exact| / sum |a||b|; NaN: C is wrong
  std::string complaint;   // empty: the result is right
};

// C must have been poisoned before the call. The corners of the first and the last matrix are
// among the samples; poison is looked for in every element.
Accuracy check_product(Machine& machine, const CheckedProduct& product, const Case& one,
                       int samples, uint64_t seed);

// No right implementation exceeds this: rounding of the result, of the inputs where the OP allows
// it, and of every addition in the worst direction.
double error_limit(const Case& one);

}  // namespace bench
