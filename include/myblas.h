/* SPDX-License-Identifier: BSD-3-Clause */
/* =============================================================================================
 * myblas.h: matrix products on NVIDIA GPUs, and on OpenBLAS where there is no GPU.
 *
 * Every function, enum value and status code mirrors the cuBLAS function of the same name with
 * the prefix `cublas` (and `_v2` removed), so that either library can stand in for the other.
 * Matrices are column-major. C99 and C++; with the CUDA headers on the include path the complex
 * types are CUDA's own, without them they are structs of the same layout.
 *
 * `_64` twins take int64_t sizes. Where only the type letter differs, one comment serves all.
 * ============================================================================================= */
#ifndef MYBLAS_H
#define MYBLAS_H

#include <stddef.h>
#include <stdint.h>

#if defined(__has_include)
#if __has_include(<cuComplex.h>)
#define MYBLAS_HAS_CUDA_COMPLEX 1
#endif
#endif

#ifdef MYBLAS_HAS_CUDA_COMPLEX
#include <cuComplex.h>
#endif

#define MYBLAS_VER_MAJOR 0
#define MYBLAS_VER_MINOR 1
#define MYBLAS_VER_PATCH 0
#define MYBLAS_VERSION (MYBLAS_VER_MAJOR * 10000 + MYBLAS_VER_MINOR * 100 + MYBLAS_VER_PATCH)

#define MYBLAS_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/* ---- types ---------------------------------------------------------------------------------- */

typedef struct myblasContext* myblasHandle_t;
typedef struct CUstream_st* myblasStream_t; /* the same type as cudaStream_t and CUstream */

#ifdef MYBLAS_HAS_CUDA_COMPLEX
typedef cuFloatComplex myblasComplex;
typedef cuDoubleComplex myblasDoubleComplex;
#else
typedef struct {
  float x, y;
} myblasComplex; /* real, imaginary */
typedef struct {
  double x, y;
} myblasDoubleComplex;
#endif
typedef struct __half myblasHalf;            /* IEEE binary16; CUDA's __half in C++ */
typedef struct __nv_bfloat16 myblasBfloat16; /* bfloat16; CUDA's __nv_bfloat16 in C++ */

typedef enum {
  MYBLAS_STATUS_SUCCESS = 0,
  MYBLAS_STATUS_NOT_INITIALIZED = 1,
  MYBLAS_STATUS_ALLOC_FAILED = 3,
  MYBLAS_STATUS_INVALID_VALUE = 7,
  MYBLAS_STATUS_ARCH_MISMATCH = 8,
  MYBLAS_STATUS_MAPPING_ERROR = 11,
  MYBLAS_STATUS_EXECUTION_FAILED = 13,
  MYBLAS_STATUS_INTERNAL_ERROR = 14,
  MYBLAS_STATUS_NOT_SUPPORTED = 15,
  MYBLAS_STATUS_LICENSE_ERROR = 16
} myblasStatus_t;

typedef enum {
  MYBLAS_OP_N = 0,
  MYBLAS_OP_T = 1,
  MYBLAS_OP_C = 2,
  MYBLAS_OP_CONJG = 3 /* in cuBLAS's enum, accepted by no routine here */
} myblasOperation_t;

typedef enum { MYBLAS_POINTER_MODE_HOST = 0, MYBLAS_POINTER_MODE_DEVICE = 1 } myblasPointerMode_t;

typedef enum { MYBLAS_ATOMICS_NOT_ALLOWED = 0, MYBLAS_ATOMICS_ALLOWED = 1 } myblasAtomicsMode_t;

typedef enum {
  MYBLAS_DEFAULT_MATH = 0,
  MYBLAS_TENSOR_OP_MATH = 1,
  MYBLAS_PEDANTIC_MATH = 2,
  MYBLAS_TF32_TENSOR_OP_MATH = 3,
  MYBLAS_FP32_EMULATED_BF16X9_MATH = 4,
  MYBLAS_FP64_EMULATED_FIXEDPOINT_MATH = 8,
  MYBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16 /* a flag, OR-ed to one of the others */
} myblasMath_t;

typedef enum {
  MYBLAS_COMPUTE_16F = 64,
  MYBLAS_COMPUTE_16F_PEDANTIC = 65,
  MYBLAS_COMPUTE_32F = 68,
  MYBLAS_COMPUTE_32F_PEDANTIC = 69,
  MYBLAS_COMPUTE_64F = 70,
  MYBLAS_COMPUTE_64F_PEDANTIC = 71,
  MYBLAS_COMPUTE_32I = 72,
  MYBLAS_COMPUTE_32I_PEDANTIC = 73,
  MYBLAS_COMPUTE_32F_FAST_16F = 74,
  MYBLAS_COMPUTE_32F_FAST_16BF = 75,
  MYBLAS_COMPUTE_32F_FAST_TF32 = 77,
  MYBLAS_COMPUTE_32F_EMULATED_16BFX9 = 78,
  MYBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT = 79
} myblasComputeType_t;

typedef enum { /* the values of cudaDataType */
               MYBLAS_R_32F = 0,
               MYBLAS_R_64F = 1,
               MYBLAS_R_16F = 2,
               MYBLAS_R_8I = 3,
               MYBLAS_C_32F = 4,
               MYBLAS_C_64F = 5,
               MYBLAS_C_16F = 6,
               MYBLAS_C_8I = 7,
               MYBLAS_R_8U = 8,
               MYBLAS_C_8U = 9,
               MYBLAS_R_32I = 10,
               MYBLAS_C_32I = 11,
               MYBLAS_R_16BF = 14,
               MYBLAS_C_16BF = 15
} myblasDataType_t;

/* -1, 0 to 23, 99, 100 to 115 and 999 are known; every known value means the same here. */
typedef enum {
  MYBLAS_GEMM_DEFAULT = -1,
  MYBLAS_GEMM_ALGO0 = 0,
  MYBLAS_GEMM_ALGO23 = 23,
  MYBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
  MYBLAS_GEMM_ALGO0_TENSOR_OP = 100,
  MYBLAS_GEMM_ALGO15_TENSOR_OP = 115,
  MYBLAS_GEMM_AUTOTUNE = 999
} myblasGemmAlgo_t;

typedef enum {
  MYBLAS_MAJOR_VERSION = 0,
  MYBLAS_MINOR_VERSION = 1,
  MYBLAS_PATCH_LEVEL = 2
} myblasPropertyType_t;

typedef void (*myblasLogCallback)(const char* msg);

/* =============================================================================================
 * Handle and state
 *
 * Create binds the handle to the CUDA device that is current, or to the CPU where no usable GPU
 * is found; it reads the environment (docs/environment.md) and loads the device's kernels.
 * GEMM calls do none of that, but for memory in stream order: where k is divided on a ninth stream
 * or in a capture, and where operands are repacked (docs/adr/0009) and the stream's memory for it
 * is to grow. Defaults: NULL stream, host pointer mode, default math, atomics not allowed, SM
 * target 0.
 *
 *   Create         INVALID_VALUE handle is NULL; NOT_INITIALIZED no backend, or a variable that
 *                  means nothing (the log, else stderr, says which); ALLOC_FAILED; ARCH_MISMATCH
 *                  this build has no kernels for the device. On an error *handle is not written
 *   Destroy        waits for the device; NOT_INITIALIZED for NULL
 *   setters        NOT_INITIALIZED for a NULL handle, then INVALID_VALUE for a value out of range
 *   getters        NOT_INITIALIZED for a NULL handle, then INVALID_VALUE for a NULL result pointer
 *   SetStream      also forgets the workspace; may allocate scratch memory for a stream it meets
 *                  for the first time
 *   SetWorkspace   device memory of `bytes` bytes, aligned to 256, else INVALID_VALUE (as
 *                  documented; cuBLAS itself takes any pointer); size 0 is legal. Used in graph
 *                  captures, which then allocate nothing: operands are repacked, and k divided,
 *                  as far as it holds what that takes; nothing else depends on it
 *   SetMathMode    one mode, OR-ed with the DISALLOW flag; as in cuBLAS any value of five bits
 *   SetSmCountTarget  0 (all) to the device's SM count
 *   SetAtomicsMode kept for GetAtomicsMode; no kernel uses atomics on floating point
 *   GetVersion     the handle may be NULL; major * 10000 + minor * 100 + patch
 *   GetProperty    one of those three numbers; INVALID_VALUE for any other type or a NULL result
 *   GetStatusName, GetStatusString  never NULL; "unrecognized status" for an unknown one
 *
 * State calls change the handle for all threads.
 * ============================================================================================= */
