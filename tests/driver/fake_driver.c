/* SPDX-License-Identifier: BSD-3-Clause */
/* ==============================================================================
 * driver/fake_driver.c: stands for libcuda.so.1, with one H200: the functions of
 * src/driver/cuda_driver.cpp.
 *
 * Every kernel that is asked for exists; nothing runs. A kernel is its name.
 * ============================================================================== */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

enum { kOutOfMemory = 2 };

static int context, stream;
static uint64_t context_id = 1;
static int loads, questions, fails_at = -1;
static const char* launched = "";

EXPORT void fake_driver_use_context(uint64_t id) { context_id = id; }
/* Of the next loads, counted from 0, this one finds no memory; below 0: none. */
EXPORT void fake_driver_fails_at(int load) {
  fails_at = load;
  loads = questions = 0;
}
EXPORT int fake_driver_loads(void) { return loads; }
EXPORT int fake_driver_questions(void) { return questions; }
EXPORT const char* fake_driver_launched(void) { return launched; }

EXPORT int cuInit(unsigned flags) { return flags != 0; }
EXPORT int cuDriverGetVersion(int* version) {
  *version = 13000;
  return 0;
}
EXPORT int cuDeviceGetCount(int* count) {
  *count = 1;
  return 0;
}
EXPORT int cuDeviceGetName(char* name, int length, int device) {
  strncpy(name, "fake H200", (size_t)length);
  return device;
}
EXPORT int cuDeviceGetAttribute(int* value, int attribute, int device) {
  switch (attribute) {
    case 13: *value = 1980000; break;  /* clock, kHz */
    case 16: *value = 132; break;      /* SMs */
    case 36: *value = 3201000; break;  /* memory clock, kHz */
    case 37: *value = 6144; break;     /* bits of the memory's bus */
    case 38: *value = 60 << 20; break; /* bytes of L2 */
    case 75: *value = 9; break;        /* compute capability */
    case 76: *value = 0; break;
    case 97: *value = 232448; break; /* shared memory of a block that opts in */
    default: *value = 1;
  }
  return device;
}
EXPORT int cuDeviceTotalMem_v2(size_t* bytes, int device) {
  *bytes = (size_t)141 << 30;
  return device;
}
EXPORT int cuDevicePrimaryCtxRetain(void** primary, int device) {
  *primary = &context;
  return device;
}
EXPORT int cuCtxGetCurrent(void** current) {
  *current = &context;
  return 0;
}
EXPORT int cuCtxSetCurrent(void* current) { return current != &context; }
EXPORT int cuCtxGetDevice(int* device) {
  *device = 0;
  return 0;
}
EXPORT int cuCtxGetId(void* of, uint64_t* id) {
  *id = context_id;
  return of != NULL && of != &context;
}
EXPORT int cuCtxSynchronize(void) { return 0; }

EXPORT int cuLibraryLoadData(void** library, const void* code, void* options, void* values,
                             unsigned count, void* more, void* more_values, unsigned more_count) {
  (void)options, (void)values, (void)more, (void)more_values;
  *library = (void*)(uintptr_t)code;
  return (int)(count + more_count);
}
EXPORT int cuLibraryGetKernel(void** kernel, void* library, const char* name) {
  *kernel = (void*)(uintptr_t)name; /* of a table, for good */
  return library == NULL;
}
EXPORT int cuKernelGetFunction(void** function, void* kernel) {
  *function = kernel;
  return 0;
}
EXPORT int cuKernelSetAttribute(int attribute, int value, void* kernel, int device) {
  return attribute < 0 || value < 0 || kernel == NULL || device != 0;
}
EXPORT int cuFuncGetAttribute(int* value, int attribute, void* function) {
  ++questions;
  *value = 90;
  return attribute < 0 || function == NULL;
}
EXPORT int cuFuncLoad(void* function) {
  if (loads++ == fails_at) return kOutOfMemory;
  return function == NULL;
}
EXPORT int cuLaunchKernel(void* function, ...) {
  launched = function;
  return 0;
}
EXPORT int cuLaunchKernelEx(const void* config, void* function, void** arguments, void** extra) {
  launched = function;
  return config == NULL || arguments == NULL || extra != NULL;
}
EXPORT int cuTensorMapEncodeTiled(void* map, ...) { return map == NULL; }

EXPORT int cuMemAlloc_v2(uint64_t* address, size_t bytes) {
  *address = UINT64_C(0x7000000000);
  return bytes == 0;
}
EXPORT int cuMemFree_v2(uint64_t address) { return address == 0; }
EXPORT int cuMemAllocAsync(uint64_t* address, size_t bytes, void* on) {
  (void)on;
  return cuMemAlloc_v2(address, bytes);
}
EXPORT int cuMemFreeAsync(uint64_t address, void* on) {
  (void)on;
  return cuMemFree_v2(address);
}
EXPORT int cuMemsetD32Async(uint64_t address, unsigned value, size_t count, void* on) {
  (void)value, (void)count, (void)on;
  return address == 0;
}
EXPORT int cuStreamCreate(void** made, unsigned flags) {
  (void)flags;
  *made = &stream;
  return 0;
}
EXPORT int cuStreamDestroy_v2(void* made) { return made == NULL; }
EXPORT int cuStreamSynchronize(void* on) {
  (void)on;
  return 0;
}
EXPORT int cuStreamIsCapturing(void* on, int* status) {
  (void)on;
  *status = 0;
  return 0;
}
EXPORT int cuStreamGetId(void* of, uint64_t* id) {
  *id = 1 + (uint64_t)(of != NULL);
  return 0;
}
EXPORT int cuThreadExchangeStreamCaptureMode(int* mode) {
  *mode = 0;
  return 0;
}
