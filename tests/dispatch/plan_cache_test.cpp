// SPDX-License-Identifier: BSD-3-Clause
#include "api/plan_cache.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "api/choices.h"
#include "api/scratch.h"
#include "dispatch/cost.h"
#include "synthetic_gpus.h"

namespace myblas::testing {
namespace {

void set_up(myblasContext* handle, uint64_t id, int cc) {
  handle->choices = id;
  handle->caps = synthetic_gpu(cc);
}

// More shapes than slots, each asked for twice in a shuffled order: entries are replaced and found
// again, and never answer for another shape or handle.
void expect_same_as_select(uint64_t first_id) {
  myblasContext a, b;
  set_up(&a, first_id, 90);
  set_up(&b, first_id + 1, 75);
  std::mt19937_64 random(first_id);
  std::vector<GemmProblem> problems;
  for (int i = 0; i < 500; ++i) problems.push_back(random_problem(random));
  for (int i = 0; i < 20000; ++i) {
    const GemmProblem& p = problems[random() % problems.size()];
    const myblasContext& handle = random() % 2 ? a : b;
    const Plan expected = select(p, handle.caps, handle.policy);
    const Plan cached = cached_select(handle, p, nullptr);
    ASSERT_EQ(cached.row, expected.row);
    ASSERT_EQ(cached.predicted_us, expected.predicted_us);
    ASSERT_EQ(cached.packing.operands, expected.packing.operands);
    ASSERT_EQ(cached.parts, expected.parts);
    ASSERT_EQ(cached.summed, expected.summed);
  }
}

TEST(PlanCache, AnswersWhatSelectAnswers) { expect_same_as_select(1000); }

TEST(PlanCache, ThreadsDoNotDisturbEachOther) {
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < 8; ++t) threads.emplace_back(expect_same_as_select, 2000 + 10 * t);
  for (std::thread& thread : threads) thread.join();
}

// Handles of the same kernels and policy find each other's plans. The second one has another device
// only to show whose plan it gets: as it is here, no other handle would.
TEST(PlanCache, HandlesThatChooseAlikeShareTheirPlans) {
  const LoadedKernels kernels{};
  myblasContext first, second, apart;
  set_up(&first, 0, 90);
  set_up(&second, 0, 75);
  set_up(&apart, 0, 75);
  first.kernels = second.kernels = &kernels;
  for (myblasContext* const handle : {&first, &second, &apart}) set_policy(handle, {});
  const GemmProblem p =
      plain_problem(DataType::kF32, DataType::kF32, Compute::kF32, 4096, 4096, 4096);
  const Plan of_first = select(p, first.caps, {}), of_second = select(p, second.caps, {});
  ASSERT_NE(of_first.predicted_us, of_second.predicted_us);
  EXPECT_EQ(cached_select(first, p, nullptr).predicted_us, of_first.predicted_us);
  EXPECT_EQ(cached_select(second, p, nullptr).predicted_us, of_first.predicted_us);
  EXPECT_EQ(cached_select(apart, p, nullptr).predicted_us, of_second.predicted_us);
}

// myblas-tune forces one plan after the other.
TEST(PlanCache, AHandleWithAnotherPolicyChoosesAnew) {
  myblasContext handle;
  set_up(&handle, 0, 90);
  set_policy(&handle, {});
  const GemmProblem p =
      plain_problem(DataType::kF32, DataType::kF32, Compute::kF32, 4096, 4096, 4096);
  const Plan free = cached_select(handle, p, nullptr);
  const auto rows = table_of(90);
  const char* const kForced = "sgemm_closed_128x64x16";
  ASSERT_STRNE(rows[static_cast<size_t>(free.row)].name, kForced);
  Policy policy;
  std::snprintf(policy.kernel, sizeof policy.kernel, "%s", kForced);
  set_policy(&handle, policy);
  EXPECT_STREQ(rows[static_cast<size_t>(cached_select(handle, p, nullptr).row)].name, kForced);
  set_policy(&handle, {});
  EXPECT_EQ(cached_select(handle, p, nullptr).row, free.row);
}

// Whether TMA writes C is not what its alignment says where it has one column.
TEST(PlanCache, TellsColumnsThatTmaWritesFromOthers) {
  myblasContext handle;
  set_up(&handle, 3000, 90);
  GemmProblem p = plain_problem(DataType::kBF16, DataType::kF32, Compute::kF32, 7052, 1, 45);
  p.op_a = p.op_b = Op::kT;
  p.a.ld = 45;
  p.b.ld = 1;
  p.c.ld = 7053;
  for (const uintptr_t address : {0x1090, 0x104c, 0x1090}) {
    p.c.base = reinterpret_cast<void*>(address);
    EXPECT_EQ(cached_select(handle, p, nullptr).row, select(p, handle.caps, handle.policy).row);
  }
}

// Matrices of a batch that follow each other by whole lines cost less, also where the base is
// aligned less than their distance.
TEST(PlanCache, TellsMatricesInWholeLinesFromOthers) {
  myblasContext handle;
  set_up(&handle, 3500, 90);
  constexpr int64_t kLine = 64;  // elements of bf16
  int different = 0;
  for (int64_t m = 80; m <= 320; m += 16) {
    GemmProblem p = plain_problem(DataType::kBF16, DataType::kBF16, Compute::kF32, m, 88, 14784);
    p.op_a = p.op_b = Op::kT;
    p.a.ld = p.k;
    p.b.ld = p.n;
    p.batch_kind = BatchKind::kStrided;
    p.batch_count = 3;
    p.c.stride = p.c.ld * p.n;
    p.a.base = p.b.base = reinterpret_cast<void*>(uintptr_t{0x10010});
    Plan last;
    for (const int64_t past : {0, 8, 16}) {
      p.a.stride = (p.a.ld * p.m + kLine - 1) / kLine * kLine + past;
      p.b.stride = (p.b.ld * p.k + kLine - 1) / kLine * kLine + past;
      const Plan plan = cached_select(handle, p, nullptr);
      const Plan own = select(p, handle.caps, handle.policy);
      EXPECT_EQ(plan.row, own.row) << m << ' ' << past;
      EXPECT_TRUE(plan == own) << m << ' ' << past;
      different += past != 0 && (own.row != last.row || !(own == last));
      last = own;
    }
  }
  EXPECT_GT(different, 0);  // it matters in some
}

// Where parts of k have no memory to meet in, no plan counts on them.
TEST(PlanCache, PlansWholeProductsForPerThreadStreams) {
  void* const per_thread = reinterpret_cast<void*>(kPerThreadStream);
  for (const int cc : {75, 80, 90}) {
    myblasContext handle;
    set_up(&handle, static_cast<uint64_t>(3000 + cc), cc);
    const GemmProblem p =
        plain_problem(DataType::kF32, DataType::kF32, Compute::kF32, 79, 48, 32520);
    const Plan usual = cached_select(handle, p, nullptr);
    EXPECT_TRUE(usual.parts > 1 || usual.even) << cc;
    const Plan plan = cached_select(handle, p, per_thread);
    const KernelRow& row = table_of(cc)[static_cast<size_t>(plan.row)];
    EXPECT_FALSE(plan.even || plan.summed) << cc << ": " << row.name;
    EXPECT_TRUE(plan.parts == 1 || sums_in_cluster(row, p, handle.caps.sm_count, plan.parts))
        << cc << ": " << row.name << " in " << plan.parts;
  }
}

// What all products share is packed once; a matrix each may be more than there is memory for.
TEST(PlanCache, TellsSharedMatricesFromOthers) {
  myblasContext handle;
  set_up(&handle, 4000, 90);
  GemmProblem shared =
      plain_problem(DataType::kBF16, DataType::kBF16, Compute::kF32, 4096, 256, 4096);
  shared.batch_count = 64;
  shared.a.ld += 1;
  shared.a.stride = 0;
  GemmProblem own = shared;
  own.a.stride = own.a.ld * own.k + 8;
  EXPECT_EQ(cached_select(handle, shared, nullptr).packing.operands, kPackA);
  EXPECT_EQ(cached_select(handle, own, nullptr).packing.operands, kPackNone);
  EXPECT_EQ(select_in_place(handle, shared, 0).packing.operands, kPackNone);
  // Nor is anything packed on the per-thread stream, whatever was asked before.
  const void* const per_thread = reinterpret_cast<const void*>(kPerThreadStream);
  EXPECT_EQ(cached_select(handle, shared, per_thread).packing.operands, kPackNone);
  EXPECT_EQ(cached_select(handle, shared, nullptr).packing.operands, kPackA);
}

// What goes down in memory is packed, or left to rows that read it as it lies.
TEST(PlanCache, TellsBatchesThatGoDown) {
  myblasContext handle;
  set_up(&handle, 4100, 90);
  GemmProblem p = plain_problem(DataType::kBF16, DataType::kBF16, Compute::kF32, 2048, 2048, 2048);
  p.batch_count = 4;
  p.a.stride = p.b.stride = p.c.stride = 2048 * 2048;
  const Plan up = cached_select(handle, p, nullptr);
  EXPECT_EQ(up.packing.operands, kPackNone);
  for (Matrix* const matrix : {&p.a, &p.b, &p.c}) {
    matrix->stride *= -1;
    const Plan expected = select(p, handle.caps, handle.policy);
    const Plan down = cached_select(handle, p, nullptr);
    EXPECT_EQ(down.row, expected.row);
    EXPECT_EQ(down.packing.operands, expected.packing.operands);
    EXPECT_TRUE(down.row != up.row || down.packing.operands != kPackNone);
    matrix->stride *= -1;
  }
  EXPECT_EQ(cached_select(handle, p, nullptr).row, up.row);
}

// Parts of k are added up by a pass, but for the per-thread stream and where memory is missing.
TEST(PlanCache, KnowsWhereAPassMaySum) {
  myblasContext handle;
  set_up(&handle, 5000, 90);
  const GemmProblem p =
      plain_problem(DataType::kBF16, DataType::kBF16, Compute::kF32, 256, 256, 131072);
  EXPECT_TRUE(cached_select(handle, p, nullptr).summed);
  EXPECT_FALSE(cached_select(handle, p, reinterpret_cast<const void*>(kPerThreadStream)).summed);
  EXPECT_TRUE(select_in_place(handle, p, size_t{32} << 20).summed);
  EXPECT_FALSE(select_in_place(handle, p, 0).summed);
  EXPECT_TRUE(cached_select(handle, p, nullptr).summed);
}

TEST(PlanCache, FollowsTheSmCountTarget) {
  myblasContext handle;
  set_up(&handle, 3000, 90);
  const GemmProblem p =
      plain_problem(DataType::kF32, DataType::kF32, Compute::kF32, 4096, 4096, 512);
  const double all = cached_select(handle, p, nullptr).predicted_us;
  handle.sm_count_target = 16;
  EXPECT_GT(cached_select(handle, p, nullptr).predicted_us, 4.0 * all);
  handle.sm_count_target = 0;
  EXPECT_EQ(cached_select(handle, p, nullptr).predicted_us, all);
}

}  // namespace
}  // namespace myblas::testing
