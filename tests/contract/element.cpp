// SPDX-License-Identifier: BSD-3-Clause
#include "element.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "blas_call.h"

namespace contract {
namespace {

template <class T>
void put(unsigned char* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

template <class T>
T get(const unsigned char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// Exact for the integers up to 2048 and for NaN, which is all that occurs.
uint16_t to_half(double value) {
  if (std::isnan(value)) return 0x7e00;
  if (value == 0) return 0;
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);
  const auto mantissa = static_cast<unsigned>(std::ldexp(fraction, 11)) & 0x3ffu;
  const auto biased = static_cast<unsigned>(exponent - 1 + 15);
  return static_cast<uint16_t>((value < 0 ? 0x8000u : 0u) | (biased << 10) | mantissa);
}

double from_half(uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1f;
  const int mantissa = bits & 0x3ff;
  double value = 0;
  if (exponent == 31) {
    value = mantissa ? std::nan("") : HUGE_VAL;
  } else if (exponent == 0) {
    value = std::ldexp(mantissa, -24);
  } else {
    value = std::ldexp(mantissa + 1024, exponent - 25);
  }
  return bits & 0x8000 ? -value : value;
}

uint16_t to_bfloat(double value) {
  return static_cast<uint16_t>(std::bit_cast<uint32_t>(static_cast<float>(value)) >> 16);
}

double from_bfloat(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

}  // namespace

size_t element_bytes(int type) {
  switch (type) {
    case kR8I: return 1;
    case kR16F:
    case kR16BF:
    case kC8I: return 2;
    case kR32F:
    case kR32I: return 4;
    case kR64F:
    case kC32F: return 8;
    default: return 16;
  }
}

void store(int type, unsigned char* at, Value value) {
  switch (type) {
    case kR8I: put(at, static_cast<int8_t>(value.real())); break;
    case kC8I:
      put(at, static_cast<int8_t>(value.real()));
      put(at + 1, static_cast<int8_t>(value.imag()));
      break;
    case kR16F: put(at, to_half(value.real())); break;
    case kR16BF: put(at, to_bfloat(value.real())); break;
    case kR32F: put(at, static_cast<float>(value.real())); break;
    case kR32I: put(at, static_cast<int32_t>(value.real())); break;
    case kR64F: put(at, value.real()); break;
    case kC32F:
      put(at, static_cast<float>(value.real()));
      put(at + 4, static_cast<float>(value.imag()));
      break;
    default: put(at, value.real()); put(at + 8, value.imag());
  }
}

Value load(int type, const unsigned char* at) {
  switch (type) {
    case kR8I: return static_cast<double>(get<int8_t>(at));
    case kC8I:
      return {static_cast<double>(get<int8_t>(at)), static_cast<double>(get<int8_t>(at + 1))};
    case kR16F: return from_half(get<uint16_t>(at));
    case kR16BF: return from_bfloat(get<uint16_t>(at));
    case kR32F: return static_cast<double>(get<float>(at));
    case kR32I: return static_cast<double>(get<int32_t>(at));
    case kR64F: return get<double>(at);
    case kC32F:
      return {static_cast<double>(get<float>(at)), static_cast<double>(get<float>(at + 4))};
    default: return {get<double>(at), get<double>(at + 8)};
  }
}

}  // namespace contract
