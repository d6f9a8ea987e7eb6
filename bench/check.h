// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// check.h: one checked entry in fp64, for the host and for the device.
//==============================================================================
#pragma once

#include "element.h"
#include "machine.h"

namespace bench {

// What poisoned memory is filled with: NaN in every floating type, and for int32 a number that
// no product of fewer than 131072 int8 pairs gives.
BENCH_HD int poison_byte(myblasDataType_t c_type) { return c_type == MYBLAS_R_32I ? 0x80 : 0xff; }

// Element (row, col) of op(X).
BENCH_HD Complex element_of(const CheckedOperand& x, int64_t row, int64_t col, int64_t batch) {
  const int64_t index = x.trans == 'N' ? row + col * x.layout.ld : col + row * x.layout.ld;
  Complex value = load_element(x.base, x.type, batch * x.layout.stride + index);
  if (x.trans == 'C') value.im = -value.im;
  return value;
}

// The part of the dot product with l = first, first + step, ...
BENCH_HD SampleResult partial_sample(const CheckedProduct& p, const Sample& at, int64_t first,
                                     int64_t step) {
  SampleResult result;
  for (int64_t l = first; l < p.k; l += step) {
    const Complex x = element_of(p.a, at.i, l, at.batch);
    const Complex y = element_of(p.b, l, at.j, at.batch);
    result.sum.re += x.re * y.re - x.im * y.im;
    result.sum.im += x.re * y.im + x.im * y.re;
    result.magnitude += sqrt((x.re * x.re + x.im * x.im) * (y.re * y.re + y.im * y.im));
  }
  return result;
}

BENCH_HD bool is_poisoned(const CheckedOperand& c, int64_t index, int64_t batch) {
  const int64_t row = index % c.layout.rows, col = index / c.layout.rows;
  const Complex value = element_of(c, row, col, batch);
  if (c.type == MYBLAS_R_32I) return value.re == -2139062144.0;  // 0x80808080
  return value.re != value.re || value.im != value.im;
}

}  // namespace bench
