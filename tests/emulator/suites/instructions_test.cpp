// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// suites/instructions_test.cpp: each instruction on the emulator against its definition, all lanes
// and registers, on random integers.
//==============================================================================
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "emulator/small_floats.h"
#include "suites/instruction_cases.h"
#include "support/random.h"

namespace myblas::test {
namespace {

class EmulatorInstructions : public testing::TestWithParam<InstructionCase> {};

TEST_P(EmulatorInstructions, AreAsDefined) {
  EmulatedMachine machine;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    emulator::Settings settings;
    settings.seed = seed;
    settings.copies = static_cast<emulator::CopyTiming>(seed % 3);
    machine.configure(settings);
    const InstructionRun run = GetParam().run(machine, seed);
    ASSERT_EQ(run.error, "") << "seed " << seed;
    ASSERT_EQ(run.result, run.expected) << "seed " << seed;
  }
}
INSTANTIATE_TEST_SUITE_P(All, EmulatorInstructions, testing::ValuesIn(instruction_cases()),
                         [](const auto& one) { return one.param.name; });

// The conversions of small_floats.h against those of tests/support: every 16-bit value, and floats
// round each of them.
TEST(EmulatorSmallFloats, Convert) {
  const auto same_number = [](double x, double y) {
    return x == y || (std::isnan(x) && std::isnan(y));
  };
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    const double as_half = half_to_double(half), as_bfloat16 = bfloat16_to_double(half);
    ASSERT_TRUE(same_number(emulator::half_to_float(half), as_half)) << bits;
    ASSERT_TRUE(same_number(emulator::bfloat16_to_float(half), as_bfloat16)) << bits;
    for (const uint32_t below : {0x0000u, 0x0fffu, 0x1000u, 0x1001u, 0x7fffu, 0x8000u, 0x8001u}) {
      const auto value = std::bit_cast<float>(bits << 16 | below);
      ASSERT_TRUE(same_number(half_to_double(emulator::half_from_float(value)),
                              half_to_double(half_from_double(value))))
          << value;
      ASSERT_TRUE(same_number(bfloat16_to_double(emulator::bfloat16_from_float(value)),
                              bfloat16_to_double(bfloat16_from_double(value))))
          << value;
    }
  }
}

}  // namespace
}  // namespace myblas::test
