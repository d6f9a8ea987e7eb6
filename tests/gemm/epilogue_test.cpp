// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemm/epilogue_test.cpp: the products of cublasLt, whose results get a bias and an activation
// ahead of their rounding (myblasDropinMatmul): every type, layout and kind of batch, and what is
// refused.
//==============================================================================
#include <cmath>
#include <limits>

#include "api/dropin_hooks.h"
#include "support/gemm_case.h"
#include "support/gemm_fixture.h"

namespace myblas::test {
namespace {

constexpr const char* kCombos[] = {"f16_f16_16F",       "f16_f16_32F", "bf16_bf16_32F",
                                   "bf16_f32_32F",      "f16_f32_32F", "f32_f32_32F",
                                   "f32_f32_FAST_TF32", "f64_f64_64F"};

struct Size {
  int64_t m, n, k;
};
// Of tiles and their edges; of few columns, of few rows, of a small k; of parts of k; of none.
constexpr Size kSizes[] = {{256, 192, 128}, {301, 133, 97}, {333, 1, 300},
                           {1024, 4, 1024}, {3, 270, 301},  {150, 70, 5},
                           {96, 80, 6400},  {64, 64, 64},   {40, 24, 0}};

GemmCase make_case(const char* combo, const Size& size) {
  GemmCase gemm;
  gemm.entry = find_entry("myblasDropinMatmul");
  gemm.combo = find_combo(combo);
  gemm.m = size.m;
  gemm.n = size.n;
  gemm.k = size.k;
  gemm.alpha = {2, 0};
  gemm.bias = true;
  return gemm;
}

class EpilogueTest : public GemmTest {
 protected:
  void SetUp() override {
    GemmTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    on_gpu_ = device().is_gpu();
  }
  // On the CPU a product has no epilogue: it is refused, and C stays.
  void run(const GemmCase& gemm) {
    count_cases(1);
    if (on_gpu_) {
      EXPECT_TRUE(run_case(device(), handle(), gemm));
    } else {
      expect_refused(gemm, MYBLAS_STATUS_NOT_SUPPORTED);
    }
  }
  void expect_refused(const GemmCase& gemm, myblasStatus_t status) {
    PreparedGemm prepared(device(), gemm);
    const auto before = prepared.output();
    if (gemm.device_scalars) myblasSetPointerMode(handle(), MYBLAS_POINTER_MODE_DEVICE);
    EXPECT_EQ(prepared.launch(handle()), status) << to_line(gemm);
    myblasSetPointerMode(handle(), MYBLAS_POINTER_MODE_HOST);
    prepared.arena().download();
    EXPECT_TRUE(prepared.output() == before) << to_line(gemm);
  }

  bool on_gpu_ = false;
};

TEST_F(EpilogueTest, EveryTypeAndLayout) {
  uint64_t seed = 0;
  for (const char* combo : kCombos) {
    for (const Size& size : kSizes) {
      for (int layout = 0; layout < 4; ++layout) {
        GemmCase gemm = make_case(combo, size);
        gemm.op_a = layout % 2 == 0 ? MYBLAS_OP_N : MYBLAS_OP_T;
        gemm.op_b = layout / 2 == 0 ? MYBLAS_OP_N : MYBLAS_OP_T;
        gemm.seed = ++seed;
        if (seed % 3 == 0) gemm.offset_a = gemm.offset_c = 1;
        if (seed % 11 == 0) gemm.alpha = {};  // the bias alone
        run(gemm);
        gemm.beta = {-1, 0};
        gemm.device_scalars = seed % 2 == 0;
        run(gemm);
        if (!on_gpu_) return;  // refused by one rule
      }
    }
  }
}

TEST_F(EpilogueTest, Activations) {
  for (const char* combo : kCombos) {
    for (const Size& size : kSizes) {
      for (const bool bias : {false, true}) {
        GemmCase gemm = make_case(combo, size);
        gemm.op_a = MYBLAS_OP_T;
        gemm.bias = bias;
        gemm.activation = MYBLAS_DROPIN_RELU;
        run(gemm);
        gemm.activation = MYBLAS_DROPIN_GELU;
        if (gemm.combo->c != MYBLAS_R_64F) run(gemm);
        gemm.data = DataKind::kReal;
        gemm.alpha = {0.5, 0};
        if (gemm.combo->c != MYBLAS_R_64F) run(gemm);
      }
    }
  }
}

TEST_F(EpilogueTest, Batches) {
  for (const char* combo : kCombos) {
    for (const Stride stride : {Stride::kTight, Stride::kPadded, Stride::kBroadcast}) {
      for (const Size& size : {Size{70, 50, 40}, Size{16, 16, 16}, Size{128, 128, 128}}) {
        GemmCase gemm = make_case(combo, size);
        gemm.batch = 5;
        gemm.stride_bias = stride;
        gemm.stride_b = Stride::kBroadcast;
        run(gemm);
        gemm.activation = MYBLAS_DROPIN_RELU;
        run(gemm);
      }
    }
  }
}

TEST_F(EpilogueTest, WhatIsNotServed) {
  for (const char* combo : {"s8_s32_32I", "s8_f32_32F", "cf32_cf32_32F", "cf64_cf64_64F"}) {
    GemmCase gemm = make_case(combo, {32, 32, 32});
    expect_refused(gemm, MYBLAS_STATUS_NOT_SUPPORTED);
    gemm.bias = false;
    EXPECT_TRUE(run_case(device(), handle(), gemm));  // a product like others
    count_cases(2);
  }
  GemmCase gelu = make_case("f64_f64_64F", {32, 32, 32});
  gelu.activation = MYBLAS_DROPIN_GELU;
  expect_refused(gelu, MYBLAS_STATUS_NOT_SUPPORTED);
  GemmCase read = make_case("f32_f32_32F", {32, 32, 32});
  read.activation = MYBLAS_DROPIN_RELU;
  read.beta = {1, 0};
  expect_refused(read, MYBLAS_STATUS_NOT_SUPPORTED);
  read.beta = {0, 0};
  read.device_scalars = true;  // nobody knows that it is zero
  expect_refused(read, MYBLAS_STATUS_NOT_SUPPORTED);
  count_cases(3);
}

TEST_F(EpilogueTest, NanStays) {
  GemmCase gemm = make_case("f32_f32_32F", {64, 64, 64});
  gemm.activation = MYBLAS_DROPIN_RELU;
  count_cases(1);
  if (!on_gpu_) GTEST_SKIP() << "skipped, needs the GPU backend";
  PreparedGemm prepared(device(), gemm);
  const Value nan{std::numeric_limits<double>::quiet_NaN(), 0};
  store(MYBLAS_R_32F, prepared.arena().host(prepared.slot_a(), prepared.layout_a(), 3, 5), nan);
  prepared.upload();
  ASSERT_EQ(prepared.launch(handle()), MYBLAS_STATUS_SUCCESS);
  prepared.arena().download();
  for (int64_t j = 0; j < gemm.n; ++j) {
    const auto* c = prepared.arena().host(prepared.slot_c(), prepared.layout_c(), 3, j);
    EXPECT_TRUE(std::isnan(load(MYBLAS_R_32F, c).re)) << j;
  }
}

}  // namespace
}  // namespace myblas::test
