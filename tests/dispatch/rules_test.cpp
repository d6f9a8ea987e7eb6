// SPDX-License-Identifier: BSD-3-Clause
// Every reason for which a row can be refused, each with a row that differs in that point alone.
#include <gtest/gtest.h>

#include "synthetic_gpus.h"

namespace myblas::testing {
namespace {

Status no_launch(const LaunchRequest&) { return Status::kSuccess; }

KernelRow demanding_row() {
  KernelRow row{};
  row.name = "row_under_test";
  row.key = {DataType::kF16, DataType::kF16, Compute::kF32};
  row.trans = kAnyTrans;
  row.needs_fast = kFastNone;
  row.cc_min = 80;
  row.cc_max = 90;
  row.tile_m = row.tile_n = 128;
  row.tile_k = 32;
  row.stages = 3;
  row.threads = 256;
  row.blocks_per_sm = 1;
  row.pipe = Pipe::kMma;
  row.percent = 90;
  row.max_parts = 1;
  row.align_a = row.align_b = row.align_c = 16;
  row.smem_bytes = 96 * 1024;
  row.max_offset = int64_t{1} << 31;
  row.launch = no_launch;
  return row;
}

GemmProblem half_problem(int64_t m = 512, int64_t n = 512, int64_t k = 512) {
  return plain_problem(DataType::kF16, DataType::kF16, Compute::kF32, m, n, k);
}

TEST(Rules, AcceptsWhatTheRowWasMadeFor) {
  EXPECT_EQ(check(demanding_row(), half_problem(), synthetic_gpu(90)), Reject::kNone);
}

TEST(Rules, KeyMustMatchInEveryPart) {
  const auto verdict = [](DataType ab, DataType c, Compute compute) {
    return check(demanding_row(), plain_problem(ab, c, compute, 512, 512, 512), synthetic_gpu(90));
  };
  EXPECT_EQ(verdict(DataType::kBF16, DataType::kF16, Compute::kF32), Reject::kKey);
  EXPECT_EQ(verdict(DataType::kF16, DataType::kF32, Compute::kF32), Reject::kKey);
  EXPECT_EQ(verdict(DataType::kF16, DataType::kF16, Compute::kS32), Reject::kKey);
  // COMPUTE_16F may be summed in fp32: the same rows serve it.
  EXPECT_EQ(verdict(DataType::kF16, DataType::kF16, Compute::kF16), Reject::kNone);
}

// -128 * -128 * 2^17 is 2^31.
TEST(Rules, Int8SumsDoNotWrapAheadOfFp32) {
  KernelRow row = demanding_row();
  const auto verdict = [&row](DataType c, Compute compute, int64_t k) {
    row.key = {DataType::kS8, c, compute};
    return check(row, plain_problem(DataType::kS8, c, compute, 512, 512, k), synthetic_gpu(90));
  };
  constexpr int64_t kWraps = int64_t{1} << 17;
  EXPECT_EQ(verdict(DataType::kF32, Compute::kF32, kWraps - 16), Reject::kNone);
  EXPECT_EQ(verdict(DataType::kF32, Compute::kF32, kWraps), Reject::kDepth);
  EXPECT_EQ(verdict(DataType::kS32, Compute::kS32, kWraps), Reject::kNone);  // C wraps as well
  row.pipe = Pipe::kPlain;
  EXPECT_EQ(verdict(DataType::kF32, Compute::kF32, kWraps), Reject::kNone);
}

TEST(Rules, TranspositionsAreASet) {
  KernelRow row = demanding_row();
  row.trans = kTN | kNN;
  const Op ops[] = {Op::kN, Op::kT, Op::kC};
  for (Op a : ops) {
    for (Op b : ops) {
      GemmProblem p = half_problem();
      p.op_a = a;
      p.op_b = b;
      EXPECT_EQ(check(row, p, synthetic_gpu(90)), b == Op::kN ? Reject::kNone : Reject::kTrans);
    }
  }
}

TEST(Rules, APermissionMustHaveBeenGiven) {
  KernelRow row = demanding_row();
  row.needs_fast = kFastTF32;
  GemmProblem p = half_problem();
  EXPECT_EQ(check(row, p, synthetic_gpu(90)), Reject::kFastMath);
  p.fast_math = kFastF16;
  EXPECT_EQ(check(row, p, synthetic_gpu(90)), Reject::kFastMath);
  p.fast_math = kFastF16 | kFastTF32;
  EXPECT_EQ(check(row, p, synthetic_gpu(90)), Reject::kNone);
}

TEST(Rules, ArchitectureIsTheChipsNotTheTables) {
  EXPECT_EQ(check(demanding_row(), half_problem(), synthetic_gpu(75)), Reject::kArch);
  EXPECT_EQ(check(demanding_row(), half_problem(), synthetic_gpu(120)), Reject::kArch);
  DeviceCaps forced = synthetic_gpu(90);
  forced.table_cc = 80;  // MYBLAS_TARGET=sm_80 on a newer chip
  EXPECT_EQ(check(demanding_row(), half_problem(), forced), Reject::kNone);
}

TEST(Rules, SharedMemoryMustFitABlock) {
  DeviceCaps small = synthetic_gpu(90);
  small.smem_per_block = 96 * 1024 - 1;
  EXPECT_EQ(check(demanding_row(), half_problem(), small), Reject::kSmem);
}

TEST(Rules, AlignmentCountsPointersColumnsAndBatchStrides) {
  const auto verdict = [](auto change) {
    GemmProblem p = half_problem();
    p.batch_count = 2;
    change(p);
    return check(demanding_row(), p, synthetic_gpu(90));
  };
  const auto shifted = [](const void* base, uintptr_t bytes) {
    return reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(base) + bytes);
  };
  EXPECT_EQ(verdict([](GemmProblem&) {}), Reject::kNone);
  EXPECT_EQ(verdict([&](GemmProblem& p) { p.a.base = shifted(p.a.base, 2); }), Reject::kAlign);
  EXPECT_EQ(verdict([&](GemmProblem& p) { p.b.base = shifted(p.b.base, 8); }), Reject::kAlign);
  EXPECT_EQ(verdict([&](GemmProblem& p) { p.c.base = shifted(p.c.base, 16); }), Reject::kNone);
  EXPECT_EQ(verdict([](GemmProblem& p) { p.a.ld += 1; }), Reject::kAlign);
  EXPECT_EQ(verdict([](GemmProblem& p) { p.b.ld += 4; }), Reject::kAlign);
  EXPECT_EQ(verdict([](GemmProblem& p) { p.c.ld += 8; }), Reject::kNone);
  EXPECT_EQ(verdict([](GemmProblem& p) { p.c.stride += 1; }), Reject::kAlign);
  EXPECT_EQ(verdict([](GemmProblem& p) { p.a.stride = 0; }), Reject::kNone);
  // One matrix: its stride is never used.
  EXPECT_EQ(verdict([](GemmProblem& p) { p.batch_count = 1, p.c.stride += 1; }), Reject::kNone);
  // Pointers that lie in device memory promise no more than an element.
  EXPECT_EQ(verdict([](GemmProblem& p) { p.batch_kind = BatchKind::kPointers; }), Reject::kAlign);
}

// Such kernels look where each matrix begins; that columns are aligned they cannot mend.
TEST(Rules, KernelsForPointersNeedAlignedColumnsAlone) {
  KernelRow row = demanding_row();
  row.by_pointers = true;
  GemmProblem p = half_problem();
  p.batch_count = 2;
  p.batch_kind = BatchKind::kPointers;
  EXPECT_EQ(check(row, p, synthetic_gpu(90)), Reject::kNone);
  for (Matrix* matrix : {&p.a, &p.b}) {
    matrix->ld += 4;
    EXPECT_EQ(check(row, p, synthetic_gpu(90)), Reject::kAlign);
    matrix->ld -= 4;
  }
  p.batch_kind = BatchKind::kStrided;
  EXPECT_EQ(check(row, p, synthetic_gpu(90)), Reject::kBatch);
}

TEST(Rules, EpiloguesNeedAKernelThatHasThem) {
  KernelRow row = demanding_row();
  row.takes_epilogue = false;
  GemmProblem p = half_problem();
  EXPECT_EQ(check(row, p, synthetic_gpu(90)), Reject::kNone);
  p.epilogue.activation = Activation::kRelu;
  EXPECT_EQ(check(row, p, synthetic_gpu(90)), Reject::kEpilogue);
  p.epilogue = {p.a.base, 0, Activation::kIdentity};
  EXPECT_EQ(check(row, p, synthetic_gpu(90)), Reject::kEpilogue);
  row.takes_epilogue = true;
  EXPECT_EQ(check(row, p, synthetic_gpu(90)), Reject::kNone);
}

// What every table ends in takes whatever others refuse.
TEST(Rules, EveryTableServesEpilogues) {
  for (const int cc : {75, 80, 86, 89, 90, 100, 120}) {
    for (const DataType type : {DataType::kF16, DataType::kBF16, DataType::kF32, DataType::kF64}) {
      GemmProblem p = half_problem(7, 5, 3);
      p.ab_type = p.c_type = type;
      if (type == DataType::kF64) p.compute = Compute::kF64;
      p.a.ld = p.b.ld = p.c.ld = 31;
      p.epilogue.bias = p.a.base;
      const Plan plan = select(p, synthetic_gpu(cc), Policy{});
      ASSERT_GE(plan.row, 0) << cc;
      EXPECT_TRUE(table_of(cc)[static_cast<size_t>(plan.row)].takes_epilogue) << cc;
    }
  }
}

TEST(Rules, OffsetsPastTheRowsReachAreRefused) {
  const int64_t side = 1 << 16;
  const auto verdict = [](const GemmProblem& p) {
    return check(demanding_row(), p, synthetic_gpu(90));
  };
  EXPECT_EQ(verdict(half_problem(side, side / 2 - 8, 64)), Reject::kNone);  // C just below 2^31
  EXPECT_EQ(verdict(half_problem(side, side, 64)), Reject::kOffset);        // C: 2^32
  EXPECT_EQ(verdict(half_problem(side, 64, side)), Reject::kOffset);        // A: 2^32
  EXPECT_EQ(verdict(half_problem(64, side, side)), Reject::kOffset);        // B: 2^32
  GemmProblem wide_columns = half_problem(64, 64, 64);
  wide_columns.b.ld = int64_t{1} << 40;
  EXPECT_EQ(verdict(wide_columns), Reject::kOffset);
  GemmProblem overflowing = half_problem(64, 64, 64);
  overflowing.a.ld = int64_t{1} << 61;
  EXPECT_EQ(verdict(overflowing), Reject::kOffset);
}

TEST(Rules, EveryReasonHasWords) {
  for (int reason = 0; reason <= static_cast<int>(Reject::kNotBuilt); ++reason) {
    EXPECT_STRNE(describe(static_cast<Reject>(reason)), "?") << reason;
  }
}

}  // namespace
}  // namespace myblas::testing
