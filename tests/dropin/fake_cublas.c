/* SPDX-License-Identifier: BSD-3-Clause */
/* ==============================================================================
 * dropin/fake_cublas.c: stands for the real libcublas.so.N in the tests.
 *
 * Keeps the state of its handles, and writes down the calls. It computes nothing.
 * myblas_fake_cublas_host_pointers tells the drop-in that the pointers of this
 * cuBLAS are host pointers, so that the CPU backend may serve its handles.
 * ============================================================================== */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "recorder.h"

#define EXPORT __attribute__((visibility("default")))

__attribute__((visibility("hidden"))) struct RecordedCall fake_call;
__attribute__((visibility("hidden"))) struct RecordedResult fake_result;

EXPORT struct RecordedCall* fake_cublas_call(void) { return &fake_call; }
EXPORT struct RecordedResult* fake_cublas_result(void) { return &fake_result; }
#ifdef FAKE_HOST_POINTERS
EXPORT const int myblas_fake_cublas_host_pointers = 1;
#endif

struct FakeHandle {
  void* stream;
  void* workspace;
  int pointer_mode;
  int math_mode;
};

enum { kSuccess = 0, kNotInitialized = 1, kInvalidValue = 7 };

static int live_handles;
EXPORT int fake_cublas_live_handles(void) { return live_handles; }

/* A handle that is destroyed where the drop-in does not see it, and whose address the next one
 * gets. */
static struct FakeHandle* recycled;
EXPORT void fake_cublas_recycle(struct FakeHandle* handle) {
  recycled = handle;
  __atomic_fetch_sub(&live_handles, 1, __ATOMIC_RELAXED);
}

EXPORT int cublasCreate_v2(struct FakeHandle** handle) {
  if (handle == NULL) return kInvalidValue;
  *handle = recycled != NULL ? recycled : calloc(1, sizeof **handle);
  recycled = NULL;
  __atomic_fetch_add(&live_handles, 1, __ATOMIC_RELAXED);
  return kSuccess;
}

EXPORT int cublasDestroy_v2(struct FakeHandle* handle) {
  if (handle == NULL) return kNotInitialized;
  free(handle);
  __atomic_fetch_sub(&live_handles, 1, __ATOMIC_RELAXED);
  return kSuccess;
}

EXPORT int cublasSetStream_v2(struct FakeHandle* handle, void* stream) {
  if (handle == NULL) return kNotInitialized;
  handle->stream = stream;
  handle->workspace = NULL;
  return kSuccess;
}

EXPORT int cublasGetStream_v2(struct FakeHandle* handle, void** stream) {
  if (handle == NULL) return kNotInitialized;
  *stream = handle->stream;
  return kSuccess;
}

EXPORT int cublasSetWorkspace_v2(struct FakeHandle* handle, void* workspace, size_t bytes) {
  (void)bytes;
  if (handle == NULL) return kNotInitialized;
  if (((uintptr_t)workspace & 255u) != 0) return kInvalidValue;
  handle->workspace = workspace;
  return kSuccess;
}

EXPORT int cublasSetPointerMode_v2(struct FakeHandle* handle, int mode) {
  if (handle == NULL) return kNotInitialized;
  if (mode < 0 || mode > 1) return kInvalidValue;
  handle->pointer_mode = mode;
  return kSuccess;
}

EXPORT int cublasSetMathMode(struct FakeHandle* handle, int mode) {
  if (handle == NULL) return kNotInitialized;
  if (mode < 0 || mode > 63) return kInvalidValue;
  handle->math_mode = mode;
  return kSuccess;
}

EXPORT int cublasGetMathMode(struct FakeHandle* handle, int* mode) {
  if (handle == NULL) return kNotInitialized;
  *mode = handle->math_mode;
  return kSuccess;
}

#ifdef FAKE_LATER
extern int cublasLtGetProperty(int type, int* value);
extern int cublasLtOfALaterRelease(void);
#endif
EXPORT int cublasGetProperty(int type, int* value) {
  static const int kVersion[] = {FAKE_MAJOR, 1, 7};
  if (type < 0 || type > 2 || value == NULL) return kInvalidValue;
#ifdef FAKE_LATER
  /* As the real one, it asks its cublasLt: in the tests perhaps the drop-in's, at a time when that
   * one asks for this version. */
  if (cublasLtGetProperty(type, value) != kSuccess || cublasLtOfALaterRelease() != kSuccess) {
    return kInvalidValue;
  }
#endif
  *value = kVersion[type];
  return kSuccess;
}

EXPORT int cublasGetVersion_v2(void* handle, int* version) {
  (void)handle;
  *version = FAKE_MAJOR * 10000 + 107;
  return kSuccess;
}

/* Calls back through the dynamic linker, as a cuBLAS that is not DT_SYMBOLIC would: in the tests
 * this reaches the drop-in. */
extern int cublasSgemm_v2(void* handle, int transa, int transb, int m, int n, int k,
                          const float* alpha, const float* a, int lda, const float* b, int ldb,
                          const float* beta, float* c, int ldc);
EXPORT int cublasSgemmStridedBatched(void* handle, int transa, int transb, int m, int n, int k,
                                     const float* alpha, const float* a, int lda,
                                     long long stride_a, const float* b, int ldb,
                                     long long stride_b, const float* beta, float* c, int ldc,
                                     long long stride_c, int batch_count) {
  for (int i = 0; i < batch_count; ++i) {
    const int status = cublasSgemm_v2(handle, transa, transb, m, n, k, alpha, a + i * stride_a, lda,
                                      b + i * stride_b, ldb, beta, c + i * stride_c, ldc);
    if (status != kSuccess) return status;
  }
  return kSuccess;
}
