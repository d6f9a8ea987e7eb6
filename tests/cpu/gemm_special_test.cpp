// SPDX-License-Identifier: BSD-3-Clause
// What is not read, NaN and infinity, overflow, and int8 sums that fp32 cannot hold.
#include <gtest/gtest.h>

#include <cmath>

#include "cpu/openblas_backend.h"
#include "cpu_oracle.h"

namespace myblas::cpu::test {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

class CpuGemmSpecial : public testing::Test {
 protected:
  void SetUp() override {
    if (!open()) GTEST_SKIP() << unavailable_reason();
  }
};

// alpha == 0 or k == 0: A and B may be null, C = beta*C.
template <class In, class S, class Out>
void check_inputs_not_read() {
  for (const BatchKind kind : {BatchKind::kStrided, BatchKind::kPointers})
    for (const int64_t k : {int64_t{0}, int64_t{4}})
      for (const int beta : {0, 1, 3}) {
        const int alpha = k == 0 ? 2 : 0;
        Product<In, S, Out> product({Op::kN, Op::kT, 5, 3, k}, narrow<S>(alpha), narrow<S>(beta));
        void* const c_pointers[] = {product.c.data()};
        product.check([&](GemmProblem problem) {
          problem.batch_kind = kind;
          problem.a.base = nullptr;
          problem.b.base = nullptr;
          if (kind == BatchKind::kPointers) problem.c.base = c_pointers;
          return gemm(problem);
        });
      }
}

TEST_F(CpuGemmSpecial, InputsNotReadWithoutAlphaOrDepth) {
  check_inputs_not_read<float, float, float>();
  check_inputs_not_read<double, double, double>();
  check_inputs_not_read<CF32, CF32, CF32>();
  check_inputs_not_read<CF64, CF64, CF64>();
  check_inputs_not_read<F16, F16, F16>();
  check_inputs_not_read<BF16, float, BF16>();
  check_inputs_not_read<int8_t, float, float>();
  check_inputs_not_read<int8_t, int32_t, int32_t>();
  check_inputs_not_read<CS8, CF32, CF32>();
}

// All pointers null, scalars too where nothing is computed.
TEST_F(CpuGemmSpecial, EmptyProblemsTouchNothing) {
  for (int empty = 0; empty < 3; ++empty) {
    GemmProblem problem;
    problem.m = empty == 0 ? 0 : 4;
    problem.n = empty == 1 ? 0 : 4;
    problem.k = 4;
    problem.batch_count = empty == 2 ? 0 : 1;
    problem.alpha = problem.beta = {DataType::kF32, true, nullptr, {}};
    EXPECT_EQ(gemm(problem), Status::kSuccess);
  }
}

// One NaN or Inf in A reaches its row and nothing else; the other rows keep their bits.
template <class In, class S, class Out>
void check_one_special_row(float special) {
  for (const Op op : {Op::kN, Op::kT})
    for (const int64_t m : {3, 8, 17, 50, 200}) {
      const Shape shape{op, op, m, m == 50 ? 1 : m + 1, m + 2};
      Product<In, S, Out> clean(shape, narrow<S>(1), narrow<S>(0), 3, 1);
      Product<In, S, Out> dirty(shape, narrow<S>(1), narrow<S>(0), 3, 1);
      const int64_t row = m / 2;
      const int64_t depth = m - 1;
      (op == Op::kN ? dirty.a.at(row, depth) : dirty.a.at(depth, row)) = narrow<In>(special);
      ASSERT_EQ(gemm(clean.problem), Status::kSuccess);
      ASSERT_EQ(gemm(dirty.problem), Status::kSuccess);
      for (int64_t j = 0; j < shape.n; ++j)
        for (int64_t i = 0; i < m; ++i) {
          const Wide got = wide(dirty.c.at(i, j));
          if (i == row) {
            ASSERT_FALSE(std::isfinite(got.real()) && std::isfinite(got.imag())) << text(shape);
          } else {
            ASSERT_TRUE(equal(dirty.c.at(i, j), clean.c.at(i, j))) << text(shape) << i << " " << j;
          }
        }
    }
}

TEST_F(CpuGemmSpecial, OneSpecialValueReachesOnlyItsRow) {
  for (const float special : {kNan, kInf}) {
    check_one_special_row<float, float, float>(special);
    check_one_special_row<double, double, double>(special);
    check_one_special_row<CF32, CF32, CF32>(special);
    check_one_special_row<CF64, CF64, CF64>(special);
    check_one_special_row<F16, F16, F16>(special);
    check_one_special_row<BF16, float, BF16>(special);
  }
}

// NaN and Inf in alpha and beta, with sums of zero and of others, as the formula gives them.
template <class T>
void check_special_scalars() {
  const float values[] = {0.0f, 1.0f, -2.0f, kInf, -kInf, kNan};
  for (const float alpha : values)
    for (const float beta : values)
      for (const int64_t k : {0, 1, 5, 40})
        for (const int64_t n : {1, 4, 33}) {
          Product<T, T, T> product({Op::kN, Op::kN, 20, n, k}, narrow<T>(alpha), narrow<T>(beta));
          for (int64_t i = 0; i < k; ++i) product.a.at(0, i) = narrow<T>(0);  // 0 * Inf in row 0
          product.c.at(1, 0) = narrow<T>(0);
          Host<T> before = product.c;
          ASSERT_EQ(gemm(product.problem), Status::kSuccess);
          for (int64_t j = 0; j < n; ++j)
            for (int64_t row = 0; row < 20; ++row) {
              long double sum = 0;
              for (int64_t i = 0; i < k; ++i) {
                sum += wide(product.a.at(row, i)).real() * wide(product.b.at(i, j)).real();
              }
              long double want = alpha == 0.0f || k == 0 ? 0 : alpha * sum;
              if (beta != 0.0f) want += beta * wide(before.at(row, j)).real();
              ASSERT_TRUE(equal(product.c.at(row, j), narrow<T>(want)))
                  << text(product.shape) << " alpha " << alpha << " beta " << beta << " at " << row
                  << "," << j << ": " << wide(product.c.at(row, j)) << " for " << want;
            }
        }
}

TEST_F(CpuGemmSpecial, ScalarsThatAreNotFinitePropagate) {
  check_special_scalars<float>();
  check_special_scalars<double>();
  check_special_scalars<F16>();
}

template <class T>
void check_complex_nan_scalars() {
  using Part = typename T::value_type;
  const Part nan = std::numeric_limits<Part>::quiet_NaN();
  for (const T special : {T(nan, 0), T(0, nan)})
    for (const bool in_alpha : {true, false}) {
      Product<T, T, T> product({Op::kN, Op::kC, 20, 9, 7}, in_alpha ? special : T(1),
                               in_alpha ? T(1) : special);
      ASSERT_EQ(gemm(product.problem), Status::kSuccess);
      for (int64_t j = 0; j < 9; ++j)
        for (int64_t i = 0; i < 20; ++i) ASSERT_TRUE(is_nan(product.c.at(i, j)));
    }
}

TEST_F(CpuGemmSpecial, ComplexNanScalarsPropagate) {
  check_complex_nan_scalars<CF32>();
  check_complex_nan_scalars<CF64>();
}

TEST_F(CpuGemmSpecial, HalfOverflowGivesInfinity) {
  Product<F16, float, F16> product({Op::kN, Op::kN, 4, 4, 70}, 1000.0f, 0.0f);
  for (int64_t j = 0; j < 4; ++j)
    for (int64_t i = 0; i < 70; ++i) product.b.at(i, j) = to_f16(j == 0 ? 1.0f : -1.0f);
  for (int64_t i = 0; i < 70; ++i)
    for (int64_t row = 0; row < 4; ++row) product.a.at(row, i) = to_f16(1.0f);
  ASSERT_EQ(gemm(product.problem), Status::kSuccess);
  EXPECT_EQ(product.c.at(0, 0).bits, 0x7c00);
  EXPECT_EQ(product.c.at(3, 1).bits, 0xfc00);
}

// Partial sums far past 65504, a result that fits: the sum is held in fp32.
TEST_F(CpuGemmSpecial, HalfSumsDoNotOverflowOnTheWay) {
  Product<F16, F16, F16> product({Op::kN, Op::kN, 3, 3, 3000}, to_f16(1.0f), to_f16(0.0f));
  for (int64_t i = 0; i < 3000; ++i)
    for (int64_t x = 0; x < 3; ++x) {
      product.a.at(x, i) = to_f16(i < 1500 ? 100.0f : -100.0f);
      product.b.at(i, x) = to_f16(100.0f);
    }
  ASSERT_EQ(gemm(product.problem), Status::kSuccess);
  EXPECT_EQ(wide(product.c.at(1, 1)), Wide(0));
}

TEST_F(CpuGemmSpecial, SubnormalsAreKept) {
  Product<float, float, float> product({Op::kN, Op::kN, 20, 20, 1}, 1.0f, 0.0f);
  for (int64_t i = 0; i < 20; ++i) {
    product.a.at(i, 0) = 0x1p-140f;
    product.b.at(0, i) = 0.5f;
  }
  ASSERT_EQ(gemm(product.problem), Status::kSuccess);
  EXPECT_EQ(product.c.at(7, 7), 0x1p-141f);
}

// int8 sums of every size are exact: fp32 alone would round from 2^24 on, and int32 wraps.
TEST_F(CpuGemmSpecial, IntegerSumsAreExactAndWrap) {
  for (const int64_t k : {1023, 1024, 1025, 3000, 70000}) {
    Product<int8_t, int32_t, int32_t> product({Op::kT, Op::kN, 3, 2, k}, 1, -1, 1, 127);
    for (int64_t i = 0; i < k; ++i) {
      product.a.at(i, 0) = -128;
      product.b.at(i, 0) = -128;
    }
    product.a.at(0, 0) = product.b.at(0, 0) = 1;  // an odd sum, so that rounding shows
    product.check(gemm);
  }
  Product<int8_t, int32_t, int32_t> wraps({Op::kN, Op::kN, 5, 4, 2000}, 1 << 20, 12345, 3, 127);
  wraps.c.at(0, 0) = std::numeric_limits<int32_t>::max();
  wraps.check(gemm);
}

// An ld past 32 bits for a matrix of one column is never used.
TEST_F(CpuGemmSpecial, HugeLdOfSingleColumns) {
  Product<float, float, float> product({Op::kN, Op::kN, 5, 1, 1}, 2.0f, 1.0f);
  product.check([](GemmProblem problem) {
    problem.a.ld = problem.b.ld = problem.c.ld = int64_t{1} << 40;
    return gemm(problem);
  });
  Product<F16, float, float> converted({Op::kN, Op::kT, 5, 1, 1}, 2.0f, 1.0f);
  converted.check([](GemmProblem problem) {
    problem.a.ld = problem.b.ld = problem.c.ld = int64_t{1} << 40;
    return gemm(problem);
  });
}

}  // namespace
}  // namespace myblas::cpu::test
