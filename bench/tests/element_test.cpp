// SPDX-License-Identifier: BSD-3-Clause
// The 16-bit formats against the compiler's own, and the random data's shape.
#include "element.h"

#include <gtest/gtest.h>

namespace bench {
namespace {

TEST(Element, HalfRoundTripsEveryNumber) {
  for (uint32_t bits = 0; bits < 0x10000u; ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    if ((half & 0x7fffu) > 0x7c00u) continue;  // NaN
    EXPECT_EQ(float_to_half(half_to_float(half)), half);
  }
}

TEST(Element, HalfRoundsToNearestEven) {
  EXPECT_EQ(float_to_half(1.0f + 0x1p-11f), 0x3c00u);  // a tie: to the even one
  EXPECT_EQ(float_to_half(1.0f + 0x3p-11f), 0x3c02u);  // a tie: to the even one
  EXPECT_EQ(float_to_half(1.0f + 0x1p-11f + 0x1p-20f), 0x3c01u);
  EXPECT_EQ(float_to_half(65519.0f), 0x7bffu);
  EXPECT_EQ(float_to_half(65520.0f), 0x7c00u);  // infinity
  EXPECT_EQ(float_to_half(0x1.8p-25f), 0x0001u);
  EXPECT_EQ(float_to_half(-0x1p-25f), 0x8000u);
}

TEST(Element, BfloatRoundsToNearestEven) {
  EXPECT_EQ(float_to_bfloat(1.0f), 0x3f80u);
  EXPECT_EQ(float_to_bfloat(1.0f + 0x1p-8f), 0x3f80u);
  EXPECT_EQ(float_to_bfloat(1.0f + 0x3p-8f), 0x3f82u);
}

TEST(Element, PoisonIsNaN) {
  const uint64_t poison[2] = {~uint64_t{0}, ~uint64_t{0}};
  for (const auto type :
       {MYBLAS_R_16F, MYBLAS_R_16BF, MYBLAS_R_32F, MYBLAS_R_64F, MYBLAS_C_32F, MYBLAS_C_64F}) {
    EXPECT_TRUE(std::isnan(load_element(poison, type, 0).re)) << type;
  }
}

TEST(Element, RandomDataIsNormal) {
  constexpr int kCount = 200000;
  double sum = 0.0, squares = 0.0;
  for (uint64_t i = 0; i < kCount; ++i) {
    const double x = static_cast<double>(random_normal(3, i));
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / kCount, 0.0, 0.01);
  EXPECT_NEAR(squares / kCount, 1.0, 0.02);
}

}  // namespace
}  // namespace bench
