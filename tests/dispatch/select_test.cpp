// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "dispatch/chips.h"
#include "dispatch/cost.h"
#include "synthetic_gpus.h"

namespace myblas::testing {
namespace {

constexpr int kRandomProblems = 10000;  // an architecture

// What the row of a plan sees.
GemmProblem seen_by(const Plan& plan, const GemmProblem& problem) {
  return plan.summed ? divided_problem(problem, plan.parts, nullptr) : problem;
}

// Whether the row serves the problem, as it lies or packed.
bool serves(const KernelRow& row, const GemmProblem& problem, const DeviceCaps& caps) {
  Packing packing;
  return check_or_pack(row, problem, caps, &packing) == Reject::kNone;
}

class SelectOnGpu : public ::testing::TestWithParam<int> {
 protected:
  const DeviceCaps& gpu() const { return synthetic_gpu(GetParam()); }
};
std::string target_name(const ::testing::TestParamInfo<int>& target) {
  return "sm_" + std::to_string(target.param);
}
INSTANTIATE_TEST_SUITE_P(Architectures, SelectOnGpu,
                         ::testing::Values(75, 80, 86, 89, 90, 100, 120), target_name);

TEST_P(SelectOnGpu, ServesEveryRandomProblem) {
  std::mt19937_64 random(20261121u + static_cast<unsigned>(GetParam()));
  const auto rows = table_of(gpu().table_cc);
  for (int i = 0; i < kRandomProblems; ++i) {
    const GemmProblem problem = random_problem(random);
    const Plan plan = select(problem, gpu(), Policy{});
    ASSERT_GE(plan.row, 0) << "problem " << i << " of this seed has no row";
    const KernelRow& row = rows[static_cast<size_t>(plan.row)];
    ASSERT_TRUE(serves(row, seen_by(plan, problem), gpu())) << row.name;
    ASSERT_TRUE(plan.predicted_us > 0.0 && plan.predicted_us < 1e30) << row.name;
  }
}

// MYBLAS_TARGET: any table on any chip; rows that the chip cannot run are passed over.
TEST_P(SelectOnGpu, ServesEveryProblemFromEveryTable) {
  for (int table : table_ccs()) {
    DeviceCaps caps = gpu();
    caps.table_cc = table;
    std::mt19937_64 random(5);
    for (int i = 0; i < 500; ++i) {
      const GemmProblem problem = random_problem(random);
      const Plan plan = select(problem, caps, Policy{});
      ASSERT_GE(plan.row, 0) << "table " << table;
      ASSERT_TRUE(
          serves(table_of(table)[static_cast<size_t>(plan.row)], seen_by(plan, problem), caps));
    }
  }
}

TEST_P(SelectOnGpu, TakesTheLeastPredictionAndTheFirstOfEqualOnes) {
  std::mt19937_64 random(7);
  const auto rows = table_of(gpu().table_cc);
  for (int i = 0; i < 1000; ++i) {
    const GemmProblem problem = random_problem(random);
    const Plan plan = select(problem, gpu(), Policy{});
    for (size_t r = 0; r < rows.size(); ++r) {
      if (check(rows[r], problem, gpu()) != Reject::kNone) continue;
      if (!is_worth_a_prediction(rows[r], problem)) continue;
      const int most = largest_split(rows[r], problem, gpu());
      for (const int parts : {1, 2, 8, most}) {
        if (parts > most) continue;
        const double us = predict_us(rows[r], problem, gpu(), parts);
        if (static_cast<int>(r) < plan.row) {
          ASSERT_GT(us, plan.predicted_us);
        } else {
          ASSERT_GE(us, plan.predicted_us);
        }
      }
    }
  }
}

// What a plan divides fits the scratch of the device, which is fixed by its SM count.
TEST_P(SelectOnGpu, ASplitIsWithinTheRowTheKTilesAndTheScratch) {
  std::mt19937_64 random(13);
  const auto rows = table_of(gpu().table_cc);
  int divided = 0;
  for (int i = 0; i < 3000; ++i) {
    const GemmProblem p = random_problem(random);
    const Plan plan = select(p, gpu(), Policy{});
    const KernelRow& row = rows[static_cast<size_t>(plan.row)];
    if (plan.parts == 1 || plan.summed) continue;
    ++divided;
    ASSERT_LE(plan.parts, row.max_parts);
    ASSERT_LE(plan.parts, (p.k + row.tile_k - 1) / row.tile_k) << row.name;
    const int64_t tiles =
        (p.m + row.tile_m - 1) / row.tile_m * ((p.n + row.tile_n - 1) / row.tile_n) * p.batch_count;
    const int64_t slots = tiles * plan.parts;
    const int64_t sum_bytes = row.key.acc == Compute::kF64 ? 8 : 4;
    ASSERT_LE(slots, kScratchSlots) << row.name;
    ASSERT_LE(slots * row.tile_m * row.tile_n * sum_bytes * (is_complex(row.key.c) ? 2 : 1),
              static_cast<int64_t>(wave_bytes(gpu().sm_count)))
        << row.name;
  }
  EXPECT_EQ(divided > 0,
            std::ranges::any_of(rows, [](const KernelRow& row) { return row.max_parts > 1; }));
}

TEST_P(SelectOnGpu, WhatIsDealtFitsTheScratch) {
  std::mt19937_64 random(17);
  const auto rows = table_of(gpu().table_cc);
  int dealt = 0;
  for (int i = 0; i < 3000; ++i) {
    const GemmProblem p = random_problem(random);
    const Plan plan = select(p, gpu(), Policy{});
    if (!plan.even) continue;
    ++dealt;
    const KernelRow& row = rows[static_cast<size_t>(plan.row)];
    ASSERT_GT(plan.places, 0) << row.name;
    ASSERT_EQ(plan.parts, 1) << row.name;
    ASSERT_FALSE(plan.summed) << row.name;
    const int64_t slots = even_slots(plan.places);
    ASSERT_LE(slots, kScratchSlots) << row.name;
    ASSERT_LE(slots * slot_bytes(row), static_cast<int64_t>(scratch_bytes(gpu().sm_count)))
        << row.name;
  }
  EXPECT_TRUE(dealt > 0 || !std::ranges::any_of(rows, can_deal));
}

TEST_P(SelectOnGpu, AForcedSplitIsTakenAsFarAsItIsLegal) {
  for (const KernelRow& forced : table_of(gpu().table_cc)) {
    Policy policy;
    std::snprintf(policy.kernel, sizeof policy.kernel, "%s", forced.name);
    policy.division.parts = 3;
    for (const TypeCombination& types : public_types()) {
      const GemmProblem problem = plain_problem(types.ab, types.c, types.compute, 16, 16, 8192);
      if (check(forced, problem, gpu()) != Reject::kNone) continue;
      EXPECT_EQ(select(problem, gpu(), policy).parts, std::min(3, forced.max_parts)) << forced.name;
    }
  }
}

TEST_P(SelectOnGpu, AForcedRowWinsWhereItIsLegalAndOnlyThere) {
  for (const KernelRow& forced : table_of(gpu().table_cc)) {
    Policy policy;
    std::snprintf(policy.kernel, sizeof policy.kernel, "%s", forced.name);
    for (const TypeCombination& types : public_types()) {
      const GemmProblem problem = plain_problem(types.ab, types.c, types.compute, 333, 444, 555);
      const Plan plan = select(problem, gpu(), policy);
      ASSERT_GE(plan.row, 0);
      const std::string chosen = table_of(gpu().table_cc)[static_cast<size_t>(plan.row)].name;
      if (serves(forced, problem, gpu())) {
        EXPECT_EQ(chosen, forced.name);
      } else {
        EXPECT_EQ(plan.row, select(problem, gpu(), Policy{}).row) << forced.name;
      }
    }
  }
}

// 3072 x 768 in fp32: 144 tiles of 128 x 128, for 264 places.
TEST(Dealing, IsTakenWhereTilesDoNotFillTheLastRoundAndTheirSumsHaveRoom) {
  DeviceCaps caps = synthetic_gpu(90);
  const GemmProblem p =
      plain_problem(DataType::kF32, DataType::kF32, Compute::kF32, 768, 3072, 4096);
  const Plan plan = select(p, caps, Policy{});
  ASSERT_TRUE(plan.even);
  const KernelRow& row = table_of(90)[static_cast<size_t>(plan.row)];
  const auto bytes = static_cast<size_t>(even_slots(plan.places) * slot_bytes(row));
  caps.sum_bytes = bytes;
  EXPECT_TRUE(select(p, caps, Policy{}).even);
  Policy forced;
  std::snprintf(forced.kernel, sizeof forced.kernel, "%s", row.name);
  forced.division.even = true;
  EXPECT_TRUE(select(p, caps, forced).even);
  caps.sum_bytes = bytes - 1;
  const Plan whole = select(p, caps, forced);
  EXPECT_FALSE(whole.even);
  EXPECT_EQ(whole.places, 0);
  EXPECT_EQ(whole.row, plan.row);
  EXPECT_GT(whole.predicted_us, plan.predicted_us);
  caps.sum_bytes = bytes;
  caps.can_deal = false;
  EXPECT_FALSE(select(p, caps, forced).even);
}

bool is_reference(const KernelRow& row) {
  return std::string_view(row.name).starts_with("gemm_reference_");
}

// How often each row of a table is chosen, over all types, layouts and kinds of shapes.
std::vector<int> wins_of(const DeviceCaps& gpu) {
  std::vector<int> wins(table_of(gpu.table_cc).size(), 0);
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> exponent(0.0, 14.0);
  const auto size = [&] { return static_cast<int64_t>(std::exp2(exponent(random))); };
  const auto few = [&] { return static_cast<int64_t>(1 + random() % 9); };
  for (const TypeCombination& types : public_types()) {
    // The last to be found is hgemm_wgmma_f16_f16_pair_128x64x64 (2560 x 320 x 6912).
    for (int i = 0; i < 9000; ++i) {
      const int64_t multiple = i % 2 == 0 ? 1 : 16;
      int64_t m = size() * multiple, n = size() * multiple, k = size() * multiple;
      if (i % 5 == 1) m = few();
      if (i % 5 == 2) n = few();
      if (i % 5 == 3) k = 2 * few();
      if (i % 5 == 4 && i % 4 == 0) (i % 8 == 0 ? m : n) = 64, k = 16 * few();
      if (i % 17 == 8) m = 256 * few(), n = 64 * few(), k = 768 * few();  // a layer
      const bool tiny = i % 13 == 6;
      if (tiny) m = 2 * few(), n = 2 * few(), k = 2 * few();
      const bool many = i % 27 == 4;
      if (many) m = n = k = 16 * few();
      GemmProblem problem = plain_problem(types.ab, types.c, types.compute, m, n, k);
      problem.op_a = random() % 2 ? Op::kN : Op::kT;
      problem.op_b = random() % 2 ? Op::kN : Op::kT;
      problem.a.ld = problem.op_a == Op::kN ? m : k;
      problem.b.ld = problem.op_b == Op::kN ? k : n;
      if (i % 3 == 1) problem.fast_math = kFastTF32;
      if (i % 6 == 5) problem.fast_math = kFastBF16x9;
      if (types.compute == Compute::kF16) problem.fast_math = kFastF16Sums;
      if (i % 7 == 2) ++problem.a.ld;  // nothing but the element's alignment
      if (i % 11 == 3) problem.batch_count = 32;
      if (tiny) problem.batch_count = 1000 * few();
      if (i % 9 == 4) {
        problem.batch_count = 1 + static_cast<int64_t>(random() % 32);
        if (many) problem.batch_count *= 64;
        problem.batch_kind = BatchKind::kPointers;
      }
      ++wins[static_cast<size_t>(select(problem, gpu, {}).row)];
    }
  }
  return wins;
}

// A row that no shape selects is dead weight: each must win on one of the architectures that have
// it in their tables (a family's list is shared by several). Where a faster family has the same
// key, the reference rows stay all the same: they are its oracle.
TEST(Select, EveryRowIsTheChoiceForSomeShape) {
  std::map<std::string, int> wins;
  std::set<std::string> oracles;
  std::vector<DeviceCaps> gpus(synthetic_gpus().begin(), synthetic_gpus().end());
  gpus.push_back(find_chip("RTX 2080 Ti")->caps);
  for (const DeviceCaps& gpu : gpus) {
    const auto rows = table_of(gpu.table_cc);
    const std::vector<int> here = wins_of(gpu);
    for (size_t r = 0; r < rows.size(); ++r) {
      wins[rows[r].name] += here[r];
      for (const KernelRow& other : rows) {
        if (is_reference(rows[r]) && !is_reference(other) && other.key == rows[r].key) {
          oracles.insert(rows[r].name);
        }
      }
    }
  }
  for (const auto& [name, count] : wins) {
    if (!oracles.contains(name)) {
      EXPECT_GT(count, 0) << name;
    }
  }
}

TEST(Select, LargeAndSmallSquaresTakeLargeAndSmallTiles) {
  const auto chosen = [](int64_t n) -> const KernelRow& {
    const GemmProblem p = plain_problem(DataType::kF32, DataType::kF32, Compute::kF32, n, n, n);
    return table_of(90)[static_cast<size_t>(select(p, synthetic_gpu(90), Policy{}).row)];
  };
  EXPECT_GE(chosen(8192).tile_m * chosen(8192).tile_n, 128 * 64);
  EXPECT_LE(chosen(256).tile_m * chosen(256).tile_n, 64 * 32);
}

TEST(Select, OneRowOrColumnIsNotRounded) {
  for (const auto& [m, n, k] : {std::array{400, 1, 96}, std::array{1, 4096, 4096}}) {
    GemmProblem p = plain_problem(DataType::kF32, DataType::kF32, Compute::kF32, m, n, k);
    p.fast_math = kFastTF32;
    p.op_a = Op::kT;
    p.a.ld = k;
    for (const DeviceCaps& gpu : synthetic_gpus()) {
      const Plan plan = select(p, gpu, Policy{});
      const KernelRow& row = table_of(gpu.table_cc)[static_cast<size_t>(plan.row)];
      EXPECT_EQ(row.needs_fast, kFastNone) << row.name;
    }
  }
}

// Where both have the full rate, sums in fp16 gain nothing.
TEST(Select, GeForceAloneSumsInFp16) {
  for (const Chip& chip : chips()) {
    GemmProblem p = plain_problem(DataType::kF16, DataType::kF16, Compute::kF16, 4096, 4096, 4096);
    const auto sums_in_f16_here = [&] {
      const Plan plan = select(p, chip.caps, Policy{});
      return sums_in_f16(table_of(chip.caps.table_cc)[static_cast<size_t>(plan.row)]);
    };
    p.fast_math = kFastF16Sums;
    const bool is_geforce = std::string_view(chip.caps.name).starts_with("RTX ") &&
                            !std::string_view(chip.caps.name).starts_with("RTX PRO");
    EXPECT_EQ(sums_in_f16_here(), is_geforce) << chip.caps.name;
    p.fast_math = kFastNone;
    EXPECT_FALSE(sums_in_f16_here()) << chip.caps.name;
  }
}

// Dot products stream the larger operand, where neither is small: which one that is, TN leaves
// open.
TEST(Select, DotProductsStreamTheLargerOperand) {
  for (const DataType type : {DataType::kF32, DataType::kF64}) {
    const Compute compute = type == DataType::kF32 ? Compute::kF32 : Compute::kF64;
    for (const auto& [m, n] : {std::array{1000, 5}, std::array{5, 1000}}) {
      GemmProblem p = plain_problem(type, type, compute, m, n, 1000);
      p.op_a = Op::kT;
      p.a.ld = 1000;
      for (const DeviceCaps& gpu : synthetic_gpus()) {
        const Plan plan = select(p, gpu, Policy{});
        const KernelRow& row = table_of(gpu.table_cc)[static_cast<size_t>(plan.row)];
        if (row.pipe != Pipe::kMemory || row.trans == kAnyTrans) continue;
        EXPECT_EQ(row.tile_m > row.tile_n, m > n) << row.name << " for " << m << " x " << n;
      }
    }
  }
}

TEST(Select, OneRowInFp64IsNoTensorCores) {
  for (const DataType type : {DataType::kF64, DataType::kCF64}) {
    for (const int64_t k : {16, 32, 64, 512, 4096}) {
      for (const auto& [m, n] : {std::pair{1, 904}, std::pair{1251, 1}}) {
        GemmProblem p = plain_problem(type, type, Compute::kF64, m, n, k);
        p.op_a = n == 1 ? Op::kT : Op::kN;
        p.a.ld = n == 1 ? k : m;
        p.a.stride = m * k;
        p.b.stride = k * n;
        p.c.stride = static_cast<int64_t>(m) * n;
        p.batch_count = 482;
        for (const int cc : {80, 90}) {
          const Plan plan = select(p, synthetic_gpu(cc), Policy{});
          const KernelRow& row = table_of(cc)[static_cast<size_t>(plan.row)];
          EXPECT_NE(row.pipe, Pipe::kMma) << row.name << " for " << m << " x " << n << " x " << k;
        }
      }
    }
  }
}

TEST(Select, FewerSmsPredictMoreTime) {
  const GemmProblem p =
      plain_problem(DataType::kF32, DataType::kF32, Compute::kF32, 4096, 4096, 4096);
  DeviceCaps half = synthetic_gpu(90);
  half.sm_count /= 2;
  EXPECT_GT(select(p, half, Policy{}).predicted_us,
            1.8 * select(p, synthetic_gpu(90), Policy{}).predicted_us);
}

TEST(Select, ExplainNamesEveryRowOfTheKeyWithItsFate) {
  char* text = nullptr;
  size_t size = 0;
  std::FILE* out = open_memstream(&text, &size);
  const GemmProblem p = plain_problem(DataType::kF32, DataType::kF32, Compute::kF32, 100, 200, 300);
  explain(out, p, synthetic_gpu(90), Policy{});
  std::fclose(out);
  const std::string explained(text);
  std::free(text);
  for (const KernelRow& row : table_of(90)) {
    const bool same_key = row.key == key_of(p);
    EXPECT_EQ(explained.find(row.name) != std::string::npos, same_key) << row.name;
  }
  EXPECT_NE(explained.find("m=100 n=200 k=300"), std::string::npos);
  EXPECT_NE(explained.find("myblas: -> "), std::string::npos);
  EXPECT_NE(explained.find("predicted"), std::string::npos);
}

}  // namespace
}  // namespace myblas::testing