MYBLAS_API myblasStatus_t myblasCreate(myblasHandle_t* handle);
MYBLAS_API myblasStatus_t myblasDestroy(myblasHandle_t handle);
MYBLAS_API myblasStatus_t myblasSetStream(myblasHandle_t handle, myblasStream_t stream);
MYBLAS_API myblasStatus_t myblasGetStream(myblasHandle_t handle, myblasStream_t* stream);
MYBLAS_API myblasStatus_t myblasSetWorkspace(myblasHandle_t handle, void* workspace, size_t bytes);
MYBLAS_API myblasStatus_t myblasSetPointerMode(myblasHandle_t handle, myblasPointerMode_t mode);
MYBLAS_API myblasStatus_t myblasGetPointerMode(myblasHandle_t handle, myblasPointerMode_t* mode);
MYBLAS_API myblasStatus_t myblasSetMathMode(myblasHandle_t handle, myblasMath_t mode);
MYBLAS_API myblasStatus_t myblasGetMathMode(myblasHandle_t handle, myblasMath_t* mode);
MYBLAS_API myblasStatus_t myblasSetAtomicsMode(myblasHandle_t handle, myblasAtomicsMode_t mode);
MYBLAS_API myblasStatus_t myblasGetAtomicsMode(myblasHandle_t handle, myblasAtomicsMode_t* mode);
MYBLAS_API myblasStatus_t myblasSetSmCountTarget(myblasHandle_t handle, int sm_count);
MYBLAS_API myblasStatus_t myblasGetSmCountTarget(myblasHandle_t handle, int* sm_count);
MYBLAS_API myblasStatus_t myblasGetVersion(myblasHandle_t handle, int* version);
MYBLAS_API myblasStatus_t myblasGetProperty(myblasPropertyType_t type, int* value);
MYBLAS_API const char* myblasGetStatusName(myblasStatus_t status);   /* "MYBLAS_STATUS_..." */
MYBLAS_API const char* myblasGetStatusString(myblasStatus_t status); /* a sentence */

/* Logging is process-wide. A line is written for each product, with the reason where it is
 * rejected. Configure turns it on or off and names the destinations (a file is appended to; NULL or
 * "": none); a callback, once set, also receives every line, without its newline, and turns logging
 * on; NULL takes it back. INVALID_VALUE if the file cannot be opened, or the result pointer is
 * NULL. */
MYBLAS_API myblasStatus_t myblasLoggerConfigure(int log_is_on, int log_to_stdout, int log_to_stderr,
                                                const char* log_file_name);
MYBLAS_API myblasStatus_t myblasSetLoggerCallback(myblasLogCallback callback);
MYBLAS_API myblasStatus_t myblasGetLoggerCallback(myblasLogCallback* callback);

/* =============================================================================================
 * gemm: C = alpha * op(A) * op(B) + beta * C
 *
 *   op(A) is m x k, op(B) is k x n, C is m x n, all column-major; op(X) = X, X^T or X^H.
 *
 *   handle        in   from myblasCreate
 *   transa/b      in   MYBLAS_OP_N, _T or _C (_C equals _T for real types)
 *   m, n, k       in   >= 0
 *   alpha, beta   in   one element each; host or device memory by the handle's pointer mode
 *   A, lda        in   device; lda >= max(1, transa == N ? m : k), in elements
 *   B, ldb        in   device; ldb >= max(1, transb == N ? k : n), in elements
 *   C, ldc        i/o  device; ldc >= max(1, m), in elements; must not overlap A or B
 *
 *   Any leading dimension is served, and any address at which an element may lie. Complex ones
 *   may lie as std::complex does, at a multiple of their real part's size, but for the matrices
 *   of pointer batches: those begin at a multiple of the element's size, as cuComplex and
 *   cuDoubleComplex do. With the CPU backend every pointer is a host pointer and the call
 *   returns when C is complete.
 *
 *   Not read:  C when beta == 0; A and B when alpha == 0 or k == 0. k == 0 still scales C by beta.
 *   Nothing is done when m == 0 or n == 0.
 *
 *   Status, in the order checked (the order that tests/contract records of cuBLAS):
 *     NOT_INITIALIZED   handle is NULL
 *     INVALID_VALUE     transa, transb; m, n, k < 0; lda, ldb, ldc
 *     SUCCESS           m == 0 or n == 0: nothing further is looked at
 *     INVALID_VALUE     alpha or beta NULL; with host scalars, A, B or C NULL where it would be
 *                       read or written (with device scalars nobody can tell, and NULL is used)
 *     NOT_SUPPORTED     no kernel of this build serves it
 *     ALLOC_FAILED      no memory for the CPU backend's blocks
 *     EXECUTION_FAILED, INTERNAL_ERROR  a launch failed; parts of C may be written
 *   But for the last two, nothing is written to C and nothing launched on an error.
 *
 *   Asynchronous on the handle's stream; may be captured into a CUDA graph; host scalars are read
 *   before the return, device scalars when the kernel runs. Callable from several threads.
 *   The same call gives the same bits on the same GPU, whatever the stream. There are two
 *   exceptions: where memory is missing, in a capture what the workspace lacks, a choice serves
 *   that needs less; on the default stream of each thread one that needs none.
 *   Hgemm accumulates as COMPUTE_16F does (GemmEx, below). gemm3m is computed as the plain complex
 * product (never less exact).
 * ============================================================================================= */
MYBLAS_API myblasStatus_t myblasSgemm(myblasHandle_t handle, myblasOperation_t transa,
                                      myblasOperation_t transb, int m, int n, int k,
                                      const float* alpha, const float* A, int lda, const float* B,
                                      int ldb, const float* beta, float* C, int ldc);
MYBLAS_API myblasStatus_t myblasSgemm_64(myblasHandle_t handle, myblasOperation_t transa,
                                         myblasOperation_t transb, int64_t m, int64_t n, int64_t k,
                                         const float* alpha, const float* A, int64_t lda,
                                         const float* B, int64_t ldb, const float* beta, float* C,
                                         int64_t ldc);
MYBLAS_API myblasStatus_t myblasDgemm(myblasHandle_t handle, myblasOperation_t transa,
                                      myblasOperation_t transb, int m, int n, int k,
                                      const double* alpha, const double* A, int lda,
                                      const double* B, int ldb, const double* beta, double* C,
                                      int ldc);
MYBLAS_API myblasStatus_t myblasDgemm_64(myblasHandle_t handle, myblasOperation_t transa,
                                         myblasOperation_t transb, int64_t m, int64_t n, int64_t k,
                                         const double* alpha, const double* A, int64_t lda,
                                         const double* B, int64_t ldb, const double* beta,
                                         double* C, int64_t ldc);
MYBLAS_API myblasStatus_t myblasCgemm(myblasHandle_t handle, myblasOperation_t transa,
                                      myblasOperation_t transb, int m, int n, int k,
                                      const myblasComplex* alpha, const myblasComplex* A, int lda,
                                      const myblasComplex* B, int ldb, const myblasComplex* beta,
                                      myblasComplex* C, int ldc);
