/* SPDX-License-Identifier: BSD-3-Clause */
/* =============================================================================================
 * myblas_cuda_types.h: the CUDA types that cuBLAS's prototypes name.
 *
 * With the CUDA headers on the include path, CUDA's own. Without them, types of the same name,
 * layout and values, so that a program which only multiplies matrices needs no CUDA toolkit
 * (the CPU backend takes host pointers).
 * ============================================================================================= */
#ifndef MYBLAS_COMPAT_CUDA_TYPES_H
#define MYBLAS_COMPAT_CUDA_TYPES_H

#include <stddef.h>
#include <stdint.h>

#if defined(__has_include)
#if __has_include(<library_types.h>) && __has_include(<driver_types.h>) && \
    __has_include(<cuComplex.h>)
#define MYBLAS_COMPAT_HAS_CUDA 1
#endif
/* The run time's headers, and the folder of the compiler that they include. */
#if __has_include(<cuda_runtime.h>) && __has_include(<crt/host_config.h>)
#define MYBLAS_COMPAT_HAS_CUDA_RUNTIME 1
#endif
#endif

#ifdef MYBLAS_COMPAT_HAS_CUDA

#include <cuComplex.h>
#include <driver_types.h>
#include <library_types.h>
#if defined(__cplusplus) || defined(MYBLAS_COMPAT_HAS_CUDA_RUNTIME)
#include <cuda_bf16.h> /* with them come CUDART_VERSION and cudaMalloc, in C too */
#include <cuda_fp16.h>
#endif
#ifndef __cplusplus
struct __half; /* CUDA has these in C++ alone; C hands pointers through */
struct __nv_bfloat16;
#endif
#if __has_include(<cuda.h>)
#include <cuda.h> /* CUDA_VERSION */
#endif

#else

typedef struct CUstream_st* cudaStream_t;

typedef struct {
  float x, y;
} float2;
typedef struct {
  double x, y;
} double2;
typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

static inline cuFloatComplex make_cuFloatComplex(float re, float im) {
  cuFloatComplex z;
  z.x = re;
  z.y = im;
  return z;
}
static inline cuDoubleComplex make_cuDoubleComplex(double re, double im) {
  cuDoubleComplex z;
  z.x = re;
  z.y = im;
  return z;
}
static inline cuComplex make_cuComplex(float re, float im) { return make_cuFloatComplex(re, im); }
static inline float cuCrealf(cuFloatComplex z) { return z.x; }
static inline float cuCimagf(cuFloatComplex z) { return z.y; }
static inline double cuCreal(cuDoubleComplex z) { return z.x; }
static inline double cuCimag(cuDoubleComplex z) { return z.y; }

typedef enum cudaDataType_t {
  CUDA_R_32F = 0,
  CUDA_R_64F = 1,
  CUDA_R_16F = 2,
  CUDA_R_8I = 3,
  CUDA_C_32F = 4,
  CUDA_C_64F = 5,
  CUDA_C_16F = 6,
  CUDA_C_8I = 7,
  CUDA_R_8U = 8,
  CUDA_C_8U = 9,
  CUDA_R_32I = 10,
  CUDA_C_32I = 11,
  CUDA_R_32U = 12,
  CUDA_C_32U = 13,
  CUDA_R_16BF = 14,
  CUDA_C_16BF = 15,
  CUDA_R_4I = 16,
  CUDA_C_4I = 17,
  CUDA_R_4U = 18,
  CUDA_C_4U = 19,
  CUDA_R_16I = 20,
  CUDA_C_16I = 21,
  CUDA_R_16U = 22,
  CUDA_C_16U = 23,
  CUDA_R_64I = 24,
  CUDA_C_64I = 25,
  CUDA_R_64U = 26,
  CUDA_C_64U = 27,
  CUDA_R_8F_E4M3 = 28,
  CUDA_R_8F_UE4M3 = 28,
  CUDA_R_8F_E5M2 = 29,
  CUDA_R_8F_UE8M0 = 30,
  CUDA_R_6F_E2M3 = 31,
  CUDA_R_6F_E3M2 = 32,
  CUDA_R_4F_E2M1 = 33
} cudaDataType;

typedef enum libraryPropertyType_t {
  MAJOR_VERSION = 0,
  MINOR_VERSION = 1,
  PATCH_LEVEL = 2
} libraryPropertyType;

/* The bits of a 16-bit number: storage only, no arithmetic. */
typedef struct __half {
  unsigned short x;
} __half;
typedef struct __nv_bfloat16 {
  unsigned short x;
} __nv_bfloat16;

#endif /* MYBLAS_COMPAT_HAS_CUDA */

#if !defined(MYBLAS_COMPAT_HAS_CUDA) || !defined(CUDA_VERSION) || CUDA_VERSION < 13000
/* CUDA 12 has not got these. */
typedef enum cudaEmulationStrategy_t {
  CUDA_EMULATION_STRATEGY_DEFAULT = 0,
  CUDA_EMULATION_STRATEGY_PERFORMANT = 1,
  CUDA_EMULATION_STRATEGY_EAGER = 2
} cudaEmulationStrategy;
typedef enum cudaEmulationMantissaControl_t {
  CUDA_EMULATION_MANTISSA_CONTROL_DYNAMIC = 0,
  CUDA_EMULATION_MANTISSA_CONTROL_FIXED = 1
} cudaEmulationMantissaControl;
typedef enum cudaEmulationSpecialValuesSupport_t {
  CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_NONE = 0,
  CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_INFINITY = 1,
  CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_NAN = 2,
  CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_DEFAULT = 0xFFFF
} cudaEmulationSpecialValuesSupport;
#endif

#endif /* MYBLAS_COMPAT_CUDA_TYPES_H */
