// SPDX-License-Identifier: BSD-3-Clause
// Operands that a row cannot read as they lie: which are packed, into what, and when that is worth
// it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "dispatch/cost.h"
#include "dispatch/cost_constants.h"
#include "kernels/common/tma_shape.h"
#include "synthetic_gpus.h"

namespace myblas::testing {
namespace {

const DeviceCaps& h200() { return synthetic_gpu(90); }

GemmProblem bf16_problem(int64_t m, int64_t n, int64_t k) {
  return plain_problem(DataType::kBF16, DataType::kBF16, Compute::kF32, m, n, k);
}

const void* shifted(const void* base, uintptr_t bytes) {
  return reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(base) + bytes);
}

const KernelRow& row_of(const Plan& plan) { return table_of(90)[static_cast<size_t>(plan.row)]; }

const KernelRow& row_named(const char* name) {
  for (const KernelRow& row : table_of(90)) {
    if (std::strcmp(row.name, name) == 0) return row;
  }
  std::abort();
}

// A row of the sm_90 table that takes these layouts alone.
KernelRow row_for(uint8_t trans) {
  KernelRow row = row_named("hgemm_wgmma_bf16_bf16_128x128x64");
  row.trans = trans;
  return row;
}

Packing packing_of(const KernelRow& row, const GemmProblem& problem,
                   const DeviceCaps& caps = h200()) {
  Packing packing;
  EXPECT_EQ(check_or_pack(row, problem, caps, &packing), Reject::kNone);
  return packing;
}

Reject refusal(const KernelRow& row, const GemmProblem& problem, const DeviceCaps& caps = h200()) {
  Packing packing;
  const Reject reject = check_or_pack(row, problem, caps, &packing);
  EXPECT_EQ(packing.operands, kPackNone);
  return reject;
}

TEST(Packing, LargeUnalignedProductsTakeWgmmaRows) {
  for (const int64_t side : {2048, 4096, 8192}) {
    GemmProblem p = bf16_problem(side, side, side);
    EXPECT_EQ(select(p, h200(), {}).packing.operands, kPackNone);
    p.a.base = shifted(p.a.base, 2);
    EXPECT_EQ(select(p, h200(), {}).packing.operands, kPackA);
    EXPECT_EQ(row_of(select(p, h200(), {})).pipe, Pipe::kWgmma);
    p.a.base = shifted(p.a.base, 14);
    p.b.ld += 1;
    EXPECT_EQ(select(p, h200(), {}).packing.operands, kPackB);
    p.a.ld += 4;
    EXPECT_EQ(select(p, h200(), {}).packing.operands, kPackA | kPackB);
    EXPECT_EQ(row_of(select(p, h200(), {})).pipe, Pipe::kWgmma);
  }
}

TEST(Packing, LargeUnalignedProductsOfOlderChipsTakeRowsOfWholeCopies) {
  for (const int cc : {75, 80, 86, 89, 120}) {
    const DataType type = cc == 75 ? DataType::kF16 : DataType::kBF16;
    GemmProblem p = plain_problem(type, type, Compute::kF32, 4096, 4096, 4096);
    p.a.base = shifted(p.a.base, 2);
    const Plan plan = select(p, synthetic_gpu(cc), {});
    const KernelRow& row = table_of(cc)[static_cast<size_t>(plan.row)];
    EXPECT_EQ(plan.packing.operands, kPackA) << cc << ' ' << row.name;
    EXPECT_EQ(row.pipe, Pipe::kMma) << cc << ' ' << row.name;
    EXPECT_EQ(row.align_a, 16) << cc << ' ' << row.name;
  }
}

TEST(Packing, SmallAndNarrowProductsAreReadWhereTheyLie) {
  for (const GemmProblem& p : {bf16_problem(7, 9, 33), bf16_problem(65, 5, 129),
                               bf16_problem(4095, 1, 4095), bf16_problem(1, 2047, 1023)}) {
    EXPECT_EQ(select(p, h200(), {}).packing.operands, kPackNone) << p.m << " " << p.n << " " << p.k;
  }
}

TEST(Packing, CostsItsOwnTime) {
  GemmProblem p = bf16_problem(4096, 4096, 4096);
  const KernelRow& row = row_named("hgemm_wgmma_bf16_bf16_256x128x64");
  const double aligned = predict_us(row, p, h200(), 1);
  Policy forced;
  std::snprintf(forced.kernel, sizeof forced.kernel, "%s", row.name);
  forced.division.parts = 1;
  p.a.base = shifted(p.a.base, 2);
  const Plan one = select(p, h200(), forced);
  p.b.base = shifted(p.b.base, 2);
  const Plan both = select(p, h200(), forced);
  const double us = 2.0 * 4096 * 4096 * 2 / (h200().dram_gb_per_s * 1e3 * kPackShare);
  EXPECT_NEAR(one.predicted_us, aligned + kPackLaunchUs + us, 0.01);
  EXPECT_NEAR(both.predicted_us, aligned + kPackLaunchUs + 2.0 * us, 0.01);
}

TEST(Packing, OnlyWhatItMendsAndWhereItCan) {
  const KernelRow row = row_for(kAnyTrans);
  GemmProblem p = bf16_problem(512, 512, 512);
  p.a.base = shifted(p.a.base, 2);
  EXPECT_EQ(packing_of(row, p).operands, kPackA);
  DeviceCaps without = h200();
  without.can_pack = false;
  EXPECT_EQ(refusal(row, p, without), Reject::kAlign);
  KernelRow other_pipe = row;
  other_pipe.pipe = Pipe::kMma;
  EXPECT_EQ(packing_of(other_pipe, p).operands, kPackA);  // which TMA feeds, as in fp64
  other_pipe.max_offset = kTmaMaxOffset + 1;              // which it does not
  EXPECT_EQ(refusal(other_pipe, p), Reject::kAlign);
  GemmProblem no_product = p;
  no_product.k = 0;
  EXPECT_EQ(refusal(row, no_product), Reject::kAlign);
  GemmProblem pointers = p;
  pointers.batch_kind = BatchKind::kPointers;
  EXPECT_EQ(refusal(row, pointers), Reject::kAlign);
  KernelRow aligned_c = row;
  aligned_c.align_c = 16;
  p.c.base = shifted(p.c.base, 2);
  EXPECT_EQ(refusal(aligned_c, p), Reject::kAlign);
  // Past what a row can index once packed; and what would take more memory than there may be.
  GemmProblem large = bf16_problem(1 << 14, 256, (1 << 15) + 1);
  large.b.base = shifted(large.b.base, 2);
  EXPECT_EQ(packing_of(row, large).operands, kPackB);
  large.a.base = shifted(large.a.base, 2);
  EXPECT_EQ(refusal(row, large), Reject::kAlign);
  for (const int64_t huge : {int64_t{1} << 31, int64_t{1} << 62}) {
    GemmProblem overflowing = bf16_problem(1, 1, huge);
    overflowing.a.ld = overflowing.b.ld = huge;
    overflowing.a.base = shifted(overflowing.a.base, 2);
    EXPECT_EQ(refusal(row, overflowing), Reject::kAlign);
  }
}

// TMA's maps go up in memory, and so do packed matrices.
TEST(Packing, BatchesThatGoDownAreTurnedRound) {
  const KernelRow row = row_for(kAnyTrans);
  GemmProblem p = bf16_problem(512, 512, 512);
  p.a.stride = p.b.stride = p.c.stride = -512 * 512;
  EXPECT_EQ(packing_of(row, p).operands, kPackNone);  // no batch
  p.batch_count = 8;
  EXPECT_EQ(refusal(row, p), Reject::kOffset);  // C cannot be turned
  p.c.stride = 512 * 512;
  EXPECT_EQ(packing_of(row, p).operands, kPackA | kPackB);
  p.a.stride = 512 * 512;
  EXPECT_EQ(packing_of(row, p).operands, kPackB);
  EXPECT_EQ(packed_problem(p, packing_of(row, p), nullptr).b.stride, 512 * 512);
  p.a.base = shifted(p.a.base, 2);
  EXPECT_EQ(packing_of(row, p).operands, kPackA | kPackB);
}

TEST(Packing, TransposesAsLittleAsTheRowAsksFor) {
  struct Case {
    uint8_t trans;
    Op op_a, op_b;
    Packing expected;
  };
  const Case cases[] = {
      {kTN, Op::kN, Op::kN, {kPackA, Op::kT, Op::kN}},
      {kTN, Op::kT, Op::kT, {kPackB, Op::kT, Op::kN}},
      {kTN, Op::kN, Op::kC, {kPackA | kPackB, Op::kT, Op::kN}},
      {kTN, Op::kC, Op::kN, {kPackNone, Op::kC, Op::kN}},
      {kNN | kTN, Op::kN, Op::kT, {kPackB, Op::kN, Op::kN}},
      {kNN | kTN, Op::kT, Op::kT, {kPackB, Op::kT, Op::kN}},
      {kNT, Op::kT, Op::kN, {kPackA | kPackB, Op::kN, Op::kT}},
      {kNT, Op::kC, Op::kC, {kPackA, Op::kN, Op::kC}},
  };
  for (const Case& one : cases) {
    GemmProblem p = bf16_problem(256, 512, 1024);
    p.op_a = one.op_a;
    p.op_b = one.op_b;
    p.a.ld = p.op_a == Op::kN ? p.m : p.k;
    p.b.ld = p.op_b == Op::kN ? p.k : p.n;
    const Packing packing = packing_of(row_for(one.trans), p);
    EXPECT_EQ(packing.operands, one.expected.operands);
    EXPECT_EQ(packing.op_a, one.expected.op_a);
    EXPECT_EQ(packing.op_b, one.expected.op_b);
    // What is not in the row's reach for another reason as well is packed for both at once.
    p.a.base = shifted(p.a.base, 2);
    EXPECT_EQ(packing_of(row_for(one.trans), p).operands, one.expected.operands | kPackA);
  }
}

TEST(Packing, ThePackedProblemLiesAsTmaNeedsIt) {
  auto* const memory = reinterpret_cast<void*>(uintptr_t{1} << 30);
  GemmProblem p = bf16_problem(100, 77, 333);
  p.batch_count = 3;
  p.a.ld = 101;
  p.b.ld = 333;
  p.b.stride = 0;
  const Packing packing{kPackA | kPackB, Op::kT, Op::kN};
  const GemmProblem packed = packed_problem(p, packing, memory);
  EXPECT_EQ(packed.op_a, Op::kT);
  EXPECT_EQ(packed.op_b, Op::kN);
  EXPECT_EQ(packed.a.base, memory);
  EXPECT_EQ(packed.a.ld, 384);  // 333 of k, in lines of 64
  EXPECT_EQ(packed.a.stride, 384 * 100);
  EXPECT_EQ(packed.b.ld, 384);
  EXPECT_EQ(packed.b.stride, 0);
  const size_t bytes_a = 2 * 384 * 100 * 3, bytes_b = 2 * 384 * 77;  // of 256 each
  EXPECT_EQ(packed.b.base, shifted(memory, bytes_a));
  EXPECT_EQ(packed_bytes(p, packing), bytes_a + bytes_b);
  EXPECT_EQ(packed.c.base, p.c.base);
  EXPECT_GE(alignment_bytes(packed.a, p.ab_type, packed), 128);
  EXPECT_GE(alignment_bytes(packed.b, p.ab_type, packed), 128);
  // What is not packed stays.
  const GemmProblem half = packed_problem(p, {kPackB, p.op_a, p.op_b}, memory);
  EXPECT_EQ(half.a.base, p.a.base);
  EXPECT_EQ(half.a.ld, p.a.ld);
  EXPECT_EQ(half.b.base, memory);
}

// Columns of 64 bytes or less: no line of the cache for each, and none across two.
TEST(Packing, ShortColumnsLieWithinLines) {
  auto* const memory = reinterpret_cast<void*>(uintptr_t{1} << 30);
  for (const auto& [rows, ld] : {std::pair{1, 8},
                                 {5, 8},
                                 {8, 8},
                                 {9, 16},
                                 {19, 32},
                                 {32, 32},
                                 {33, 64},
                                 {64, 64},
                                 {65, 128}}) {
    GemmProblem p = bf16_problem(rows, 77, 333);
    p.a.ld = rows;
    const GemmProblem packed = packed_problem(p, {kPackA, Op::kN, p.op_b}, memory);
    EXPECT_EQ(packed.a.ld, ld) << rows;
    EXPECT_EQ(packed.a.stride, int64_t{ld} * 333) << rows;
  }
}

TEST(Packing, ExplainSaysIt) {
  GemmProblem p = bf16_problem(4096, 4096, 4096);
  p.b.base = shifted(p.b.base, 2);
  char* text = nullptr;
  size_t size = 0;
  std::FILE* out = open_memstream(&text, &size);
  explain(out, p, h200(), Policy{});
  std::fclose(out);
  const std::string explained(text);
  std::free(text);
  const size_t chosen = explained.find("-> hgemm_wgmma");
  ASSERT_NE(chosen, std::string::npos);
  const std::string line = explained.substr(chosen, explained.find('\n', chosen) - chosen);
  EXPECT_TRUE(line.ends_with(", packs B")) << line;
}

}  // namespace
}  // namespace myblas::testing