MYBLAS_API myblasStatus_t myblasCgemm_64(myblasHandle_t handle, myblasOperation_t transa,
                                         myblasOperation_t transb, int64_t m, int64_t n, int64_t k,
                                         const myblasComplex* alpha, const myblasComplex* A,
                                         int64_t lda, const myblasComplex* B, int64_t ldb,
                                         const myblasComplex* beta, myblasComplex* C, int64_t ldc);
MYBLAS_API myblasStatus_t myblasZgemm(myblasHandle_t handle, myblasOperation_t transa,
                                      myblasOperation_t transb, int m, int n, int k,
                                      const myblasDoubleComplex* alpha,
                                      const myblasDoubleComplex* A, int lda,
                                      const myblasDoubleComplex* B, int ldb,
                                      const myblasDoubleComplex* beta, myblasDoubleComplex* C,
                                      int ldc);
MYBLAS_API myblasStatus_t myblasZgemm_64(myblasHandle_t handle, myblasOperation_t transa,
                                         myblasOperation_t transb, int64_t m, int64_t n, int64_t k,
                                         const myblasDoubleComplex* alpha,
                                         const myblasDoubleComplex* A, int64_t lda,
                                         const myblasDoubleComplex* B, int64_t ldb,
                                         const myblasDoubleComplex* beta, myblasDoubleComplex* C,
                                         int64_t ldc);
MYBLAS_API myblasStatus_t myblasHgemm(myblasHandle_t handle, myblasOperation_t transa,
                                      myblasOperation_t transb, int m, int n, int k,
                                      const myblasHalf* alpha, const myblasHalf* A, int lda,
                                      const myblasHalf* B, int ldb, const myblasHalf* beta,
                                      myblasHalf* C, int ldc);
MYBLAS_API myblasStatus_t myblasHgemm_64(myblasHandle_t handle, myblasOperation_t transa,
                                         myblasOperation_t transb, int64_t m, int64_t n, int64_t k,
                                         const myblasHalf* alpha, const myblasHalf* A, int64_t lda,
                                         const myblasHalf* B, int64_t ldb, const myblasHalf* beta,
                                         myblasHalf* C, int64_t ldc);
MYBLAS_API myblasStatus_t myblasCgemm3m(myblasHandle_t handle, myblasOperation_t transa,
                                        myblasOperation_t transb, int m, int n, int k,
                                        const myblasComplex* alpha, const myblasComplex* A, int lda,
                                        const myblasComplex* B, int ldb, const myblasComplex* beta,
                                        myblasComplex* C, int ldc);
MYBLAS_API myblasStatus_t myblasCgemm3m_64(
    myblasHandle_t handle, myblasOperation_t transa, myblasOperation_t transb, int64_t m, int64_t n,
    int64_t k, const myblasComplex* alpha, const myblasComplex* A, int64_t lda,
    const myblasComplex* B, int64_t ldb, const myblasComplex* beta, myblasComplex* C, int64_t ldc);
MYBLAS_API myblasStatus_t myblasZgemm3m(myblasHandle_t handle, myblasOperation_t transa,
                                        myblasOperation_t transb, int m, int n, int k,
                                        const myblasDoubleComplex* alpha,
                                        const myblasDoubleComplex* A, int lda,
                                        const myblasDoubleComplex* B, int ldb,
                                        const myblasDoubleComplex* beta, myblasDoubleComplex* C,
                                        int ldc);
MYBLAS_API myblasStatus_t myblasZgemm3m_64(myblasHandle_t handle, myblasOperation_t transa,
                                           myblasOperation_t transb, int64_t m, int64_t n,
                                           int64_t k, const myblasDoubleComplex* alpha,
                                           const myblasDoubleComplex* A, int64_t lda,
                                           const myblasDoubleComplex* B, int64_t ldb,
                                           const myblasDoubleComplex* beta, myblasDoubleComplex* C,
                                           int64_t ldc);

/* =============================================================================================
 * gemmBatched: C[i] = alpha * op(A[i]) * op(B[i]) + beta * C[i], i in [0, batchCount)
 *
 *   Aarray, Barray, Carray   in   device arrays of batchCount device pointers
 *   batchCount               in   >= 0, else INVALID_VALUE; 0 does nothing. One alpha and beta for
 *                                 the whole batch.
 *   Otherwise as gemm. The C[i] must not overlap each other.
 * ============================================================================================= */
MYBLAS_API myblasStatus_t myblasHgemmBatched(myblasHandle_t handle, myblasOperation_t transa,
                                             myblasOperation_t transb, int m, int n, int k,
                                             const myblasHalf* alpha,
                                             const myblasHalf* const Aarray[], int lda,
                                             const myblasHalf* const Barray[], int ldb,
                                             const myblasHalf* beta, myblasHalf* const Carray[],
                                             int ldc, int batchCount);
MYBLAS_API myblasStatus_t myblasHgemmBatched_64(myblasHandle_t handle, myblasOperation_t transa,
                                                myblasOperation_t transb, int64_t m, int64_t n,
                                                int64_t k, const myblasHalf* alpha,
                                                const myblasHalf* const Aarray[], int64_t lda,
                                                const myblasHalf* const Barray[], int64_t ldb,
                                                const myblasHalf* beta, myblasHalf* const Carray[],
                                                int64_t ldc, int64_t batchCount);
MYBLAS_API myblasStatus_t myblasSgemmBatched(myblasHandle_t handle, myblasOperation_t transa,
                                             myblasOperation_t transb, int m, int n, int k,
                                             const float* alpha, const float* const Aarray[],
                                             int lda, const float* const Barray[], int ldb,
                                             const float* beta, float* const Carray[], int ldc,
                                             int batchCount);
MYBLAS_API myblasStatus_t myblasSgemmBatched_64(myblasHandle_t handle, myblasOperation_t transa,
                                                myblasOperation_t transb, int64_t m, int64_t n,
                                                int64_t k, const float* alpha,
                                                const float* const Aarray[], int64_t lda,
                                                const float* const Barray[], int64_t ldb,
                                                const float* beta, float* const Carray[],
                                                int64_t ldc, int64_t batchCount);
MYBLAS_API myblasStatus_t myblasDgemmBatched(myblasHandle_t handle, myblasOperation_t transa,
                                             myblasOperation_t transb, int m, int n, int k,
                                             const double* alpha, const double* const Aarray[],
                                             int lda, const double* const Barray[], int ldb,
                                             const double* beta, double* const Carray[], int ldc,
                                             int batchCount);
MYBLAS_API myblasStatus_t myblasDgemmBatched_64(myblasHandle_t handle, myblasOperation_t transa,
                                                myblasOperation_t transb, int64_t m, int64_t n,
                                                int64_t k, const double* alpha,
                                                const double* const Aarray[], int64_t lda,
                                                const double* const Barray[], int64_t ldb,
                                                const double* beta, double* const Carray[],
                                                int64_t ldc, int64_t batchCount);
MYBLAS_API myblasStatus_t
myblasCgemmBatched(myblasHandle_t handle, myblasOperation_t transa, myblasOperation_t transb, int m,
                   int n, int k, const myblasComplex* alpha, const myblasComplex* const Aarray[],
                   int lda, const myblasComplex* const Barray[], int ldb, const myblasComplex* beta,
                   myblasComplex* const Carray[], int ldc, int batchCount);
MYBLAS_API myblasStatus_t myblasCgemmBatched_64(
    myblasHandle_t handle, myblasOperation_t transa, myblasOperation_t transb, int64_t m, int64_t n,
    int64_t k, const myblasComplex* alpha, const myblasComplex* const Aarray[], int64_t lda,
    const myblasComplex* const Barray[], int64_t ldb, const myblasComplex* beta,
    myblasComplex* const Carray[], int64_t ldc, int64_t batchCount);
