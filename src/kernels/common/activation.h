// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/activation.h: the functions that a product may end in, for host and device.
//==============================================================================
#pragma once

#include <cstdint>

namespace myblas {

enum class Activation : int32_t {
  kIdentity,
  kRelu,  // max(x, 0); NaN stays NaN
  kGelu,  // x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3))), as cublasLt's
};

}  // namespace myblas
