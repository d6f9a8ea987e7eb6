// SPDX-License-Identifier: BSD-3-Clause
// gemm/introspection_test.cpp: the kernel that is announced is the kernel that ran.
#include <cstring>

#include "support/gemm_case.h"
#include "support/gemm_fixture.h"

namespace myblas::test {
namespace {

class IntrospectionTest : public GemmTest {};

TEST_F(IntrospectionTest, AnnouncedKernelIsTheOneThatRan) {
  for (const TypeCombo& combo : type_combos()) {
    for (const auto& [m, n, k] : {std::array<int64_t, 3>{1, 1, 1},
                                  {64, 64, 64},
                                  {300, 1, 200},
                                  {257, 129, 65},
                                  {16, 512, 32}}) {
      for (const myblasOperation_t op : {MYBLAS_OP_N, MYBLAS_OP_T}) {
        for (const int64_t batch : {int64_t{1}, int64_t{4}}) {
          GemmCase gemm;
          gemm.entry = find_entry("myblasGemmStridedBatchedEx");
          gemm.combo = &combo;
          gemm.m = m;
          gemm.n = n;
          gemm.k = k;
          gemm.op_a = op;
          gemm.batch = batch;
          gemm.beta = {1, 0};
          // GetKernelName assumes strides that keep 256-byte alignment.
          if (batch > 1 && !(m == 64 || m == 16)) continue;
          PreparedGemm prepared(device(), gemm);
          char announced[128] = "";
          ASSERT_EQ(myblasGetKernelName(handle(), gemm.op_a, gemm.op_b, m, n, k, combo.ab,
                                        prepared.layout_a().ld, combo.ab, prepared.layout_b().ld,
                                        combo.c, prepared.layout_c().ld, batch, combo.compute,
                                        announced, sizeof announced),
                    MYBLAS_STATUS_SUCCESS);
          ASSERT_EQ(prepared.launch(handle()), MYBLAS_STATUS_SUCCESS);
          EXPECT_EQ(last_kernel(), announced) << to_line(gemm);
          EXPECT_NE(last_kernel(), "");
          if (!device().is_gpu()) {
            EXPECT_STREQ(announced, "openblas");
          }
          count_cases(1);
        }
      }
    }
  }
  device().synchronize();
}

TEST_F(IntrospectionTest, NothingToComputeIsNoKernel) {
  GemmCase gemm;
  gemm.entry = find_entry("myblasSgemm");
  gemm.combo = find_combo("f32_f32_32F");
  const auto grouped = [](myblasHandle_t handle, int groups) {
    return myblasSgemmGroupedBatched(handle, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                     nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                     groups, nullptr);
  };
  for (const int groups : {-1, 0}) {
    ASSERT_TRUE(run_case(device(), handle(), gemm));
    EXPECT_NE(last_kernel(), "none");
    EXPECT_EQ(grouped(handle(), groups) == MYBLAS_STATUS_SUCCESS, groups == 0);
    EXPECT_EQ(last_kernel(), "none");
  }
  ASSERT_TRUE(run_case(device(), handle(), gemm));
  EXPECT_EQ(grouped(nullptr, 0), MYBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(last_kernel(), "none");
  for (const auto& [m, n] : {std::pair<int64_t, int64_t>{0, 5}, {5, 0}, {0, 0}}) {
    gemm.m = m;
    gemm.n = n;
    ASSERT_TRUE(run_case(device(), handle(), gemm));
    EXPECT_EQ(last_kernel(), "none");
    count_cases(1);
  }
}

TEST_F(IntrospectionTest, Refusals) {
  char name[128];
  const auto ask = [&](myblasHandle_t who, int64_t m, myblasDataType_t a, myblasDataType_t c,
                       char* to, size_t size) {
    return myblasGetKernelName(who, MYBLAS_OP_N, MYBLAS_OP_N, m, 8, 8, a, 8, a, 8, c, 8, 1,
                               MYBLAS_COMPUTE_32F, to, size);
  };
  const auto f32 = MYBLAS_R_32F;
  EXPECT_EQ(ask(handle(), 8, f32, f32, name, sizeof name), MYBLAS_STATUS_SUCCESS);
  EXPECT_EQ(ask(nullptr, 8, f32, f32, name, sizeof name), MYBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(ask(handle(), -1, f32, f32, name, sizeof name), MYBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(ask(handle(), 8, f32, f32, name, 2), MYBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(ask(handle(), 8, f32, f32, nullptr, 10), MYBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(ask(handle(), 8, f32, MYBLAS_R_64F, name, sizeof name), MYBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(myblasGetLastKernelName(nullptr, 0), MYBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(myblasGetTargetName(handle(), name, 1), MYBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(myblasGetTargetName(handle(), name, sizeof name), MYBLAS_STATUS_SUCCESS);
  EXPECT_EQ(std::strncmp(name, device().is_gpu() ? "sm_" : "cpu", 3), 0) << name;
  count_cases(9);
}

}  // namespace
}  // namespace myblas::test
