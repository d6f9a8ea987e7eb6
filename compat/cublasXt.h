/* SPDX-License-Identifier: BSD-3-Clause */
/* =============================================================================================
 * cublasXt.h: the multi-GPU routines on host matrices. myblas forwards all of them: without the
 * real cuBLAS they return CUBLAS_STATUS_NOT_SUPPORTED.
 * ============================================================================================= */
#ifndef CUBLAS_XT_H_
#define CUBLAS_XT_H_

#include "cublas_v2.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cublasXtContext* cublasXtHandle_t;

typedef enum {
  CUBLASXT_FLOAT = 0,
  CUBLASXT_DOUBLE = 1,
  CUBLASXT_COMPLEX = 2,
  CUBLASXT_DOUBLECOMPLEX = 3
} cublasXtOpType_t;

typedef enum {
  CUBLASXT_GEMM = 0,
  CUBLASXT_SYRK = 1,
  CUBLASXT_HERK = 2,
  CUBLASXT_SYMM = 3,
  CUBLASXT_HEMM = 4,
  CUBLASXT_TRSM = 5,
  CUBLASXT_SYR2K = 6,
  CUBLASXT_HER2K = 7,
  CUBLASXT_SPMM = 8,
  CUBLASXT_SYRKX = 9,
  CUBLASXT_HERKX = 10,
  CUBLASXT_TRMM = 11,
  CUBLASXT_ROUTINE_MAX = 12
} cublasXtBlasOp_t;

typedef enum {
  CUBLASXT_PINNING_DISABLED = 0,
  CUBLASXT_PINNING_ENABLED = 1
} cublasXtPinnedMemMode_t;

cublasStatus_t CUBLASWINAPI cublasXtCreate(cublasXtHandle_t* handle);
cublasStatus_t CUBLASWINAPI cublasXtDestroy(cublasXtHandle_t handle);
cublasStatus_t CUBLASWINAPI cublasXtGetNumBoards(int device_count, int device_ids[], int* boards);
cublasStatus_t CUBLASWINAPI cublasXtMaxBoards(int* boards);
cublasStatus_t CUBLASWINAPI cublasXtDeviceSelect(cublasXtHandle_t handle, int device_count,
                                                 int device_ids[]);
cublasStatus_t CUBLASWINAPI cublasXtSetBlockDim(cublasXtHandle_t handle, int block_dim);
cublasStatus_t CUBLASWINAPI cublasXtGetBlockDim(cublasXtHandle_t handle, int* block_dim);
cublasStatus_t CUBLASWINAPI cublasXtSetPinningMemMode(cublasXtHandle_t handle,
                                                      cublasXtPinnedMemMode_t mode);
cublasStatus_t CUBLASWINAPI cublasXtGetPinningMemMode(cublasXtHandle_t handle,
                                                      cublasXtPinnedMemMode_t* mode);
cublasStatus_t CUBLASWINAPI cublasXtSetCpuRoutine(cublasXtHandle_t handle, cublasXtBlasOp_t op,
                                                  cublasXtOpType_t type, void* routine);
cublasStatus_t CUBLASWINAPI cublasXtSetCpuRatio(cublasXtHandle_t handle, cublasXtBlasOp_t op,
                                                cublasXtOpType_t type, float ratio);

#define MYBLAS_T float
#define MYBLAS_REAL float
#define MYBLAS_FN(name) cublasXtS##name
#include "myblas_cublas_xt_typed.inc"
#undef MYBLAS_T
#undef MYBLAS_REAL
#undef MYBLAS_FN

#define MYBLAS_T double
#define MYBLAS_REAL double
#define MYBLAS_FN(name) cublasXtD##name
#include "myblas_cublas_xt_typed.inc"
#undef MYBLAS_T
#undef MYBLAS_REAL
#undef MYBLAS_FN

#define MYBLAS_COMPLEX 1

#define MYBLAS_T cuComplex
#define MYBLAS_REAL float
#define MYBLAS_FN(name) cublasXtC##name
#include "myblas_cublas_xt_typed.inc"
#undef MYBLAS_T
#undef MYBLAS_REAL
#undef MYBLAS_FN

#define MYBLAS_T cuDoubleComplex
#define MYBLAS_REAL double
#define MYBLAS_FN(name) cublasXtZ##name
#include "myblas_cublas_xt_typed.inc"
#undef MYBLAS_T
#undef MYBLAS_REAL
#undef MYBLAS_FN

#undef MYBLAS_COMPLEX

#ifdef __cplusplus
}
#endif

#endif /* CUBLAS_XT_H_ */
