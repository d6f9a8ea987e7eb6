// SPDX-License-Identifier: BSD-3-Clause
// emulator/small_floats.h: binary16, bfloat16 and tf32 from and to float, one rounding to nearest,
// ties to even.
#pragma once

#include <bit>
#include <cstdint>

namespace emulator {

inline float bfloat16_to_float(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

// Keeps the upper bits of a float: `dropped` mantissa bits are rounded away. A carry out of the
// mantissa lands in the exponent, where it means the right thing.
inline uint32_t round_mantissa(uint32_t bits, int dropped) {
  if ((bits & 0x7fffffffu) > 0x7f800000u) return (bits | 0x400000u) >> dropped;  // a quiet NaN
  const uint32_t odd = (bits >> dropped) & 1;
  return (bits + ((1u << (dropped - 1)) - 1) + odd) >> dropped;
}

inline uint16_t bfloat16_from_float(float value) {
  return static_cast<uint16_t>(round_mantissa(std::bit_cast<uint32_t>(value), 16));
}

inline float half_to_float(uint16_t bits) {
  const uint32_t sign = (bits & 0x8000u) << 16;
  const uint32_t exponent = (bits >> 10) & 0x1f;
  const uint32_t mantissa = bits & 0x3ff;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | (mantissa << 13));
  if (exponent != 0)
    return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
  const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
  return sign != 0 ? -magnitude : magnitude;
}

inline uint16_t half_from_float(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const auto sign = static_cast<uint16_t>((bits >> 16) & 0x8000);
  const uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return static_cast<uint16_t>(sign | 0x7fff);
  if (magnitude >= 0x477ff000u) return static_cast<uint16_t>(sign | 0x7c00);  // 65520 and above
  if (magnitude < 0x38800000u) {
    // Below 2^-14: adding 0.5 leaves the multiple of 2^-24, rounded by the hardware.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    return static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(shifted) - 0x3f000000u));
  }
  return static_cast<uint16_t>(sign | (round_mantissa(magnitude - (112u << 23), 13)));
}

// What a tensor core reads of a 32-bit register that holds a tf32 operand.
inline float tf32_operand(float value) {
  return std::bit_cast<float>(std::bit_cast<uint32_t>(value) & 0xffffe000u);
}

}  // namespace emulator
