// SPDX-License-Identifier: BSD-3-Clause
#include "support/elements.h"

#include <cmath>
#include <cstdlib>
#include <limits>

namespace myblas::test {
namespace {

// A 16-bit float format: 1 sign bit, the exponent, `mantissa_bits`.
struct Format {
  int mantissa_bits;
  int exponent_min;  // of the smallest normal number
  int exponent_max;  // of the largest
};
constexpr Format kHalf{10, -14, 15};
constexpr Format kBfloat16{7, -126, 127};

uint16_t encode(Format format, double x) {
  const int sign = std::signbit(x) ? 0x8000 : 0;
  const int one = 1 << format.mantissa_bits;
  const int infinity = (format.exponent_max - format.exponent_min + 2) << format.mantissa_bits;
  if (std::isnan(x)) return static_cast<uint16_t>(sign | infinity | (one >> 1));
  const double magnitude = std::fabs(x);
  if (magnitude == 0.0) return static_cast<uint16_t>(sign);
  int exponent = std::isinf(magnitude) ? format.exponent_max + 1 : std::ilogb(magnitude);
  if (exponent > format.exponent_max) return static_cast<uint16_t>(sign | infinity);
  const bool subnormal = exponent < format.exponent_min;
  if (subnormal) exponent = format.exponent_min;
  // Scaling by a power of two is exact, nearbyint rounds once. A carry out of the mantissa lands
  // in the exponent field, where it means the right thing, infinity included.
  const int scaled =
      static_cast<int>(std::nearbyint(std::ldexp(magnitude, format.mantissa_bits - exponent)));
  if (subnormal) return static_cast<uint16_t>(sign | scaled);
  const int biased = exponent - format.exponent_min + 1;
  return static_cast<uint16_t>(sign | ((biased << format.mantissa_bits) + (scaled - one)));
}

double decode(Format format, uint16_t bits) {
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  const int one = 1 << format.mantissa_bits;
  const int mantissa = bits & (one - 1);
  const int biased = (bits & 0x7fff) >> format.mantissa_bits;
  const int special = format.exponent_max - format.exponent_min + 2;
  if (biased == special) {
    return mantissa != 0 ? std::numeric_limits<double>::quiet_NaN()
                         : sign * std::numeric_limits<double>::infinity();
  }
  if (biased == 0) {
    return sign * std::ldexp(mantissa, format.exponent_min - format.mantissa_bits);
  }
  return sign * std::ldexp(one + mantissa, biased - 1 + format.exponent_min - format.mantissa_bits);
}

template <class T>
T read(const void* at, size_t index = 0) {
  T x;
  std::memcpy(&x, static_cast<const unsigned char*>(at) + index * sizeof(T), sizeof(T));
  return x;
}

template <class T>
void write(void* at, size_t index, T x) {
  std::memcpy(static_cast<unsigned char*>(at) + index * sizeof(T), &x, sizeof(T));
}

template <class Int>
Int to_integer(double x) {
  // A test that leaves the range is wrong itself.
  if (!(x >= static_cast<double>(std::numeric_limits<Int>::min()) &&
        x <= static_cast<double>(std::numeric_limits<Int>::max()) && x == std::nearbyint(x))) {
    std::abort();
  }
  return static_cast<Int>(x);
}

}  // namespace

uint16_t half_from_double(double x) { return encode(kHalf, x); }
uint16_t bfloat16_from_double(double x) { return encode(kBfloat16, x); }
double half_to_double(uint16_t bits) { return decode(kHalf, bits); }
double bfloat16_to_double(uint16_t bits) { return decode(kBfloat16, bits); }

bool is_complex(myblasDataType_t type) {
  return type == MYBLAS_C_8I || type == MYBLAS_C_32F || type == MYBLAS_C_64F;
}

bool is_integer(myblasDataType_t type) {
  return type == MYBLAS_R_8I || type == MYBLAS_C_8I || type == MYBLAS_R_32I;
}

size_t element_bytes(myblasDataType_t type) {
  switch (type) {
    case MYBLAS_R_8I: return 1;
    case MYBLAS_R_16F:
    case MYBLAS_R_16BF:
    case MYBLAS_C_8I: return 2;
    case MYBLAS_R_32F:
    case MYBLAS_R_32I: return 4;
    case MYBLAS_R_64F:
    case MYBLAS_C_32F: return 8;
    case MYBLAS_C_64F: return 16;
    default: std::abort();
  }
}

const char* type_name(myblasDataType_t type) {
  switch (type) {
    case MYBLAS_R_8I: return "s8";
    case MYBLAS_R_16F: return "f16";
    case MYBLAS_R_16BF: return "bf16";
    case MYBLAS_C_8I: return "cs8";
    case MYBLAS_R_32F: return "f32";
    case MYBLAS_R_32I: return "s32";
    case MYBLAS_R_64F: return "f64";
    case MYBLAS_C_32F: return "cf32";
    case MYBLAS_C_64F: return "cf64";
    default: return "?";
  }
}

Value load(myblasDataType_t type, const void* at) {
  switch (type) {
    case MYBLAS_R_8I: return {static_cast<double>(read<int8_t>(at)), 0.0};
    case MYBLAS_R_16F: return {half_to_double(read<uint16_t>(at)), 0.0};
    case MYBLAS_R_16BF: return {bfloat16_to_double(read<uint16_t>(at)), 0.0};
    case MYBLAS_R_32F: return {static_cast<double>(read<float>(at)), 0.0};
    case MYBLAS_R_32I: return {static_cast<double>(read<int32_t>(at)), 0.0};
    case MYBLAS_R_64F: return {read<double>(at), 0.0};
    case MYBLAS_C_8I:
      return {static_cast<double>(read<int8_t>(at)), static_cast<double>(read<int8_t>(at, 1))};
    case MYBLAS_C_32F:
      return {static_cast<double>(read<float>(at)), static_cast<double>(read<float>(at, 1))};
    case MYBLAS_C_64F: return {read<double>(at), read<double>(at, 1)};
    default: std::abort();
  }
}

void store(myblasDataType_t type, void* at, Value value) {
  switch (type) {
    case MYBLAS_R_8I: return write(at, 0, to_integer<int8_t>(value.re));
    case MYBLAS_R_16F: return write(at, 0, half_from_double(value.re));
    case MYBLAS_R_16BF: return write(at, 0, bfloat16_from_double(value.re));
    case MYBLAS_R_32F: return write(at, 0, static_cast<float>(value.re));
    case MYBLAS_R_32I: return write(at, 0, to_integer<int32_t>(value.re));
    case MYBLAS_R_64F: return write(at, 0, value.re);
    case MYBLAS_C_8I:
      write(at, 0, to_integer<int8_t>(value.re));
      return write(at, 1, to_integer<int8_t>(value.im));
    case MYBLAS_C_32F:
      write(at, 0, static_cast<float>(value.re));
      return write(at, 1, static_cast<float>(value.im));
    case MYBLAS_C_64F: write(at, 0, value.re); return write(at, 1, value.im);
    default: std::abort();
  }
}

Value rounded(myblasDataType_t type, Value value) {
  unsigned char bytes[16];
  store(type, bytes, value);
  return load(type, bytes);
}

double unit_roundoff(myblasDataType_t type) {
  switch (type) {
    case MYBLAS_R_16F: return 0x1p-11;
    case MYBLAS_R_16BF: return 0x1p-8;
    case MYBLAS_R_32F:
    case MYBLAS_C_32F: return 0x1p-24;
    case MYBLAS_R_64F:
    case MYBLAS_C_64F: return 0x1p-53;
    default: return 0.0;
  }
}

}  // namespace myblas::test
