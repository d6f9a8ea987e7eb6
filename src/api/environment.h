// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// api/environment.h: the variables of docs/environment.md, read once a handle.
//==============================================================================
#pragma once

#include "dispatch/select.h"

namespace myblas {

enum class BackendChoice { kAuto, kCuda, kCpu };

struct Environment {
  BackendChoice backend = BackendChoice::kAuto;  // MYBLAS_BACKEND
  int target_cc = 0;                             // MYBLAS_TARGET, 0: the chip's own
  bool tf32_allowed = true;                      // NVIDIA_TF32_OVERRIDE
  bool emulates_fp32 = false;                    // CUBLAS_EMULATE_SINGLE_PRECISION
  Policy policy;                                 // MYBLAS_KERNEL, MYBLAS_TUNING, MYBLAS_EXPLAIN
};

// False, with a line in the log, where a variable has a value that means nothing.
bool read_environment(Environment* environment);

}  // namespace myblas