MYBLAS_API myblasStatus_t myblasZgemmBatched(
    myblasHandle_t handle, myblasOperation_t transa, myblasOperation_t transb, int m, int n, int k,
    const myblasDoubleComplex* alpha, const myblasDoubleComplex* const Aarray[], int lda,
    const myblasDoubleComplex* const Barray[], int ldb, const myblasDoubleComplex* beta,
    myblasDoubleComplex* const Carray[], int ldc, int batchCount);
MYBLAS_API myblasStatus_t myblasZgemmBatched_64(
    myblasHandle_t handle, myblasOperation_t transa, myblasOperation_t transb, int64_t m, int64_t n,
    int64_t k, const myblasDoubleComplex* alpha, const myblasDoubleComplex* const Aarray[],
    int64_t lda, const myblasDoubleComplex* const Barray[], int64_t ldb,
    const myblasDoubleComplex* beta, myblasDoubleComplex* const Carray[], int64_t ldc,
    int64_t batchCount);
MYBLAS_API myblasStatus_t myblasCgemm3mBatched(
    myblasHandle_t handle, myblasOperation_t transa, myblasOperation_t transb, int m, int n, int k,
    const myblasComplex* alpha, const myblasComplex* const Aarray[], int lda,
    const myblasComplex* const Barray[], int ldb, const myblasComplex* beta,
    myblasComplex* const Carray[], int ldc, int batchCount);
MYBLAS_API myblasStatus_t myblasCgemm3mBatched_64(
    myblasHandle_t handle, myblasOperation_t transa, myblasOperation_t transb, int64_t m, int64_t n,
    int64_t k, const myblasComplex* alpha, const myblasComplex* const Aarray[], int64_t lda,
    const myblasComplex* const Barray[], int64_t ldb, const myblasComplex* beta,
    myblasComplex* const Carray[], int64_t ldc, int64_t batchCount);

/* =============================================================================================
 * gemmStridedBatched: as gemmBatched with A[i] = A + i * strideA, and so on (strides in elements)
 *
 *   strideA, strideB   any; 0 broadcasts one matrix over the batch
 *   strideC            the C[i] must not overlap
 * ============================================================================================= */
MYBLAS_API myblasStatus_t myblasHgemmStridedBatched(
    myblasHandle_t handle, myblasOperation_t transa, myblasOperation_t transb, int m, int n, int k,
    const myblasHalf* alpha, const myblasHalf* A, int lda, long long int strideA,
    const myblasHalf* B, int ldb, long long int strideB, const myblasHalf* beta, myblasHalf* C,
    int ldc, long long int strideC, int batchCount);
MYBLAS_API myblasStatus_t myblasHgemmStridedBatched_64(
    myblasHandle_t handle, myblasOperation_t transa, myblasOperation_t transb, int64_t m, int64_t n,
    int64_t k, const myblasHalf* alpha, const myblasHalf* A, int64_t lda, long long int strideA,
    const myblasHalf* B, int64_t ldb, long long int strideB, const myblasHalf* beta, myblasHalf* C,
    int64_t ldc, long long int strideC, int64_t batchCount);
MYBLAS_API myblasStatus_t myblasSgemmStridedBatched(myblasHandle_t handle, myblasOperation_t transa,
                                                    myblasOperation_t transb, int m, int n, int k,
                                                    const float* alpha, const float* A, int lda,
                                                    long long int strideA, const float* B, int ldb,
                                                    long long int strideB, const float* beta,
                                                    float* C, int ldc, long long int strideC,
                                                    int batchCount);
MYBLAS_API myblasStatus_t myblasSgemmStridedBatched_64(
    myblasHandle_t handle, myblasOperation_t transa, myblasOperation_t transb, int64_t m, int64_t n,
    int64_t k, const float* alpha, const float* A, int64_t lda, long long int strideA,
    const float* B, int64_t ldb, long long int strideB, const float* beta, float* C, int64_t ldc,
    long long int strideC, int64_t batchCount);
MYBLAS_API myblasStatus_t myblasDgemmStridedBatched(myblasHandle_t handle, myblasOperation_t transa,
                                                    myblasOperation_t transb, int m, int n, int k,
                                                    const double* alpha, const double* A, int lda,
                                                    long long int strideA, const double* B, int ldb,
                                                    long long int strideB, const double* beta,
                                                    double* C, int ldc, long long int strideC,
                                                    int batchCount);
MYBLAS_API myblasStatus_t myblasDgemmStridedBatched_64(
    myblasHandle_t handle, myblasOperation_t transa, myblasOperation_t transb, int64_t m, int64_t n,
    int64_t k, const double* alpha, const double* A, int64_t lda, long long int strideA,
    const double* B, int64_t ldb, long long int strideB, const double* beta, double* C, int64_t ldc,
    long long int strideC, int64_t batchCount);
MYBLAS_API myblasStatus_t myblasCgemmStridedBatched(
    myblasHandle_t handle, myblasOperation_t transa, myblasOperation_t transb, int m, int n, int k,
    const myblasComplex* alpha, const myblasComplex* A, int lda, long long int strideA,
    const myblasComplex* B, int ldb, long long int strideB, const myblasComplex* beta,
    myblasComplex* C, int ldc, long long int strideC, int batchCount);
MYBLAS_API myblasStatus_t myblasCgemmStridedBatched_64(
    myblasHandle_t handle, myblasOperation_t transa, myblasOperation_t transb, int64_t m, int64_t n,
    int64_t k, const myblasComplex* alpha, const myblasComplex* A, int64_t lda,
    long long int strideA, const myblasComplex* B, int64_t ldb, long long int strideB,
    const myblasComplex* beta, myblasComplex* C, int64_t ldc, long long int strideC,
    int64_t batchCount);
MYBLAS_API myblasStatus_t myblasZgemmStridedBatched(
    myblasHandle_t handle, myblasOperation_t transa, myblasOperation_t transb, int m, int n, int k,
    const myblasDoubleComplex* alpha, const myblasDoubleComplex* A, int lda, long long int strideA,
    const myblasDoubleComplex* B, int ldb, long long int strideB, const myblasDoubleComplex* beta,
    myblasDoubleComplex* C, int ldc, long long int strideC, int batchCount);
MYBLAS_API myblasStatus_t myblasZgemmStridedBatched_64(
    myblasHandle_t handle, myblasOperation_t transa, myblasOperation_t transb, int64_t m, int64_t n,
    int64_t k, const myblasDoubleComplex* alpha, const myblasDoubleComplex* A, int64_t lda,
    long long int strideA, const myblasDoubleComplex* B, int64_t ldb, long long int strideB,
    const myblasDoubleComplex* beta, myblasDoubleComplex* C, int64_t ldc, long long int strideC,
    int64_t batchCount);
MYBLAS_API myblasStatus_t myblasCgemm3mStridedBatched(
    myblasHandle_t handle, myblasOperation_t transa, myblasOperation_t transb, int m, int n, int k,
    const myblasComplex* alpha, const myblasComplex* A, int lda, long long int strideA,
    const myblasComplex* B, int ldb, long long int strideB, const myblasComplex* beta,
    myblasComplex* C, int ldc, long long int strideC, int batchCount);
MYBLAS_API myblasStatus_t myblasCgemm3mStridedBatched_64(
    myblasHandle_t handle, myblasOperation_t transa, myblasOperation_t transb, int64_t m, int64_t n,
    int64_t k, const myblasComplex* alpha, const myblasComplex* A, int64_t lda,
    long long int strideA, const myblasComplex* B, int64_t ldb, long long int strideB,
    const myblasComplex* beta, myblasComplex* C, int64_t ldc, long long int strideC,
    int64_t batchCount);

/* =============================================================================================
 * SgemmEx, CgemmEx, Cgemm3mEx: gemm with fp32 (complex fp32) scalars and arithmetic, typed matrices
 *
 *   SgemmEx           A, B -> C:  16BF -> 16BF, 16F -> 16F, {8I, 16BF, 16F, 32F} -> 32F  (R_ types)
 *   CgemmEx, 3mEx     A, B -> C:  {C_8I, C_32F} -> C_32F
 *   Status as gemm; any other combination of types is NOT_SUPPORTED, before all else is checked.
 * ============================================================================================= */
