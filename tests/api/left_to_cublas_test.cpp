// SPDX-License-Identifier: BSD-3-Clause
// What goes to the real cuBLAS, where there is one: complex fp64 on chips without tiles for it,
// what tcgen05 is for, and fp32 that is to be emulated on chips without kernels for that.
#include <gtest/gtest.h>

#include "api/handle.h"
#include "api/run_gemm.h"

namespace myblas::testing {
namespace {

GemmProblem product(DataType type, int64_t m, int64_t n, int64_t k) {
  GemmProblem p;
  p.ab_type = p.c_type = type;
  p.m = m;
  p.n = n;
  p.k = k;
  p.batch_count = 1;
  return p;
}

class LeftToCublas : public ::testing::Test {
 protected:
  LeftToCublas() { handle_.shadow = true; }
  myblasContext handle_;
};

TEST_F(LeftToCublas, LongComplexProductsAre) {
  EXPECT_NE(why_left_to_cublas(handle_, product(DataType::kCF64, 256, 256, 256)), nullptr);
  EXPECT_EQ(why_left_to_cublas(handle_, product(DataType::kCF64, 64, 64, 64)), nullptr);
  GemmProblem batch = product(DataType::kCF64, 64, 64, 64);
  batch.batch_count = 100;
  EXPECT_NE(why_left_to_cublas(handle_, batch), nullptr);
}

TEST_F(LeftToCublas, OneRowOrColumnIsNot) {
  EXPECT_EQ(why_left_to_cublas(handle_, product(DataType::kCF64, 4096, 1, 4096)), nullptr);
  EXPECT_EQ(why_left_to_cublas(handle_, product(DataType::kCF64, 1, 4096, 4096)), nullptr);
  EXPECT_NE(why_left_to_cublas(handle_, product(DataType::kCF64, 4096, 2, 4096)), nullptr);
}

TEST_F(LeftToCublas, OtherTypesChipsAndHandlesAreNot) {
  const GemmProblem large = product(DataType::kCF64, 4096, 4096, 4096);
  EXPECT_EQ(why_left_to_cublas(handle_, product(DataType::kCF32, 4096, 4096, 4096)), nullptr);
  handle_.has_complex_f64 = true;
  EXPECT_EQ(why_left_to_cublas(handle_, large), nullptr);
  handle_.has_complex_f64 = false;
  handle_.shadow = false;
  EXPECT_EQ(why_left_to_cublas(handle_, large), nullptr);
}

TEST_F(LeftToCublas, TensorCoresOfSm100Are) {
  GemmProblem tf32 = product(DataType::kF32, 4096, 4096, 4096);
  tf32.fast_math = kFastTF32;
  for (const int cc : {80, 90, 100, 103, 110, 120}) {
    handle_.caps.cc = cc;
    const bool left = cc >= 100 && cc < 120;
    for (const DataType type : {DataType::kF16, DataType::kBF16, DataType::kS8}) {
      EXPECT_EQ(why_left_to_cublas(handle_, product(type, 4096, 4096, 4096)) != nullptr, left)
          << cc;
      EXPECT_EQ(why_left_to_cublas(handle_, product(type, 4096, 1, 14336)), nullptr) << cc;
      EXPECT_EQ(why_left_to_cublas(handle_, product(type, 256, 256, 256)), nullptr) << cc;
    }
    EXPECT_EQ(why_left_to_cublas(handle_, tf32) != nullptr, left) << cc;
    EXPECT_EQ(why_left_to_cublas(handle_, product(DataType::kF32, 4096, 4096, 4096)), nullptr);
  }
  handle_.caps.cc = 100;
  handle_.shadow = false;
  EXPECT_EQ(why_left_to_cublas(handle_, product(DataType::kBF16, 4096, 4096, 4096)), nullptr);
}

TEST_F(LeftToCublas, EmulationIsWhereWeHaveNone) {
  GemmProblem emulated = product(DataType::kF32, 4096, 4096, 4096);
  emulated.fast_math = kFastBF16x9;
  EXPECT_EQ(why_left_to_cublas(handle_, emulated), nullptr);  // permitted by the call
  handle_.emulates_fp32 = true;
  EXPECT_NE(why_left_to_cublas(handle_, emulated), nullptr);
  EXPECT_EQ(why_left_to_cublas(handle_, product(DataType::kF32, 4096, 4096, 4096)), nullptr);
  handle_.has_terms = true;
  EXPECT_EQ(why_left_to_cublas(handle_, emulated), nullptr);
}

}  // namespace
}  // namespace myblas::testing
