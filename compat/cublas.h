/* SPDX-License-Identifier: BSD-3-Clause */
/* =============================================================================================
 * cublas.h: cuBLAS's oldest interface. One implicit handle made by cublasInit, options as
 * letters, scalars by value, errors fetched by cublasGetError.
 * ============================================================================================= */
#ifndef CUBLAS_H_
#define CUBLAS_H_

#ifdef CUBLAS_V2_H_
#error "cublas.h and cublas_v2.h give the same names to different functions: include one of them"
#endif

#include "cublas_api.h"
#ifdef MYBLAS_COMPAT_HAS_CUDA_RUNTIME
#include <cuda_runtime.h> /* as NVIDIA's does: programs count on cudaMalloc */
#endif

#define cublasStatus cublasStatus_t

#ifdef __cplusplus
extern "C" {
#endif

CUBLASAPI cublasStatus CUBLASWINAPI cublasInit(void);
CUBLASAPI cublasStatus CUBLASWINAPI cublasShutdown(void);
CUBLASAPI cublasStatus CUBLASWINAPI cublasGetError(void);
CUBLASAPI cublasStatus CUBLASWINAPI cublasGetVersion(int* version);
CUBLASAPI cublasStatus CUBLASWINAPI cublasAlloc(int n, int elem_size, void** device_ptr);
CUBLASAPI cublasStatus CUBLASWINAPI cublasFree(void* device_ptr);
CUBLASAPI cublasStatus CUBLASWINAPI cublasSetKernelStream(cudaStream_t stream);

#define MYBLAS_T float
#define MYBLAS_REAL float
#define MYBLAS_FN(name) cublasS##name
#define MYBLAS_INDEX(name) cublasIs##name
#define MYBLAS_NORM(name) cublasS##name
#include "myblas_cublas_v1_typed.inc"
#undef MYBLAS_T
#undef MYBLAS_REAL
#undef MYBLAS_FN
#undef MYBLAS_INDEX
#undef MYBLAS_NORM

#define MYBLAS_T double
#define MYBLAS_REAL double
#define MYBLAS_FN(name) cublasD##name
#define MYBLAS_INDEX(name) cublasId##name
#define MYBLAS_NORM(name) cublasD##name
#include "myblas_cublas_v1_typed.inc"
#undef MYBLAS_T
#undef MYBLAS_REAL
#undef MYBLAS_FN
#undef MYBLAS_INDEX
#undef MYBLAS_NORM

#define MYBLAS_COMPLEX 1

#define MYBLAS_T cuComplex
#define MYBLAS_REAL float
#define MYBLAS_FN(name) cublasC##name
#define MYBLAS_INDEX(name) cublasIc##name
#define MYBLAS_NORM(name) cublasSc##name
#define MYBLAS_BY_REAL(name) cublasCs##name
#include "myblas_cublas_v1_typed.inc"
#undef MYBLAS_T
#undef MYBLAS_REAL
#undef MYBLAS_FN
#undef MYBLAS_INDEX
#undef MYBLAS_NORM
#undef MYBLAS_BY_REAL

#define MYBLAS_T cuDoubleComplex
#define MYBLAS_REAL double
#define MYBLAS_FN(name) cublasZ##name
#define MYBLAS_INDEX(name) cublasIz##name
#define MYBLAS_NORM(name) cublasDz##name
#define MYBLAS_BY_REAL(name) cublasZd##name
#include "myblas_cublas_v1_typed.inc"
#undef MYBLAS_T
#undef MYBLAS_REAL
#undef MYBLAS_FN
#undef MYBLAS_INDEX
#undef MYBLAS_NORM
#undef MYBLAS_BY_REAL

#undef MYBLAS_COMPLEX

#ifdef __cplusplus
}
#endif

#endif /* CUBLAS_H_ */
