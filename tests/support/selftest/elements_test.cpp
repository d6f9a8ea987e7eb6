// SPDX-License-Identifier: BSD-3-Clause
#include "support/elements.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/type_combos.h"

namespace myblas::test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(HalfTest, EveryBitPatternSurvives) {
  for (int bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    const double x = half_to_double(half);
    if (std::isnan(x)) {
      EXPECT_TRUE(std::isnan(half_to_double(half_from_double(x))));
    } else {
      ASSERT_EQ(half_from_double(x), half) << bits;
    }
    const double y = bfloat16_to_double(half);
    if (!std::isnan(y)) {
      ASSERT_EQ(bfloat16_from_double(y), half) << bits;
    }
  }
}

TEST(HalfTest, KnownValues) {
  EXPECT_EQ(half_from_double(1.0), 0x3C00);
  EXPECT_EQ(half_from_double(-2.0), 0xC000);
  EXPECT_EQ(half_from_double(65504.0), 0x7BFF);
  EXPECT_EQ(half_from_double(65519.99), 0x7BFF);
  EXPECT_EQ(half_from_double(65520.0), 0x7C00);
  EXPECT_EQ(half_from_double(kInf), 0x7C00);
  EXPECT_EQ(half_from_double(-kInf), 0xFC00);
  EXPECT_EQ(half_from_double(-0.0), 0x8000);
  EXPECT_EQ(half_from_double(0x1p-24), 0x0001);
  EXPECT_EQ(half_from_double(0x1p-25), 0x0000);          // a tie, to even
  EXPECT_EQ(half_from_double(0x1.8p-24), 0x0002);        // a tie, to even
  EXPECT_EQ(half_from_double(1.0 + 0x1p-11), 0x3C00);    // a tie, to even
  EXPECT_EQ(half_from_double(1.0 + 0x1.8p-10), 0x3C02);  // a tie, to even
  EXPECT_EQ(half_from_double(0x1.ffcp-15), 0x03FF + 1);  // rounds up into the normal numbers
  EXPECT_EQ(half_from_double(1e300), 0x7C00);
  EXPECT_TRUE(std::isnan(half_to_double(half_from_double(kNaN))));
  EXPECT_EQ(bfloat16_from_double(1.0), 0x3F80);
  EXPECT_EQ(bfloat16_from_double(0x1p-133), 0x0001);
  EXPECT_EQ(bfloat16_from_double(0x1.ffp127), 0x7F80);
  EXPECT_EQ(bfloat16_from_double(0x1.fep127), 0x7F7F);
  EXPECT_TRUE(std::isnan(bfloat16_to_double(0xFFFF)));
}

// A bfloat16 is the upper half of a float: an independent way to the same bits.
TEST(HalfTest, Bfloat16AgreesWithFloatRounding) {
  for (uint32_t step = 0; step < 100000; ++step) {
    const uint32_t bits = step * 42949u;
    float x;
    std::memcpy(&x, &bits, sizeof x);
    if (std::isnan(x)) continue;
    const uint32_t rounded_up = bits + 0x7FFF + ((bits >> 16) & 1);
    ASSERT_EQ(bfloat16_from_double(x), static_cast<uint16_t>(rounded_up >> 16)) << bits;
  }
}

TEST(ElementsTest, EveryTypeHoldsSmallIntegers) {
  for (const myblasDataType_t type :
       {MYBLAS_R_8I, MYBLAS_R_16F, MYBLAS_R_16BF, MYBLAS_R_32F, MYBLAS_R_32I, MYBLAS_R_64F,
        MYBLAS_C_8I, MYBLAS_C_32F, MYBLAS_C_64F}) {
    for (int x = -100; x <= 100; ++x) {
      const Value value = rounded(type, {static_cast<double>(x), static_cast<double>(-x)});
      EXPECT_EQ(value.re, x) << type_name(type);
      EXPECT_EQ(value.im, is_complex(type) ? -x : 0) << type_name(type);
    }
  }
}

TEST(ElementsTest, ColumnsAreTheirElements) {
  for (const myblasDataType_t type :
       {MYBLAS_R_8I, MYBLAS_R_16F, MYBLAS_R_16BF, MYBLAS_R_32F, MYBLAS_R_32I, MYBLAS_R_64F,
        MYBLAS_C_8I, MYBLAS_C_32F, MYBLAS_C_64F}) {
    constexpr size_t kCount = 5;
    const Value values[kCount] = {{1, 2}, {-3, 4}, {0, -5}, {6, 0}, {-7, -8}};
    unsigned char bytes[16 * kCount + 1];
    std::memset(bytes, 0xAB, sizeof bytes);
    store(type, bytes, kCount, values);
    EXPECT_EQ(bytes[kCount * element_bytes(type)], 0xAB) << type_name(type);
    Value column[kCount];
    load(type, bytes, kCount, column);
    for (size_t i = 0; i < kCount; ++i) {
      const Value one = load(type, bytes + i * element_bytes(type));
      EXPECT_EQ(one.re, values[i].re) << type_name(type);
      EXPECT_EQ(one.im, is_complex(type) ? values[i].im : 0.0) << type_name(type);
      EXPECT_EQ(column[i].re, one.re) << type_name(type);
      EXPECT_EQ(column[i].im, one.im) << type_name(type);
    }
  }
}

TEST(ElementsTest, IntegersOutOfRangeEndTheTest) {
  unsigned char bytes[16];
  EXPECT_DEATH(store(MYBLAS_R_8I, bytes, {128, 0}), "");
  EXPECT_DEATH(store(MYBLAS_R_32I, bytes, {0.5, 0}), "");
  EXPECT_DEATH(store(MYBLAS_R_32I, bytes, {kNaN, 0}), "");
}

TEST(TypeCombosTest, TheTableIsComplete) {
  EXPECT_EQ(type_combos().size(), 34u);
  for (const TypeCombo& combo : type_combos()) {
    EXPECT_EQ(find_combo(combo.name), &combo);
    EXPECT_EQ(is_complex(combo.ab), is_complex(combo.c));
  }
  EXPECT_EQ(find_combo("f32"), nullptr);
}

}  // namespace
}  // namespace myblas::test
