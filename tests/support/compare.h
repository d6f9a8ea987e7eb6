// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// support/compare.h: whether a result is right. Never satisfied by NaN.
//==============================================================================
#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "support/arena.h"
#include "support/elements.h"

namespace myblas::test {

enum class ZeroSign { kIgnored, kCompared };

// The same number. NaN equals NaN and nothing else.
bool same(double got, double expected, ZeroSign zero_sign = ZeroSign::kIgnored);
bool same(Value got, Value expected, ZeroSign zero_sign = ZeroSign::kIgnored);

// |got - expected| <= tolerance, for finite numbers. An expected NaN or infinity must be met
// exactly; so must every number where the tolerance is 0. A tolerance that is NaN, infinite or
// negative is met by nothing.
bool close(double got, double expected, double tolerance);
bool close(Value got, Value expected, double tolerance);

// What an element must be. tolerance 0: the bits of `value` rounded to the output type.
struct Expected {
  Value value;
  double tolerance = 0.0;
};
using ExpectedAt = std::function<Expected(int64_t i, int64_t j, int64_t index)>;

// Compares all live elements of an output that was downloaded to `data` (its slot's start).
// The failure names the number of wrong elements, the first and the last.
testing::AssertionResult matches(const uint8_t* data, const Layout& layout,
                                 const ExpectedAt& expected,
                                 ZeroSign zero_sign = ZeroSign::kIgnored);

}  // namespace myblas::test
