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

#include "api/loaded_kernels.h"
#include "dispatch/select.h"

namespace myblas {

// The same number for the same kernels (of a context and a table) and policy, never 0. Thread-safe.
uint64_t choices_of(const LoadedKernels* kernels, const Policy& policy);

}  // namespace myblas
