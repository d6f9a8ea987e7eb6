// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// emulator/tensor_sums.h: how tensor cores add, as measured on real ones: the products of one
// instruction and the sum before it are brought to the largest exponent among them, cut off
// towards zero a few bits below a float's last place, added exactly, and the result is cut off to
// a float. No rounding anywhere.
//==============================================================================
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace emulator {

// Settings::tensor_core_bits.
int tensor_core_bits();

// sum + a[0] b[0] + a[1] b[1] + ..., the elements a_step and b_step apart. bits: kept of every
// addend, counted from the leading bit of the largest; a float has 24.
inline float truncated_sum(float sum, const double* a, size_t a_step, const double* b,
                           size_t b_step, int depth, int bits) {
  int largest = -1000;
  const auto look = [&](double addend) {
    if (addend != 0.0) largest = std::max(largest, std::ilogb(addend));
  };
  bool finite = std::isfinite(sum);
  look(finite ? sum : 0.0);
  double plain = sum;
  for (int k = 0; k < depth; ++k) {
    const double product = a[static_cast<size_t>(k) * a_step] * b[static_cast<size_t>(k) * b_step];
    finite = finite && std::isfinite(product);
    plain += product;
    if (finite) look(product);
  }
  if (!finite) return static_cast<float>(plain);
  const int place = bits - 1 - largest;
  const auto cut = [&](double addend) { return std::trunc(std::ldexp(addend, place)); };
  double whole = cut(sum);
  for (int k = 0; k < depth; ++k) {
    whole += cut(a[static_cast<size_t>(k) * a_step] * b[static_cast<size_t>(k) * b_step]);
  }
  // To a float, towards zero.
  const double exact = std::ldexp(whole, -place);
  const auto nearest = static_cast<float>(exact);
  return std::fabs(static_cast<double>(nearest)) > std::fabs(exact) ? std::nextafter(nearest, 0.0f)
                                                                    : nearest;
}

}  // namespace emulator
