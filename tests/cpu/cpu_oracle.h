// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// tests/cpu/cpu_oracle.h: small products with integer data, and their reference.
//
//   data      integers, so that the reference is exact in every type
//   guards    NaN in the ld gaps of A and B, a bit pattern in the gaps of C and
//             on both sides of it, compared after the call
//   reference three loops in complex long double, one rounding
//==============================================================================
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "cpu/convert.h"
#include "kernels/common/gemm_problem.h"

namespace myblas::cpu::test {

using Wide = std::complex<long double>;

// ---- elements by type --------------------------------------------------------

template <class T>
struct TypeOf;
template <>
struct TypeOf<F16> {
  static constexpr DataType value = DataType::kF16;
};
template <>
struct TypeOf<BF16> {
  static constexpr DataType value = DataType::kBF16;
};
template <>
struct TypeOf<float> {
  static constexpr DataType value = DataType::kF32;
};
template <>
struct TypeOf<double> {
  static constexpr DataType value = DataType::kF64;
};
template <>
struct TypeOf<int8_t> {
  static constexpr DataType value = DataType::kS8;
};
template <>
struct TypeOf<int32_t> {
  static constexpr DataType value = DataType::kS32;
};
template <>
struct TypeOf<CS8> {
  static constexpr DataType value = DataType::kCS8;
};
template <>
struct TypeOf<CF32> {
  static constexpr DataType value = DataType::kCF32;
};
template <>
struct TypeOf<CF64> {
  static constexpr DataType value = DataType::kCF64;
};

template <class T>
Wide wide(T x) {
  if constexpr (std::is_same_v<T, F16> || std::is_same_v<T, BF16>) {
    return to_float(x);
  } else if constexpr (std::is_same_v<T, CS8>) {
    return {static_cast<long double>(x.re), static_cast<long double>(x.im)};
  } else if constexpr (kIsComplex<T>) {
    return {x.real(), x.imag()};
  } else {
    return static_cast<long double>(x);
  }
}

// The nearest T. int32 takes the value modulo 2^32.
template <class T>
T narrow(Wide x) {
  if constexpr (std::is_same_v<T, F16>) {
    return to_f16(static_cast<float>(x.real()));
  } else if constexpr (std::is_same_v<T, BF16>) {
    return to_bf16(static_cast<float>(x.real()));
  } else if constexpr (std::is_same_v<T, CS8>) {
    return {static_cast<int8_t>(x.real()), static_cast<int8_t>(x.imag())};
  } else if constexpr (kIsComplex<T>) {
    using Part = typename T::value_type;
    return T(static_cast<Part>(x.real()), static_cast<Part>(x.imag()));
  } else if constexpr (std::is_same_v<T, int32_t>) {
    return static_cast<int32_t>(static_cast<uint32_t>(static_cast<int64_t>(x.real())));
  } else {
    return static_cast<T>(x.real());
  }
}

// NaN where the type has one, otherwise a value that would be noticed.
template <class T>
T poison() {
  if constexpr (std::is_same_v<T, int8_t>) return -128;
  if constexpr (std::is_same_v<T, int32_t>) return 0x5a5a5a5a;
  if constexpr (std::is_same_v<T, CS8>) return {-128, 127};
  const long double nan = std::numeric_limits<long double>::quiet_NaN();
  return narrow<T>(Wide(nan, nan));
}

template <class T>
Scalar scalar(T x) {
  Scalar result;
  result.type = TypeOf<T>::value;
  std::memcpy(result.host, &x, sizeof(T));
  return result;
}

// ---- matrices ----------------------------------------------------------------

// rows x cols with ld = rows + gap, and kGuard elements on both sides.
template <class T>
struct Host {
  static constexpr int64_t kGuard = 64;
  int64_t rows, cols, ld;
  std::vector<T> elems;

  Host(int64_t rows_, int64_t cols_, int64_t gap)
      : rows(rows_),
        cols(cols_),
        ld(std::max<int64_t>(1, rows_) + gap),
        elems(static_cast<size_t>(ld * cols_ + 2 * kGuard), poison<T>()) {}

