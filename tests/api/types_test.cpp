// SPDX-License-Identifier: BSD-3-Clause
// The type table of include/myblas.h, and what math modes add to it.
#include "api/types.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "api/gemm_call.h"

namespace myblas::testing {
namespace {

// Every public combination is found, in 17 * 17 * 17 * 13 attempts no other is.
TEST(Types, TheTableHoldsTheDocumentedCombinationsAndNoOthers) {
  const int computes[] = {64, 65, 68, 69, 70, 71, 72, 73, 74, 75, 77, 78, 79};
  int found = 0;
  for (int compute : computes) {
    for (int a = -1; a < 16; ++a) {
      for (int b = -1; b < 16; ++b) {
        for (int c = -1; c < 16; ++c) found += find_type_case(compute, a, b, c).has_value();
      }
    }
  }
  // 16F: 1 each of 2; 32I: 1 each of 2; 32F and its FAST types: 8 each of 6; 64F: 2 each of 3.
  EXPECT_EQ(found, 2 + 2 + 8 * 6 + 2 * 3);
}

TEST(Types, OldComputeValuesAreTheirComputeTypes) {
  EXPECT_EQ(normalize_compute_type(MYBLAS_R_16F), MYBLAS_COMPUTE_16F);
  EXPECT_EQ(normalize_compute_type(MYBLAS_R_32F), MYBLAS_COMPUTE_32F);
  EXPECT_EQ(normalize_compute_type(MYBLAS_C_32F), MYBLAS_COMPUTE_32F);
  EXPECT_EQ(normalize_compute_type(MYBLAS_R_64F), MYBLAS_COMPUTE_64F);
  EXPECT_EQ(normalize_compute_type(MYBLAS_R_32I), MYBLAS_COMPUTE_32I);
  EXPECT_EQ(normalize_compute_type(MYBLAS_COMPUTE_32F_FAST_TF32), MYBLAS_COMPUTE_32F_FAST_TF32);
  EXPECT_EQ(normalize_compute_type(76), -1);
  EXPECT_EQ(normalize_compute_type(MYBLAS_R_8I), -1);
}

GemmProblem problem_under(myblasContext* handle, int mode, int compute, int type) {
  handle->math_mode = static_cast<uint8_t>(mode);
  GemmCall call;
  call.rule = TypeRule::kGemmEx;
  call.m = call.n = call.k = 1;
  const double one = 1.0;
  call.alpha = call.beta = &one;
  call.a = {&one, type, 1, 0};
  call.b = {&one, type, 1, 0};
  call.c = {&one, type, 1, 0};
  call.compute = compute;
  GemmProblem problem;
  EXPECT_EQ(validate(*handle, call, &problem).status, MYBLAS_STATUS_SUCCESS);
  return problem;
}

TEST(Types, MathModesGrantPermissionsToFp32Alone) {
  myblasContext h;
  const auto fast = [&h](int mode, int compute, int type) {
    return static_cast<int>(problem_under(&h, mode, compute, type).fast_math);
  };
  EXPECT_EQ(fast(MYBLAS_DEFAULT_MATH, 68, MYBLAS_R_32F), kFastNone);
  EXPECT_EQ(fast(MYBLAS_TF32_TENSOR_OP_MATH, 68, MYBLAS_R_32F), kFastTF32);
  EXPECT_EQ(fast(MYBLAS_TF32_TENSOR_OP_MATH, 68, MYBLAS_C_32F), kFastTF32);
  EXPECT_EQ(fast(MYBLAS_TF32_TENSOR_OP_MATH, 70, MYBLAS_R_64F), kFastNone);
  EXPECT_EQ(fast(MYBLAS_TF32_TENSOR_OP_MATH, 68, MYBLAS_R_16F), kFastNone);
  EXPECT_EQ(fast(MYBLAS_TENSOR_OP_MATH, 68, MYBLAS_R_32F), kFastF16 | kFastTF32);
  EXPECT_EQ(fast(MYBLAS_FP32_EMULATED_BF16X9_MATH, 68, MYBLAS_R_32F), kFastBF16x9);
  EXPECT_EQ(fast(MYBLAS_DEFAULT_MATH, 77, MYBLAS_R_32F), kFastTF32);
  EXPECT_EQ(fast(MYBLAS_DEFAULT_MATH, 74, MYBLAS_R_32F), kFastF16 | kFastTF32);
  EXPECT_EQ(fast(MYBLAS_DEFAULT_MATH, 75, MYBLAS_R_32F), kFastBF16 | kFastTF32);
  EXPECT_EQ(fast(MYBLAS_DEFAULT_MATH, 78, MYBLAS_R_32F), kFastBF16x9);
}

TEST(Types, Compute16FPermitsSumsInFp16) {
  myblasContext h;
  for (const int mode : {MYBLAS_DEFAULT_MATH, MYBLAS_TENSOR_OP_MATH}) {
    EXPECT_EQ(problem_under(&h, mode, 64, MYBLAS_R_16F).fast_math, kFastF16Sums);
    EXPECT_EQ(problem_under(&h, mode, 65, MYBLAS_R_16F).fast_math, kFastNone);  // pedantic
    EXPECT_EQ(problem_under(&h, mode, 68, MYBLAS_R_16F).fast_math, kFastNone);
  }
}

TEST(Types, PedanticAndTheOverrideTakePermissionsAway) {
  myblasContext h;
  // What the call itself permits holds.
  EXPECT_EQ(problem_under(&h, MYBLAS_PEDANTIC_MATH, 77, MYBLAS_R_32F).fast_math, kFastTF32);
  EXPECT_FALSE(problem_under(&h, MYBLAS_PEDANTIC_MATH, 77, MYBLAS_R_32F).pedantic);
  EXPECT_TRUE(problem_under(&h, MYBLAS_PEDANTIC_MATH, 68, MYBLAS_R_32F).pedantic);
  EXPECT_TRUE(problem_under(&h, MYBLAS_DEFAULT_MATH, 69, MYBLAS_R_32F).pedantic);
  EXPECT_EQ(problem_under(&h, MYBLAS_TF32_TENSOR_OP_MATH, 69, MYBLAS_R_32F).fast_math, kFastNone);
  h.tf32_allowed = false;
  EXPECT_EQ(problem_under(&h, MYBLAS_TF32_TENSOR_OP_MATH, 77, MYBLAS_R_32F).fast_math, kFastNone);
  EXPECT_EQ(problem_under(&h, MYBLAS_TENSOR_OP_MATH, 68, MYBLAS_R_32F).fast_math, kFastF16);
}

TEST(Types, TheReductionFlagIsAFlag) {
  myblasContext h;
  const auto p = problem_under(&h, 16 + MYBLAS_TF32_TENSOR_OP_MATH, 68, MYBLAS_R_32F);
  EXPECT_TRUE(p.full_precision_reduction);
  EXPECT_EQ(p.fast_math, kFastTF32);
  EXPECT_FALSE(
      problem_under(&h, MYBLAS_TF32_TENSOR_OP_MATH, 68, MYBLAS_R_32F).full_precision_reduction);
}

TEST(Types, EmulationsAreFlagsBesideTheMode) {
  myblasContext h;
  const int both = MYBLAS_TF32_TENSOR_OP_MATH | MYBLAS_FP64_EMULATED_FIXEDPOINT_MATH;
  EXPECT_EQ(problem_under(&h, both, 68, MYBLAS_R_32F).fast_math, kFastTF32);
  const int all = both | MYBLAS_FP32_EMULATED_BF16X9_MATH;
  EXPECT_EQ(problem_under(&h, all, 68, MYBLAS_R_32F).fast_math, kFastTF32 | kFastBF16x9);
}

// As the math mode of every handle would.
TEST(Types, TheEnvironmentPermitsFp32ToBeEmulated) {
  myblasContext h;
  h.emulates_fp32 = true;
  EXPECT_EQ(problem_under(&h, MYBLAS_DEFAULT_MATH, 68, MYBLAS_R_32F).fast_math, kFastBF16x9);
  EXPECT_EQ(problem_under(&h, MYBLAS_DEFAULT_MATH, 68, MYBLAS_C_32F).fast_math, kFastBF16x9);
  EXPECT_EQ(problem_under(&h, MYBLAS_DEFAULT_MATH, 69, MYBLAS_R_32F).fast_math, kFastNone);
  EXPECT_EQ(problem_under(&h, MYBLAS_PEDANTIC_MATH, 68, MYBLAS_R_32F).fast_math, kFastNone);
  EXPECT_EQ(problem_under(&h, MYBLAS_DEFAULT_MATH, 68, MYBLAS_R_16F).fast_math, kFastNone);
}

}  // namespace
}  // namespace myblas::testing
