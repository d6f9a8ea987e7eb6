/* SPDX-License-Identifier: BSD-3-Clause */
/* =============================================================================================
 * api/dropin_hooks.h: what libmyblas exports to its own drop-in library and to nobody else
 * (version node MYBLAS_PRIVATE, no promise of stability).
 *
 * The drop-in is otherwise a plain client of myblas.h: it calls myblasSgemm(...) on the handle
 * that shadows the caller's, and forwards to the real cuBLAS when that ends with NOT_INITIALIZED,
 * INVALID_VALUE, NOT_SUPPORTED or ARCH_MISMATCH (nothing was launched, C is untouched).
 * ============================================================================================= */
#ifndef MYBLAS_DROPIN_HOOKS_H
#define MYBLAS_DROPIN_HOOKS_H

#include "myblas.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A shadow handle stands beside a real cuBLAS handle. Rejections on it are not logged: the
 * drop-in logs them, with what became of the call. */
MYBLAS_API void myblasDropinMarkShadow(myblasHandle_t handle);

/* Why this thread's last gemm call on a shadow handle was rejected, e.g.
 * "lda = 3 < max(1, m) = 5". Valid until the thread's next call. */
MYBLAS_API const char* myblasDropinLastRejection(void);

/* One product of cublasLt: C[i] = activation(alpha * op(A[i]) * op(B[i]) + beta * C[i] + bias[i]),
 * i in [0, batch_count), rounded once. Strides and lds count elements. */
typedef enum {
  MYBLAS_DROPIN_IDENTITY = 0,
  MYBLAS_DROPIN_RELU = 1, /* NaN stays NaN */
  MYBLAS_DROPIN_GELU = 2  /* by tanh, as cublasLt's */
} myblasDropinActivation_t;

typedef struct {
  myblasOperation_t transa, transb;
  int64_t m, n, k, batch_count;
  myblasComputeType_t compute;
  const void* alpha; /* of the compute type's scalar type, where the handle's pointer mode says */
  const void* a;
  myblasDataType_t a_type;
  int64_t lda, stride_a;
  const void* b;
  myblasDataType_t b_type;
  int64_t ldb, stride_b;
  const void* beta;
  void* c;
  myblasDataType_t c_type;
  int64_t ldc, stride_c;
  const void* bias; /* m elements of C's type, added to each column; NULL: none */
  int64_t stride_bias;
  myblasDropinActivation_t activation;
} myblasDropinMatmul_t;

/* Statuses as of myblasGemmStridedBatchedEx; NOT_SUPPORTED where no kernel has the bias or the
 * activation (complex and integer types, the CPU backend). */
MYBLAS_API myblasStatus_t myblasDropinMatmul(myblasHandle_t handle,
                                             const myblasDropinMatmul_t* call);

/* Where a handle made now would compute: 1 on a GPU, 0 on the CPU, since none is usable or
 * MYBLAS_BACKEND is cpu; -1 where none can be made, since a variable has no sense (which was said).
 */
MYBLAS_API int myblasDropinGpuUsable(void);

/* Whether log lines go anywhere (MYBLAS_LOG, LoggerConfigure or a callback), and one line out. */
MYBLAS_API int myblasDropinLogEnabled(void);
MYBLAS_API void myblasDropinLog(const char* line);

#ifdef __cplusplus
}
#endif

#endif /* MYBLAS_DROPIN_HOOKS_H */