  T* data() { return elems.data() + kGuard; }
  T& at(int64_t row, int64_t col) { return elems[static_cast<size_t>(kGuard + row + col * ld)]; }
  void fill(std::mt19937& random, int limit) {
    std::uniform_int_distribution<int> values(-limit, limit);
    for (int64_t col = 0; col < cols; ++col) {
      for (int64_t row = 0; row < rows; ++row) {
        const int re = values(random);
        const int im = values(random);
        at(row, col) = narrow<T>(Wide(re, im));
      }
    }
  }
  Matrix matrix() { return {data(), ld, ld * cols}; }
};

template <class T>
Wide op_at(Host<T>& x, Op op, int64_t row, int64_t col) {
  if (op == Op::kN) return wide(x.at(row, col));
  return op == Op::kT ? wide(x.at(col, row)) : std::conj(wide(x.at(col, row)));
}

template <class T>
bool same_bits(const std::vector<T>& x, const std::vector<T>& y) {
  return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0;
}

template <class T>
bool is_nan(T x) {
  const Wide value = wide(x);
  return value.real() != value.real() || value.imag() != value.imag();
}

template <class T>
bool equal(T x, T y) {
  return is_nan(x) ? is_nan(y) : wide(x) == wide(y);
}

// ---- a product with its reference --------------------------------------------

struct Shape {
  Op op_a, op_b;
  int64_t m, n, k;
};

inline std::string text(const Shape& s) {
  const char* ops = "NTC";
  return std::string(1, ops[static_cast<int>(s.op_a)]) + ops[static_cast<int>(s.op_b)] +
         " m=" + std::to_string(s.m) + " n=" + std::to_string(s.n) + " k=" + std::to_string(s.k);
}

template <class In, class ScalarType, class Out>
struct Product {
  Shape shape;
  Host<In> a, b;
  Host<Out> c;
  GemmProblem problem;

  Product(const Shape& s, ScalarType alpha, ScalarType beta, int64_t gap = 3, int limit = 2)
      : shape(s),
        a(s.op_a == Op::kN ? s.m : s.k, s.op_a == Op::kN ? s.k : s.m, gap),
        b(s.op_b == Op::kN ? s.k : s.n, s.op_b == Op::kN ? s.n : s.k, gap),
        c(s.m, s.n, gap) {
    std::mt19937 random(static_cast<unsigned>(s.m * 10007 + s.n * 101 + s.k + 1));
    a.fill(random, limit);
    b.fill(random, limit);
    if (wide(beta) != Wide(0)) c.fill(random, limit);  // otherwise C stays full of NaN
    problem.ab_type = TypeOf<In>::value;
    problem.c_type = TypeOf<Out>::value;
    problem.op_a = s.op_a;
    problem.op_b = s.op_b;
    problem.m = s.m;
    problem.n = s.n;
    problem.k = s.k;
    problem.a = a.matrix();
    problem.b = b.matrix();
    problem.c = c.matrix();
    problem.alpha = scalar(alpha);
    problem.beta = scalar(beta);
  }

  // C as it has to be after the call, guards and gaps included.
  std::vector<Out> expected() {
    Host<Out> result = c;
    const Wide alpha = value_of(problem.alpha);
    const Wide beta = value_of(problem.beta);
    for (int64_t col = 0; col < shape.n; ++col) {
      for (int64_t row = 0; row < shape.m; ++row) {
        Wide sum = 0;
        for (int64_t i = 0; i < shape.k; ++i) {
          sum += op_at(a, shape.op_a, row, i) * op_at(b, shape.op_b, i, col);
        }
        Wide value = alpha == Wide(0) ? Wide(0) : alpha * sum;
        if (beta != Wide(0)) value += beta * wide(c.at(row, col));
        result.at(row, col) = narrow<Out>(value);
      }
    }
    return result.elems;
  }

  // Runs `gemm(problem)` and compares all of A, B and C with what they have to be.
  template <class Gemm>
  void check(Gemm gemm) {
    const std::vector<Out> want = expected();
    const std::vector<In> a_before = a.elems;
    const std::vector<In> b_before = b.elems;
    ASSERT_EQ(gemm(problem), Status::kSuccess) << text(shape);
    EXPECT_TRUE(same_bits(a.elems, a_before)) << text(shape) << ": A was written";
    EXPECT_TRUE(same_bits(b.elems, b_before)) << text(shape) << ": B was written";
    for (size_t i = 0; i < want.size(); ++i) {
      ASSERT_TRUE(equal(c.elems[i], want[i]))
          << text(shape) << " element " << static_cast<int64_t>(i) - Host<Out>::kGuard << ": "
          << wide(c.elems[i]) << " for " << wide(want[i]);
    }
  }

 private:
  static Wide value_of(const Scalar& x) {
    ScalarType value;
    std::memcpy(&value, x.host, sizeof value);
    return wide(value);
  }
};

}  // namespace myblas::cpu::test
