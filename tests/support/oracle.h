// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// support/oracle.h: what a product must be, computed on the host.
//
//   exact integers   small integers and scalars that are multiples of 1/2, chosen so that no sum
//                    leaves the range in which the compute type is exact: the one right result
//                    is the exact value rounded to the output type, whatever the order of the sum
//   bound            real data: |c - c_ref| <= gamma * (|alpha| |A||B| + |beta| |C|) + rounding,
//                    component by component
//==============================================================================
#pragma once

#include <functional>
#include <vector>

#include "api/dropin_hooks.h"
#include "support/arena.h"
#include "support/compare.h"
#include "support/type_combos.h"

namespace myblas::test {

// body(first, end) over parts of 0 to count - 1, each in a thread where a thread pays. work: of
// all, in multiplications, of which a core does some 10^9 a second. Within such a part: in one.
void in_threads(int64_t count, int64_t work, const std::function<void(int64_t, int64_t)>& body);

// op(X) as a dense column-major matrix of doubles.
struct Dense {
  int64_t rows = 0, cols = 0;
  bool complex = false;
  std::vector<double> re, im;  // im: empty for real types
};
Dense gather(const uint8_t* slot_start, const Layout& layout, myblasOperation_t op,
             int64_t index = 0);

enum class Arithmetic { kDouble, kLongDouble };

// op(A) * op(B), and |op(A)| * |op(B)| where asked for. Integer products below 2^53 are exact in
// either arithmetic.
struct Products {
  int64_t rows = 0, cols = 0;
  bool complex = false;
  std::vector<double> re, im, magnitude;
};
Products multiply(const Dense& a, const Dense& b, Arithmetic arithmetic, bool with_magnitude);

// The largest integer range for A, B and C with which the combo's sums stay exact.
int exact_range(const TypeCombo& combo, int64_t k, Value alpha, Value beta);

// alpha * products + beta * c at one element. NaN and infinities propagate as IEEE says, except
// that beta == 0 hides c, and alpha == 0 (or k == 0) hides the products.
Value combine(const Products& products, int64_t i, int64_t j, int64_t k, Value alpha, Value beta,
              Value c);

// The error allowed at that element for real data.
double error_bound(const TypeCombo& combo, const Products& products, int64_t i, int64_t j,
                   int64_t k, Value alpha, Value beta, Value c, Value expected);

// The result with a bias and an activation behind it.
Expected finish(Expected result, Value bias, myblasDropinActivation_t activation,
                const TypeCombo& combo);

}  // namespace myblas::test
