// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// suites/pack_test.cpp: the kernels that repack operands, over all modes, odd sizes, addresses and
// batches. In front of products they run with the rows (rows_test.cpp).
//==============================================================================
#include <gtest/gtest.h>

#include "suites/emulated_case.h"
#include "suites/pack_cases.h"

namespace myblas::test {
namespace {

class EmulatorPack : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    load_all_kernels();
    if (emulator::find_kernel(GetParam()) == nullptr) GTEST_SKIP() << "not in this build";
  }
};

TEST_P(EmulatorPack, MovesEveryElement) {
  uint64_t seed = 5;
  for (const PackCase& one : pack_cases(GetParam(), 2, 600)) {
    seed = mix(seed);
    const GemmProblem& p = one.problem;
    ASSERT_EQ(run_pack(GetParam(), one, settings_of(seed)), "")
        << "m " << p.m << " n " << p.n << " k " << p.k << " ops " << static_cast<int>(p.op_a)
        << static_cast<int>(p.op_b) << " packed as " << static_cast<int>(one.packing.op_a)
        << static_cast<int>(one.packing.op_b) << " operands "
        << static_cast<int>(one.packing.operands) << " lda " << p.a.ld << " offset " << one.offset_a
        << " batch " << p.batch_count;
  }
}

// The words of a transposed tile meet every bank once.
TEST_P(EmulatorPack, HasNoBankConflicts) {
  PackCase one = pack_cases(GetParam(), 1, 1).front();
  one.problem.m = one.problem.k = one.problem.n = 128;
  one.problem.op_a = one.problem.op_b = Op::kN;
  one.problem.a = one.problem.b = {nullptr, 128, 0};
  one.problem.batch_count = 1;
  one.packing = {kPackA, Op::kT, Op::kN};
  one.alpha = PackAlpha::kHost;
  emulator::Settings settings;
  settings.count_wavefronts = true;
  std::map<std::string, emulator::Wavefronts> lines;
  ASSERT_EQ(run_pack(GetParam(), one, settings, &lines), "");
  ASSERT_FALSE(lines.empty());
  for (const auto& [line, counted] : lines) EXPECT_EQ(counted.actual, counted.ideal) << line;
}

INSTANTIATE_TEST_SUITE_P(Sizes, EmulatorPack, testing::ValuesIn(kPackKernels),
                         [](const auto& of) { return std::string(of.param); });

}  // namespace
}  // namespace myblas::test
