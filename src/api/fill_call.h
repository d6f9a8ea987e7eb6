// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// api/fill_call.h: from an entry point's arguments to a GemmCall.
//
// The entry points differ in the C types of their arguments alone; these few
// functions are what each of them says in common.
//==============================================================================
#pragma once

#include "api/gemm_call.h"

namespace myblas {

// The public types of a typed routine: data, and the compute types that go with it, of a product of
// matrices and of one with a vector.
template <class T>
struct TypedRoutine;
template <>
struct TypedRoutine<float> {
  static constexpr int kType = MYBLAS_R_32F, kCompute = MYBLAS_COMPUTE_32F;
  static constexpr int kVectorCompute = kCompute;
};
template <>
struct TypedRoutine<double> {
  static constexpr int kType = MYBLAS_R_64F, kCompute = MYBLAS_COMPUTE_64F;
  static constexpr int kVectorCompute = kCompute;
};
template <>
struct TypedRoutine<myblasHalf> {
  static constexpr int kType = MYBLAS_R_16F, kCompute = MYBLAS_COMPUTE_16F;
  static constexpr int kVectorCompute = MYBLAS_COMPUTE_32F;
};
template <>
struct TypedRoutine<myblasBfloat16> {
  static constexpr int kType = MYBLAS_R_16BF, kVectorCompute = MYBLAS_COMPUTE_32F;
};
template <>
struct TypedRoutine<myblasComplex> {
  static constexpr int kType = MYBLAS_C_32F, kCompute = MYBLAS_COMPUTE_32F;
  static constexpr int kVectorCompute = kCompute;
};
template <>
struct TypedRoutine<myblasDoubleComplex> {
  static constexpr int kType = MYBLAS_C_64F, kCompute = MYBLAS_COMPUTE_64F;
  static constexpr int kVectorCompute = kCompute;
};

// What every routine has: name, operations, sizes, scalars.
inline GemmCall shape_call(const char* routine, TypeRule rule, myblasOperation_t transa,
                           myblasOperation_t transb, int64_t m, int64_t n, int64_t k,
                           const void* alpha, const void* beta) {
  GemmCall call;
  call.routine = routine;
  call.rule = rule;
  call.op_a = static_cast<int>(transa);
  call.op_b = static_cast<int>(transb);
  call.m = m;
  call.n = n;
  call.k = k;
  call.alpha = alpha;
  call.beta = beta;
  return call;
}

template <class T>
GemmCall typed_call(const char* routine, myblasOperation_t transa, myblasOperation_t transb,
                    int64_t m, int64_t n, int64_t k, const T* alpha, const void* a, int64_t lda,
                    const void* b, int64_t ldb, const T* beta, const void* c, int64_t ldc) {
  constexpr int kType = TypedRoutine<T>::kType;
  GemmCall call = shape_call(routine, TypeRule::kFixed, transa, transb, m, n, k, alpha, beta);
  call.a = {a, kType, lda, 0};
  call.b = {b, kType, ldb, 0};
  call.c = {c, kType, ldc, 0};
  call.compute = TypedRoutine<T>::kCompute;
  return call;
}

inline void set_pointer_batch(GemmCall* call, int64_t batch_count) {
  call->batch_kind = BatchKind::kPointers;
  call->batch_count = batch_count;
}

inline void set_strided_batch(GemmCall* call, int64_t stride_a, int64_t stride_b, int64_t stride_c,
                              int64_t batch_count) {
  call->a.stride = stride_a;
  call->b.stride = stride_b;
  call->c.stride = stride_c;
  call->batch_count = batch_count;
}

}  // namespace myblas
