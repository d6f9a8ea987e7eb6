// SPDX-License-Identifier: BSD-3-Clause
#include "driver/cuda_driver.h"

#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <mutex>

namespace myblas::gpu {
namespace {

constexpr int kOldestDriver = 12000;  // cuLibraryLoadData

// Written once under the mutex, read without it after `state` says so.
enum State : int { kUnopened, kOpen, kFailed };
constinit std::atomic<int> g_state{kUnopened};
constinit std::mutex g_mutex;
constinit CudaDriver g_driver{};
constinit char g_error[160] = "";

template <class Function>
bool resolve(void* library, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(dlsym(library, name));
  if (*function != nullptr) return true;
  std::snprintf(g_error, sizeof g_error, "libcuda.so.1 has no %s: the driver is too old", name);
  return false;
}

bool resolve_all(void* library, CudaDriver* d) {
  return resolve(library, "cuInit", &d->init) &&
         resolve(library, "cuDriverGetVersion", &d->driver_get_version) &&
         resolve(library, "cuDeviceGetCount", &d->device_get_count) &&
         resolve(library, "cuDeviceGetName", &d->device_get_name) &&
         resolve(library, "cuDeviceGetAttribute", &d->device_get_attribute) &&
         resolve(library, "cuDeviceTotalMem_v2", &d->device_total_mem) &&
         resolve(library, "cuDevicePrimaryCtxRetain", &d->device_primary_ctx_retain) &&
         resolve(library, "cuCtxGetCurrent", &d->ctx_get_current) &&
         resolve(library, "cuCtxSetCurrent", &d->ctx_set_current) &&
         resolve(library, "cuCtxGetDevice", &d->ctx_get_device) &&
         resolve(library, "cuCtxGetId", &d->ctx_get_id) &&
         resolve(library, "cuCtxSynchronize", &d->ctx_synchronize) &&
         resolve(library, "cuLibraryLoadData", &d->library_load_data) &&
         resolve(library, "cuLibraryGetKernel", &d->library_get_kernel) &&
         resolve(library, "cuKernelGetFunction", &d->kernel_get_function) &&
         resolve(library, "cuKernelSetAttribute", &d->kernel_set_attribute) &&
         resolve(library, "cuFuncGetAttribute", &d->func_get_attribute) &&
         resolve(library, "cuLaunchKernel", &d->launch_kernel) &&
         resolve(library, "cuMemAlloc_v2", &d->mem_alloc) &&
         resolve(library, "cuMemFree_v2", &d->mem_free);
}

bool open_driver() {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::snprintf(g_error, sizeof g_error, "no CUDA driver (libcuda.so.1 does not open)");
    return false;
  }
  if (!resolve_all(library, &g_driver)) return false;
  g_driver.func_load = reinterpret_cast<decltype(g_driver.func_load)>(dlsym(library, "cuFuncLoad"));
  const CUresult result = g_driver.init(0);
  if (result != CUDA_SUCCESS) {
    std::snprintf(g_error, sizeof g_error, "cuInit fails with error %d%s", static_cast<int>(result),
                  result == CUDA_ERROR_NO_DEVICE ? " (no device)" : "");
    return false;
  }
  int version = 0;
  if (g_driver.driver_get_version(&version) != CUDA_SUCCESS || version < kOldestDriver) {
    std::snprintf(g_error, sizeof g_error, "the CUDA driver (%d) is older than 12.0", version);
    return false;
  }
  return true;
}

}  // namespace

const CudaDriver* cuda_driver() {
  int state = g_state.load(std::memory_order_acquire);
  if (state == kUnopened) {
    const std::lock_guard<std::mutex> lock(g_mutex);
    state = g_state.load(std::memory_order_relaxed);
    if (state == kUnopened) {
      state = open_driver() ? kOpen : kFailed;
      g_state.store(state, std::memory_order_release);
    }
  }
  return state == kOpen ? &g_driver : nullptr;
}

const char* driver_error() { return g_error; }

}  // namespace myblas::gpu
