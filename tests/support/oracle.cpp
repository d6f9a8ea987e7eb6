// SPDX-License-Identifier: BSD-3-Clause
#include "support/oracle.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <thread>

namespace myblas::test {
namespace {

double one_norm(Value value) { return std::fabs(value.re) + std::fabs(value.im); }

size_t at(int64_t i, int64_t j, int64_t rows) { return static_cast<size_t>(j * rows + i); }

// sign * x * y, as a part of a product of complex matrices.
struct Part {
  const std::vector<double>&x, &y;
  double sign = 1.0;
};

// The parts' sum, for some columns of an x.rows by y.cols result. The sums of a few rows stay in
// registers, and these rows of x in the first cache.
template <class Sum>
void add_up(std::initializer_list<Part> parts, int64_t rows, int64_t depth, int64_t first_column,
            int64_t end_column, std::vector<double>& result) {
  constexpr int64_t kRows = 4;
  std::vector<Sum> x_rows(static_cast<size_t>(depth * kRows) * parts.size());
  for (int64_t i = 0; i < rows; i += kRows) {
    const int64_t live = std::min(kRows, rows - i);
    Sum* to = x_rows.data();
    for (const Part& part : parts) {
      for (int64_t p = 0; p < depth; ++p, to += kRows) {
        for (int64_t r = 0; r < live; ++r) to[r] = part.sign * part.x[at(i + r, p, rows)];
      }
    }
    for (int64_t j = first_column; j < end_column; ++j) {
      Sum sums[kRows] = {};
      const Sum* x = x_rows.data();
      for (const Part& part : parts) {
        const double* y = part.y.data() + at(0, j, depth);
        for (int64_t p = 0; p < depth; ++p, x += kRows) {
          const Sum factor = y[p];
          sums[0] += x[0] * factor;  // written out, or GCC 12 keeps them in memory
          sums[1] += x[1] * factor;
          sums[2] += x[2] * factor;
          sums[3] += x[3] * factor;
        }
      }
      for (int64_t r = 0; r < live; ++r) result[at(i + r, j, rows)] = static_cast<double>(sums[r]);
    }
  }
}

std::vector<double> norms(const Dense& x) {
  std::vector<double> result(x.re.size());
  for (size_t i = 0; i < result.size(); ++i) {
    result[i] = one_norm({x.re[i], x.complex ? x.im[i] : 0.0});
  }
  return result;
}

template <class Sum>
void multiply_as(const Dense& a, const Dense& b, bool with_magnitude, Products& products) {
  const auto multiply_parts = [&](std::initializer_list<Part> parts, std::vector<double>& result) {
    result.resize(static_cast<size_t>(a.rows * b.cols));
    const int64_t work = a.rows * a.cols * b.cols * static_cast<int64_t>(parts.size());
    in_threads(b.cols, work, [&](int64_t first_column, int64_t end_column) {
      add_up<Sum>(parts, a.rows, a.cols, first_column, end_column, result);
    });
  };
  if (a.complex) {
    multiply_parts({{a.re, b.re}, {a.im, b.im, -1.0}}, products.re);
    multiply_parts({{a.re, b.im}, {a.im, b.re}}, products.im);
  } else {
    multiply_parts({{a.re, b.re}}, products.re);
  }
  if (with_magnitude) multiply_parts({{norms(a), norms(b)}}, products.magnitude);
}

}  // namespace

void in_threads(int64_t count, int64_t work, const std::function<void(int64_t, int64_t)>& body) {
  static const int64_t cores = std::thread::hardware_concurrency();  // asks the kernel
  static thread_local bool is_one_of_several = false;
  const int64_t work_per_thread = 1'000'000;
  const int64_t most = is_one_of_several ? 1 : std::max<int64_t>(count, 1);
  const int64_t threads = std::clamp<int64_t>(std::min(work / work_per_thread, cores), 1, most);
  if (threads == 1) return body(0, count);
  const auto run = [&](int64_t part) {
    is_one_of_several = true;
    body(count * part / threads, count * (part + 1) / threads);
    is_one_of_several = false;
  };
  std::vector<std::thread> others;
  for (int64_t t = 1; t < threads; ++t) others.emplace_back(run, t);
  run(0);
  for (std::thread& other : others) other.join();
}

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
  std::vector<Value> column(static_cast<size_t>(layout.rows));
  const int64_t step = transposed ? dense.rows : 1;
  for (int64_t j = 0; j < layout.cols && layout.rows > 0; ++j) {
    load(layout.type, slot_start + layout.byte(0, j, index), column.size(), column.data());
    size_t to = transposed ? at(j, 0, dense.rows) : at(0, j, dense.rows);
    for (const Value value : column) {
      dense.re[to] = value.re;
      if (complex) dense.im[to] = op == MYBLAS_OP_C ? -value.im : value.im;
      to += static_cast<size_t>(step);
    }
  }
  return dense;
}

Products multiply(const Dense& a, const Dense& b, Arithmetic arithmetic, bool with_magnitude) {
  Products products;
  products.rows = a.rows;
  products.cols = b.cols;
  products.complex = a.complex;
  if (arithmetic == Arithmetic::kDouble) {
    multiply_as<double>(a, b, with_magnitude, products);
  } else {
    multiply_as<long double>(a, b, with_magnitude, products);
  }
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
