/* SPDX-License-Identifier: BSD-3-Clause */
/* =============================================================================================
 * device_memory.h: GPU memory for a program that is built without the CUDA toolkit, by the
 * driver's own library, opened at run time. Where there is no GPU, everything is host memory.
 *
 * A program that has the toolkit uses cudaMalloc and cudaMemcpy in place of this file.
 * ============================================================================================= */
#ifndef MYBLAS_EXAMPLES_DEVICE_MEMORY_H
#define MYBLAS_EXAMPLES_DEVICE_MEMORY_H

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The few driver calls we need; a result of 0 is success. */
typedef struct {
  int (*alloc)(uint64_t* address, size_t bytes);
  int (*release)(uint64_t address);
  int (*copy_in)(uint64_t to, const void* from, size_t bytes);
  int (*copy_out)(void* to, uint64_t from, size_t bytes);
} Driver;

/* ISO C has no cast from an object pointer to a function pointer; POSIX says that copying works. */
static inline int find_function(void* library, const char* name, void* function) {
  void* const address = dlsym(library, name);
  memcpy(function, &address, sizeof address);
  return address != NULL;
}

/* Makes GPU 0 current. Returns 0, and leaves *driver unusable, where there is none. */
static inline int open_gpu(Driver* driver) {
  void* const cuda = dlopen("libcuda.so.1", RTLD_NOW);
  int (*init)(unsigned flags) = NULL;
  int (*device_get)(int* device, int index) = NULL;
  int (*context_retain)(void** context, int device) = NULL;
  int (*context_set)(void* context) = NULL;
  int device = 0;
  void* context = NULL;
  if (cuda == NULL) return 0;
  if (!find_function(cuda, "cuInit", &init) || !find_function(cuda, "cuDeviceGet", &device_get) ||
      !find_function(cuda, "cuDevicePrimaryCtxRetain", &context_retain) ||
      !find_function(cuda, "cuCtxSetCurrent", &context_set) ||
      !find_function(cuda, "cuMemAlloc_v2", &driver->alloc) ||
      !find_function(cuda, "cuMemFree_v2", &driver->release) ||
      !find_function(cuda, "cuMemcpyHtoD_v2", &driver->copy_in) ||
      !find_function(cuda, "cuMemcpyDtoH_v2", &driver->copy_out))
    return 0;
  return init(0) == 0 && device_get(&device, 0) == 0 && context_retain(&context, device) == 0 &&
         context_set(context) == 0;
}

/* Memory that the library can read: on the GPU, or with driver NULL on the host. */
static inline void* device_alloc(const Driver* driver, size_t bytes) {
  uint64_t address = 0;
  if (driver == NULL) return malloc(bytes);
  return driver->alloc(&address, bytes) == 0 ? (void*)(uintptr_t)address : NULL;
}

static inline void device_free(const Driver* driver, void* memory) {
  if (driver == NULL)
    free(memory);
  else
    (void)driver->release((uint64_t)(uintptr_t)memory);
}

static inline int copy_to_device(const Driver* driver, void* to, const void* from, size_t bytes) {
  if (driver == NULL) return memcpy(to, from, bytes) != NULL;
  return driver->copy_in((uint64_t)(uintptr_t)to, from, bytes) == 0;
}

/* Waits for the work before it. */
static inline int copy_from_device(const Driver* driver, void* to, const void* from, size_t bytes) {
  if (driver == NULL) return memcpy(to, from, bytes) != NULL;
  return driver->copy_out(to, (uint64_t)(uintptr_t)from, bytes) == 0;
}

#endif /* MYBLAS_EXAMPLES_DEVICE_MEMORY_H */
