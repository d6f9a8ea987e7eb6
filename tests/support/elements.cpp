// SPDX-License-Identifier: BSD-3-Clause
#include "support/elements.h"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <type_traits>

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

// ldexp, ilogb and nearbyint are calls into libm, which cost more than all else here.
double power_of_two(int exponent) {  // of a normal double
  return std::bit_cast<double>(static_cast<uint64_t>(exponent + 1023) << 52);
}
// Below every format's smallest for 0 and subnormal doubles, above its largest for infinity.
int exponent_of(double x) {
  return static_cast<int>(std::bit_cast<uint64_t>(x) >> 52 & 0x7ff) - 1023;
}
// Ties to even; of 0 <= x < 2^51.
double nearest_integer(double x) { return (x + 0x1p52) - 0x1p52; }

uint16_t encode(Format format, double x) {
  const int sign = std::signbit(x) ? 0x8000 : 0;
  const int one = 1 << format.mantissa_bits;
  const int infinity = (format.exponent_max - format.exponent_min + 2) << format.mantissa_bits;
  if (std::isnan(x)) return static_cast<uint16_t>(sign | infinity | (one >> 1));
  const double magnitude = std::fabs(x);
  int exponent = exponent_of(x);
  if (exponent > format.exponent_max) return static_cast<uint16_t>(sign | infinity);
  const bool subnormal = exponent < format.exponent_min;
  if (subnormal) exponent = format.exponent_min;
  // Scaling by a power of two is exact, so there is one rounding. A carry out of the mantissa lands
  // in the exponent field, where it means the right thing, infinity included.
  const int scaled =
      static_cast<int>(nearest_integer(magnitude * power_of_two(format.mantissa_bits - exponent)));
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
    return sign * mantissa * power_of_two(format.exponent_min - format.mantissa_bits);
  }
  return sign * (one + mantissa) *
         power_of_two(biased - 1 + format.exponent_min - format.mantissa_bits);
}

// How one component lies in memory.
template <class T>
struct Number {
  using Bits = T;
  static double decode(T bits) { return static_cast<double>(bits); }
  static T encode(double x) {
    if constexpr (std::is_integral_v<T>) {
      // A test that leaves the range is wrong itself.
      if (!(x >= static_cast<double>(std::numeric_limits<T>::min()) &&
            x <= static_cast<double>(std::numeric_limits<T>::max()) && x == static_cast<T>(x))) {
        std::abort();
      }
    }
    return static_cast<T>(x);
  }
};
template <const Format& kFormat>
struct SmallFloat {
  using Bits = uint16_t;
  static double decode(uint16_t bits) { return test::decode(kFormat, bits); }
  static uint16_t encode(double x) { return test::encode(kFormat, x); }
};

template <class Component, int kComponents>
struct Element {
  using Bits = typename Component::Bits;
  static constexpr size_t kBytes = kComponents * sizeof(Bits);

  static Value load(const void* at) {
    Bits bits[kComponents];
    std::memcpy(bits, at, kBytes);
    return {Component::decode(bits[0]),
            kComponents == 2 ? Component::decode(bits[kComponents - 1]) : 0.0};
  }
  static void store(void* at, Value value) {
    Bits bits[kComponents] = {Component::encode(value.re)};
    if (kComponents == 2) bits[kComponents - 1] = Component::encode(value.im);
    std::memcpy(at, bits, kBytes);
  }
};

// Calls `body` with the type's Element.
template <class Body>
auto with_element(myblasDataType_t type, const Body& body) {
  switch (type) {
    case MYBLAS_R_8I: return body(Element<Number<int8_t>, 1>{});
    case MYBLAS_R_16F: return body(Element<SmallFloat<kHalf>, 1>{});
    case MYBLAS_R_16BF: return body(Element<SmallFloat<kBfloat16>, 1>{});
    case MYBLAS_R_32F: return body(Element<Number<float>, 1>{});
    case MYBLAS_R_32I: return body(Element<Number<int32_t>, 1>{});
    case MYBLAS_R_64F: return body(Element<Number<double>, 1>{});
    case MYBLAS_C_8I: return body(Element<Number<int8_t>, 2>{});
    case MYBLAS_C_32F: return body(Element<Number<float>, 2>{});
    case MYBLAS_C_64F: return body(Element<Number<double>, 2>{});
    default: std::abort();
  }
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
  return with_element(type, [=](auto element) { return element.load(at); });
}

void store(myblasDataType_t type, void* at, Value value) {
  with_element(type, [=](auto element) { element.store(at, value); });
}

void load(myblasDataType_t type, const void* at, size_t count, Value* values) {
  with_element(type, [=](auto element) {
    const auto* from = static_cast<const unsigned char*>(at);
    for (size_t i = 0; i < count; ++i) values[i] = element.load(from + i * element.kBytes);
  });
}

void store(myblasDataType_t type, void* at, size_t count, const Value* values) {
  with_element(type, [=](auto element) {
    auto* to = static_cast<unsigned char*>(at);
    for (size_t i = 0; i < count; ++i) element.store(to + i * element.kBytes, values[i]);
  });
}

Value rounded(myblasDataType_t type, Value value) {
  return with_element(type, [=](auto element) {
    unsigned char bytes[16];
    element.store(bytes, value);
    return element.load(bytes);
  });
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
