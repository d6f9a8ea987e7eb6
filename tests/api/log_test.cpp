// SPDX-License-Identifier: BSD-3-Clause
// What a user reads: one line a call, and for a rejected one the argument and its value.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "api/dropin_hooks.h"
#include "api/handle.h"

namespace myblas::testing {
namespace {

std::vector<std::string>* g_lines = nullptr;
void collect(const char* line) { g_lines->push_back(line); }

class LogTest : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("MYBLAS_BACKEND", "cpu", 1);
    g_lines = &lines_;
    ASSERT_EQ(myblasCreate(&handle_), MYBLAS_STATUS_SUCCESS);
    myblasSetLoggerCallback(collect);
  }
  void TearDown() override {
    myblasSetLoggerCallback(nullptr);
    EXPECT_EQ(myblasDestroy(handle_), MYBLAS_STATUS_SUCCESS);
  }

  struct Call {
    int transa = MYBLAS_OP_N, transb = MYBLAS_OP_T;
    int m = 3, n = 4, k = 2, lda = 3, ldb = 4, ldc = 3, batch = 1;
    const float* alpha;
    int algo = MYBLAS_GEMM_DEFAULT;
    int ctype = MYBLAS_R_32F;
    int compute = MYBLAS_COMPUTE_32F;
  };
  Call valid() {
    Call call;
    call.alpha = &one_;
    return call;
  }
  myblasStatus_t run(const Call& c) {
    return myblasGemmStridedBatchedEx(
        handle_, static_cast<myblasOperation_t>(c.transa), static_cast<myblasOperation_t>(c.transb),
        c.m, c.n, c.k, c.alpha, a_, MYBLAS_R_32F, c.lda, 0, b_, MYBLAS_R_32F, c.ldb, 0, &one_, c_,
        static_cast<myblasDataType_t>(c.ctype), c.ldc, 0, c.batch,
        static_cast<myblasComputeType_t>(c.compute), static_cast<myblasGemmAlgo_t>(c.algo));
  }
  void expect_rejected(const Call& call, myblasStatus_t status, const std::string& words) {
    lines_.clear();
    EXPECT_EQ(run(call), status);
    ASSERT_EQ(lines_.size(), 1u);
    EXPECT_NE(lines_[0].find("GemmStridedBatchedEx"), std::string::npos) << lines_[0];
    EXPECT_NE(lines_[0].find(myblasGetStatusName(status)), std::string::npos) << lines_[0];
    EXPECT_NE(lines_[0].find(words), std::string::npos) << lines_[0] << "\nlacks " << words;
  }

  myblasHandle_t handle_ = nullptr;
  std::vector<std::string> lines_;
  float one_ = 1.0f;
  float a_[12] = {}, b_[12] = {}, c_[12] = {};
};

TEST_F(LogTest, AGroupedCallWithoutAHandleSaysSo) {
  EXPECT_EQ(run(valid()), MYBLAS_STATUS_SUCCESS);  // whose words are none
  EXPECT_EQ(myblasSgemmGroupedBatched(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                      nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                      1, nullptr),
            MYBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_STREQ(myblasDropinLastRejection(), "the handle is not initialized");
}

// Nobody would see it where the log is on and goes nowhere.
TEST_F(LogTest, WhatTheUserMustSeeGoesSomewhere) {
  myblasSetLoggerCallback(nullptr);
  ASSERT_EQ(myblasLoggerConfigure(1, 0, 0, nullptr), MYBLAS_STATUS_SUCCESS);
  setenv("MYBLAS_BACKEND", "bogus", 1);
  ::testing::internal::CaptureStderr();
  myblasHandle_t handle = nullptr;
  EXPECT_EQ(myblasCreate(&handle), MYBLAS_STATUS_NOT_INITIALIZED);
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("MYBLAS_BACKEND=bogus"), std::string::npos) << said;
  setenv("MYBLAS_BACKEND", "cpu", 1);
  ASSERT_EQ(myblasLoggerConfigure(0, 0, 0, nullptr), MYBLAS_STATUS_SUCCESS);
}

TEST_F(LogTest, AServedCallTellsRoutineShapeAndKernel) {
  EXPECT_EQ(run(valid()), MYBLAS_STATUS_SUCCESS);
  ASSERT_EQ(lines_.size(), 1u);
  EXPECT_EQ(lines_[0],
            "myblas: GemmStridedBatchedEx NT R_32F->R_32F m=3 n=4 k=2 lda=3 ldb=4 ldc=3 batch=1 -> "
            "openblas");
}

TEST_F(LogTest, AnEmptyCallIsServedByNothing) {
  Call call = valid();
  call.m = 0;
  EXPECT_EQ(run(call), MYBLAS_STATUS_SUCCESS);
  ASSERT_EQ(lines_.size(), 1u);
  EXPECT_TRUE(lines_[0].ends_with("-> none")) << lines_[0];
  char name[16];
  EXPECT_EQ(myblasGetLastKernelName(name, sizeof name), MYBLAS_STATUS_SUCCESS);
  EXPECT_STREQ(name, "none");
}

TEST_F(LogTest, ARejectedCallTellsTheArgumentAndItsValue) {
  const auto with = [this](auto change) {
    Call call = valid();
    change(call);
    return call;
  };
  const auto bad = MYBLAS_STATUS_INVALID_VALUE;
  expect_rejected(with([](Call& c) { c.transa = 7; }), bad, "transa = 7");
  expect_rejected(with([](Call& c) { c.transb = -3; }), bad, "transb = -3");
  expect_rejected(with([](Call& c) { c.m = -5; }), bad, "m = -5");
  expect_rejected(with([](Call& c) { c.n = -6; }), bad, "n = -6");
  expect_rejected(with([](Call& c) { c.k = -7; }), bad, "k = -7");
  expect_rejected(with([](Call& c) { c.batch = -8; }), bad, "batchCount = -8");
  expect_rejected(with([](Call& c) { c.lda = 2; }), bad, "lda = 2 < max(1, m) = 3");
  expect_rejected(with([](Call& c) { c.ldb = 3; }), bad, "ldb = 3 < max(1, n) = 4");
  expect_rejected(with([](Call& c) { c.ldc = 0; }), bad, "ldc = 0 < max(1, m) = 3");
  expect_rejected(with([](Call& c) { c.alpha = nullptr; }), bad, "alpha is NULL");
  expect_rejected(with([](Call& c) { c.algo = 77; }), bad, "algo = 77");
  expect_rejected(with([](Call& c) { c.compute = 999; }), bad, "computeType = 999");
  expect_rejected(with([](Call& c) { c.ctype = MYBLAS_R_16F; }), MYBLAS_STATUS_NOT_SUPPORTED,
                  "R_32F x R_32F -> R_16F with compute type 68");
}

TEST_F(LogTest, AShadowLeavesTheRejectionToTheDropIn) {
  myblasDropinMarkShadow(handle_);
  Call call = valid();
  call.lda = 1;
  EXPECT_EQ(run(call), MYBLAS_STATUS_INVALID_VALUE);
  EXPECT_TRUE(lines_.empty());
  EXPECT_STREQ(myblasDropinLastRejection(), "lda = 1 < max(1, m) = 3");
}

TEST_F(LogTest, OffMeansSilent) {
  myblasSetLoggerCallback(nullptr);
  EXPECT_FALSE(myblasDropinLogEnabled());
  EXPECT_EQ(run(valid()), MYBLAS_STATUS_SUCCESS);
  EXPECT_TRUE(lines_.empty());
}

}  // namespace
}  // namespace myblas::testing
