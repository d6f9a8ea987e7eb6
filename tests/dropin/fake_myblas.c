/* SPDX-License-Identifier: BSD-3-Clause */
/* ==============================================================================
 * dropin/fake_myblas.c: stands for libmyblas.so.1 in the tests of the drop-in's
 * logic: it says what the drop-in asked for, and answers as the test wants. It
 * calls itself a GPU backend.
 * ============================================================================== */
#include "fake_myblas.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder.h"

#define EXPORT __attribute__((visibility("default")))

__attribute__((visibility("hidden"))) struct RecordedCall fake_call;
__attribute__((visibility("hidden"))) struct RecordedResult fake_result;

EXPORT struct RecordedCall* fake_myblas_call(void) { return &fake_call; }
EXPORT struct RecordedResult* fake_myblas_result(void) { return &fake_result; }

static int live_handles;
static int create_status;
static int log_enabled;
static int gpu_usable = 1;
static char last_line[512];
static char target_name[16] = "sm_90";
static void* last_handle;

EXPORT int fake_myblas_live_handles(void) { return live_handles; }
EXPORT void* fake_myblas_last_handle(void) { return last_handle; }
EXPORT void fake_myblas_set_create_status(int status) { create_status = status; }
EXPORT void fake_myblas_set_log(int enabled) { log_enabled = enabled; }
EXPORT void fake_myblas_set_gpu_usable(int usable) { gpu_usable = usable; }
EXPORT const char* fake_myblas_last_line(void) { return last_line; }
EXPORT void fake_myblas_clear_line(void) { last_line[0] = '\0'; }
EXPORT void fake_myblas_set_target(const char* name) {
  snprintf(target_name, sizeof target_name, "%s", name);
}

EXPORT int myblasCreate(struct FakeShadow** handle) {
  if (create_status != 0) return create_status;
  *handle = calloc(1, sizeof **handle);
  last_handle = *handle;
  __atomic_fetch_add(&live_handles, 1, __ATOMIC_RELAXED);
  return 0;
}

EXPORT int myblasDestroy(struct FakeShadow* handle) {
  free(handle);
  __atomic_fetch_sub(&live_handles, 1, __ATOMIC_RELAXED);
  return 0;
}

EXPORT void myblasDropinMarkShadow(struct FakeShadow* handle) { handle->is_shadow = 1; }
EXPORT const char* myblasDropinLastRejection(void) { return "lda = 3 < max(1, m) = 5"; }
EXPORT int myblasDropinGpuUsable(void) { return gpu_usable; }
EXPORT int myblasDropinLogEnabled(void) { return log_enabled; }
EXPORT void myblasDropinLog(const char* line) { snprintf(last_line, sizeof last_line, "%s", line); }

EXPORT int myblasGetTargetName(struct FakeShadow* handle, char* name, size_t size) {
  (void)handle;
  snprintf(name, size, "%s", target_name);
  return 0;
}

EXPORT const char* myblasGetStatusName(int status) {
  (void)status;
  return "MYBLAS_STATUS_FAKE";
}
