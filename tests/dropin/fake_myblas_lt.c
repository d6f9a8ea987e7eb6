/* SPDX-License-Identifier: BSD-3-Clause */
/* ==============================================================================
 * dropin/fake_myblas_lt.c: with fake_myblas.c, a fake libmyblas.so.1 for the tests
 * of cublasLtMatmul: its handles keep their state, and each thread sees its own
 * products.
 * ============================================================================== */
#include "fake_lt_records.h"

#define EXPORT __attribute__((visibility("default")))

static __thread struct RecordedMatmul record;
static int matmul_status;
static int sm_count_status;

EXPORT struct RecordedMatmul* fake_myblas_matmul(void) { return &record; }
EXPORT void fake_myblas_set_matmul_status(int status) { matmul_status = status; }
EXPORT void fake_myblas_set_sm_count_status(int status) { sm_count_status = status; }

EXPORT myblasStatus_t myblasDropinMatmul(myblasHandle_t handle, const myblasDropinMatmul_t* call) {
  ++record.calls;
  record.handle = handle;
  record.state = *(struct FakeShadow*)handle;
  record.product = *call;
  return (myblasStatus_t)matmul_status;
}

EXPORT myblasStatus_t myblasSetStream(myblasHandle_t handle, myblasStream_t stream) {
  struct FakeShadow* fake = (struct FakeShadow*)handle;
  fake->stream = stream;
  fake->has_workspace = 0;
  fake->workspace = NULL;
  fake->workspace_bytes = 0;
  return MYBLAS_STATUS_SUCCESS;
}

EXPORT myblasStatus_t myblasSetWorkspace(myblasHandle_t handle, void* workspace, size_t bytes) {
  struct FakeShadow* fake = (struct FakeShadow*)handle;
  if (((size_t)workspace & 255u) != 0) return MYBLAS_STATUS_INVALID_VALUE;
  fake->has_workspace = 1;
  fake->workspace = workspace;
  fake->workspace_bytes = bytes;
  return MYBLAS_STATUS_SUCCESS;
}

EXPORT myblasStatus_t myblasSetPointerMode(myblasHandle_t handle, myblasPointerMode_t mode) {
  ((struct FakeShadow*)handle)->pointer_mode = (int)mode;
  return MYBLAS_STATUS_SUCCESS;
}

EXPORT myblasStatus_t myblasSetSmCountTarget(myblasHandle_t handle, int sm_count) {
  if (sm_count_status == 0) ((struct FakeShadow*)handle)->sm_count = sm_count;
  return (myblasStatus_t)sm_count_status;
}
