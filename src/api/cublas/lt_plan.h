// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// api/cublas/lt_plan.h: a call of cublasLtMatmul as one product of myblas.
//
// Pure but for the real library's getters. A plan with a refusal is forwarded:
// ours is served only where it is certain to do the same.
//==============================================================================
#pragma once

#include <cstddef>
#include <cstdint>

#include "api/cublas/call_shape.h"
#include "api/cublas/lt_descriptors.h"
#include "api/dropin_hooks.h"

namespace myblas::dropin {

// The arguments, as they came.
struct LtCall {
  void* handle;
  const void* operation;
  const void* alpha;
  const void* a;
  const void* a_layout;
  const void* b;
  const void* b_layout;
  const void* beta;
  const void* c;
  const void* c_layout;
  void* d;
  const void* d_layout;
  const void* algo;
  void* workspace;
  size_t workspace_bytes;
  myblasStream_t stream;
};

struct LtPlan {
  const char* refusal = nullptr;  // nullptr: none
  myblasDropinMatmul_t product{};
  int pointer_mode = MYBLAS_POINTER_MODE_HOST;
  int sm_count = 0;
};

void plan_lt(const LtLibrary& lt, LtLayoutCache* layouts, const LtCall& call, LtPlan* plan);

// For log and report. Of a product that could not be read, nothing.
CallShape shape_of_product(const myblasDropinMatmul_t& product);

}  // namespace myblas::dropin