MYBLAS_API myblasStatus_t myblasSgemmEx(myblasHandle_t handle, myblasOperation_t transa,
                                        myblasOperation_t transb, int m, int n, int k,
                                        const float* alpha, const void* A, myblasDataType_t Atype,
                                        int lda, const void* B, myblasDataType_t Btype, int ldb,
                                        const float* beta, void* C, myblasDataType_t Ctype,
                                        int ldc);
MYBLAS_API myblasStatus_t myblasSgemmEx_64(myblasHandle_t handle, myblasOperation_t transa,
                                           myblasOperation_t transb, int64_t m, int64_t n,
                                           int64_t k, const float* alpha, const void* A,
                                           myblasDataType_t Atype, int64_t lda, const void* B,
                                           myblasDataType_t Btype, int64_t ldb, const float* beta,
                                           void* C, myblasDataType_t Ctype, int64_t ldc);
MYBLAS_API myblasStatus_t myblasCgemmEx(myblasHandle_t handle, myblasOperation_t transa,
                                        myblasOperation_t transb, int m, int n, int k,
                                        const myblasComplex* alpha, const void* A,
                                        myblasDataType_t Atype, int lda, const void* B,
                                        myblasDataType_t Btype, int ldb, const myblasComplex* beta,
                                        void* C, myblasDataType_t Ctype, int ldc);
MYBLAS_API myblasStatus_t myblasCgemmEx_64(myblasHandle_t handle, myblasOperation_t transa,
                                           myblasOperation_t transb, int64_t m, int64_t n,
                                           int64_t k, const myblasComplex* alpha, const void* A,
                                           myblasDataType_t Atype, int64_t lda, const void* B,
                                           myblasDataType_t Btype, int64_t ldb,
                                           const myblasComplex* beta, void* C,
                                           myblasDataType_t Ctype, int64_t ldc);
MYBLAS_API myblasStatus_t myblasCgemm3mEx(myblasHandle_t handle, myblasOperation_t transa,
                                          myblasOperation_t transb, int m, int n, int k,
                                          const myblasComplex* alpha, const void* A,
                                          myblasDataType_t Atype, int lda, const void* B,
                                          myblasDataType_t Btype, int ldb,
                                          const myblasComplex* beta, void* C,
                                          myblasDataType_t Ctype, int ldc);
MYBLAS_API myblasStatus_t myblasCgemm3mEx_64(myblasHandle_t handle, myblasOperation_t transa,
                                             myblasOperation_t transb, int64_t m, int64_t n,
                                             int64_t k, const myblasComplex* alpha, const void* A,
                                             myblasDataType_t Atype, int64_t lda, const void* B,
                                             myblasDataType_t Btype, int64_t ldb,
                                             const myblasComplex* beta, void* C,
                                             myblasDataType_t Ctype, int64_t ldc);

/* =============================================================================================
 * GemmEx, GemmBatchedEx, GemmStridedBatchedEx: gemm with every type named
 *
 *   computeType               alpha, beta   A and B -> C  (A and B have the same type)
 *   16F, 16F_PEDANTIC         16F           16F -> 16F
 *   32I, 32I_PEDANTIC         32I           8I -> 32I
 *   32F, 32F_PEDANTIC, 32F_FAST_{16F,16BF,TF32}, 32F_EMULATED_16BFX9
 *                             32F           16BF -> 16BF, 16F -> 16F, {8I, 16BF, 16F, 32F} -> 32F
 *                             C_32F         {C_8I, C_32F} -> C_32F
 *   64F, 64F_PEDANTIC, 64F_EMULATED_FIXEDPOINT
 *                             64F, C_64F    64F -> 64F, C_64F -> C_64F
 *
 *   16-bit inputs accumulate in fp32. COMPUTE_16F, not pedantic, permits fp16 for up to 64 products
 *   at a time, which GeForce cards have at twice the rate; these sums are added up in fp32. The
 * FAST types permit less precision, they do not demand it. algo is accepted and has no effect. A
 * cudaDataType value as computeType (CUDA 10 programs) is taken as the compute type of that name.
 *   Status as gemm, and: NOT_SUPPORTED first, where A's type differs from B's; INVALID_VALUE for an
 *   unknown Ctype or algo, for Atype of 8-bit floats, and in the batched forms for an unknown
 *   computeType; NOT_SUPPORTED for a combination that is not in the table, after the sizes (and, in
 *   the batched forms, after the return for empty calls).
 * ============================================================================================= */
MYBLAS_API myblasStatus_t myblasGemmEx(myblasHandle_t handle, myblasOperation_t transa,
                                       myblasOperation_t transb, int m, int n, int k,
                                       const void* alpha, const void* A, myblasDataType_t Atype,
                                       int lda, const void* B, myblasDataType_t Btype, int ldb,
                                       const void* beta, void* C, myblasDataType_t Ctype, int ldc,
                                       myblasComputeType_t computeType, myblasGemmAlgo_t algo);
MYBLAS_API myblasStatus_t myblasGemmEx_64(myblasHandle_t handle, myblasOperation_t transa,
                                          myblasOperation_t transb, int64_t m, int64_t n, int64_t k,
                                          const void* alpha, const void* A, myblasDataType_t Atype,
                                          int64_t lda, const void* B, myblasDataType_t Btype,
                                          int64_t ldb, const void* beta, void* C,
                                          myblasDataType_t Ctype, int64_t ldc,
                                          myblasComputeType_t computeType, myblasGemmAlgo_t algo);
MYBLAS_API myblasStatus_t myblasGemmBatchedEx(
    myblasHandle_t handle, myblasOperation_t transa, myblasOperation_t transb, int m, int n, int k,
    const void* alpha, const void* const Aarray[], myblasDataType_t Atype, int lda,
    const void* const Barray[], myblasDataType_t Btype, int ldb, const void* beta,
    void* const Carray[], myblasDataType_t Ctype, int ldc, int batchCount,
    myblasComputeType_t computeType, myblasGemmAlgo_t algo);
MYBLAS_API myblasStatus_t myblasGemmBatchedEx_64(
    myblasHandle_t handle, myblasOperation_t transa, myblasOperation_t transb, int64_t m, int64_t n,
    int64_t k, const void* alpha, const void* const Aarray[], myblasDataType_t Atype, int64_t lda,
    const void* const Barray[], myblasDataType_t Btype, int64_t ldb, const void* beta,
    void* const Carray[], myblasDataType_t Ctype, int64_t ldc, int64_t batchCount,
    myblasComputeType_t computeType, myblasGemmAlgo_t algo);
MYBLAS_API myblasStatus_t myblasGemmStridedBatchedEx(
    myblasHandle_t handle, myblasOperation_t transa, myblasOperation_t transb, int m, int n, int k,
    const void* alpha, const void* A, myblasDataType_t Atype, int lda, long long int strideA,
    const void* B, myblasDataType_t Btype, int ldb, long long int strideB, const void* beta,
    void* C, myblasDataType_t Ctype, int ldc, long long int strideC, int batchCount,
    myblasComputeType_t computeType, myblasGemmAlgo_t algo);
MYBLAS_API myblasStatus_t myblasGemmStridedBatchedEx_64(
    myblasHandle_t handle, myblasOperation_t transa, myblasOperation_t transb, int64_t m, int64_t n,
    int64_t k, const void* alpha, const void* A, myblasDataType_t Atype, int64_t lda,
    long long int strideA, const void* B, myblasDataType_t Btype, int64_t ldb,
    long long int strideB, const void* beta, void* C, myblasDataType_t Ctype, int64_t ldc,
    long long int strideC, int64_t batchCount, myblasComputeType_t computeType,
    myblasGemmAlgo_t algo);

