// SPDX-License-Identifier: BSD-3-Clause
// The typed routines: gemm, gemm3m, gemmBatched, gemmStridedBatched of S, D, C, Z and H.
// gemm3m is served as the plain complex product: never less exact than three real ones.
#include "api/fill_call.h"
#include "api/run_gemm.h"

using namespace myblas;

#define MYBLAS_DEFINE_GEMM(NAME, SUFFIX, INT, T)                                                 \
  myblasStatus_t myblas##NAME##SUFFIX(myblasHandle_t handle, myblasOperation_t transa,           \
                                      myblasOperation_t transb, INT m, INT n, INT k,             \
                                      const T* alpha, const T* A, INT lda, const T* B, INT ldb,  \
                                      const T* beta, T* C, INT ldc) {                            \
    return run_gemm(handle, typed_call<T>(#NAME #SUFFIX, transa, transb, m, n, k, alpha, A, lda, \
                                          B, ldb, beta, C, ldc));                                \
  }

#define MYBLAS_DEFINE_BATCHED(NAME, SUFFIX, INT, T)                                              \
  myblasStatus_t myblas##NAME##SUFFIX(                                                           \
      myblasHandle_t handle, myblasOperation_t transa, myblasOperation_t transb, INT m, INT n,   \
      INT k, const T* alpha, const T* const Aarray[], INT lda, const T* const Barray[], INT ldb, \
      const T* beta, T* const Carray[], INT ldc, INT batchCount) {                               \
    GemmCall call = typed_call<T>(#NAME #SUFFIX, transa, transb, m, n, k, alpha, Aarray, lda,    \
                                  Barray, ldb, beta, Carray, ldc);                               \
    set_pointer_batch(&call, batchCount);                                                        \
    return run_gemm(handle, call);                                                               \
  }

#define MYBLAS_DEFINE_STRIDED(NAME, SUFFIX, INT, T)                                               \
  myblasStatus_t myblas##NAME##SUFFIX(myblasHandle_t handle, myblasOperation_t transa,            \
                                      myblasOperation_t transb, INT m, INT n, INT k,              \
                                      const T* alpha, const T* A, INT lda, long long int strideA, \
                                      const T* B, INT ldb, long long int strideB, const T* beta,  \
                                      T* C, INT ldc, long long int strideC, INT batchCount) {     \
    GemmCall call = typed_call<T>(#NAME #SUFFIX, transa, transb, m, n, k, alpha, A, lda, B, ldb,  \
                                  beta, C, ldc);                                                  \
    set_strided_batch(&call, strideA, strideB, strideC, batchCount);                              \
    return run_gemm(handle, call);                                                                \
  }

#define MYBLAS_BOTH(DEFINE, NAME, T) DEFINE(NAME, , int, T) DEFINE(NAME, _64, int64_t, T)

#define MYBLAS_ALL_TYPES(DEFINE, FAMILY)              \
  MYBLAS_BOTH(DEFINE, S##FAMILY, float)               \
  MYBLAS_BOTH(DEFINE, D##FAMILY, double)              \
  MYBLAS_BOTH(DEFINE, C##FAMILY, myblasComplex)       \
  MYBLAS_BOTH(DEFINE, Z##FAMILY, myblasDoubleComplex) \
  MYBLAS_BOTH(DEFINE, H##FAMILY, myblasHalf)

MYBLAS_ALL_TYPES(MYBLAS_DEFINE_GEMM, gemm)
MYBLAS_ALL_TYPES(MYBLAS_DEFINE_BATCHED, gemmBatched)
MYBLAS_ALL_TYPES(MYBLAS_DEFINE_STRIDED, gemmStridedBatched)

MYBLAS_BOTH(MYBLAS_DEFINE_GEMM, Cgemm3m, myblasComplex)
MYBLAS_BOTH(MYBLAS_DEFINE_GEMM, Zgemm3m, myblasDoubleComplex)
MYBLAS_BOTH(MYBLAS_DEFINE_BATCHED, Cgemm3mBatched, myblasComplex)
MYBLAS_BOTH(MYBLAS_DEFINE_STRIDED, Cgemm3mStridedBatched, myblasComplex)
