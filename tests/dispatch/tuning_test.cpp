// SPDX-License-Identifier: BSD-3-Clause
// A measured plan: written as a line, read back, and taken for exactly its shape.
#include "dispatch/tuning.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "dispatch/select.h"
#include "synthetic_gpus.h"

namespace myblas::testing {
namespace {

class TuningFile : public ::testing::Test {
 protected:
  std::string path_ = ::testing::TempDir() + "myblas_tuning_test.txt";
  std::string error_;

  void TearDown() override { std::remove(path_.c_str()); }
  std::unique_ptr<const Tuning> read(const std::string& text) {
    std::ofstream(path_) << text;
    return Tuning::read(path_.c_str(), &error_);
  }
};

GemmProblem problem(int64_t m = 640, int64_t n = 320, int64_t k = 4096) {
  return plain_problem(DataType::kF32, DataType::kF32, Compute::kF32, m, n, k);
}
constexpr const char* kRow = "gemm_reference_f32_f32_64x64x16";

TEST_F(TuningFile, APlanWinsForItsShapeAndNoOther) {
  const DeviceCaps& caps = synthetic_gpu(90);
  const auto tuning =
      read("# measured\n\n" + tuning_line(tuning_key(problem(), caps), kRow, {1}) + "  # here\n");
  ASSERT_NE(tuning, nullptr) << error_;
  Policy policy;
  policy.tuning = tuning.get();
  const auto chosen = [&](const GemmProblem& p) {
    return std::string(table_of(90)[static_cast<size_t>(select(p, caps, policy).row)].name);
  };
  EXPECT_EQ(chosen(problem()), kRow);
  EXPECT_NE(chosen(problem(641)), kRow);
  GemmProblem other = problem();
  other.op_a = Op::kT;
  EXPECT_NE(chosen(other), kRow);
  other = problem();
  other.batch_count = 2;
  EXPECT_NE(chosen(other), kRow);
  other = problem();
  other.a.ld += 1;
  EXPECT_NE(chosen(other), kRow);
}

TEST_F(TuningFile, EveryFieldSurvivesTheFile) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 200; ++i) {
    const TuningKey key = tuning_key(random_problem(random), synthetic_gpu(80));
    const KDivision written =
        i % 3 == 0 ? KDivision{1, false, true} : KDivision{7, i % 3 == 1, false};
    const std::string line = tuning_line(key, "some_row", written);
    const auto tuning = read(line);
    ASSERT_NE(tuning, nullptr) << error_;
    const TunedPlan* plan = tuning->find(key);
    ASSERT_NE(plan, nullptr) << line;
    EXPECT_EQ(plan->row, "some_row");
    EXPECT_EQ(plan->division, written) << line;
  }
}

TEST_F(TuningFile, ARowThatMayNotServeIsPassedOver) {
  const DeviceCaps& caps = synthetic_gpu(90);
  Policy policy;
  const auto tuning = read(tuning_line(tuning_key(problem(), caps), "no_such_row", {1}) + "\n");
  policy.tuning = tuning.get();
  EXPECT_EQ(select(problem(), caps, policy).row, select(problem(), caps, Policy{}).row);
}

// What a measured row packs follows from the problem and is not in the file.
TEST_F(TuningFile, ARowPacksWhatItMust) {
  const DeviceCaps& caps = synthetic_gpu(90);
  GemmProblem p = plain_problem(DataType::kBF16, DataType::kBF16, Compute::kF32, 1024, 512, 256);
  p.a.ld += 1;
  Policy policy;
  const auto tuning =
      read(tuning_line(tuning_key(p, caps), "hgemm_wgmma_bf16_bf16_256x128x64", {1}) + "\n");
  ASSERT_NE(tuning, nullptr) << error_;
  policy.tuning = tuning.get();
  const Plan plan = select(p, caps, policy);
  EXPECT_STREQ(table_of(90)[static_cast<size_t>(plan.row)].name,
               "hgemm_wgmma_bf16_bf16_256x128x64");
  EXPECT_EQ(plan.packing.operands, kPackA);
}

// sm_103 chooses from sm_100's table: its lines name that.
TEST_F(TuningFile, AChipWithoutATableOfItsOwnReadsWhatItWrote) {
  DeviceCaps caps = synthetic_gpu(100);
  caps.cc = caps.table_cc = 103;
  const TuningKey key = tuning_key(problem(), caps);
  const auto tuning = read(tuning_line(key, kRow, {1}));
  ASSERT_NE(tuning, nullptr) << error_;
  EXPECT_NE(tuning->find(key), nullptr);
}

// Permissions that no row of these types asks for are no part of what a plan is for.
TEST_F(TuningFile, APlanHoldsWhateverElseTheCallerAllows) {
  const DeviceCaps& caps = synthetic_gpu(90);
  GemmProblem p = problem();
  p.fast_math = kFastTF32;
  const auto tuning = read(tuning_line(tuning_key(p, caps), kRow, {1}));
  ASSERT_NE(tuning, nullptr) << error_;
  p.fast_math = kFastTF32 | kFastF16;
  EXPECT_NE(tuning->find(tuning_key(p, caps)), nullptr);
  p.fast_math = kFastF16;
  EXPECT_EQ(tuning->find(tuning_key(p, caps)), nullptr);
}

TEST_F(TuningFile, TheLaterLineWins) {
  const TuningKey key = tuning_key(problem(), synthetic_gpu(90));
  const auto tuning = read(tuning_line(key, "a", {1}) + "\n" + tuning_line(key, "b", {2}) + "\n");
  EXPECT_EQ(tuning->find(key)->row, "b");
}

TEST_F(TuningFile, NonsenseIsRefusedWithItsLine) {
  const std::string good = tuning_line(tuning_key(problem(), synthetic_gpu(90)), kRow, {1});
  EXPECT_EQ(read(good + "\nsm_90 f32\n"), nullptr);
  EXPECT_EQ(error_, "line 2 is no plan");
  EXPECT_EQ(read("sm_55" + good.substr(5)), nullptr);
  EXPECT_EQ(read(good + " and more"), nullptr);
  for (const char* file : {"/nonexistent/tuning", "/tmp"}) {
    EXPECT_EQ(Tuning::read(file, &error_), nullptr);
    EXPECT_EQ(error_, "cannot be read");
  }
}

}  // namespace
}  // namespace myblas::testing
