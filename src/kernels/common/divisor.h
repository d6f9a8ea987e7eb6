// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/divisor.h: division by a number that the host knows, as a multiplication.
//==============================================================================
#pragma once

#include <cstdint>

namespace myblas {

// n / divisor for 0 <= n < 2^31: n * multiplier / 2^shift, with the multiplier rounded up. Its
// error is below divisor <= 2^(shift - 31), and so that of the product below 2^shift.
struct Divisor {
  uint32_t divisor, multiplier, shift;
};

// divisor: 1 to 2^31.
constexpr Divisor make_divisor(uint32_t divisor) {
  uint32_t log2 = 0;
  while ((uint64_t{1} << log2) < divisor) ++log2;
  const uint32_t shift = 31 + log2;
  return {divisor, static_cast<uint32_t>((uint64_t{1} << shift) / divisor + 1), shift};
}

}  // namespace myblas
