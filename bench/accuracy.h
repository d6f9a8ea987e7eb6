// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// accuracy.h: a computed C against fp64, on sampled entries.
//==============================================================================
#pragma once

#include <string>
#include <vector>

#include "machine.h"

namespace bench {

struct Accuracy {
  // Over the samples, of |c - exact| / (sum |a||b| + |beta c|), where C is fp16 beyond the rounding
  // of its least numbers; NaN: C is wrong.
  double max_error = 0.0;
  std::string complaint;  // empty: the result is right
};

// One product, checked at `samples` entries; the corners of the first and the last matrix are among
// them. C must have been filled (CaseData::fill_c) before it is made: it is read there if beta is
// not 0; else poison is looked for in every element afterwards.
class ProductCheck {
 public:
  ProductCheck(Machine& machine, const CheckedProduct& product, const Case& one, int samples,
               uint64_t seed);

  // Of what the call has written since.
  Accuracy judge() const;

 private:
  Machine& machine_;
  CheckedProduct product_;
  Case case_;
  std::vector<Sample> samples_;
  std::vector<SampleResult> before_;  // none where beta is 0
};

// No right implementation exceeds this: rounding of the result, of the inputs where the OP allows
// it, and of every addition in the worst direction.
double error_limit(const Case& one);

}  // namespace bench
