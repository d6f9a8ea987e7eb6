// SPDX-License-Identifier: BSD-3-Clause
// A product of long k as a batch of products: which matrices it has, and when it is legal.
#include "dispatch/summing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "dispatch/cost.h"
#include "dispatch/select.h"
#include "synthetic_gpus.h"

namespace myblas::testing {
namespace {

GemmProblem long_k(DataType ab, DataType c, Compute compute) {
  return plain_problem(ab, c, compute, 250, 96, 16384);
}

Plan forced_plan(const GemmProblem& problem, const char* row, int parts) {
  Policy policy;
  std::snprintf(policy.kernel, sizeof policy.kernel, "%s", row);
  policy.division.parts = parts;
  policy.division.summed = true;
  return select(problem, synthetic_gpu(90), policy);
}

TEST(Summing, PartsLieAlongKInBothLayouts) {
  GemmProblem p = long_k(DataType::kBF16, DataType::kBF16, Compute::kF32);
  p.beta = p.alpha;
  void* const memory = reinterpret_cast<void*>(uintptr_t{1} << 30);
  const GemmProblem plain = divided_problem(p, 8, memory);
  EXPECT_EQ(plain.k, 2048);
  EXPECT_EQ(plain.batch_count, 8);
  EXPECT_EQ(plain.a.stride, 2048 * p.a.ld);
  EXPECT_EQ(plain.b.stride, 2048);
  EXPECT_EQ(plain.c_type, DataType::kF32);
  EXPECT_EQ(plain.c.base, memory);
  EXPECT_EQ(plain.c.ld, 252);  // of 250 rows: columns begin at multiples of 16 bytes
  EXPECT_EQ(plain.c.stride, 252 * 96);
  EXPECT_TRUE(plain.c_is_padded);
  EXPECT_TRUE(is_host_zero(plain.beta));
  EXPECT_FALSE(is_host_zero(plain.alpha));
  EXPECT_EQ(sums_bytes(p, 8), size_t{252 * 96 * 8 * 4});
  p.op_a = p.op_b = Op::kT;
  const GemmProblem transposed = divided_problem(p, 8, memory);
  EXPECT_EQ(transposed.a.stride, 2048);
  EXPECT_EQ(transposed.b.stride, 2048 * p.b.ld);
  const GemmProblem wide =
      divided_problem(long_k(DataType::kF64, DataType::kF64, Compute::kF64), 4, memory);
  EXPECT_EQ(wide.c_type, DataType::kF64);
  EXPECT_EQ(wide.c.ld, 250);
}

// Where they cannot be equal the last one is shorter, and the others begin at whole runs.
TEST(Summing, TheLastPartMayBeShorter) {
  const GemmProblem p = plain_problem(DataType::kF32, DataType::kF32, Compute::kF32, 300, 1, 1001);
  const GemmProblem thirds = divided_problem(p, 3, nullptr);
  EXPECT_EQ(thirds.k, 336);
  EXPECT_EQ(thirds.k_of_last, 1001 - 2 * 336);
  EXPECT_EQ(thirds.a.stride, 336 * p.a.ld);
  EXPECT_EQ(divided_problem(p, 7, nullptr).k_of_last, 0) << "1001 = 7 * 143";
  const DeviceCaps& caps = synthetic_gpu(90);
  EXPECT_TRUE(may_sum(p, 3, caps));
  EXPECT_FALSE(may_sum(p, 32, caps)) << "k of 31";
  GemmProblem little = p;
  little.k = 331;
  EXPECT_FALSE(may_sum(little, 10, caps)) << "40 of each but the last would be 360";
  int streaming = 0;
  for (const KernelRow& row : table_of(90)) {
    if (check(row, thirds, caps) != Reject::kNone) continue;
    EXPECT_TRUE(streams(row)) << row.name;
    ++streaming;
  }
  EXPECT_GE(streaming, 2);
}

TEST(Summing, PartsOfAStreamFillItsPlaces) {
  const auto rows = table_of(90);
  const auto row = std::ranges::find_if(rows, [](const KernelRow& some) {
    return std::string(some.name) == "gemv_axpy_f64_f64_64x1x64";
  });
  ASSERT_NE(row, rows.end());
  const DeviceCaps& caps = synthetic_gpu(90);  // 132 SMs
  const GemmProblem p = plain_problem(DataType::kF64, DataType::kF64, Compute::kF64, 5000, 1, 5000);
  const auto parts = parts_that_fill(*row, p, caps);  // of 79 tiles, four blocks an SM
  EXPECT_EQ(parts, (std::array<int, 8>{3, 5, 6, 13, 20, 26, 1, 1}));
}

TEST(Summing, IsLegalForPartsThatFitTheScratch) {
  const DeviceCaps& caps = synthetic_gpu(90);
  const GemmProblem p = long_k(DataType::kF32, DataType::kF32, Compute::kF32);
  EXPECT_TRUE(may_sum(p, 2, caps));
  EXPECT_TRUE(may_sum(p, 64, caps));
  EXPECT_FALSE(may_sum(p, 1, caps));
  EXPECT_FALSE(may_sum(p, 512, caps)) << "more than are tried";
  GemmProblem large = p;
  large.n = static_cast<int64_t>(wave_bytes(caps.sm_count)) / (252 * 2 * 4);
  EXPECT_TRUE(may_sum(large, 2, caps));
  large.n += 1;
  EXPECT_FALSE(may_sum(large, 2, caps));
  GemmProblem batch = p;
  batch.batch_count = 2;
  EXPECT_FALSE(may_sum(batch, 2, caps));
  GemmProblem pointers = p;
  pointers.batch_kind = BatchKind::kPointers;
  EXPECT_FALSE(may_sum(pointers, 2, caps));
  GemmProblem without_product = p;
  without_product.k = 0;
  EXPECT_FALSE(may_sum(without_product, 2, caps));
  EXPECT_FALSE(may_sum(long_k(DataType::kS8, DataType::kS32, Compute::kS32), 2, caps));
  EXPECT_FALSE(may_sum(long_k(DataType::kS8, DataType::kF32, Compute::kF32), 2, caps));
  EXPECT_TRUE(may_sum(long_k(DataType::kCF32, DataType::kCF32, Compute::kF32), 2, caps));
  EXPECT_FALSE(may_sum(long_k(DataType::kCS8, DataType::kCF32, Compute::kF32), 2, caps));
  EXPECT_FALSE(may_sum(p, 2, synthetic_gpu(80))) << "no kernel there";
}

// The row is of the type of the sums: it need not serve the problem itself.
TEST(Summing, AForcedRowTakesTheParts) {
  const GemmProblem p = long_k(DataType::kBF16, DataType::kBF16, Compute::kF32);
  const Plan plan = forced_plan(p, "hgemm_wgmma_bf16_f32_128x64x64", 16);
  ASSERT_GE(plan.row, 0);
  EXPECT_STREQ(table_of(90)[static_cast<size_t>(plan.row)].name, "hgemm_wgmma_bf16_f32_128x64x64");
  EXPECT_TRUE(plan.summed);
  EXPECT_EQ(plan.parts, 16);
  EXPECT_GT(plan.predicted_us, predict_sum_us(p, 16, synthetic_gpu(90)));
  char text[kPassesText];
  EXPECT_STREQ(describe_passes(plan, text), ", packs A, sums 16 products");
  // Where it is not legal the choice is the usual one.
  const Plan usual = select(p, synthetic_gpu(90), Policy{});
  EXPECT_EQ(forced_plan(p, "hgemm_wgmma_bf16_f32_128x64x64", 3).row, usual.row);
  EXPECT_EQ(forced_plan(p, "hgemm_wgmma_bf16_bf16_128x64x64", 16).row, usual.row);
}

// Where it pays for the start that it gives up: long products of single blocks that fill the SMs.
TEST(Summing, LongProductsWaitForThePassAhead) {
  const auto waits = [](const char* name, int64_t m, int64_t n, int64_t k, int parts) {
    const auto row = std::ranges::find_if(
        table_of(90), [&](const KernelRow& some) { return std::string(some.name) == name; });
    const GemmProblem p = plain_problem(DataType::kBF16, DataType::kBF16, Compute::kF32, m, n, k);
    return wait_for_pass_ahead(*row, divided_problem(p, parts, nullptr), 132);
  };
  EXPECT_TRUE(waits("hgemm_wgmma_bf16_f32_128x64x64", 1536, 320, 8960, 2));
  EXPECT_FALSE(waits("hgemm_wgmma_bf16_f32_pair_128x64x64", 1536, 320, 8960, 2)) << "a cluster";
  EXPECT_FALSE(waits("hgemm_wgmma_bf16_f32_64x16x64", 768, 8, 3072, 8)) << "short";
  EXPECT_FALSE(waits("hgemm_wgmma_bf16_f32_128x64x64", 4096, 64, 14336, 2)) << "64 blocks";
}

TEST(Summing, IsChosenForFewTilesOfLongKAndSaysSo) {
  const DeviceCaps& caps = synthetic_gpu(90);
  const GemmProblem p =
      plain_problem(DataType::kBF16, DataType::kBF16, Compute::kF32, 256, 256, 131072);
  const Plan plan = select(p, caps, Policy{});
  ASSERT_TRUE(plan.summed);
  DeviceCaps without = caps;
  without.can_sum = false;
  const Plan single = select(p, without, Policy{});
  EXPECT_FALSE(single.summed);
  EXPECT_LT(plan.predicted_us, single.predicted_us);
  EXPECT_FALSE(
      select(plain_problem(DataType::kBF16, DataType::kBF16, Compute::kF32, 4096, 4096, 4096), caps,
             Policy{})
          .summed);
  char* text = nullptr;
  size_t size = 0;
  std::FILE* const out = open_memstream(&text, &size);
  explain(out, p, caps, Policy{});
  std::fclose(out);
  const std::string explained(text);
  std::free(text);
  const size_t chosen = explained.find("myblas: -> ");
  ASSERT_NE(chosen, std::string::npos);
  EXPECT_EQ(explained.find("myblas: -> ", chosen + 1), std::string::npos);
  const std::string line = explained.substr(chosen, explained.find('\n', chosen) - chosen);
  EXPECT_NE(line.find("sums " + std::to_string(plan.parts) + " products"), std::string::npos)
      << line;
}

// A measured plan, as MYBLAS_TUNING has it.
TEST(Summing, AMeasuredPlanIsTaken) {
  const std::string path = ::testing::TempDir() + "myblas_summing_test.txt";
  const DeviceCaps& caps = synthetic_gpu(90);
  const GemmProblem p = long_k(DataType::kF32, DataType::kF32, Compute::kF32);
  std::ofstream(path) << tuning_line(tuning_key(p, caps), "sgemm_closed_64x64x16", {32, true});
  std::string error;
  const auto tuning = Tuning::read(path.c_str(), &error);
  std::remove(path.c_str());
  ASSERT_NE(tuning, nullptr) << error;
  Policy policy;
  policy.tuning = tuning.get();
  const Plan plan = select(p, caps, policy);
  EXPECT_STREQ(table_of(90)[static_cast<size_t>(plan.row)].name, "sgemm_closed_64x64x16");
  EXPECT_EQ(plan.parts, 32);
  EXPECT_TRUE(plan.summed);
}

}  // namespace
}  // namespace myblas::testing
