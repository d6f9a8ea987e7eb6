// SPDX-License-Identifier: BSD-3-Clause
// The routines that name their types: SgemmEx, CgemmEx, Cgemm3mEx, GemmEx and its batched forms.
#include "api/fill_call.h"
#include "api/run_gemm.h"

using namespace myblas;

namespace {

int value(myblasDataType_t type) { return static_cast<int>(type); }

void set_compute(GemmCall* call, myblasComputeType_t compute, myblasGemmAlgo_t algo) {
  call->compute = static_cast<int>(compute);
  call->algo = static_cast<int>(algo);
}

}  // namespace

#define MYBLAS_DEFINE_TYPED_EX(NAME, RULE, SUFFIX, INT, T)                                        \
  myblasStatus_t myblas##NAME##SUFFIX(                                                            \
      myblasHandle_t handle, myblasOperation_t transa, myblasOperation_t transb, INT m, INT n,    \
      INT k, const T* alpha, const void* A, myblasDataType_t Atype, INT lda, const void* B,       \
      myblasDataType_t Btype, INT ldb, const T* beta, void* C, myblasDataType_t Ctype, INT ldc) { \
    GemmCall call = shape_call(#NAME #SUFFIX, RULE, transa, transb, m, n, k, alpha, beta);        \
    call.a = {A, value(Atype), lda, 0};                                                           \
    call.b = {B, value(Btype), ldb, 0};                                                           \
    call.c = {C, value(Ctype), ldc, 0};                                                           \
    return run_gemm(handle, call);                                                                \
  }

#define MYBLAS_DEFINE_GEMM_EX(SUFFIX, INT)                                                         \
  myblasStatus_t myblasGemmEx##SUFFIX(                                                             \
      myblasHandle_t handle, myblasOperation_t transa, myblasOperation_t transb, INT m, INT n,     \
      INT k, const void* alpha, const void* A, myblasDataType_t Atype, INT lda, const void* B,     \
      myblasDataType_t Btype, INT ldb, const void* beta, void* C, myblasDataType_t Ctype, INT ldc, \
      myblasComputeType_t computeType, myblasGemmAlgo_t algo) {                                    \
    GemmCall call =                                                                                \
        shape_call("GemmEx" #SUFFIX, TypeRule::kGemmEx, transa, transb, m, n, k, alpha, beta);     \
    call.a = {A, value(Atype), lda, 0};                                                            \
    call.b = {B, value(Btype), ldb, 0};                                                            \
    call.c = {C, value(Ctype), ldc, 0};                                                            \
    set_compute(&call, computeType, algo);                                                         \
    return run_gemm(handle, call);                                                                 \
  }                                                                                                \
  myblasStatus_t myblasGemmBatchedEx##SUFFIX(                                                      \
      myblasHandle_t handle, myblasOperation_t transa, myblasOperation_t transb, INT m, INT n,     \
      INT k, const void* alpha, const void* const Aarray[], myblasDataType_t Atype, INT lda,       \
      const void* const Barray[], myblasDataType_t Btype, INT ldb, const void* beta,               \
      void* const Carray[], myblasDataType_t Ctype, INT ldc, INT batchCount,                       \
      myblasComputeType_t computeType, myblasGemmAlgo_t algo) {                                    \
    GemmCall call = shape_call("GemmBatchedEx" #SUFFIX, TypeRule::kGemmBatchedEx, transa, transb,  \
                               m, n, k, alpha, beta);                                              \
    call.a = {Aarray, value(Atype), lda, 0};                                                       \
    call.b = {Barray, value(Btype), ldb, 0};                                                       \
    call.c = {Carray, value(Ctype), ldc, 0};                                                       \
    set_pointer_batch(&call, batchCount);                                                          \
    set_compute(&call, computeType, algo);                                                         \
    return run_gemm(handle, call);                                                                 \
  }                                                                                                \
  myblasStatus_t myblasGemmStridedBatchedEx##SUFFIX(                                               \
      myblasHandle_t handle, myblasOperation_t transa, myblasOperation_t transb, INT m, INT n,     \
      INT k, const void* alpha, const void* A, myblasDataType_t Atype, INT lda,                    \
      long long int strideA, const void* B, myblasDataType_t Btype, INT ldb,                       \
      long long int strideB, const void* beta, void* C, myblasDataType_t Ctype, INT ldc,           \
      long long int strideC, INT batchCount, myblasComputeType_t computeType,                      \
      myblasGemmAlgo_t algo) {                                                                     \
    GemmCall call = shape_call("GemmStridedBatchedEx" #SUFFIX, TypeRule::kGemmBatchedEx, transa,   \
                               transb, m, n, k, alpha, beta);                                      \
    call.a = {A, value(Atype), lda, 0};                                                            \
    call.b = {B, value(Btype), ldb, 0};                                                            \
    call.c = {C, value(Ctype), ldc, 0};                                                            \
    set_strided_batch(&call, strideA, strideB, strideC, batchCount);                               \
    set_compute(&call, computeType, algo);                                                         \
    return run_gemm(handle, call);                                                                 \
  }

MYBLAS_DEFINE_TYPED_EX(SgemmEx, TypeRule::kSgemmEx, , int, float)
MYBLAS_DEFINE_TYPED_EX(SgemmEx, TypeRule::kSgemmEx, _64, int64_t, float)
MYBLAS_DEFINE_TYPED_EX(CgemmEx, TypeRule::kCgemmEx, , int, myblasComplex)
MYBLAS_DEFINE_TYPED_EX(CgemmEx, TypeRule::kCgemmEx, _64, int64_t, myblasComplex)
MYBLAS_DEFINE_TYPED_EX(Cgemm3mEx, TypeRule::kCgemmEx, , int, myblasComplex)
MYBLAS_DEFINE_TYPED_EX(Cgemm3mEx, TypeRule::kCgemmEx, _64, int64_t, myblasComplex)
MYBLAS_DEFINE_GEMM_EX(, int)
MYBLAS_DEFINE_GEMM_EX(_64, int64_t)