/* =============================================================================================
 * gemmGroupedBatched: several groups of batched products in one call
 *
 *   Group g has group_size[g] products of one shape: m_array[g], n_array[g], ..., alpha_array[g].
 *   The *_array parameters of sizes, operations and scalars and group_size are host arrays of
 *   group_count elements. Aarray, Barray, Carray are device arrays of sum(group_size) device
 *   pointers, group after group.
 *
 *   GemmGroupedBatchedEx takes {16BF, 16F, 32F} with compute 32F, 32F with 32F_PEDANTIC or
 *   32F_FAST_TF32, and 64F with 64F or 64F_PEDANTIC; A, B and C have one type.
 *   Status: NOT_INITIALIZED; NOT_SUPPORTED in device pointer mode or for the types; INVALID_VALUE
 *   for group_count < 0 or a NULL host array; then as gemm for every group before any is launched.
 *   A launch that fails ends the call; groups before it have been launched.
 * ============================================================================================= */
MYBLAS_API myblasStatus_t myblasSgemmGroupedBatched(
    myblasHandle_t handle, const myblasOperation_t transa_array[],
    const myblasOperation_t transb_array[], const int m_array[], const int n_array[],
    const int k_array[], const float alpha_array[], const float* const Aarray[],
    const int lda_array[], const float* const Barray[], const int ldb_array[],
    const float beta_array[], float* const Carray[], const int ldc_array[], int group_count,
    const int group_size[]);
MYBLAS_API myblasStatus_t myblasSgemmGroupedBatched_64(
    myblasHandle_t handle, const myblasOperation_t transa_array[],
    const myblasOperation_t transb_array[], const int64_t m_array[], const int64_t n_array[],
    const int64_t k_array[], const float alpha_array[], const float* const Aarray[],
    const int64_t lda_array[], const float* const Barray[], const int64_t ldb_array[],
    const float beta_array[], float* const Carray[], const int64_t ldc_array[], int64_t group_count,
    const int64_t group_size[]);
MYBLAS_API myblasStatus_t myblasDgemmGroupedBatched(
    myblasHandle_t handle, const myblasOperation_t transa_array[],
    const myblasOperation_t transb_array[], const int m_array[], const int n_array[],
    const int k_array[], const double alpha_array[], const double* const Aarray[],
    const int lda_array[], const double* const Barray[], const int ldb_array[],
    const double beta_array[], double* const Carray[], const int ldc_array[], int group_count,
    const int group_size[]);
MYBLAS_API myblasStatus_t myblasDgemmGroupedBatched_64(
    myblasHandle_t handle, const myblasOperation_t transa_array[],
    const myblasOperation_t transb_array[], const int64_t m_array[], const int64_t n_array[],
    const int64_t k_array[], const double alpha_array[], const double* const Aarray[],
    const int64_t lda_array[], const double* const Barray[], const int64_t ldb_array[],
    const double beta_array[], double* const Carray[], const int64_t ldc_array[],
    int64_t group_count, const int64_t group_size[]);
MYBLAS_API myblasStatus_t myblasGemmGroupedBatchedEx(
    myblasHandle_t handle, const myblasOperation_t transa_array[],
    const myblasOperation_t transb_array[], const int m_array[], const int n_array[],
    const int k_array[], const void* alpha_array, const void* const Aarray[],
    myblasDataType_t Atype, const int lda_array[], const void* const Barray[],
    myblasDataType_t Btype, const int ldb_array[], const void* beta_array, void* const Carray[],
    myblasDataType_t Ctype, const int ldc_array[], int group_count, const int group_size[],
    myblasComputeType_t computeType);
MYBLAS_API myblasStatus_t myblasGemmGroupedBatchedEx_64(
    myblasHandle_t handle, const myblasOperation_t transa_array[],
    const myblasOperation_t transb_array[], const int64_t m_array[], const int64_t n_array[],
    const int64_t k_array[], const void* alpha_array, const void* const Aarray[],
    myblasDataType_t Atype, const int64_t lda_array[], const void* const Barray[],
    myblasDataType_t Btype, const int64_t ldb_array[], const void* beta_array, void* const Carray[],
    myblasDataType_t Ctype, const int64_t ldc_array[], int64_t group_count,
    const int64_t group_size[], myblasComputeType_t computeType);

/* =============================================================================================
 * gemv: y = alpha * op(A) * x + beta * y
 *
 *   A is m x n, column-major; x has n elements and y m, or, where trans is not N, x m and y n.
 *
 *   handle        in   from myblasCreate
 *   trans         in   MYBLAS_OP_N, _T or _C (_C equals _T for real types)
 *   m, n          in   >= 0, of A as it lies
 *   alpha, beta   in   one element each; host or device memory by the handle's pointer mode
 *   A, lda        in   device; lda >= max(1, m), in elements
 *   x, incx       in   device; from one element to the next, not 0. Below 0, as in BLAS, the
 *                      vector's first element is the last one in memory
 *   y, incy       i/o  the same; must not overlap A or x
 *
 *   Not read:  y when beta == 0; A and x when alpha == 0. Nothing is done when m == 0 or n == 0:
 *   y is not scaled then.
 *
 *   Status, in the order checked:
 *     NOT_INITIALIZED   handle is NULL
 *     INVALID_VALUE     trans; m, n < 0
 *     SUCCESS           m == 0 or n == 0: nothing further is looked at
 *     INVALID_VALUE     lda; incx or incy 0; then as gemm
 *   Of fp32 no TF32 is used, whatever is allowed. Otherwise as gemm. (cuBLAS looks at lda alone.)
 * ============================================================================================= */
MYBLAS_API myblasStatus_t myblasSgemv(myblasHandle_t handle, myblasOperation_t trans, int m, int n,
                                      const float* alpha, const float* A, int lda, const float* x,
                                      int incx, const float* beta, float* y, int incy);
MYBLAS_API myblasStatus_t myblasSgemv_64(myblasHandle_t handle, myblasOperation_t trans, int64_t m,
                                         int64_t n, const float* alpha, const float* A, int64_t lda,
                                         const float* x, int64_t incx, const float* beta, float* y,
                                         int64_t incy);
MYBLAS_API myblasStatus_t myblasDgemv(myblasHandle_t handle, myblasOperation_t trans, int m, int n,
                                      const double* alpha, const double* A, int lda,
                                      const double* x, int incx, const double* beta, double* y,
                                      int incy);
MYBLAS_API myblasStatus_t myblasDgemv_64(myblasHandle_t handle, myblasOperation_t trans, int64_t m,
                                         int64_t n, const double* alpha, const double* A,
                                         int64_t lda, const double* x, int64_t incx,
                                         const double* beta, double* y, int64_t incy);
MYBLAS_API myblasStatus_t myblasCgemv(myblasHandle_t handle, myblasOperation_t trans, int m, int n,
                                      const myblasComplex* alpha, const myblasComplex* A, int lda,
                                      const myblasComplex* x, int incx, const myblasComplex* beta,
                                      myblasComplex* y, int incy);
MYBLAS_API myblasStatus_t myblasCgemv_64(myblasHandle_t handle, myblasOperation_t trans, int64_t m,
                                         int64_t n, const myblasComplex* alpha,
                                         const myblasComplex* A, int64_t lda,
                                         const myblasComplex* x, int64_t incx,
                                         const myblasComplex* beta, myblasComplex* y, int64_t incy);
MYBLAS_API myblasStatus_t myblasZgemv(myblasHandle_t handle, myblasOperation_t trans, int m, int n,
                                      const myblasDoubleComplex* alpha,
                                      const myblasDoubleComplex* A, int lda,
                                      const myblasDoubleComplex* x, int incx,
                                      const myblasDoubleComplex* beta, myblasDoubleComplex* y,
                                      int incy);
