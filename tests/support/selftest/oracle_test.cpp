// SPDX-License-Identifier: BSD-3-Clause
#include "support/oracle.h"

#include <atomic>
#include <cmath>
#include <limits>

#include "support/random.h"

namespace myblas::test {
namespace {

Dense dense(int64_t rows, int64_t cols, std::vector<double> re, std::vector<double> im = {}) {
  return {rows, cols, !im.empty(), std::move(re), std::move(im)};
}

TEST(OracleTest, ProductByHand) {
  // [1 3] [5]   [26]
  // [2 4] [7] = [38]
  const Products products =
      multiply(dense(2, 2, {1, 2, 3, 4}), dense(2, 1, {5, 7}), Arithmetic::kDouble, true);
  EXPECT_EQ(products.re, (std::vector<double>{26, 38}));
  EXPECT_EQ(products.magnitude, (std::vector<double>{26, 38}));
  EXPECT_EQ(combine(products, 1, 0, 2, {2, 0}, {0.5, 0}, {10, 0}).re, 81.0);
}

TEST(OracleTest, ComplexProductByHand) {
  // (1 + 2i)(3 - 4i) = 11 + 2i;  times (0 + i) = -2 + 11i;  plus (2)(1 - i)
  const Products products =
      multiply(dense(1, 1, {1}, {2}), dense(1, 1, {3}, {-4}), Arithmetic::kLongDouble, true);
  EXPECT_EQ(products.re[0], 11);
  EXPECT_EQ(products.im[0], 2);
  const Value value = combine(products, 0, 0, 1, {0, 1}, {2, 0}, {1, -1});
  EXPECT_EQ(value.re, 0);
  EXPECT_EQ(value.im, 9);
}

TEST(OracleTest, EmptyComplexProductStillHasImaginaryC) {
  const Layout empty{MYBLAS_C_32F, 1, 0, 1};
  const Dense a = gather(nullptr, empty, MYBLAS_OP_N);
  const Dense b = gather(nullptr, Layout{MYBLAS_C_32F, 0, 1, 1}, MYBLAS_OP_N);
  const Products products = multiply(a, b, Arithmetic::kDouble, false);
  const Value value = combine(products, 0, 0, 0, {1, 0}, {1, 0}, {2, 3});
  EXPECT_EQ(value.re, 2);
  EXPECT_EQ(value.im, 3);
}

// Rows are multiplied some at a time: more and fewer of them, and parts of complex products.
TEST(OracleTest, ComplexProductsOfAnyHeight) {
  const int64_t n = 3, k = 5;
  const auto data = [](int64_t rows, int64_t cols, uint64_t seed) {
    Dense x = dense(rows, cols, {});
    x.complex = true;
    for (uint64_t i = 0; i < static_cast<uint64_t>(rows * cols); ++i) {
      const Value value = integer_value(mix(seed + i), 8, true);
      x.re.push_back(value.re);
      x.im.push_back(value.im);
    }
    return x;
  };
  for (int64_t m = 1; m <= 9; ++m) {
    const Dense a = data(m, k, 1), b = data(k, n, 1000);
    for (const Arithmetic arithmetic : {Arithmetic::kDouble, Arithmetic::kLongDouble}) {
      const Products products = multiply(a, b, arithmetic, true);
      for (int64_t j = 0; j < n; ++j) {
        for (int64_t i = 0; i < m; ++i) {
          double re = 0, im = 0, magnitude = 0;
          for (int64_t p = 0; p < k; ++p) {
            const auto x = static_cast<size_t>(p * m + i), y = static_cast<size_t>(j * k + p);
            re += a.re[x] * b.re[y] - a.im[x] * b.im[y];
            im += a.re[x] * b.im[y] + a.im[x] * b.re[y];
            magnitude += (std::fabs(a.re[x]) + std::fabs(a.im[x])) *
                         (std::fabs(b.re[y]) + std::fabs(b.im[y]));
          }
          const auto at = static_cast<size_t>(j * m + i);
          EXPECT_EQ(products.re[at], re) << m << ' ' << i << ' ' << j;
          EXPECT_EQ(products.im[at], im) << m << ' ' << i << ' ' << j;
          EXPECT_EQ(products.magnitude[at], magnitude) << m << ' ' << i << ' ' << j;
        }
      }
    }
  }
}

TEST(OracleTest, ThreadsLeaveNothingOut) {
  for (const int64_t count : {0, 1, 2, 7, 1000}) {
    for (const int64_t work : {int64_t{0}, int64_t{1'000'000'000}}) {
      std::vector<std::atomic<int>> visits(static_cast<size_t>(count));
      in_threads(count, work, [&](int64_t first, int64_t end) {
        for (int64_t i = first; i < end; ++i) ++visits[static_cast<size_t>(i)];
      });
      for (const std::atomic<int>& visit : visits) EXPECT_EQ(visit, 1) << count << ' ' << work;
    }
  }
}

TEST(OracleTest, ThreadsChangeNothing) {
  const int64_t m = 211, n = 97, k = 401;
  Dense a = dense(m, k, {}), b = dense(k, n, {});
  for (int64_t i = 0; i < m * k; ++i) a.re.push_back(static_cast<double>(mix(i) % 17) - 8);
  for (int64_t i = 0; i < k * n; ++i) b.re.push_back(static_cast<double>(mix(~i) % 17) - 8);
  const Products products = multiply(a, b, Arithmetic::kDouble, false);
  for (const int64_t i : {int64_t{0}, m / 2, m - 1}) {
    for (const int64_t j : {int64_t{0}, n / 2, n - 1}) {
      int64_t sum = 0;
      for (int64_t p = 0; p < k; ++p) {
        sum += static_cast<int64_t>(a.re[static_cast<size_t>(p * m + i)]) *
               static_cast<int64_t>(b.re[static_cast<size_t>(j * k + p)]);
      }
      EXPECT_EQ(products.re[static_cast<size_t>(j * m + i)], static_cast<double>(sum));
    }
  }
}

TEST(OracleTest, GatherAppliesTheOperation) {
  const Layout layout{MYBLAS_C_32F, 2, 3, 4, 2, 16};
  std::vector<uint8_t> bytes(layout.bytes(), 0xFF);
  for (int64_t index = 0; index < 2; ++index) {
    for (int64_t j = 0; j < 3; ++j) {
      for (int64_t i = 0; i < 2; ++i) {
        store(layout.type, bytes.data() + layout.byte(i, j, index),
              {static_cast<double>(i + 10 * j + 100 * index), 1.0});
      }
    }
  }
  const Dense plain = gather(bytes.data(), layout, MYBLAS_OP_N, 1);
  EXPECT_EQ(plain.re, (std::vector<double>{100, 101, 110, 111, 120, 121}));
  EXPECT_EQ(plain.im[0], 1.0);
  const Dense adjoint = gather(bytes.data(), layout, MYBLAS_OP_C, 0);
  EXPECT_EQ(adjoint.rows, 3);
  EXPECT_EQ(adjoint.re, (std::vector<double>{0, 10, 20, 1, 11, 21}));
  EXPECT_EQ(adjoint.im[0], -1.0);
  EXPECT_EQ(gather(bytes.data(), layout, MYBLAS_OP_T, 0).im[0], 1.0);
}

TEST(OracleTest, ZeroScalarsHideNaN) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Products products =
      multiply(dense(1, 1, {nan}), dense(1, 1, {1}), Arithmetic::kDouble, false);
  EXPECT_EQ(combine(products, 0, 0, 1, {0, 0}, {2, 0}, {3, 0}).re, 6);
  EXPECT_TRUE(std::isnan(combine(products, 0, 0, 1, {1, 0}, {2, 0}, {3, 0}).re));
  EXPECT_EQ(combine(products, 0, 0, 0, {1, 0}, {2, 0}, {3, 0}).re, 6);
  EXPECT_EQ(combine(products, 0, 0, 1, {0, 0}, {0, 0}, {nan, 0}).re, 0);
}

TEST(OracleTest, RangesKeepSumsExact) {
  for (const TypeCombo& combo : type_combos()) {
    for (const int64_t k : {1, 9, 600, 1500, 100000}) {
      const double range = exact_range(combo, k, {2, 0}, {0.5, 0});
      EXPECT_GE(range, 2) << "more than a third of the data would be zeros";
      const double terms = static_cast<double>(k) * (is_complex(combo.ab) ? 2 : 1);
      const double largest = terms * range * range * 2 + range;
      const double limit = combo.scale == MYBLAS_R_32I      ? 0x1p31
                           : sum_roundoff(combo) == 0x1p-53 ? 0x1p53
                                                            : 0x1p24;
      EXPECT_LT(largest, limit) << combo.name << " k " << k;
    }
  }
}

TEST(OracleTest, BoundSeesAFloatSumWhereDoubleIsPromised) {
  const TypeCombo& combo = *find_combo("f64_f64_64F");
  Dense a = dense(1, 100, {}), b = dense(100, 1, {});
  float single = 0;
  for (int i = 0; i < 100; ++i) {
    a.re.push_back(real_value(mix(static_cast<uint64_t>(i)), false).re);
    b.re.push_back(real_value(mix(static_cast<uint64_t>(i) + 1000), false).re);
    single += static_cast<float>(a.re.back() * b.re.back());
  }
  const Products products = multiply(a, b, Arithmetic::kLongDouble, true);
  const Value value = combine(products, 0, 0, 100, {1, 0}, {0, 0}, {});
  const double bound = error_bound(combo, products, 0, 0, 100, {1, 0}, {0, 0}, {}, value);
  EXPECT_FALSE(close(single, value.re, bound));
  EXPECT_TRUE(close(value.re * (1 + 0x1p-52), value.re, bound));
  // The same error is allowed where the compute type is fp32.
  const double wide =
      error_bound(*find_combo("f32_f32_32F"), products, 0, 0, 100, {1, 0}, {0, 0}, {}, value);
  EXPECT_TRUE(close(single, value.re, wide));
}

TEST(DataTest, FewZerosAndNoSymmetry) {
  for (const int range : {2, 8, 100}) {
    int zeros = 0, symmetric = 0;
    for (int64_t j = 0; j < 100; ++j) {
      for (int64_t i = 0; i < 100; ++i) {
        const double x = integer_value(position_hash(1, i, j, 0), range, false).re;
        EXPECT_LE(std::fabs(x), range);
        zeros += x == 0;
        symmetric += x == integer_value(position_hash(1, j, i, 0), range, false).re;
      }
    }
    EXPECT_LT(zeros, 3000) << range;
    EXPECT_LT(symmetric, 3000) << range;
  }
}

}  // namespace
}  // namespace myblas::test
