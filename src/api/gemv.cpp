// SPDX-License-Identifier: BSD-3-Clause
// gemv, gemvBatched, gemvStridedBatched of S, D, C and Z; the batches of 16-bit matrices, whose
// letters are the types of A and x, of the scalars, and of y.
#include "api/fill_call.h"
#include "api/run_gemm.h"

using namespace myblas;

namespace {

// T: of A and x. The scalars' type goes with the compute type.
template <class T, class Out>
GemmCall gemv_call(const char* routine, myblasOperation_t trans, int64_t m, int64_t n,
                   const void* alpha, const void* a, int64_t lda, const void* x, int64_t incx,
                   const void* beta, const void* y, int64_t incy) {
  GemmCall call = shape_call(routine, TypeRule::kGemv, trans, MYBLAS_OP_N, m, n, 0, alpha, beta);
  call.a = {a, TypedRoutine<T>::kType, lda, 0};
  call.b = {x, TypedRoutine<T>::kType, incx, 0};
  call.c = {y, TypedRoutine<Out>::kType, incy, 0};
  call.compute = TypedRoutine<T>::kVectorCompute;
  return call;
}

}  // namespace

#define MYBLAS_DEFINE_GEMV(NAME, SUFFIX, INT, T)                                                \
  myblasStatus_t myblas##NAME##SUFFIX(myblasHandle_t handle, myblasOperation_t trans, INT m,    \
                                      INT n, const T* alpha, const T* A, INT lda, const T* x,   \
                                      INT incx, const T* beta, T* y, INT incy) {                \
    return run_gemm(handle, gemv_call<T, T>(#NAME #SUFFIX, trans, m, n, alpha, A, lda, x, incx, \
                                            beta, y, incy));                                    \
  }

#define MYBLAS_DEFINE_BATCHED(NAME, SUFFIX, INT, T, SCALAR, OUT)                                 \
  myblasStatus_t myblas##NAME##gemvBatched##SUFFIX(                                              \
      myblasHandle_t handle, myblasOperation_t trans, INT m, INT n, const SCALAR* alpha,         \
      const T* const Aarray[], INT lda, const T* const xarray[], INT incx, const SCALAR* beta,   \
      OUT* const yarray[], INT incy, INT batchCount) {                                           \
    GemmCall call = gemv_call<T, OUT>(#NAME "gemvBatched" #SUFFIX, trans, m, n, alpha, Aarray,   \
                                      lda, xarray, incx, beta, yarray, incy);                    \
    set_pointer_batch(&call, batchCount);                                                        \
    return run_gemm(handle, call);                                                               \
  }                                                                                              \
  myblasStatus_t myblas##NAME##gemvStridedBatched##SUFFIX(                                       \
      myblasHandle_t handle, myblasOperation_t trans, INT m, INT n, const SCALAR* alpha,         \
      const T* A, INT lda, long long int strideA, const T* x, INT incx, long long int stridex,   \
      const SCALAR* beta, OUT* y, INT incy, long long int stridey, INT batchCount) {             \
    GemmCall call = gemv_call<T, OUT>(#NAME "gemvStridedBatched" #SUFFIX, trans, m, n, alpha, A, \
                                      lda, x, incx, beta, y, incy);                              \
    set_strided_batch(&call, strideA, stridex, stridey, batchCount);                             \
    return run_gemm(handle, call);                                                               \
  }

#define MYBLAS_PLAIN(LETTER, T)                     \
  MYBLAS_DEFINE_GEMV(LETTER##gemv, , int, T)        \
  MYBLAS_DEFINE_GEMV(LETTER##gemv, _64, int64_t, T) \
  MYBLAS_BATCHES(LETTER, T, T, T)
#define MYBLAS_BATCHES(LETTERS, T, SCALAR, OUT)         \
  MYBLAS_DEFINE_BATCHED(LETTERS, , int, T, SCALAR, OUT) \
  MYBLAS_DEFINE_BATCHED(LETTERS, _64, int64_t, T, SCALAR, OUT)

MYBLAS_PLAIN(S, float)
MYBLAS_PLAIN(D, double)
MYBLAS_PLAIN(C, myblasComplex)
MYBLAS_PLAIN(Z, myblasDoubleComplex)
MYBLAS_BATCHES(HSH, myblasHalf, float, myblasHalf)
MYBLAS_BATCHES(HSS, myblasHalf, float, float)
MYBLAS_BATCHES(TST, myblasBfloat16, float, myblasBfloat16)
MYBLAS_BATCHES(TSS, myblasBfloat16, float, float)