MYBLAS_API myblasStatus_t myblasZgemv_64(myblasHandle_t handle, myblasOperation_t trans, int64_t m,
                                         int64_t n, const myblasDoubleComplex* alpha,
                                         const myblasDoubleComplex* A, int64_t lda,
                                         const myblasDoubleComplex* x, int64_t incx,
                                         const myblasDoubleComplex* beta, myblasDoubleComplex* y,
                                         int64_t incy);

/* =============================================================================================
 * gemvBatched, gemvStridedBatched: as gemv, y[i] = alpha * op(A[i]) * x[i] + beta * y[i]
 *
 *   Aarray, xarray, yarray      in   device arrays of batchCount device pointers
 *   strideA, stridex, stridey   in   or elements from one to the next; A's and x's may be 0
 *   batchCount                  in   >= 0, else INVALID_VALUE; 0 does nothing
 *
 *   HSH, HSS, TST, TSS: the types of A and x, of the scalars, and of y: H fp16, T bf16, S fp32;
 *   summed in fp32.
 *   NOT_SUPPORTED   an increment below 0 in a batch of pointers; in a batch of complex matrices
 *                   op(A) = A^H with an incy that is not 1. The drop-in leaves these to cuBLAS.
 * ============================================================================================= */
MYBLAS_API myblasStatus_t myblasSgemvBatched(myblasHandle_t handle, myblasOperation_t trans, int m,
                                             int n, const float* alpha, const float* const Aarray[],
                                             int lda, const float* const xarray[], int incx,
                                             const float* beta, float* const yarray[], int incy,
                                             int batchCount);
MYBLAS_API myblasStatus_t myblasSgemvBatched_64(myblasHandle_t handle, myblasOperation_t trans,
                                                int64_t m, int64_t n, const float* alpha,
                                                const float* const Aarray[], int64_t lda,
                                                const float* const xarray[], int64_t incx,
                                                const float* beta, float* const yarray[],
                                                int64_t incy, int64_t batchCount);
MYBLAS_API myblasStatus_t myblasSgemvStridedBatched(myblasHandle_t handle, myblasOperation_t trans,
                                                    int m, int n, const float* alpha,
                                                    const float* A, int lda, long long int strideA,
                                                    const float* x, int incx, long long int stridex,
                                                    const float* beta, float* y, int incy,
                                                    long long int stridey, int batchCount);
MYBLAS_API myblasStatus_t
myblasSgemvStridedBatched_64(myblasHandle_t handle, myblasOperation_t trans, int64_t m, int64_t n,
                             const float* alpha, const float* A, int64_t lda, long long int strideA,
                             const float* x, int64_t incx, long long int stridex, const float* beta,
                             float* y, int64_t incy, long long int stridey, int64_t batchCount);
MYBLAS_API myblasStatus_t myblasDgemvBatched(myblasHandle_t handle, myblasOperation_t trans, int m,
                                             int n, const double* alpha,
                                             const double* const Aarray[], int lda,
                                             const double* const xarray[], int incx,
                                             const double* beta, double* const yarray[], int incy,
                                             int batchCount);
MYBLAS_API myblasStatus_t myblasDgemvBatched_64(myblasHandle_t handle, myblasOperation_t trans,
                                                int64_t m, int64_t n, const double* alpha,
                                                const double* const Aarray[], int64_t lda,
                                                const double* const xarray[], int64_t incx,
                                                const double* beta, double* const yarray[],
                                                int64_t incy, int64_t batchCount);
MYBLAS_API myblasStatus_t myblasDgemvStridedBatched(myblasHandle_t handle, myblasOperation_t trans,
                                                    int m, int n, const double* alpha,
                                                    const double* A, int lda, long long int strideA,
                                                    const double* x, int incx,
                                                    long long int stridex, const double* beta,
                                                    double* y, int incy, long long int stridey,
                                                    int batchCount);
MYBLAS_API myblasStatus_t myblasDgemvStridedBatched_64(
    myblasHandle_t handle, myblasOperation_t trans, int64_t m, int64_t n, const double* alpha,
    const double* A, int64_t lda, long long int strideA, const double* x, int64_t incx,
    long long int stridex, const double* beta, double* y, int64_t incy, long long int stridey,
    int64_t batchCount);
MYBLAS_API myblasStatus_t myblasCgemvBatched(
    myblasHandle_t handle, myblasOperation_t trans, int m, int n, const myblasComplex* alpha,
    const myblasComplex* const Aarray[], int lda, const myblasComplex* const xarray[], int incx,
    const myblasComplex* beta, myblasComplex* const yarray[], int incy, int batchCount);
MYBLAS_API myblasStatus_t myblasCgemvBatched_64(myblasHandle_t handle, myblasOperation_t trans,
                                                int64_t m, int64_t n, const myblasComplex* alpha,
                                                const myblasComplex* const Aarray[], int64_t lda,
                                                const myblasComplex* const xarray[], int64_t incx,
                                                const myblasComplex* beta,
                                                myblasComplex* const yarray[], int64_t incy,
                                                int64_t batchCount);
MYBLAS_API myblasStatus_t myblasCgemvStridedBatched(
    myblasHandle_t handle, myblasOperation_t trans, int m, int n, const myblasComplex* alpha,
    const myblasComplex* A, int lda, long long int strideA, const myblasComplex* x, int incx,
    long long int stridex, const myblasComplex* beta, myblasComplex* y, int incy,
    long long int stridey, int batchCount);
MYBLAS_API myblasStatus_t myblasCgemvStridedBatched_64(
    myblasHandle_t handle, myblasOperation_t trans, int64_t m, int64_t n,
    const myblasComplex* alpha, const myblasComplex* A, int64_t lda, long long int strideA,
    const myblasComplex* x, int64_t incx, long long int stridex, const myblasComplex* beta,
    myblasComplex* y, int64_t incy, long long int stridey, int64_t batchCount);
MYBLAS_API myblasStatus_t myblasZgemvBatched(myblasHandle_t handle, myblasOperation_t trans, int m,
                                             int n, const myblasDoubleComplex* alpha,
                                             const myblasDoubleComplex* const Aarray[], int lda,
                                             const myblasDoubleComplex* const xarray[], int incx,
                                             const myblasDoubleComplex* beta,
                                             myblasDoubleComplex* const yarray[], int incy,
                                             int batchCount);
MYBLAS_API myblasStatus_t myblasZgemvBatched_64(
    myblasHandle_t handle, myblasOperation_t trans, int64_t m, int64_t n,
    const myblasDoubleComplex* alpha, const myblasDoubleComplex* const Aarray[], int64_t lda,
    const myblasDoubleComplex* const xarray[], int64_t incx, const myblasDoubleComplex* beta,
    myblasDoubleComplex* const yarray[], int64_t incy, int64_t batchCount);
MYBLAS_API myblasStatus_t myblasZgemvStridedBatched(
    myblasHandle_t handle, myblasOperation_t trans, int m, int n, const myblasDoubleComplex* alpha,
    const myblasDoubleComplex* A, int lda, long long int strideA, const myblasDoubleComplex* x,
    int incx, long long int stridex, const myblasDoubleComplex* beta, myblasDoubleComplex* y,
    int incy, long long int stridey, int batchCount);
MYBLAS_API myblasStatus_t myblasZgemvStridedBatched_64(
    myblasHandle_t handle, myblasOperation_t trans, int64_t m, int64_t n,
    const myblasDoubleComplex* alpha, const myblasDoubleComplex* A, int64_t lda,
    long long int strideA, const myblasDoubleComplex* x, int64_t incx, long long int stridex,
    const myblasDoubleComplex* beta, myblasDoubleComplex* y, int64_t incy, long long int stridey,
    int64_t batchCount);
