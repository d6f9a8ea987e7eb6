// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// api/cublas/driver_calls.h: the few CUDA driver functions that the drop-in uses
// itself: copies in standalone mode, event times for the report, and the current
// context of a product of cublasLt, which has no handle that would know it.
//==============================================================================
#pragma once

#include <cstddef>
#include <cstdint>

#include "myblas.h"

namespace myblas::dropin {

using DeviceAddress = uint64_t;  // CUdeviceptr
using Event = struct CUevent_st*;

// CUDA_MEMCPY2D of the driver ABI. A side is host memory (memory_type 1, host) or device memory
// (memory_type 2, device).
struct CopySide {
  size_t x_bytes = 0;
  size_t y = 0;
  uint32_t memory_type = 0;
  const void* host = nullptr;
  DeviceAddress device = 0;
  void* array = nullptr;
  size_t pitch_bytes = 0;
};
struct Copy2D {
  CopySide source;
  CopySide destination;
  size_t width_bytes = 0;
  size_t height = 0;
};
static_assert(sizeof(CopySide) == 56 && sizeof(Copy2D) == 128, "the layout of CUDA_MEMCPY2D");

struct DriverCalls {
  int (*context_get_current)(void**);
  int (*context_get_id)(void*, uint64_t*);  // nullptr: of the current one
  int (*context_set_current)(void*);
  int (*primary_context_retain)(void**, int);
  int (*copy_to_device)(DeviceAddress, const void*, size_t);
  int (*copy_to_host)(void*, DeviceAddress, size_t);
  int (*copy_to_device_async)(DeviceAddress, const void*, size_t, myblasStream_t);
  int (*copy_to_host_async)(void*, DeviceAddress, size_t, myblasStream_t);
  int (*copy_2d)(const Copy2D*);
  int (*copy_2d_async)(const Copy2D*, myblasStream_t);
  int (*event_create)(Event*, unsigned);
  int (*event_record)(Event, myblasStream_t);
  int (*event_query)(Event);
  int (*event_synchronize)(Event);
  int (*event_elapsed_ms)(float*, Event, Event);
  int (*event_destroy)(Event);
  int (*stream_is_capturing)(myblasStream_t, int*);
  int (*exchange_capture_mode)(int*);
};

// nullptr where there is no driver with a device. Opened at the first call.
const DriverCalls* driver_calls();

}  // namespace myblas::dropin
