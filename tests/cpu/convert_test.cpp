// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/convert.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace myblas::cpu {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

// IEEE binary16 from its definition.
double half_value(uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int mantissa = bits & 0x3ff;
  const double sign = bits & 0x8000 ? -1 : 1;
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  if (exponent == 31) return mantissa ? std::nan("") : sign * INFINITY;
  return sign * std::ldexp(1024 + mantissa, exponent - 25);
}

std::vector<uint16_t> all_bit_patterns() {
  std::vector<uint16_t> bits(65536);
  for (size_t i = 0; i < bits.size(); ++i) bits[i] = static_cast<uint16_t>(i);
  return bits;
}

TEST(Convert, EveryHalfHasItsValueAndComesBack) {
  for (const uint16_t bits : all_bit_patterns()) {
    const float value = to_float(F16{bits});
    if (std::isnan(half_value(bits))) {
      EXPECT_TRUE(std::isnan(value)) << bits;
      const uint16_t back = to_f16(value).bits;
      EXPECT_TRUE((back & 0x7fff) > 0x7c00 && (back & 0x8000) == (bits & 0x8000)) << bits;
    } else {
      EXPECT_EQ(static_cast<double>(value), half_value(bits)) << bits;
      EXPECT_EQ(to_f16(value).bits, bits);
    }
  }
}

TEST(Convert, EveryBFloatHasItsValueAndComesBack) {
  for (const uint16_t bits : all_bit_patterns()) {
    const float value = to_float(BF16{bits});
    EXPECT_EQ(std::bit_cast<uint32_t>(value), static_cast<uint32_t>(bits) << 16);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(to_float(to_bf16(value)))) << bits;
    } else {
      EXPECT_EQ(to_bf16(value).bits, bits);
    }
  }
}

// Between two neighbours: the middle goes to the even one, one ulp of fp32 beside it to the nearer.
TEST(Convert, HalfRoundsToNearestEven) {
  for (uint16_t bits = 0; bits < 0x7bff; ++bits) {
    const auto next = static_cast<uint16_t>(bits + 1);
    const auto middle = static_cast<float>((half_value(bits) + half_value(next)) / 2);
    const uint16_t even = bits & 1 ? next : bits;
    ASSERT_EQ(to_f16(middle).bits, even) << bits;
    ASSERT_EQ(to_f16(-middle).bits, even | 0x8000) << bits;
    ASSERT_EQ(to_f16(std::nextafter(middle, 0.0f)).bits, bits) << bits;
    ASSERT_EQ(to_f16(std::nextafter(middle, kInf)).bits, next) << bits;
  }
}

TEST(Convert, BFloatRoundsToNearestEven) {
  for (uint32_t bits = 0; bits < 0x7f7f; ++bits) {
    const auto middle = std::bit_cast<float>((bits << 16) | 0x8000u);
    const uint32_t even = bits & 1 ? bits + 1 : bits;
    ASSERT_EQ(to_bf16(middle).bits, even) << bits;
    ASSERT_EQ(to_bf16(-middle).bits, even | 0x8000u) << bits;
    ASSERT_EQ(to_bf16(std::nextafter(middle, 0.0f)).bits, bits) << bits;
    ASSERT_EQ(to_bf16(std::nextafter(middle, kInf)).bits, bits + 1) << bits;
  }
}

TEST(Convert, HalfOverflowsToInfinity) {
  EXPECT_EQ(to_f16(65519.996f).bits, 0x7bff);
  EXPECT_EQ(to_f16(65520.0f).bits, 0x7c00);
  EXPECT_EQ(to_f16(-65520.0f).bits, 0xfc00);
  EXPECT_EQ(to_f16(65536.0f).bits, 0x7c00);
  EXPECT_EQ(to_f16(std::numeric_limits<float>::max()).bits, 0x7c00);
  EXPECT_EQ(to_f16(kInf).bits, 0x7c00);
  EXPECT_EQ(to_f16(-kInf).bits, 0xfc00);
  EXPECT_EQ(to_f16(std::numeric_limits<float>::denorm_min()).bits, 0);
  EXPECT_EQ(to_f16(-0.0f).bits, 0x8000);
}

TEST(Convert, BFloatOverflowsToInfinity) {
  EXPECT_EQ(to_bf16(std::numeric_limits<float>::max()).bits, 0x7f80);
  EXPECT_EQ(to_bf16(-std::numeric_limits<float>::max()).bits, 0xff80);
  EXPECT_EQ(to_bf16(kInf).bits, 0x7f80);
  // A NaN whose only mantissa bits would be cut off stays a NaN.
  EXPECT_TRUE(std::isnan(to_float(to_bf16(std::bit_cast<float>(0x7f800001u)))));
  EXPECT_TRUE(std::isnan(to_float(to_bf16(std::bit_cast<float>(0xffffffffu)))));
}

// The block loops are compiled for other instruction sets than this test.
TEST(Convert, BlockLoopsAgreeWithTheElement) {
  constexpr int64_t rows = 37, cols = 1771, ld = 40;  // 65527 elements, odd vector tails
  std::vector<F16> halfs(ld * cols), stored(ld * cols, F16{0x1234});
  std::vector<float> floats(ld * cols, 7.0f), inputs(ld * cols);
  for (size_t i = 0; i < halfs.size(); ++i) halfs[i] = {static_cast<uint16_t>(i)};
  pack(halfs.data(), ld, rows, cols, floats.data(), ld);
  std::mt19937 random(1);
  for (float& x : inputs) x = std::bit_cast<float>(static_cast<uint32_t>(random()));
  store(inputs.data(), ld, rows, cols, 1.0f, 0.0f, stored.data(), ld);
  for (int64_t i = 0; i < ld * cols; ++i) {
    const auto at = static_cast<size_t>(i);
    const bool inside = i % ld < rows;
    const float want = inside ? to_float(halfs[at]) : 7.0f;
    ASSERT_EQ(std::bit_cast<uint32_t>(floats[at]), std::bit_cast<uint32_t>(want)) << i;
    ASSERT_EQ(stored[at].bits, inside ? to_f16(inputs[at]).bits : 0x1234) << i;
  }
}

TEST(Convert, IntegersWrap) {
  const float acc[2] = {16777216.0f, -16777216.0f};
  int32_t c[2] = {std::numeric_limits<int32_t>::max(), 5};
  add_integers(acc, 2, 2, 1, 1 << 10, c, 2);
  EXPECT_EQ(c[0], std::numeric_limits<int32_t>::max());  // + 2^34
  EXPECT_EQ(c[1], 5);
  add_integers(acc, 2, 2, 1, 1, c, 2);
  EXPECT_EQ(c[0], std::numeric_limits<int32_t>::min() + 16777215);
  EXPECT_EQ(c[1], -16777211);
  scale<int32_t, int32_t>(2, 1, 1 << 8, c, 2);
  EXPECT_EQ(c[1], static_cast<int32_t>((-16777211LL * 256) & 0xffffffff));
}

}  // namespace
}  // namespace myblas::cpu
