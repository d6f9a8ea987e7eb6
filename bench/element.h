// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// element.h: one element of a matrix to and from double, and the random data.
//
// The same functions run on the host and on the device, so both backends are
// fed the same numbers (but for the last bit of logf and cosf) and judged by
// the same arithmetic. The 16-bit formats
// are handled by their bits: no CUDA header is needed.
//==============================================================================
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "myblas.h"

#ifdef __CUDACC__
#define BENCH_HD __host__ __device__ inline
#else
#define BENCH_HD inline
#endif

namespace bench {

struct Complex {
  double re = 0.0, im = 0.0;
};

BENCH_HD size_t element_bytes(myblasDataType_t type) {
  switch (type) {
    case MYBLAS_R_8I: return 1;
    case MYBLAS_R_16F:
    case MYBLAS_R_16BF: return 2;
    case MYBLAS_R_64F:
    case MYBLAS_C_32F: return 8;
    case MYBLAS_C_64F: return 16;
    default: return 4;
  }
}

BENCH_HD bool is_complex(myblasDataType_t type) {
  return type == MYBLAS_C_32F || type == MYBLAS_C_64F;
}

// Element `index` of an array of 4-byte, 2-byte, ... values, whatever its type.
template <class Bits>
BENCH_HD Bits load_bits(const void* base, int64_t index) {
  return static_cast<const Bits*>(base)[index];
}
template <class Bits>
BENCH_HD void store_bits(void* base, int64_t index, Bits bits) {
  static_cast<Bits*>(base)[index] = bits;
}

BENCH_HD float float_of_bits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
BENCH_HD uint32_t bits_of_float(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

BENCH_HD float half_to_float(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000u) << 16;
  const uint32_t exponent = (half >> 10) & 0x1fu;
  const uint32_t fraction = half & 0x3ffu;
  if (exponent == 0) {
    const float magnitude = static_cast<float>(fraction) * (1.0f / 16777216.0f);  // 2^-24
    return sign != 0 ? -magnitude : magnitude;
  }
  const uint32_t wide = exponent == 31 ? 255u : exponent + 112u;
  return float_of_bits(sign | (wide << 23) | (fraction << 13));
}

// Round to nearest even. Random data and CPU results are in range: overflow gives infinity.
BENCH_HD uint16_t float_to_half(float value) {
  const uint32_t bits = bits_of_float(value);
  const uint32_t sign = (bits >> 16) & 0x8000u;
  const uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return static_cast<uint16_t>(sign | 0x7e00u);
  if (magnitude >= 0x477ff000u) return static_cast<uint16_t>(sign | 0x7c00u);
  if (magnitude < 0x38800000u) {  // below the smallest normal half: count units of 2^-24
    const float units = float_of_bits(magnitude) * 16777216.0f;
    return static_cast<uint16_t>(sign | static_cast<uint32_t>(rintf(units)));
  }
  const uint32_t rebased = magnitude - (112u << 23);
  return static_cast<uint16_t>(sign | ((rebased + 0xfffu + ((rebased >> 13) & 1u)) >> 13));
}

BENCH_HD uint16_t float_to_bfloat(float value) {
  const uint32_t bits = bits_of_float(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<uint16_t>((bits >> 16) | 0x40u);
  return static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

BENCH_HD Complex load_element(const void* base, myblasDataType_t type, int64_t index) {
  switch (type) {
    case MYBLAS_R_8I: return {static_cast<double>(load_bits<int8_t>(base, index)), 0.0};
    case MYBLAS_R_32I: return {static_cast<double>(load_bits<int32_t>(base, index)), 0.0};
    case MYBLAS_R_16F: return {half_to_float(load_bits<uint16_t>(base, index)), 0.0};
    case MYBLAS_R_16BF:
      return {float_of_bits(static_cast<uint32_t>(load_bits<uint16_t>(base, index)) << 16), 0.0};
    case MYBLAS_R_64F: return {load_bits<double>(base, index), 0.0};
    case MYBLAS_C_32F:
      return {load_bits<float>(base, 2 * index), load_bits<float>(base, 2 * index + 1)};
    case MYBLAS_C_64F:
      return {load_bits<double>(base, 2 * index), load_bits<double>(base, 2 * index + 1)};
    default: return {load_bits<float>(base, index), 0.0};
  }
}

// Real types only: what is filled and written back real by real.
BENCH_HD void store_real(void* base, myblasDataType_t type, int64_t index, double value) {
  switch (type) {
    case MYBLAS_R_8I:
      store_bits(base, index, static_cast<int8_t>(fmin(fmax(rint(value), -127.0), 127.0)));
      return;
    case MYBLAS_R_32I: store_bits(base, index, static_cast<int32_t>(rint(value))); return;
    case MYBLAS_R_16F: store_bits(base, index, float_to_half(static_cast<float>(value))); return;
    case MYBLAS_R_16BF: store_bits(base, index, float_to_bfloat(static_cast<float>(value))); return;
    case MYBLAS_R_64F: store_bits(base, index, value); return;
    default: store_bits(base, index, static_cast<float>(value)); return;
  }
}

// The real type that a complex type is two of; a real type is itself.
BENCH_HD myblasDataType_t real_part_type(myblasDataType_t type) {
  if (type == MYBLAS_C_32F) return MYBLAS_R_32F;
  if (type == MYBLAS_C_64F) return MYBLAS_R_64F;
  return type;
}

// ---- random data: number `index` of the stream `seed` ---------------------------------------

BENCH_HD uint64_t mix_bits(uint64_t state) {  // splitmix64
  state += 0x9e3779b97f4a7c15ull;
  state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9ull;
  state = (state ^ (state >> 27)) * 0x94d049bb133111ebull;
  return state ^ (state >> 31);
}

BENCH_HD float random_normal(uint64_t seed, uint64_t index) {
  const uint64_t bits = mix_bits(seed ^ mix_bits(index));
  const float u = (static_cast<float>(bits >> 40) + 0.5f) * (1.0f / 16777216.0f);  // (0, 1)
  const float v = static_cast<float>((bits >> 8) & 0xffffffu) * (1.0f / 16777216.0f);
  return sqrtf(-2.0f * logf(u)) * cosf(6.2831853f * v);
}

// int8 gets a deviation of 32, so that its whole range is used and little is clamped.
BENCH_HD void store_random(void* base, myblasDataType_t real_type, int64_t index, uint64_t seed) {
  const double scale = real_type == MYBLAS_R_8I ? 32.0 : 1.0;
  store_real(base, real_type, index,
             scale * static_cast<double>(random_normal(seed, static_cast<uint64_t>(index))));
}

}  // namespace bench
