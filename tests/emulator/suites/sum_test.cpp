// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// suites/sum_test.cpp: the kernels that add up parts of k, by themselves over sizes, addresses and
// numbers of parts, and behind products.
//==============================================================================
#include <gtest/gtest.h>

#include "api/run_gemm.h"
#include "kernels/sum/launch_sum.h"
#include "suites/emulated_case.h"
#include "suites/sum_cases.h"

namespace myblas::test {
namespace {

class EmulatorSum : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    load_all_kernels();
    if (emulator::find_kernel(GetParam()) == nullptr) GTEST_SKIP() << "not in this build";
  }
};

TEST_P(EmulatorSum, AddsUpEveryPart) {
  uint64_t seed = 5;
  for (const SumCase& one : sum_cases(2, 250)) {
    seed = mix(seed);
    ASSERT_EQ(run_sum(GetParam(), one, settings_of(seed)), "")
        << "m " << one.m << " n " << one.n << " parts " << one.parts << " pad " << one.pad_c
        << " offset " << one.offset_c << " SMs " << one.sm_count << " alpha "
        << static_cast<int>(one.alpha) << " beta " << static_cast<int>(one.beta);
  }
}

INSTANTIATE_TEST_SUITE_P(Types, EmulatorSum, testing::ValuesIn(kSumKernels),
                         [](const auto& of) { return std::string(of.param); });

// ---- behind products --------------------------------------------------------------------------

struct Summed {
  const char* row;
  const char* combo;
};
constexpr Summed kSummed[] = {
    {"hgemm_wgmma_bf16_f32_64x64x64", "bf16_bf16_32F"},
    {"hgemm_wgmma_bf16_f32_pair_128x128x64", "bf16_f32_32F"},
    {"hgemm_wgmma_f16_f32_64x16x64", "f16_f16_16F"},
    {"gemm_wgmma_tf32_f32_64x32x32", "f32_f32_FAST_TF32"},
    {"sgemm_closed_64x64x16", "f32_f32_32F"},
    {"gemm_reference_f64_f64_64x64x16", "f64_f64_64F"},
    {"gemm_reference_c32_c32_64x64x8", "cf32_cf32_32F"},
    {"gemm_reference_c64_c64_64x64x16", "cf64_cf64_64F"},
};

GemmCase summed_case(const char* combo, uint64_t seed) {
  Random random(mix(seed));
  GemmCase gemm;
  gemm.combo = find_combo(combo);
  gemm.op_a = seed % 2 == 0 ? MYBLAS_OP_N : MYBLAS_OP_T;
  gemm.op_b = seed / 2 % 2 == 0 ? MYBLAS_OP_N : MYBLAS_OP_T;
  gemm.m = random.pick({1 + random.below(150), 8 * random.below(12) + 8});
  // 6 parts of the sums fit into the scratch of 2 SMs.
  gemm.n = 1 + random.below(gemm.combo->c == MYBLAS_C_64F ? 17 : 35);
  gemm.k = 840;  // in 2, 3, 4, 5 and 6 parts; of 280 and 140 elements, among others
  gemm.pad_a = random.pick({int64_t{0}, 8 - gemm.m % 8, random.below(9)});
  gemm.pad_c = random.below(4);
  gemm.offset_a = random.chance(0.7) ? 0 : random.below(8);
  gemm.offset_c = random.chance(0.7) ? 0 : random.below(4);
  gemm.entry = entries_for(*gemm.combo, BatchKind::kNone).at(0);
  gemm.alpha = {random.chance(0.1) ? 0.0 : 2.0, 0.0};
  gemm.beta = {random.chance(0.5) ? 0.0 : -1.0, 0.0};
  gemm.device_scalars = random.chance(0.4);
  gemm.seed = random.next();
  return gemm;
}

TEST(EmulatorSummed, ProductsOfPartsOfK) {
  load_all_kernels();
  for (const Summed& one : kSummed) {
    if (emulator::find_kernel(one.row) == nullptr) continue;
    if (emulator::find_kernel(kSumKernels[0]) == nullptr) GTEST_SKIP() << "not in this build";
    RowHandle handle({find_row(one.row).row, kSumCc}, {"2+sum", "3+sum", "6+sum"});
    for (uint64_t seed = 0; seed < 60; ++seed) {
      const GemmCase gemm = summed_case(one.combo, seed);
      ASSERT_TRUE(handle.run(gemm, settings_of(seed)));
      ASSERT_TRUE(handle.served()) << to_line(gemm);
    }
  }
}

