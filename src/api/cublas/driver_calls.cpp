// SPDX-License-Identifier: BSD-3-Clause
#include "api/cublas/driver_calls.h"

#include <dlfcn.h>

#include <atomic>

namespace myblas::dropin {
namespace {

template <class F>
bool find(void* library, const char* name, F** function) {
  *function = reinterpret_cast<F*>(dlsym(library, name));
  return *function != nullptr;
}

bool open_driver(DriverCalls* calls) {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return false;
  int (*init)(unsigned);
  int (*device_count)(int*);
  if (!find(library, "cuInit", &init) || !find(library, "cuDeviceGetCount", &device_count)) {
    return false;
  }
  int devices = 0;
  if (init(0) != 0 || device_count(&devices) != 0 || devices == 0) return false;
  return find(library, "cuCtxGetCurrent", &calls->context_get_current) &&
         find(library, "cuCtxGetId", &calls->context_get_id) &&
         find(library, "cuCtxSetCurrent", &calls->context_set_current) &&
         find(library, "cuDevicePrimaryCtxRetain", &calls->primary_context_retain) &&
         find(library, "cuMemcpyHtoD_v2", &calls->copy_to_device) &&
         find(library, "cuMemcpyDtoH_v2", &calls->copy_to_host) &&
         find(library, "cuMemcpyHtoDAsync_v2", &calls->copy_to_device_async) &&
         find(library, "cuMemcpyDtoHAsync_v2", &calls->copy_to_host_async) &&
         find(library, "cuMemcpy2D_v2", &calls->copy_2d) &&
         find(library, "cuMemcpy2DAsync_v2", &calls->copy_2d_async) &&
         find(library, "cuEventCreate", &calls->event_create) &&
         find(library, "cuEventRecord", &calls->event_record) &&
         find(library, "cuEventQuery", &calls->event_query) &&
         find(library, "cuEventSynchronize", &calls->event_synchronize) &&
         find(library, "cuEventElapsedTime", &calls->event_elapsed_ms) &&
         find(library, "cuEventDestroy_v2", &calls->event_destroy) &&
         find(library, "cuStreamIsCapturing", &calls->stream_is_capturing) &&
         find(library, "cuThreadExchangeStreamCaptureMode", &calls->exchange_capture_mode);
}

}  // namespace

const DriverCalls* driver_calls() {
  enum State : int { kUnknown, kAbsent, kPresent };
  static DriverCalls calls;
  static std::atomic<int> state{kUnknown};
  int known = state.load(std::memory_order_acquire);
  if (known == kUnknown) {
    // Threads may do this at the same time; they write the same values.
    DriverCalls found{};
    known = open_driver(&found) ? kPresent : kAbsent;
    if (known == kPresent) calls = found;
    state.store(known, std::memory_order_release);
  }
  return known == kPresent ? &calls : nullptr;
}

}  // namespace myblas::dropin
