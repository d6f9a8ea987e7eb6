// SPDX-License-Identifier: BSD-3-Clause
#include "driver/cuda_driver.h"

#include <dlfcn.h>

#include <atomic>
#include <cstdio>

namespace myblas::gpu {
namespace {

constexpr int kOldestDriver = 12000;  // cuLibraryLoadData

// The driver as one thread found it.
struct Opened {
  bool usable = false;
  CudaDriver driver{};
  char error[160] = "";
};

template <class Function>
bool resolve(void* library, const char* name, Function* function, char (&error)[160]) {
  *function = reinterpret_cast<Function>(dlsym(library, name));
  if (*function != nullptr) return true;
  std::snprintf(error, sizeof error, "libcuda.so.1 has no %s: the driver is too old", name);
  return false;
}

bool resolve_all(void* library, CudaDriver* d, char (&error)[160]) {
  return resolve(library, "cuInit", &d->init, error) &&
         resolve(library, "cuDriverGetVersion", &d->driver_get_version, error) &&
         resolve(library, "cuDeviceGetCount", &d->device_get_count, error) &&
         resolve(library, "cuDeviceGetName", &d->device_get_name, error) &&
         resolve(library, "cuDeviceGetAttribute", &d->device_get_attribute, error) &&
         resolve(library, "cuDeviceTotalMem_v2", &d->device_total_mem, error) &&
         resolve(library, "cuDevicePrimaryCtxRetain", &d->device_primary_ctx_retain, error) &&
         resolve(library, "cuCtxGetCurrent", &d->ctx_get_current, error) &&
         resolve(library, "cuCtxSetCurrent", &d->ctx_set_current, error) &&
         resolve(library, "cuCtxGetDevice", &d->ctx_get_device, error) &&
         resolve(library, "cuCtxGetId", &d->ctx_get_id, error) &&
         resolve(library, "cuCtxSynchronize", &d->ctx_synchronize, error) &&
         resolve(library, "cuLibraryLoadData", &d->library_load_data, error) &&
         resolve(library, "cuLibraryGetKernel", &d->library_get_kernel, error) &&
         resolve(library, "cuKernelGetFunction", &d->kernel_get_function, error) &&
         resolve(library, "cuKernelSetAttribute", &d->kernel_set_attribute, error) &&
         resolve(library, "cuFuncGetAttribute", &d->func_get_attribute, error) &&
         resolve(library, "cuLaunchKernel", &d->launch_kernel, error) &&
         resolve(library, "cuMemAlloc_v2", &d->mem_alloc, error) &&
         resolve(library, "cuMemFree_v2", &d->mem_free, error) &&
         resolve(library, "cuMemAllocAsync", &d->mem_alloc_async, error) &&
         resolve(library, "cuMemFreeAsync", &d->mem_free_async, error) &&
         resolve(library, "cuMemsetD32Async", &d->memset_d32_async, error) &&
         resolve(library, "cuStreamCreate", &d->stream_create, error) &&
         resolve(library, "cuStreamDestroy_v2", &d->stream_destroy, error) &&
         resolve(library, "cuStreamSynchronize", &d->stream_synchronize, error) &&
         resolve(library, "cuStreamIsCapturing", &d->stream_is_capturing, error) &&
         resolve(library, "cuStreamGetId", &d->stream_get_id, error) &&
         resolve(library, "cuThreadExchangeStreamCaptureMode", &d->exchange_capture_mode, error);
}

bool open_driver(Opened* opened) {
  char(&error)[160] = opened->error;
  CudaDriver& driver = opened->driver;
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::snprintf(error, sizeof error, "no CUDA driver (libcuda.so.1 does not open)");
    return false;
  }
  if (!resolve_all(library, &driver, error)) return false;
  driver.func_load = reinterpret_cast<decltype(driver.func_load)>(dlsym(library, "cuFuncLoad"));
  driver.stream_get_capture_info = reinterpret_cast<decltype(driver.stream_get_capture_info)>(
      dlsym(library, "cuStreamGetCaptureInfo"));
  driver.launch_kernel_ex =
      reinterpret_cast<decltype(driver.launch_kernel_ex)>(dlsym(library, "cuLaunchKernelEx"));
  driver.tensor_map_encode_tiled = reinterpret_cast<decltype(driver.tensor_map_encode_tiled)>(
      dlsym(library, "cuTensorMapEncodeTiled"));
  const CUresult result = driver.init(0);
  if (result != CUDA_SUCCESS) {
    std::snprintf(error, sizeof error, "cuInit fails with error %d%s", static_cast<int>(result),
                  result == CUDA_ERROR_NO_DEVICE ? " (no device)" : "");
    return false;
  }
  int version = 0;
  if (driver.driver_get_version(&version) != CUDA_SUCCESS || version < kOldestDriver) {
    std::snprintf(error, sizeof error, "the CUDA driver (%d) is older than 12.0", version);
    return false;
  }
  return true;
}

constinit std::atomic<const Opened*> g_opened{nullptr};

// No lock is held while the loader works: it may wait for a thread that makes a handle in a
// constructor. Two threads may open the driver at once; the first answer stays, for the life of
// the process.
const Opened& opened() {
  const Opened* known = g_opened.load(std::memory_order_acquire);
  if (known != nullptr) return *known;
  auto* mine = new Opened;
  mine->usable = open_driver(mine);
  if (g_opened.compare_exchange_strong(known, mine, std::memory_order_acq_rel)) return *mine;
  delete mine;
  return *known;
}

}  // namespace

const CudaDriver* cuda_driver() {
  const Opened& found = opened();
  return found.usable ? &found.driver : nullptr;
}

const char* driver_error() { return opened().error; }

}  // namespace myblas::gpu
