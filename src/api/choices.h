// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// api/choices.h: which handles choose alike.
//
// Programs make handles by the dozen (OpenCV one a call). Those of the same
// kernels and policy choose the same plans, and find each other's in the plan
// caches.
//==============================================================================
#pragma once

#include <cstdint>

#include "api/handle.h"

namespace myblas {

// The same number for the same kernels (of a context and a table) and policy, never 0. Thread-safe.
uint64_t choices_of(const LoadedKernels* kernels, const Policy& policy);

// The handle chooses so from now on. It is no other thread's meanwhile.
void set_policy(myblasContext* handle, const Policy& policy);

}  // namespace myblas
