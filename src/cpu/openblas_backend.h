// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// cpu/openblas_backend.h: matrix products on host pointers, computed by OpenBLAS.
//
// OpenBLAS is opened with dlopen(RTLD_LOCAL) at the first open(), so that its
// cblas_* names never stand in front of those the program brought.
//==============================================================================
#pragma once

#include "kernels/common/gemm_problem.h"

namespace myblas::cpu {

// Opens OpenBLAS once for the process. Returns false where it cannot be found; then
// `unavailable_reason()` says what was tried and what to install.
bool open();
const char* unavailable_reason();

// Name of the library in use ("libopenblas.so.0: OpenBLAS 0.3.21 ..."), for myblas-info.
const char* description();

// Computes the whole batch before it returns. Every pointer is a host pointer, scalars marked
// on_device too. Any type combination of GemmProblem's table, any ld, any size, any transposition.
// Reads C only where beta != 0, A and B only where alpha != 0 and k > 0.
Status gemm(const GemmProblem& problem);

}  // namespace myblas::cpu
