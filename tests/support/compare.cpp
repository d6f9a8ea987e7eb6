// SPDX-License-Identifier: BSD-3-Clause
#include "support/compare.h"

#include <cmath>
#include <iomanip>
#include <sstream>
#include <vector>

namespace myblas::test {
namespace {

std::string print(Value value, bool complex) {
  std::ostringstream text;
  text << std::setprecision(17) << value.re;
  if (complex) text << (std::signbit(value.im) ? " - " : " + ") << std::fabs(value.im) << "i";
  return text.str();
}

}  // namespace

bool same(double got, double expected, ZeroSign zero_sign) {
  if (std::isnan(expected)) return std::isnan(got);
  if (!(got == expected)) return false;
  return zero_sign == ZeroSign::kIgnored || std::signbit(got) == std::signbit(expected);
}

bool same(Value got, Value expected, ZeroSign zero_sign) {
  return same(got.re, expected.re, zero_sign) && same(got.im, expected.im, zero_sign);
}

bool close(double got, double expected, double tolerance) {
  if (!(tolerance >= 0.0 && std::isfinite(tolerance))) return false;
  if (!std::isfinite(expected)) return same(got, expected);
  return std::fabs(got - expected) <= tolerance;  // false for NaN and infinity
}

bool close(Value got, Value expected, double tolerance) {
  return close(got.re, expected.re, tolerance) && close(got.im, expected.im, tolerance);
}

testing::AssertionResult matches(const uint8_t* data, const Layout& layout,
                                 const ExpectedAt& expected, ZeroSign zero_sign) {
  if (layout.empty()) return testing::AssertionSuccess();
  struct Position {
    int64_t i, j, index;
  };
  int64_t wrong = 0;
  Position first{}, last{};
  std::vector<Value> column(static_cast<size_t>(layout.rows));
  for (int64_t index = 0; index < layout.batch; ++index) {
    for (int64_t j = 0; j < layout.cols; ++j) {
      load(layout.type, data + layout.byte(0, j, index), column.size(), column.data());
      for (int64_t i = 0; i < layout.rows; ++i) {
        const Value got = column[static_cast<size_t>(i)];
        const Expected want = expected(i, j, index);
        // What a number of the type equals is rounded already.
        const bool right = want.tolerance == 0.0
                               ? same(got, want.value, zero_sign) ||
                                     same(got, rounded(layout.type, want.value), zero_sign)
                               : close(got, want.value, want.tolerance);
        if (right) continue;
        last = {i, j, index};
        if (wrong++ == 0) first = last;
      }
    }
  }
  if (wrong == 0) return testing::AssertionSuccess();
  const auto describe = [&](Position at) {
    const Value got = load(layout.type, data + layout.byte(at.i, at.j, at.index));
    const Expected want = expected(at.i, at.j, at.index);
    std::ostringstream text;
    text << "C(" << at.i << "," << at.j << ") of matrix " << at.index << " = "
         << print(got, is_complex(layout.type)) << ", expected "
         << print(want.value, is_complex(layout.type));
    if (want.tolerance != 0.0) text << " within " << want.tolerance;
    return text.str();
  };
  return testing::AssertionFailure()
         << wrong << " of " << layout.rows * layout.cols * layout.batch << " elements wrong; first "
         << describe(first) << "; last " << describe(last);
}

}  // namespace myblas::test
