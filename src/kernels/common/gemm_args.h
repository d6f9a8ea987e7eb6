// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/gemm_args.h: what a GEMM kernel receives, by value.
//
// Plain data shared by launchers and device code; no CUDA header, so that the
// emulator compiles it as ordinary C++.
//==============================================================================
#pragma once

#include <cstdint>

namespace myblas {

// alpha or beta. `device` wins where it is set: one element in device memory, in the kernel's
// accumulate type, or a half where `device_is_half`. A host value is exact in double for every
// scalar type.
struct ScalarArg {
  double re, im;
  const void* device;
  int32_t device_is_half;
};

// One operand: op() is folded into the loader. In pointer batches `base` is an array of
// batch_count matrix pointers and `stride` is unused.
struct OperandArg {
  const void* base;
  int64_t ld;
  int64_t stride;
  int32_t transposed;
  int32_t conjugated;
};

struct GemmArgs {
  int64_t m, n, k;
  int64_t batch_count;
  OperandArg a, b;
  void* c;
  int64_t ldc;
  int64_t stride_c;
  int32_t pointer_batch;
  ScalarArg alpha, beta;
};

}  // namespace myblas