// Parts of another length than the last one, by rows that stream.
TEST(EmulatorSummed, TheLastPartIsShorter) {
  constexpr Summed kStreams[] = {{"gemv_axpy_f32_f32_128x1x64", "f32_f32_32F"},
                                 {"gemv_axpy_f64_f64_1x64x64", "f64_f64_64F"},
                                 {"gemv_axpy_c64_c64_32x1x64", "cf64_cf64_64F"},
                                 {"gemv_dot_f16_f32_16x1x1024", "f16_f16_32F"},
                                 {"gemv_dot_f64_f64_1x16x256", "f64_f64_64F"}};
  load_all_kernels();
  for (const Summed& one : kStreams) {
    if (emulator::find_kernel(one.row) == nullptr) continue;
    if (emulator::find_kernel(kSumKernels[0]) == nullptr) GTEST_SKIP() << "not in this build";
    RowHandle handle({find_row(one.row).row, kSumCc}, {"3+sum", "9+sum", "11+sum"});
    for (uint64_t seed = 0; seed < 40; ++seed) {
      GemmCase gemm = summed_case(one.combo, seed);
      gemm.k = seed % 2 == 0 ? 841 : 610;  // in 3, 9 and 11 parts the last one is shorter
      const bool few_rows = std::string_view(one.row).find("_1x") != std::string::npos;
      (few_rows ? gemm.m : gemm.n) = 1 + static_cast<int64_t>(seed % 7 == 6);
      if (few_rows) gemm.n = 70;
      const bool dots = std::string_view(one.row).find("_dot_") != std::string::npos;
      (few_rows ? gemm.op_b : gemm.op_a) = dots != few_rows ? MYBLAS_OP_T : MYBLAS_OP_N;
      ASSERT_TRUE(handle.run(gemm, settings_of(seed)));
      ASSERT_TRUE(handle.served() && last_plan().summed) << to_line(gemm);
    }
  }
}

// Captured calls leave their sums in the user's workspace; where it does not hold them k is divided
// otherwise. Memory of the graph is for captures without a workspace.
TEST(EmulatorSummed, CapturesTakeTheWorkspaceOrNoMemory) {
  load_all_kernels();
  const Summed& one = kSummed[0];
  if (emulator::find_kernel(one.row) == nullptr ||
      emulator::find_kernel(kSumKernels[0]) == nullptr) {
    GTEST_SKIP() << "not in this build";
  }
  RowHandle handle({find_row(one.row).row, kSumCc}, {"6+sum"});
  GemmCase gemm = summed_case(one.combo, 2);  // NT: parts are aligned as the matrices are
  gemm.m = 56;
  gemm.n = 32;
  gemm.offset_a = gemm.pad_a = 0;
  gemm.device_scalars = false;
  gemm.alpha = {2.0, 0.0};
  const auto runs = [&] {
    EXPECT_TRUE(handle.run(gemm, settings_of(1)));
    return handle.served() && last_plan().summed && last_plan().parts == 6;
  };
  constexpr size_t kEnough = 56 * 32 * 6 * 4, kTooLittle = kEnough - 256;
  DeviceMemory workspace(emulated_device(), kEnough);
  emulator::pretend_to_capture(true);
  emulator::refuse_memory(true);  // of the graph
  ASSERT_EQ(myblasSetWorkspace(handle.get(), workspace.data(), kEnough), MYBLAS_STATUS_SUCCESS);
  EXPECT_TRUE(runs());
  ASSERT_EQ(myblasSetWorkspace(handle.get(), workspace.data(), kTooLittle), MYBLAS_STATUS_SUCCESS);
  EXPECT_FALSE(runs());
  emulator::refuse_memory(false);
  EXPECT_FALSE(runs());
  ASSERT_EQ(myblasSetStream(handle.get(), nullptr), MYBLAS_STATUS_SUCCESS);  // forgets it
  EXPECT_TRUE(runs());
  emulator::pretend_to_capture(false);
}

}  // namespace
}  // namespace myblas::test
