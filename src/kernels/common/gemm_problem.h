// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/gemm_problem.h: one matrix product as data.
//
// The vocabulary that the API fills in, the dispatcher chooses by and the
// launchers read. Host code only; plain data, no CUDA header, so that every
// part which decides something runs and is tested without a GPU.
//==============================================================================
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/activation.h"

namespace myblas {

enum class DataType : uint8_t { kF16, kBF16, kF32, kF64, kS8, kS32, kCS8, kCF32, kCF64 };

// What the caller wants the sum held in. Ours of 16-bit inputs is in fp32 (key_of), with
// kFastF16Sums maybe that of a k-tile in fp16; of complex ones in the complex type.
enum class Compute : uint8_t { kF16, kF32, kF64, kS32 };

enum class Op : uint8_t { kN, kT, kC };

enum class BatchKind : uint8_t { kStrided, kPointers };

// Permissions the caller gave: a kernel may use one, none has to.
enum FastMath : uint8_t {
  kFastNone = 0,
  kFastTF32 = 1,
  kFastF16 = 2,
  kFastBF16 = 4,
  kFastBF16x9 = 8,
  kFastF16Sums = 16,  // COMPUTE_16F
  kFastAll = 31,
};

constexpr size_t element_bytes(DataType type) {
  switch (type) {
    case DataType::kS8: return 1;
    case DataType::kF16:
    case DataType::kBF16:
    case DataType::kCS8: return 2;
    case DataType::kF32:
    case DataType::kS32: return 4;
    case DataType::kF64:
    case DataType::kCF32: return 8;
    case DataType::kCF64: return 16;
  }
  return 0;
}

// "f16", "bf16", "f32", "f64", "s8", "s32", "c8", "c32" (complex fp32), "c64" (complex fp64).
const char* name(DataType type);

constexpr bool is_complex(DataType type) {
  return type == DataType::kCS8 || type == DataType::kCF32 || type == DataType::kCF64;
}

// alpha or beta. Host scalars are copied here at the call, device scalars stay where they are
// and are read by the kernel alone.
struct Scalar {
  DataType type = DataType::kF32;
  bool on_device = false;
  const void* device = nullptr;          // where on_device
  alignas(16) unsigned char host[16]{};  // otherwise: one element of `type`
};

// One operand of the batch. base is the first matrix (kStrided) or a device array of matrix
// pointers (kPointers). ld and stride count elements.
struct Matrix {
  const void* base = nullptr;
  int64_t ld = 0;
  int64_t stride = 0;
};

// What is done to a result ahead of its rounding. bias: a column of m elements of C's type, added
// to each column of C[i]; `stride` elements from one of the batch to the next. Null: none. Real
// floating-point types alone. NOTE: an activation goes with a beta that is known to be zero.
struct Epilogue {
  const void* bias = nullptr;
  int64_t stride = 0;
  Activation activation = Activation::kIdentity;
  bool any() const { return bias != nullptr || activation != Activation::kIdentity; }
};

// C[i] = alpha * op_a(A[i]) * op_b(B[i]) + beta * C[i], i in [0, batch_count); then the epilogue.
// A and B share one type. Sizes are >= 0 and valid: the API has checked them.
struct GemmProblem {
  DataType ab_type = DataType::kF32;
  DataType c_type = DataType::kF32;
  Compute compute = Compute::kF32;
  Op op_a = Op::kN;
  Op op_b = Op::kN;
  BatchKind batch_kind = BatchKind::kStrided;
  uint8_t fast_math = kFastNone;  // FastMath bits
  bool pedantic = false;
  bool full_precision_reduction = false;  // MATH_DISALLOW_REDUCED_PRECISION_REDUCTION
  int64_t m = 0, n = 0, k = 0;
  int64_t batch_count = 1;
  int64_t k_of_last = 0;  // k of the batch's last product, where that has less of it; else 0
  Matrix a, b, c;
  bool in_terms = false;  // A and B lie as bf16 terms (common/bf16_terms.h), ld and stride in fp32
  bool c_is_padded = false;  // what lies between m and c.ld may be written
  Scalar alpha, beta;
  Epilogue epilogue;
};

// Whether the scalar is known on the host to be exactly zero (or one).
bool is_host_zero(const Scalar& scalar);
bool is_host_one(const Scalar& scalar);

// Whether C keeps its value: no product, beta known to be one, and no epilogue.
bool keeps_c(const GemmProblem& problem);

// The host scalar's real and imaginary part, widened. Only where !on_device.
struct WideScalar {
  double re = 0.0, im = 0.0;
};
WideScalar widen(const Scalar& scalar);

// What a launcher, the CPU backend and the dispatcher return to the API, which maps it to a
// public status.
enum class Status : uint8_t {
  kSuccess,
  kAllocFailed,
  kNotSupported,
  kExecutionFailed,
  kInternalError,
};

}  // namespace myblas
