// SPDX-License-Identifier: BSD-3-Clause
// Complex fp64 on chips without tiles for it: what goes to the real cuBLAS, where there is one.
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
  EXPECT_TRUE(is_left_to_cublas(handle_, product(DataType::kCF64, 256, 256, 256)));
  EXPECT_FALSE(is_left_to_cublas(handle_, product(DataType::kCF64, 64, 64, 64)));
  GemmProblem batch = product(DataType::kCF64, 64, 64, 64);
  batch.batch_count = 100;
  EXPECT_TRUE(is_left_to_cublas(handle_, batch));
}

TEST_F(LeftToCublas, OneRowOrColumnIsNot) {
  EXPECT_FALSE(is_left_to_cublas(handle_, product(DataType::kCF64, 4096, 1, 4096)));
  EXPECT_FALSE(is_left_to_cublas(handle_, product(DataType::kCF64, 1, 4096, 4096)));
  EXPECT_TRUE(is_left_to_cublas(handle_, product(DataType::kCF64, 4096, 2, 4096)));
}

TEST_F(LeftToCublas, OtherTypesChipsAndHandlesAreNot) {
  const GemmProblem large = product(DataType::kCF64, 4096, 4096, 4096);
  EXPECT_FALSE(is_left_to_cublas(handle_, product(DataType::kCF32, 4096, 4096, 4096)));
  handle_.has_complex_f64 = true;
  EXPECT_FALSE(is_left_to_cublas(handle_, large));
  handle_.has_complex_f64 = false;
  handle_.shadow = false;
  EXPECT_FALSE(is_left_to_cublas(handle_, large));
}

}  // namespace
}  // namespace myblas::testing
