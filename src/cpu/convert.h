// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// cpu/convert.h: element types, their conversions, and loops over a block.
//
//   blocks    column-major, rows x cols, any ld
//   pack      storage type -> arithmetic type, exact
//   store     C = alpha*acc + beta*C, one rounding to C's type (nearest even)
//
// The conversions have no branches, so that the loops vectorise; on x86-64 they
// are compiled twice, for AVX2 and for the baseline, with the same results.
//==============================================================================
#pragma once

#include <bit>
#include <complex>
#include <cstdint>
#include <type_traits>

namespace myblas::cpu {

struct F16 {
  uint16_t bits;
};
struct BF16 {
  uint16_t bits;
};
struct CS8 {
  int8_t re, im;
};
using CF32 = std::complex<float>;
using CF64 = std::complex<double>;

template <class T>
inline constexpr bool kIsComplex = std::is_same_v<T, CF32> || std::is_same_v<T, CF64>;

// condition ? x : y on bits. As masks, because compilers turn ?: with arithmetic on a side back
// into a branch, which ends vectorisation.
[[gnu::always_inline]] inline uint32_t select(bool condition, uint32_t x, uint32_t y) {
  const uint32_t mask = 0u - static_cast<uint32_t>(condition);
  return (x & mask) | (y & ~mask);
}

// ---- storage type -> arithmetic type -----------------------------------------

[[gnu::always_inline]] inline float to_float(F16 value) {
  const uint32_t sign = (value.bits & 0x8000u) << 16;
  const uint32_t magnitude = value.bits & 0x7fffu;
  const uint32_t normal = (magnitude << 13) + (112u << 23);  // rebias the exponent, 15 to 127
  const uint32_t special = normal + (112u << 23);            // 31 to 255: Inf and NaN
  const uint32_t subnormal =
      std::bit_cast<uint32_t>(static_cast<float>(static_cast<int>(magnitude)) * 0x1p-24f);
  const uint32_t finite = select(magnitude < 0x0400u, subnormal, normal);
  return std::bit_cast<float>(sign | select(magnitude >= 0x7c00u, special, finite));
}

[[gnu::always_inline]] inline float to_float(BF16 value) {
  return std::bit_cast<float>(static_cast<uint32_t>(value.bits) << 16);
}

template <class Acc, class In>
[[gnu::always_inline]] inline Acc widen_to(In value) {
  if constexpr (std::is_same_v<In, CS8>) {
    return Acc(static_cast<float>(value.re), static_cast<float>(value.im));
  } else if constexpr (std::is_same_v<In, F16> || std::is_same_v<In, BF16>) {
    return to_float(value);
  } else {
    return static_cast<Acc>(value);
  }
}

// ---- arithmetic type -> storage type, nearest even ---------------------------

[[gnu::always_inline]] inline F16 to_f16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = (bits >> 16) & 0x8000u;
  const uint32_t magnitude = bits & 0x7fffffffu;
  // Adding 0.5 leaves the bits of a half subnormal, rounded, at the low end of the sum.
  const uint32_t subnormal = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) -
                             std::bit_cast<uint32_t>(0.5f);
  const uint32_t odd = (magnitude >> 13) & 1u;
  const uint32_t normal = (magnitude - (112u << 23) + 0xfffu + odd) >> 13;
  const uint32_t special = select(magnitude > 0x7f800000u, 0x7e00u, 0x7c00u);
  const uint32_t finite = select(magnitude < 0x38800000u, subnormal, normal);  // 2^-14
  return {static_cast<uint16_t>(sign | select(magnitude >= 0x47800000u, special, finite))};  // 2^16
}

[[gnu::always_inline]] inline BF16 to_bf16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  const uint32_t quiet_nan = (bits >> 16) | 0x40u;
  const bool is_nan = (bits & 0x7fffffffu) > 0x7f800000u;
  return {static_cast<uint16_t>(select(is_nan, quiet_nan, rounded))};
}

template <class Out, class Acc>
[[gnu::always_inline]] inline Out round_to(Acc value) {
  if constexpr (std::is_same_v<Out, F16>) {
    return to_f16(value);
  } else if constexpr (std::is_same_v<Out, BF16>) {
    return to_bf16(value);
  } else {
    static_assert(std::is_same_v<Out, Acc>);
    return value;
  }
}

// The plain formula. std::complex's operator* repairs NaN results, which is slow, and is not what
// a matrix product does.
template <class T>
[[gnu::always_inline]] inline T multiply(T x, T y) {
  if constexpr (kIsComplex<T>) {
    return T(x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real());
  } else {
    return x * y;
  }
}

// ---- loops over a block ------------------------------------------------------

template <class In, class Acc>
void pack(const In* src, int64_t ld_src, int64_t rows, int64_t cols, Acc* dst, int64_t ld_dst);

// C = alpha*acc + beta*C. beta == 0 does not read C.
template <class Acc, class Out>
void store(const Acc* acc, int64_t ld_acc, int64_t rows, int64_t cols, Acc alpha, Acc beta, Out* c,
           int64_t ldc);

// C = beta*C. beta == 0 writes zeros and does not read C; beta == 1 writes nothing.
template <class Acc, class Out>
void scale(int64_t rows, int64_t cols, Acc beta, Out* c, int64_t ldc);

// C += alpha*acc in int32, modulo 2^32. acc holds integers of at most 2^24.
void add_integers(const float* acc, int64_t ld_acc, int64_t rows, int64_t cols, int32_t alpha,
                  int32_t* c, int64_t ldc);

}  // namespace myblas::cpu
