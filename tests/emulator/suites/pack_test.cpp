// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// suites/pack_test.cpp: the kernels that repack operands, by themselves over all modes, odd sizes,
// addresses and batches, and in front of products.
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

TEST_P(EmulatorPack, ReachesColumnsPast32Bits) { EXPECT_EQ(run_far_pack(GetParam()), ""); }

// The words of a transposed tile meet every bank once.
TEST_P(EmulatorPack, HasNoBankConflicts) {
  PackCase one = pack_cases(GetParam(), 1, 1).front();
  one.problem.m = one.problem.k = one.problem.n = 128;
  one.problem.op_a = one.problem.op_b = Op::kN;
  one.problem.a = one.problem.b = {nullptr, 128, 0};
  one.problem.batch_count = 1;
  if (one.packing.in_terms) GTEST_SKIP() << "its words are not counted";
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

// ---- in front of products ---------------------------------------------------------------------

// One row of all layouts, one that takes two of them, and two that take one; rows for batches of
// pointers; and one whose operands may have to be conjugated.
constexpr const char* kRows[] = {"hgemm_wgmma_bf16_bf16_64x64x64",
                                 "hgemm_wgmma_bf16_f32_64x16x64",
                                 "gemm_wgmma_tf32_f32_64x32x32",
                                 "gemm_wgmma_s8_s32_64x64x128",
                                 "hgemm_wgmma_pointers_bf16_bf16_64x64x64",
                                 "gemm_wgmma_pointers_s8_s32_64x64x128",
                                 "gemm_wgmma_pointers_tf32_f32_64x64x32",
                                 "cgemm_tma_32x32x32"};

bool kernels_are_here() {
  load_all_kernels();
  return emulator::find_kernel(kPackKernels[1]) != nullptr &&
         emulator::find_kernel(kRows[0]) != nullptr;
}

GemmCase unaligned_case(const KernelRow& row, uint64_t seed) {
  Random random(mix(seed));
  GemmCase gemm;
  gemm.combo = combos_of(row).front();
  gemm.op_a = seed % 2 == 0 ? MYBLAS_OP_N : seed / 4 % 2 == 0 ? MYBLAS_OP_T : MYBLAS_OP_C;
  gemm.op_b = seed / 2 % 2 == 0 ? MYBLAS_OP_N : seed / 8 % 2 == 0 ? MYBLAS_OP_T : MYBLAS_OP_C;
  gemm.m = 1 + random.below(150);
  gemm.n = 1 + random.below(100);
  gemm.k = 1 + random.below(200);
  // Of the two at least one is off its address.
  gemm.offset_a = random.below(8);
  gemm.offset_b = gemm.offset_a == 0 ? 1 : random.below(2);
  gemm.pad_a = random.below(9);
  gemm.pad_b = random.below(9);
  const bool batched = random.chance(0.4) || row.by_pointers;
  if (batched) {
    gemm.batch = 3;
    gemm.stride_a = random.pick({Stride::kTight, Stride::kBroadcast, Stride::kNegative});
    gemm.stride_b = random.pick({Stride::kTight, Stride::kBroadcast, Stride::kPadded});
  }
  const BatchKind of_batch = row.by_pointers ? BatchKind::kPointers : BatchKind::kStrided;
  gemm.entry = entries_for(*gemm.combo, batched ? of_batch : BatchKind::kNone).at(0);
  gemm.alpha = {random.chance(0.1) ? 0.0 : 2.0, 0.0};
  gemm.beta = {random.chance(0.5) ? 0.0 : -1.0, 0.0};
  gemm.device_scalars = random.chance(0.4);
  gemm.seed = random.next();
  return gemm;
}

TEST(EmulatorPacked, EveryLayoutOfUnalignedOperands) {
  if (!kernels_are_here()) GTEST_SKIP() << "not in this build";
  for (const char* name : kRows) {
    RowHandle handle(find_row(name));
    for (uint64_t seed = 0; seed < 120; ++seed) {
      const GemmCase gemm = unaligned_case(handle.row(), seed);
      ASSERT_TRUE(handle.run(gemm, settings_of(seed)));
      ASSERT_TRUE(handle.served()) << to_line(gemm);
    }
  }
}

// The memory is the stream's: it grows when a call needs more, and a call that gets none is served
// where its operands lie.
TEST(EmulatorPacked, MemoryGrowsAndMayBeMissing) {
  if (!kernels_are_here()) GTEST_SKIP() << "not in this build";
  RowHandle handle(find_row(kRows[0]));
  GemmCase gemm = unaligned_case(handle.row(), 1);
  gemm.batch = 1;
  gemm.entry = entries_for(*gemm.combo, BatchKind::kNone).at(0);
  gemm.alpha = {1.0, 0.0};
  const auto run = [&](int64_t k) {
    gemm.m = gemm.n = 3;
    gemm.k = k;
    return handle.run(gemm, settings_of(static_cast<uint64_t>(k)));
  };
  emulator::refuse_memory(true);
  EXPECT_TRUE(run(100));
  EXPECT_FALSE(handle.served());
  emulator::refuse_memory(false);
  for (const int64_t k : {100, 90000, 101, 180000}) {
    EXPECT_TRUE(run(k));
    EXPECT_TRUE(handle.served()) << k;
  }
  // No more of it, and it was given back: nothing may be launched on what is gone.
  emulator::refuse_memory(true);
  EXPECT_TRUE(run(360000));
  EXPECT_FALSE(handle.served());
  EXPECT_TRUE(run(100));
  EXPECT_FALSE(handle.served());
  emulator::refuse_memory(false);
}

// Captured calls pack into the user's workspace, and into memory of the graph only where there is
// no workspace: a graph may stand where memory nodes are not allowed.
TEST(EmulatorPacked, CapturesTakeTheWorkspaceOrNoMemory) {
  if (!kernels_are_here()) GTEST_SKIP() << "not in this build";
  RowHandle handle(find_row(kRows[0]), {"1"});  // one handle, which gets the workspace
  GemmCase gemm = unaligned_case(handle.row(), 1);
  gemm.batch = 1;
  gemm.entry = entries_for(*gemm.combo, BatchKind::kNone).at(0);
  gemm.alpha = {1.0, 0.0};
  gemm.device_scalars = false;
  gemm.m = gemm.n = 3;
  gemm.k = 100;
  // Whether the row itself served the call.
  const auto packs = [&] {
    EXPECT_TRUE(handle.run(gemm, settings_of(1)));
    return handle.served();
  };
  constexpr size_t kEnough = size_t{1} << 20, kTooLittle = 256;
  DeviceMemory workspace(emulated_device(), kEnough);
  emulator::pretend_to_capture(true);
  emulator::refuse_memory(true);  // of the graph
  ASSERT_EQ(myblasSetWorkspace(handle.get(), workspace.data(), kEnough), MYBLAS_STATUS_SUCCESS);
  EXPECT_TRUE(packs());
  emulator::refuse_memory(false);
  ASSERT_EQ(myblasSetWorkspace(handle.get(), workspace.data(), kTooLittle), MYBLAS_STATUS_SUCCESS);
  EXPECT_FALSE(packs());
  ASSERT_EQ(myblasSetStream(handle.get(), nullptr), MYBLAS_STATUS_SUCCESS);  // forgets it
  EXPECT_TRUE(packs());
  emulator::pretend_to_capture(false);
}

}  // namespace
}  // namespace myblas::test
