// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// driver/cuda_driver.h: libcuda.so.1, opened at run time, as a table of functions.
//==============================================================================
#pragma once

#include <cuda.h>

namespace myblas::gpu {

// The entry points in use, by their documented names.
struct CudaDriver {
  decltype(&::cuInit) init;
  decltype(&::cuDriverGetVersion) driver_get_version;
  decltype(&::cuDeviceGetCount) device_get_count;
  decltype(&::cuDeviceGetName) device_get_name;
  decltype(&::cuDeviceGetAttribute) device_get_attribute;
  decltype(&::cuDeviceTotalMem) device_total_mem;
  decltype(&::cuDevicePrimaryCtxRetain) device_primary_ctx_retain;
  decltype(&::cuCtxGetCurrent) ctx_get_current;
  decltype(&::cuCtxSetCurrent) ctx_set_current;
  decltype(&::cuCtxGetDevice) ctx_get_device;
  decltype(&::cuCtxGetId) ctx_get_id;
  decltype(&::cuCtxSynchronize) ctx_synchronize;
  decltype(&::cuLibraryLoadData) library_load_data;
  decltype(&::cuLibraryGetKernel) library_get_kernel;
  decltype(&::cuKernelGetFunction) kernel_get_function;
  decltype(&::cuKernelSetAttribute) kernel_set_attribute;
  decltype(&::cuFuncGetAttribute) func_get_attribute;
  decltype(&::cuFuncLoad) func_load;  // null before CUDA 12.4
  decltype(&::cuLaunchKernel) launch_kernel;
  // Since CUDA 12.0; asked for by kernels of sm_90 alone.
  decltype(&::cuLaunchKernelEx) launch_kernel_ex;
  decltype(&::cuTensorMapEncodeTiled) tensor_map_encode_tiled;
  decltype(&::cuMemAlloc) mem_alloc;
  decltype(&::cuMemFree) mem_free;
  decltype(&::cuMemAllocAsync) mem_alloc_async;
  decltype(&::cuMemFreeAsync) mem_free_async;
  decltype(&::cuMemsetD32Async) memset_d32_async;
  decltype(&::cuStreamCreate) stream_create;
  decltype(&::cuStreamDestroy) stream_destroy;
  decltype(&::cuStreamSynchronize) stream_synchronize;
  decltype(&::cuStreamIsCapturing) stream_is_capturing;
  // The first version, which the header no longer declares. Null where the driver has it no more.
  CUresult(CUDAAPI* stream_get_capture_info)(CUstream, CUstreamCaptureStatus*, cuuint64_t*);
  decltype(&::cuStreamGetId) stream_get_id;
  decltype(&::cuThreadExchangeStreamCaptureMode) exchange_capture_mode;
};

// Opens and initialises the driver once per process; null where that fails, and then
// driver_error() says why. Thread-safe.
const CudaDriver* cuda_driver();
const char* driver_error();

}  // namespace myblas::gpu
