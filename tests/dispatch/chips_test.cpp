// SPDX-License-Identifier: BSD-3-Clause
// The table of chips against their data sheets, and the paper model against what it was made from.
#include "dispatch/chips.h"

#include <gtest/gtest.h>

#include <cmath>

#include "dispatch/cost.h"
#include "dispatch/paper_model.h"
#include "dispatch/select.h"
#include "synthetic_gpus.h"

namespace myblas {
namespace {

constexpr GemmKey kF32Key = {DataType::kF32, DataType::kF32, Compute::kF32};
constexpr GemmKey kF16Key = {DataType::kF16, DataType::kF16, Compute::kF32};
constexpr GemmKey kS8Key = {DataType::kS8, DataType::kS32, Compute::kS32};

KernelRow mma_row(int tile_m, int tile_n, int threads, int percent) {
  KernelRow row{};
  row.name = "row";
  row.key = kF16Key;
  row.tile_m = tile_m;
  row.tile_n = tile_n;
  row.tile_k = 32;
  row.stages = 3;
  row.threads = threads;
  row.blocks_per_sm = 1;
  row.pipe = Pipe::kMma;
  row.percent = percent;
  row.align_a = row.align_b = 16;
  row.smem_bytes = 49152;
  return row;
}

TEST(Chips, PeaksAreTheDataSheets) {
  const struct {
    const char* chip;
    double f32, tf32, f16, s8;  // 0: none
  } sheets[] = {
      {"T4", 8.1, 0, 65, 130},
      {"RTX 2080 Ti", 13.4, 0, 53.8, 215},
      {"A100", 19.5, 156, 312, 624},
      {"RTX 3090", 35.6, 35.6, 71, 284},
      {"A10", 31.2, 62.5, 125, 250},
      {"RTX 4090", 82.6, 82.6, 165.2, 660},
      {"L4", 30.3, 60, 121, 242},
      {"L40S", 91.6, 183, 366, 733},
      {"RTX 5070 Ti", 43.9, 43.9, 87.9, 352},
      {"RTX 5090", 104.8, 104.8, 209.5, 838},
      {"RTX PRO 6000", 125, 250, 500, 1000},
  };
  for (const auto& sheet : sheets) {
    const Chip* chip = find_chip(sheet.chip);
    ASSERT_NE(chip, nullptr) << sheet.chip;
    EXPECT_NEAR(peak_tflops(*chip, kF32Key, kFastNone) / sheet.f32, 1.0, 0.02) << sheet.chip;
    EXPECT_NEAR(peak_tflops(*chip, kF16Key, kFastNone) / sheet.f16, 1.0, 0.02) << sheet.chip;
    EXPECT_NEAR(peak_tflops(*chip, kS8Key, kFastNone) / sheet.s8, 1.0, 0.02) << sheet.chip;
    if (sheet.tf32 > 0) {
      EXPECT_NEAR(peak_tflops(*chip, kF32Key, kFastTF32) / sheet.tf32, 1.0, 0.02) << sheet.chip;
    }
  }
}

// 64x64 warps on 256 x 128: what T4, A100 and GeForce ask of shared memory, bytes a clock.
TEST(PaperModel, SharedMemoryDemandFollowsTheWarpTile) {
  EXPECT_NEAR(smem_bytes_per_clock(mma_row(256, 128, 256, 50), 1024), 88.0, 0.5);
  EXPECT_NEAR(smem_bytes_per_clock(mma_row(128, 128, 128, 50), 1024), 96.0, 0.5);
  EXPECT_NEAR(smem_bytes_per_clock(mma_row(128, 128, 256, 50), 1024), 128.0, 0.5);
  EXPECT_NEAR(smem_bytes_per_clock(mma_row(64, 64, 128, 50), 256), 48.0, 0.5);
  // A warp that only loads takes no part of the tile.
  EXPECT_EQ(smem_bytes_per_clock(mma_row(256, 128, 288, 50), 1024),
            smem_bytes_per_clock(mma_row(256, 128, 256, 50), 1024));
}

double share_of_peak(const char* name, const KernelRow& row) {
  return rate_on(row, find_chip(name)->caps).share;
}

// A kernel at 500 TFLOP/s on the H200 (75 % of its mma.sync peak) is what published kernels of this
// shape are on the chips that it was made for.
TEST(PaperModel, AgreesWithPublishedKernels) {
  const KernelRow row = mma_row(256, 128, 256, 75);
  EXPECT_NEAR(share_of_peak("RTX 4090", mma_row(128, 128, 256, 75)), 0.935, 0.03);  // seed b, K3b
  EXPECT_NEAR(share_of_peak("RTX 5090", row), 0.96, 0.03);                          // gau-nernst
  EXPECT_NEAR(share_of_peak("A100", row), 0.87, 0.03);                              // CUTLASS
  EXPECT_NEAR(share_of_peak("RTX 3090", row), 0.97, 0.03);
}

TEST(PaperModel, AKernelIsNoFasterThanItWasFed) {
  // 25 % of 1280 FMA a clock: 320, of 1024 on an A100.
  EXPECT_NEAR(share_of_peak("A100", mma_row(256, 128, 256, 25)), 0.31, 0.01);
  EXPECT_STREQ(rate_on(mma_row(256, 128, 256, 25), find_chip("A100")->caps).bound,
               "what fed it on the H200");
  EXPECT_GT(share_of_peak("RTX 4090", mma_row(256, 128, 256, 25)), 0.9);
}

TEST(PaperModel, LeavesTheChipThatWasMeasuredAlone) {
  DeviceCaps caps = find_chip("H200")->caps;
  for (const int table_cc : {80, 90, 120}) {
    caps.table_cc = table_cc;
    for (const KernelRow& row : table_of(table_cc)) {
      EXPECT_EQ(rate_on(row, caps).share, row.percent / 100.0) << row.name;
    }
  }
}

TEST(PaperModel, GivesEveryRowOfEveryTableSenseOnItsChips) {
  for (const Chip& chip : chips()) {
    for (const KernelRow& row : table_of(chip.caps.table_cc)) {
      if (row.smem_bytes > chip.caps.smem_per_block) continue;  // refused there
      const double share = rate_on(row, chip.caps).share;
      EXPECT_GT(share, 0.0) << chip.caps.name << ' ' << row.name;
      EXPECT_LE(share, 1.0) << chip.caps.name << ' ' << row.name;
    }
  }
}

// Where tensor cores are slow, small tiles feed them as well as large ones, and fill more SMs.
TEST(PaperModel, ChoosesTilesThatFillASlowerChip) {
  const GemmProblem p =
      testing::plain_problem(DataType::kBF16, DataType::kBF16, Compute::kF32, 1024, 1024, 1024);
  const DeviceCaps& caps = find_chip("RTX 4090")->caps;
  const Plan plan = select(p, caps, Policy{});
  const KernelRow& row = table_of(89)[static_cast<size_t>(plan.row)];
  EXPECT_GE((p.m / row.tile_m) * (p.n / row.tile_n) * plan.parts, caps.sm_count) << row.name;
}

TEST(PaperModel, PredictsNoMoreThanThePeak) {
  constexpr int64_t kSize = 4096;
  int predictions = 0;
  for (const Chip& chip : chips()) {
    for (const KernelRow& row : table_of(chip.caps.table_cc)) {
      GemmProblem p =
          testing::plain_problem(row.key.ab, row.key.c, row.key.acc, kSize, kSize, kSize);
      p.fast_math = row.needs_fast;
      if (is_complex(row.key.c) || check(row, p, chip.caps) != Reject::kNone) continue;
      const double us = predict_us(row, p, chip.caps, 1);
      const double flops = 2.0 * kSize * kSize * kSize;
      EXPECT_LT(flops / us * 1e-6, peak_tflops(chip, row.key, row.needs_fast))
          << chip.caps.name << ' ' << row.name;
      ++predictions;
    }
  }
  EXPECT_GT(predictions, 100);
}

}  // namespace
}  // namespace myblas
