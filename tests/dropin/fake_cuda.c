/* SPDX-License-Identifier: BSD-3-Clause */
/* ==============================================================================
 * dropin/fake_cuda.c: stands for libcuda.so.1: the functions of driver_calls.h.
 *
 * A device address is a host address with bit 62 set, so that mixing the two up
 * crashes. Events are 1.5 ms apart. myblas_fake_cuda_device tells the drop-in that
 * there is a GPU, without a file in /dev; for that it has to be preloaded.
 * ============================================================================== */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

static const uint64_t kDeviceBit = 1ull << 62;

struct Side {
  size_t x_bytes, y;
  uint32_t memory_type;
  char* host;
  uint64_t device;
  void* array;
  size_t pitch;
};
struct Copy2D {
  struct Side source, destination;
  size_t width, height;
};

static int context_is_current;
static int copies, async_copies, copies_2d;

EXPORT int fake_cuda_copies(void) { return copies; }
EXPORT int fake_cuda_async_copies(void) { return async_copies; }
EXPORT int fake_cuda_2d_copies(void) { return copies_2d; }
EXPORT int fake_cuda_has_context(void) { return context_is_current; }

EXPORT const int myblas_fake_cuda_device = 1;

EXPORT int cuInit(unsigned flags) {
  if (getenv("FAKE_CUDA_SAYS_INIT") != NULL) fputs("cuInit was called\n", stderr);
  return flags == 0 ? 0 : 1;
}
EXPORT int cuDeviceGetCount(int* count) {
  *count = 1;
  return 0;
}
EXPORT int cuCtxGetCurrent(void** context) {
  *context = context_is_current ? &context_is_current : NULL;
  return 0;
}
EXPORT int cuCtxSetCurrent(void* context) {
  context_is_current = context == &context_is_current;
  return 0;
}
static uint64_t context_id = 1;
EXPORT void fake_cuda_use_context(uint64_t id) {
  context_is_current = id != 0;
  context_id = id;
}
EXPORT int cuCtxGetId(void* context, uint64_t* id) {
  *id = context_id;
  return context == NULL && context_is_current ? 0 : 201;
}
EXPORT int cuDevicePrimaryCtxRetain(void** context, int device) {
  *context = &context_is_current;
  return device == 0 ? 0 : 101;
}

static char* address_of(const struct Side* side) {
  if (side->x_bytes != 0 || side->y != 0 || side->array != NULL) return NULL;
  if (side->memory_type == 1) return side->host;
  if (side->memory_type == 2 && (side->device & kDeviceBit) != 0) {
    return (char*)(uintptr_t)(side->device & ~kDeviceBit);
  }
  return NULL;
}

EXPORT int cuMemcpy2D_v2(const struct Copy2D* copy) {
  const char* source = address_of(&copy->source);
  char* destination = address_of(&copy->destination);
  if (!context_is_current || source == NULL || destination == NULL ||
      copy->width > copy->source.pitch || copy->width > copy->destination.pitch) {
    return 1;
  }
  for (size_t i = 0; i < copy->height; ++i) {
    memcpy(destination + i * copy->destination.pitch, source + i * copy->source.pitch, copy->width);
  }
  ++copies;
  ++copies_2d;
  return 0;
}
EXPORT int cuMemcpy2DAsync_v2(const struct Copy2D* copy, void* stream) {
  if (stream != (void*)0x5700) return 1;
  ++async_copies;
  return cuMemcpy2D_v2(copy);
}

EXPORT int cuMemcpyHtoD_v2(uint64_t destination, const void* source, size_t bytes) {
  if (!context_is_current || (destination & kDeviceBit) == 0) return 1;
  memcpy((void*)(uintptr_t)(destination & ~kDeviceBit), source, bytes);
  ++copies;
  return 0;
}
EXPORT int cuMemcpyDtoH_v2(void* destination, uint64_t source, size_t bytes) {
  if (!context_is_current || (source & kDeviceBit) == 0) return 1;
  memcpy(destination, (const void*)(uintptr_t)(source & ~kDeviceBit), bytes);
  ++copies;
  return 0;
}
EXPORT int cuMemcpyHtoDAsync_v2(uint64_t destination, const void* source, size_t bytes,
                                void* stream) {
  if (stream != (void*)0x5700) return 1;
  ++async_copies;
  return cuMemcpyHtoD_v2(destination, source, bytes);
}
EXPORT int cuMemcpyDtoHAsync_v2(void* destination, uint64_t source, size_t bytes, void* stream) {
  if (stream != (void*)0x5700) return 1;
  ++async_copies;
  return cuMemcpyDtoH_v2(destination, source, bytes);
}

EXPORT int cuEventCreate(void** event, unsigned flags) {
  static char storage;
  *event = &storage;
  return flags == 0 ? 0 : 1;
}
EXPORT int cuEventRecord(void* event, void* stream) {
  if (getenv("FAKE_CUDA_REFUSES_THE_NULL_STREAM") != NULL && stream == NULL) return 1;
  return event == NULL;
}
EXPORT int cuEventQuery(void* event) { return event == NULL; }
EXPORT int cuEventSynchronize(void* event) { return event == NULL; }
EXPORT int cuEventElapsedTime(float* ms, void* begin, void* end) {
  *ms = 1.5f;
  return begin == NULL || end == NULL;
}
EXPORT int cuEventDestroy_v2(void* event) { return event == NULL; }
EXPORT int cuStreamIsCapturing(void* stream, int* status) {
  *status = stream == (void*)0xca9;
  return 0;
}
EXPORT int cuThreadExchangeStreamCaptureMode(int* mode) {
  *mode = 2 - *mode;
  return 0;
}
