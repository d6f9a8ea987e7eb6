// SPDX-License-Identifier: BSD-3-Clause
#include "support/entry_points.h"

#include <array>
#include <type_traits>

namespace myblas::test {
namespace {

// ---- adapters: one per shape of argument list -------------------------------------------------

template <auto Function, class T, class Int>
myblasStatus_t plain(myblasHandle_t handle, const GemmCall& x) {
  return Function(handle, x.op_a, x.op_b, static_cast<Int>(x.m), static_cast<Int>(x.n),
                  static_cast<Int>(x.k), static_cast<const T*>(x.alpha), static_cast<const T*>(x.a),
                  static_cast<Int>(x.lda), static_cast<const T*>(x.b), static_cast<Int>(x.ldb),
                  static_cast<const T*>(x.beta), static_cast<T*>(x.c), static_cast<Int>(x.ldc));
}

template <auto Function, class T, class Int>
myblasStatus_t strided(myblasHandle_t handle, const GemmCall& x) {
  return Function(handle, x.op_a, x.op_b, static_cast<Int>(x.m), static_cast<Int>(x.n),
                  static_cast<Int>(x.k), static_cast<const T*>(x.alpha), static_cast<const T*>(x.a),
                  static_cast<Int>(x.lda), x.stride_a, static_cast<const T*>(x.b),
                  static_cast<Int>(x.ldb), x.stride_b, static_cast<const T*>(x.beta),
                  static_cast<T*>(x.c), static_cast<Int>(x.ldc), x.stride_c,
                  static_cast<Int>(x.batch));
}

template <auto Function, class T, class Int>
myblasStatus_t pointers(myblasHandle_t handle, const GemmCall& x) {
  return Function(
      handle, x.op_a, x.op_b, static_cast<Int>(x.m), static_cast<Int>(x.n), static_cast<Int>(x.k),
      static_cast<const T*>(x.alpha), static_cast<const T* const*>(x.a), static_cast<Int>(x.lda),
      static_cast<const T* const*>(x.b), static_cast<Int>(x.ldb), static_cast<const T*>(x.beta),
      static_cast<T* const*>(x.c), static_cast<Int>(x.ldc), static_cast<Int>(x.batch));
}

// SgemmEx and CgemmEx: matrices typed by argument, scalars of type T.
template <auto Function, class T, class Int>
myblasStatus_t typed(myblasHandle_t handle, const GemmCall& x) {
  return Function(handle, x.op_a, x.op_b, static_cast<Int>(x.m), static_cast<Int>(x.n),
                  static_cast<Int>(x.k), static_cast<const T*>(x.alpha), x.a, x.combo->ab,
                  static_cast<Int>(x.lda), x.b, x.combo->ab, static_cast<Int>(x.ldb),
                  static_cast<const T*>(x.beta), x.c, x.combo->c, static_cast<Int>(x.ldc));
}

template <auto Function, class Int>
myblasStatus_t ex(myblasHandle_t handle, const GemmCall& x) {
  return Function(handle, x.op_a, x.op_b, static_cast<Int>(x.m), static_cast<Int>(x.n),
                  static_cast<Int>(x.k), x.alpha, x.a, x.combo->ab, static_cast<Int>(x.lda), x.b,
                  x.combo->ab, static_cast<Int>(x.ldb), x.beta, x.c, x.combo->c,
                  static_cast<Int>(x.ldc), x.combo->compute, x.algo);
}

template <auto Function, class Int>
myblasStatus_t ex_strided(myblasHandle_t handle, const GemmCall& x) {
  return Function(handle, x.op_a, x.op_b, static_cast<Int>(x.m), static_cast<Int>(x.n),
                  static_cast<Int>(x.k), x.alpha, x.a, x.combo->ab, static_cast<Int>(x.lda),
                  x.stride_a, x.b, x.combo->ab, static_cast<Int>(x.ldb), x.stride_b, x.beta, x.c,
                  x.combo->c, static_cast<Int>(x.ldc), x.stride_c, static_cast<Int>(x.batch),
                  x.combo->compute, x.algo);
}

template <auto Function, class Int>
myblasStatus_t ex_pointers(myblasHandle_t handle, const GemmCall& x) {
  return Function(handle, x.op_a, x.op_b, static_cast<Int>(x.m), static_cast<Int>(x.n),
                  static_cast<Int>(x.k), x.alpha, static_cast<const void* const*>(x.a), x.combo->ab,
                  static_cast<Int>(x.lda), static_cast<const void* const*>(x.b), x.combo->ab,
                  static_cast<Int>(x.ldb), x.beta, static_cast<void* const*>(x.c), x.combo->c,
                  static_cast<Int>(x.ldc), static_cast<Int>(x.batch), x.combo->compute, x.algo);
}

myblasStatus_t matmul(myblasHandle_t handle, const GemmCall& x) {
  const myblasDropinMatmul_t call{
      x.op_a,  x.op_b,        x.m,         x.n,   x.k,        x.batch, x.combo->compute,
      x.alpha, x.a,           x.combo->ab, x.lda, x.stride_a, x.b,     x.combo->ab,
      x.ldb,   x.stride_b,    x.beta,      x.c,   x.combo->c, x.ldc,   x.stride_c,
      x.bias,  x.stride_bias, x.activation};
  return myblasDropinMatmul(handle, &call);
}

// ---- which rows of the type table a routine takes ---------------------------------------------

template <myblasDataType_t Type, myblasComputeType_t Compute>
bool exactly(const TypeCombo& combo) {
  return combo.compute == Compute && combo.ab == Type && combo.c == Type;
}
template <myblasDataType_t Scale>
bool scaled_by(const TypeCombo& combo) {
  return combo.compute == MYBLAS_COMPUTE_32F && combo.scale == Scale;
}
bool any(const TypeCombo&) { return true; }

constexpr auto kS = exactly<MYBLAS_R_32F, MYBLAS_COMPUTE_32F>;
constexpr auto kD = exactly<MYBLAS_R_64F, MYBLAS_COMPUTE_64F>;
constexpr auto kC = exactly<MYBLAS_C_32F, MYBLAS_COMPUTE_32F>;
constexpr auto kZ = exactly<MYBLAS_C_64F, MYBLAS_COMPUTE_64F>;
constexpr auto kH = exactly<MYBLAS_R_16F, MYBLAS_COMPUTE_16F>;

// A routine and its _64 twin.
#define MYBLAS_TEST_PAIR(function, batch, serves, adapter, ...)      \
  EntryPoint{#function, BatchKind::batch, false, serves,             \
             adapter<function __VA_OPT__(, ) __VA_ARGS__, int>},     \
      EntryPoint {                                                   \
#function "_64", BatchKind::batch, true, serves,                 \
        adapter < function##_64 __VA_OPT__(, ) __VA_ARGS__, int64_t> \
  }

const std::array kEntryPoints{
    MYBLAS_TEST_PAIR(myblasSgemm, kNone, kS, plain, float),
    MYBLAS_TEST_PAIR(myblasDgemm, kNone, kD, plain, double),
    MYBLAS_TEST_PAIR(myblasCgemm, kNone, kC, plain, myblasComplex),
    MYBLAS_TEST_PAIR(myblasZgemm, kNone, kZ, plain, myblasDoubleComplex),
    MYBLAS_TEST_PAIR(myblasHgemm, kNone, kH, plain, myblasHalf),
    MYBLAS_TEST_PAIR(myblasCgemm3m, kNone, kC, plain, myblasComplex),
    MYBLAS_TEST_PAIR(myblasZgemm3m, kNone, kZ, plain, myblasDoubleComplex),
    MYBLAS_TEST_PAIR(myblasSgemmBatched, kPointers, kS, pointers, float),
    MYBLAS_TEST_PAIR(myblasDgemmBatched, kPointers, kD, pointers, double),
    MYBLAS_TEST_PAIR(myblasCgemmBatched, kPointers, kC, pointers, myblasComplex),
    MYBLAS_TEST_PAIR(myblasZgemmBatched, kPointers, kZ, pointers, myblasDoubleComplex),
    MYBLAS_TEST_PAIR(myblasHgemmBatched, kPointers, kH, pointers, myblasHalf),
    MYBLAS_TEST_PAIR(myblasCgemm3mBatched, kPointers, kC, pointers, myblasComplex),
    MYBLAS_TEST_PAIR(myblasSgemmStridedBatched, kStrided, kS, strided, float),
    MYBLAS_TEST_PAIR(myblasDgemmStridedBatched, kStrided, kD, strided, double),
    MYBLAS_TEST_PAIR(myblasCgemmStridedBatched, kStrided, kC, strided, myblasComplex),
    MYBLAS_TEST_PAIR(myblasZgemmStridedBatched, kStrided, kZ, strided, myblasDoubleComplex),
    MYBLAS_TEST_PAIR(myblasHgemmStridedBatched, kStrided, kH, strided, myblasHalf),
    MYBLAS_TEST_PAIR(myblasCgemm3mStridedBatched, kStrided, kC, strided, myblasComplex),
    MYBLAS_TEST_PAIR(myblasSgemmEx, kNone, scaled_by<MYBLAS_R_32F>, typed, float),
    MYBLAS_TEST_PAIR(myblasCgemmEx, kNone, scaled_by<MYBLAS_C_32F>, typed, myblasComplex),
    MYBLAS_TEST_PAIR(myblasCgemm3mEx, kNone, scaled_by<MYBLAS_C_32F>, typed, myblasComplex),
    MYBLAS_TEST_PAIR(myblasGemmEx, kNone, any, ex),
    MYBLAS_TEST_PAIR(myblasGemmBatchedEx, kPointers, any, ex_pointers),
    MYBLAS_TEST_PAIR(myblasGemmStridedBatchedEx, kStrided, any, ex_strided),
};

#undef MYBLAS_TEST_PAIR

constexpr EntryPoint kMatmul{"myblasDropinMatmul", BatchKind::kStrided, true, any, matmul};

}  // namespace

std::span<const EntryPoint> entry_points() { return kEntryPoints; }

const EntryPoint* find_entry(std::string_view name) {
  for (const EntryPoint& entry : kEntryPoints) {
    if (name == entry.name) return &entry;
  }
  if (name == kMatmul.name) return &kMatmul;
  return nullptr;
}

std::vector<const EntryPoint*> entries_for(const TypeCombo& combo) {
  std::vector<const EntryPoint*> entries;
  for (const EntryPoint& entry : kEntryPoints) {
    if (entry.serves(combo)) entries.push_back(&entry);
  }
  return entries;
}

std::vector<const EntryPoint*> entries_for(const TypeCombo& combo, BatchKind batch) {
  std::vector<const EntryPoint*> entries;
  for (const EntryPoint* entry : entries_for(combo)) {
    if (entry->batch == batch) entries.push_back(entry);
  }
  return entries;
}

}  // namespace myblas::test
