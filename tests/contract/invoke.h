// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// contract/invoke.h: from a Call with its addresses to the C function.
//==============================================================================
#pragma once

#include "blas_call.h"

namespace contract {

struct Addresses {
  const void* alpha;
  const void* beta;
  const void* a;  // the matrix, or the array of pointers
  const void* b;
  void* c;
  // Grouped: element g of the host arrays of scalars; the others follow from the Call.
  const void* alpha_array;
  const void* beta_array;
};

// The status. -1000: the library has no such function.
inline constexpr int kNoSuchFunction = -1000;
int invoke(const BlasLibrary& library, void* handle, const Call& call, const Addresses& at);

}  // namespace contract
