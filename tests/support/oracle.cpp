// SPDX-License-Identifier: BSD-3-Clause
#include "support/oracle.h"

#include <algorithm>
#include <cmath>
#include <thread>

namespace myblas::test {
namespace {

double one_norm(Value value) { return std::fabs(value.re) + std::fabs(value.im); }

size_t at(int64_t i, int64_t j, int64_t rows) { return static_cast<size_t>(j * rows + i); }

// sum[i] += a[i] * b
template <class Sum>
void add_scaled(Sum* sum, const double* a, double b, size_t count) {
  for (size_t i = 0; i < count; ++i) sum[i] += static_cast<Sum>(a[i]) * static_cast<Sum>(b);
}

template <class Sum>
void multiply_columns(const Dense& a, const Dense& b, bool with_magnitude, int64_t first_column,
                      int64_t end_column, Products& products) {
  const auto rows = static_cast<size_t>(a.rows);
  std::vector<Sum> re(rows), im(rows), magnitude(rows);
  for (int64_t j = first_column; j < end_column; ++j) {
    std::fill(re.begin(), re.end(), Sum{});
    std::fill(im.begin(), im.end(), Sum{});
    std::fill(magnitude.begin(), magnitude.end(), Sum{});
    for (int64_t p = 0; p < a.cols; ++p) {
      const double* a_re = a.re.data() + at(0, p, a.rows);
      const double b_re = b.re[at(p, j, b.rows)];
      add_scaled(re.data(), a_re, b_re, rows);
      if (a.complex) {
        const double* a_im = a.im.data() + at(0, p, a.rows);
        const double b_im = b.im[at(p, j, b.rows)];
        add_scaled(re.data(), a_im, -b_im, rows);
        add_scaled(im.data(), a_re, b_im, rows);
        add_scaled(im.data(), a_im, b_re, rows);
      }
      if (with_magnitude) {
        const double b_norm =
            std::fabs(b_re) + (b.complex ? std::fabs(b.im[at(p, j, b.rows)]) : 0.0);
        for (size_t i = 0; i < rows; ++i) {
          const double a_norm =
              std::fabs(a_re[i]) + (a.complex ? std::fabs(a.im[at(0, p, a.rows) + i]) : 0.0);
          magnitude[i] += static_cast<Sum>(a_norm * b_norm);
        }
      }
    }
    for (size_t i = 0; i < rows; ++i) {
      const size_t out = at(0, j, a.rows) + i;
      products.re[out] = static_cast<double>(re[i]);
      if (products.complex) products.im[out] = static_cast<double>(im[i]);
      if (with_magnitude) products.magnitude[out] = static_cast<double>(magnitude[i]);
    }
  }
}

}  // namespace

Dense gather(const uint8_t* slot_start, const Layout& layout, myblasOperation_t op, int64_t index) {
  const bool transposed = op != MYBLAS_OP_N;
  const bool complex = is_complex(layout.type);
  Dense dense;
  dense.complex = complex;
  dense.rows = transposed ? layout.cols : layout.rows;
  dense.cols = transposed ? layout.rows : layout.cols;
  const auto count = static_cast<size_t>(dense.rows * dense.cols);
  dense.re.resize(count);
  if (complex) dense.im.resize(count);
  for (int64_t j = 0; j < layout.cols; ++j) {
    for (int64_t i = 0; i < layout.rows; ++i) {
      const Value value = load(layout.type, slot_start + layout.byte(i, j, index));
      const size_t to = transposed ? at(j, i, dense.rows) : at(i, j, dense.rows);
      dense.re[to] = value.re;
      if (complex) dense.im[to] = op == MYBLAS_OP_C ? -value.im : value.im;
    }
  }
  return dense;
}

Products multiply(const Dense& a, const Dense& b, Arithmetic arithmetic, bool with_magnitude) {
  Products products;
  products.rows = a.rows;
  products.cols = b.cols;
  const auto count = static_cast<size_t>(a.rows * b.cols);
  products.re.resize(count);
  products.complex = a.complex;
  if (a.complex) products.im.resize(count);
  if (with_magnitude) products.magnitude.resize(count);

  const auto run = [&](int64_t first_column, int64_t end_column) {
    if (arithmetic == Arithmetic::kDouble) {
      multiply_columns<double>(a, b, with_magnitude, first_column, end_column, products);
    } else {
      multiply_columns<long double>(a, b, with_magnitude, first_column, end_column, products);
    }
  };
  static const int64_t cores = std::thread::hardware_concurrency();  // asks the kernel
  const int64_t work_per_thread = 4'000'000;
  const int64_t work = a.rows * a.cols * b.cols;
  const int64_t threads =
      std::clamp<int64_t>(std::min(work / work_per_thread, cores), 1, std::max<int64_t>(b.cols, 1));
  if (threads == 1) {
    run(0, b.cols);
    return products;
  }
  std::vector<std::thread> workers;
  for (int64_t t = 0; t < threads; ++t) {
    workers.emplace_back(run, b.cols * t / threads, b.cols * (t + 1) / threads);
  }
  for (std::thread& worker : workers) worker.join();
  return products;
}

int exact_range(const TypeCombo& combo, int64_t k, Value alpha, Value beta) {
  const double terms =
      static_cast<double>(std::max<int64_t>(k, 1)) * (is_complex(combo.ab) ? 2 : 1);
  // One bit less for halves, one for the sum of the two products.
  const int bits = combo.scale == MYBLAS_R_32I ? 30 : sum_roundoff(combo) == 0x1p-53 ? 51 : 22;
  const double scale = std::max({1.0, one_norm(alpha), one_norm(beta)});
  const double limit = std::sqrt(std::ldexp(1.0, bits) / (terms * scale));
  const double cap = combo.scale == MYBLAS_R_32I ? 100 : 8;
  return static_cast<int>(std::max(2.0, std::min(cap, std::floor(limit))));
}

Value combine(const Products& products, int64_t i, int64_t j, int64_t k, Value alpha, Value beta,
              Value c) {
  const bool complex = products.complex;
  long double re = 0, im = 0;
  if (k > 0 && !(alpha.re == 0.0 && alpha.im == 0.0)) {
    const size_t element = at(i, j, products.rows);
    const long double x = products.re[element];
    re = alpha.re * x;
    if (complex) {
      const long double y = products.im[element];
      re -= alpha.im * y;
      im = alpha.re * y + alpha.im * x;
    }
  }
  if (!(beta.re == 0.0 && beta.im == 0.0)) {
    re += static_cast<long double>(beta.re) * c.re;
    if (complex) {
      re -= static_cast<long double>(beta.im) * c.im;
      im += static_cast<long double>(beta.re) * c.im + static_cast<long double>(beta.im) * c.re;
    }
  }
  return {static_cast<double>(re), static_cast<double>(im)};
}

double error_bound(const TypeCombo& combo, const Products& products, int64_t i, int64_t j,
                   int64_t k, Value alpha, Value beta, Value c, Value expected) {
  const double u = sum_roundoff(combo);
  const double steps = static_cast<double>(is_complex(combo.c) ? 2 * k + 6 : k + 2);
  const double gamma = steps * u / (1.0 - steps * u);
  const double product = one_norm(alpha) * products.magnitude[at(i, j, products.rows)];
  const double scaled_c = beta.re == 0.0 && beta.im == 0.0 ? 0.0 : one_norm(beta) * one_norm(c);
  const double inputs = input_roundoff(combo);
  const double input_error = (2.0 * inputs + inputs * inputs) * product;
  const double f16_sums = f16_sum_error(combo) * product;
  const double smallest = combo.c == MYBLAS_R_16F ? 0x1p-24 : 0x1p-126;
  return gamma * (product + scaled_c) + input_error + f16_sums +
         unit_roundoff(combo.c) * (1.0 + gamma) * one_norm(expected) + smallest;
}

Expected finish(Expected result, Value bias, myblasDropinActivation_t activation,
                const TypeCombo& combo) {
  const double x = result.value.re + bias.re;
  if (result.tolerance > 0.0) {  // one more addition, rounded in the compute type and in C's
    result.tolerance +=
        (2 * sum_roundoff(combo) + unit_roundoff(combo.c)) * (std::fabs(x) + std::fabs(bias.re));
  }
  result.value.re = x;
  if (activation == MYBLAS_DROPIN_RELU && x < 0) result.value.re = 0.0;
  if (activation == MYBLAS_DROPIN_GELU) {
    const double u = std::sqrt(2.0 / std::acos(-1.0)) * (x + 0.044715 * x * x * x);
    result.value.re = x / (1.0 + std::exp(-2.0 * u));
    // Its slope is 1.13 at most; e^-2u is off by as many rounding errors as 2u has units.
    const double approximation = 8 * sum_roundoff(combo) * std::fabs(x);
    result.tolerance = 1.2 * result.tolerance + approximation + 1e-30 +
                       unit_roundoff(combo.c) * std::fabs(result.value.re);
    if (combo.c == MYBLAS_R_16F) result.tolerance += 0x1p-24;
  }
  return result;
}

}  // namespace myblas::test