MYBLAS_API myblasStatus_t myblasHSHgemvBatched(myblasHandle_t handle, myblasOperation_t trans,
                                               int m, int n, const float* alpha,
                                               const myblasHalf* const Aarray[], int lda,
                                               const myblasHalf* const xarray[], int incx,
                                               const float* beta, myblasHalf* const yarray[],
                                               int incy, int batchCount);
MYBLAS_API myblasStatus_t myblasHSHgemvBatched_64(myblasHandle_t handle, myblasOperation_t trans,
                                                  int64_t m, int64_t n, const float* alpha,
                                                  const myblasHalf* const Aarray[], int64_t lda,
                                                  const myblasHalf* const xarray[], int64_t incx,
                                                  const float* beta, myblasHalf* const yarray[],
                                                  int64_t incy, int64_t batchCount);
MYBLAS_API myblasStatus_t
myblasHSHgemvStridedBatched(myblasHandle_t handle, myblasOperation_t trans, int m, int n,
                            const float* alpha, const myblasHalf* A, int lda, long long int strideA,
                            const myblasHalf* x, int incx, long long int stridex, const float* beta,
                            myblasHalf* y, int incy, long long int stridey, int batchCount);
MYBLAS_API myblasStatus_t myblasHSHgemvStridedBatched_64(
    myblasHandle_t handle, myblasOperation_t trans, int64_t m, int64_t n, const float* alpha,
    const myblasHalf* A, int64_t lda, long long int strideA, const myblasHalf* x, int64_t incx,
    long long int stridex, const float* beta, myblasHalf* y, int64_t incy, long long int stridey,
    int64_t batchCount);
MYBLAS_API myblasStatus_t myblasHSSgemvBatched(myblasHandle_t handle, myblasOperation_t trans,
                                               int m, int n, const float* alpha,
                                               const myblasHalf* const Aarray[], int lda,
                                               const myblasHalf* const xarray[], int incx,
                                               const float* beta, float* const yarray[], int incy,
                                               int batchCount);
MYBLAS_API myblasStatus_t myblasHSSgemvBatched_64(myblasHandle_t handle, myblasOperation_t trans,
                                                  int64_t m, int64_t n, const float* alpha,
                                                  const myblasHalf* const Aarray[], int64_t lda,
                                                  const myblasHalf* const xarray[], int64_t incx,
                                                  const float* beta, float* const yarray[],
                                                  int64_t incy, int64_t batchCount);
MYBLAS_API myblasStatus_t
myblasHSSgemvStridedBatched(myblasHandle_t handle, myblasOperation_t trans, int m, int n,
                            const float* alpha, const myblasHalf* A, int lda, long long int strideA,
                            const myblasHalf* x, int incx, long long int stridex, const float* beta,
                            float* y, int incy, long long int stridey, int batchCount);
MYBLAS_API myblasStatus_t myblasHSSgemvStridedBatched_64(
    myblasHandle_t handle, myblasOperation_t trans, int64_t m, int64_t n, const float* alpha,
    const myblasHalf* A, int64_t lda, long long int strideA, const myblasHalf* x, int64_t incx,
    long long int stridex, const float* beta, float* y, int64_t incy, long long int stridey,
    int64_t batchCount);
MYBLAS_API myblasStatus_t myblasTSTgemvBatched(myblasHandle_t handle, myblasOperation_t trans,
                                               int m, int n, const float* alpha,
                                               const myblasBfloat16* const Aarray[], int lda,
                                               const myblasBfloat16* const xarray[], int incx,
                                               const float* beta, myblasBfloat16* const yarray[],
                                               int incy, int batchCount);
MYBLAS_API myblasStatus_t myblasTSTgemvBatched_64(myblasHandle_t handle, myblasOperation_t trans,
                                                  int64_t m, int64_t n, const float* alpha,
                                                  const myblasBfloat16* const Aarray[], int64_t lda,
                                                  const myblasBfloat16* const xarray[],
                                                  int64_t incx, const float* beta,
                                                  myblasBfloat16* const yarray[], int64_t incy,
                                                  int64_t batchCount);
MYBLAS_API myblasStatus_t myblasTSTgemvStridedBatched(
    myblasHandle_t handle, myblasOperation_t trans, int m, int n, const float* alpha,
    const myblasBfloat16* A, int lda, long long int strideA, const myblasBfloat16* x, int incx,
    long long int stridex, const float* beta, myblasBfloat16* y, int incy, long long int stridey,
    int batchCount);
MYBLAS_API myblasStatus_t myblasTSTgemvStridedBatched_64(
    myblasHandle_t handle, myblasOperation_t trans, int64_t m, int64_t n, const float* alpha,
    const myblasBfloat16* A, int64_t lda, long long int strideA, const myblasBfloat16* x,
    int64_t incx, long long int stridex, const float* beta, myblasBfloat16* y, int64_t incy,
    long long int stridey, int64_t batchCount);
MYBLAS_API myblasStatus_t myblasTSSgemvBatched(myblasHandle_t handle, myblasOperation_t trans,
                                               int m, int n, const float* alpha,
                                               const myblasBfloat16* const Aarray[], int lda,
                                               const myblasBfloat16* const xarray[], int incx,
                                               const float* beta, float* const yarray[], int incy,
                                               int batchCount);
MYBLAS_API myblasStatus_t myblasTSSgemvBatched_64(
    myblasHandle_t handle, myblasOperation_t trans, int64_t m, int64_t n, const float* alpha,
    const myblasBfloat16* const Aarray[], int64_t lda, const myblasBfloat16* const xarray[],
    int64_t incx, const float* beta, float* const yarray[], int64_t incy, int64_t batchCount);
MYBLAS_API myblasStatus_t myblasTSSgemvStridedBatched(
    myblasHandle_t handle, myblasOperation_t trans, int m, int n, const float* alpha,
    const myblasBfloat16* A, int lda, long long int strideA, const myblasBfloat16* x, int incx,
    long long int stridex, const float* beta, float* y, int incy, long long int stridey,
    int batchCount);
MYBLAS_API myblasStatus_t myblasTSSgemvStridedBatched_64(
    myblasHandle_t handle, myblasOperation_t trans, int64_t m, int64_t n, const float* alpha,
    const myblasBfloat16* A, int64_t lda, long long int strideA, const myblasBfloat16* x,
    int64_t incx, long long int stridex, const float* beta, float* y, int64_t incy,
    long long int stridey, int64_t batchCount);

/* =============================================================================================
 * Introspection (not in cuBLAS)
 *
 * GetKernelName: the kernel that would serve this strided-batched problem (batchCount 1: a plain
 * gemm), assuming pointers aligned to 256 bytes, strides that keep that alignment, host scalars
 * and a non-zero beta, under the handle's math mode. On the CPU backend "openblas". "@4+sum" stands
 * behind it, as for GetLastKernelName, where a second kernel adds up 4 parts of k.
 *   Status as GemmStridedBatchedEx. All three: INVALID_VALUE if `name` is NULL or the name with its
 *   closing 0 does not fit in `size` bytes.
 *
 * GetLastKernelName: the kernel that served this thread's last gemm call (of a grouped one, its
 * last group); "none" where it had nothing to compute or failed.
 *
 * GetTargetName: "sm_90" and the like: the table this handle selects from; "cpu" for the CPU.
 * ============================================================================================= */
MYBLAS_API myblasStatus_t myblasGetKernelName(myblasHandle_t handle, myblasOperation_t transa,
                                              myblasOperation_t transb, int64_t m, int64_t n,
                                              int64_t k, myblasDataType_t Atype, int64_t lda,
                                              myblasDataType_t Btype, int64_t ldb,
                                              myblasDataType_t Ctype, int64_t ldc,
                                              int64_t batchCount, myblasComputeType_t computeType,
                                              char* name, size_t size);
MYBLAS_API myblasStatus_t myblasGetLastKernelName(char* name, size_t size);
MYBLAS_API myblasStatus_t myblasGetTargetName(myblasHandle_t handle, char* name, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* MYBLAS_H */
