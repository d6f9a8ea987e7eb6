// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// suites/sums_test.cpp: sums cut off as tensor cores cut them off, and what that does to a long
// sum.
//
// Cut off towards zero, the error of a sum of n instructions grows like n units in the last place;
// rounded to nearest it would grow like their root, and mostly cancel.
//==============================================================================
#include <gtest/gtest.h>

#include <cmath>

#include "emulator/small_floats.h"
#include "emulator/tensor_sums.h"
#include "suites/instruction_args.h"
#include "suites/instruction_cases.h"
#include "support/random.h"

namespace myblas::test {
namespace {

constexpr int kBits = 25;  // a float's 24 and one more

float cut(float sum, std::vector<double> a, std::vector<double> b) {
  return emulator::truncated_sum(sum, a.data(), 1, b.data(), 1, static_cast<int>(a.size()), kBits);
}

TEST(EmulatorSums, AreCutOff) {
  EXPECT_EQ(cut(1.0f, {1.0}, {0x1p-24}), 1.0f);  // half a place: cut, not rounded
  EXPECT_EQ(cut(1.0f, {1.5, 1.0}, {0x1p-24, 0x1p-24}), 1.0f + 0x1p-23f);  // kept: one more bit
  EXPECT_EQ(cut(1.0f, {1.0, 1.0}, {0x1p-25, 0x1p-25}), 1.0f);    // each lost before they are added
  EXPECT_EQ(cut(-1.0f, {-1.0}, {0x1.8p-23}), -1.0f - 0x1p-23f);  // towards zero on either side
  EXPECT_EQ(cut(0.0f, {0x1p30, -0x1p30, 1.0}, {1.0, 1.0, 63.0}), 0.0f);  // the largest decides
  EXPECT_EQ(cut(0.0f, {0x1p30, -0x1p30, 1.0}, {1.0, 1.0, 65.0}), 64.0f);
  EXPECT_EQ(cut(3.0f, {}, {}), 3.0f);
  EXPECT_TRUE(std::isinf(cut(1.0f, {INFINITY}, {1.0})));
  EXPECT_TRUE(std::isnan(cut(1.0f, {INFINITY}, {0.0})));
}

// Relative error of 64 x 64 sums of k products of positive bf16 numbers, averaged with its sign.
double mean_error(int k, int bits) {
  EmulatedMachine machine;
  emulator::Settings settings;
  settings.tensor_core_bits = bits;
  machine.configure(settings);
  const auto numbers = [](int count, uint64_t seed) {
    std::vector<float> values(static_cast<size_t>(count));
    for (size_t i = 0; i < values.size(); ++i) {
      const auto value = 1.0f + static_cast<float>(mix(seed + i) % 128) / 128.0f;
      values[i] = emulator::bfloat16_to_float(emulator::bfloat16_from_float(value));
    }
    return values;
  };
  Elements<float> c(machine, std::vector<float>(64 * 64));
  std::vector<double> exact(64 * 64);
  WgmmaArgs args{};
  args.c = c.data();
  args.k = 64;
  args.accumulate = 1;
  args.layout_a = args.layout_b = {Swizzle::k128B, 16, 1024, 32};
  args.b_offset = 8192;
  for (int first = 0; first < k; first += 64) {
    const auto seed = static_cast<uint64_t>(first) * 7919;
    Elements<float> a(machine, numbers(64 * 64, mix(seed))),
        b(machine, numbers(64 * 64, mix(seed + 1)));
    args.a = a.data();
    args.b = b.data();
    const std::string error =
        machine.launch("wgmma_bf16_n64_kk", {.threads = 128, .smem_bytes = 16384}, &args);
    if (!error.empty()) throw std::runtime_error(error);
    for (size_t i = 0; i < exact.size(); ++i) {
      for (size_t p = 0; p < 64; ++p) {
        exact[i] += static_cast<double>(a.before()[i / 64 * 64 + p]) * b.before()[p * 64 + i % 64];
      }
    }
  }
  double sum = 0.0;
  const std::vector<float> result = c.now();
  for (size_t i = 0; i < exact.size(); ++i) sum += (result[i] - exact[i]) / exact[i];
  return sum / static_cast<double>(exact.size());
}

TEST(EmulatorSums, ErrorGrowsWithK) {
  constexpr double kPlace = 0x1p-24;
  const double cut_2048 = mean_error(2048, kBits), cut_8192 = mean_error(8192, kBits);
  const double rounded_8192 = mean_error(8192, 0);
  RecordProperty("cut_2048_units", std::to_string(cut_2048 / kPlace));
  RecordProperty("cut_8192_units", std::to_string(cut_8192 / kPlace));
  RecordProperty("rounded_8192_units", std::to_string(rounded_8192 / kPlace));
  // An instruction cuts 16 products, each by up to a place of 25 bits of the sum.
  EXPECT_LT(cut_2048, -0.5 * (2048 / 16) * kPlace);
  EXPECT_LT(cut_8192, 3.0 * cut_2048);
  EXPECT_GT(cut_8192, -8.0 * (8192 / 16) * kPlace);
  EXPECT_LT(std::fabs(rounded_8192), 0.02 * std::fabs(cut_8192));
}

}  // namespace
}  // namespace myblas::test
