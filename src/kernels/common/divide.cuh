// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/divide.cuh: division by a number that the host knows (divisor.h).
//==============================================================================
#pragma once

#include "kernels/common/divisor.h"

namespace myblas {

__device__ __forceinline__ uint32_t divide(uint32_t value, const Divisor& by) {
  return static_cast<uint32_t>((uint64_t{value} * by.multiplier) >> by.shift);
}

}  // namespace myblas
