// SPDX-License-Identifier: BSD-3-Clause
#include "api/cublas/standalone.h"

#include <cstring>

#include "api/cublas/forward.h"
#include "api/cublas/real_library.h"
#include "api/dropin_hooks.h"

namespace myblas::dropin {
namespace {

struct Version {
  int major, minor, patch;
  int number() const { return major * 10000 + minor * 100 + patch; }
};

// The release whose ABI the library has: programs compare it with what they were built for.
Version version() { return kOwnMajor == 12 ? Version{12, 9, 0} : Version{13, 1, 0}; }

struct StatusText {
  myblasStatus_t status;
  const char* name;
  const char* sentence;
};

// As cuBLAS 13.1 says them: programs print them, and compare them.
constexpr StatusText kStatusTexts[] = {
    {MYBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "success"},
    {MYBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED",
     "the library was not initialized"},
    {MYBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"},
    {MYBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE",
     "an unsupported value or parameter was passed to the function"},
    {MYBLAS_STATUS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH",
     "the function requires an architectural feature absent from the device"},
    {MYBLAS_STATUS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR",
     "an access to GPU memory space failed"},
    {MYBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED",
     "the function failed to launch on the GPU"},
    {MYBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR", "an internal operation failed"},
    {MYBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED",
     "the requested functionality is not supported"},
    {MYBLAS_STATUS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR", "the license check failed"},
};

const char* status_text(myblasStatus_t status, const char* StatusText::*field) {
  for (const StatusText& text : kStatusTexts) {
    if (text.status == status) return text.*field;
  }
  return "unrecognized status";
}

constexpr uint32_t kHostMemory = 1;    // CU_MEMORYTYPE_HOST
constexpr uint32_t kDeviceMemory = 2;  // CU_MEMORYTYPE_DEVICE

// The driver to copy with; nullptr where there is none.
const DriverCalls* copy_driver() {
  const DriverCalls* driver = driver_calls();
  if (driver == nullptr) return nullptr;
  void* context = nullptr;
  if (driver->context_get_current(&context) != 0 || context != nullptr) return driver;
  // A thread that has not used CUDA yet: give it the first device, as the runtime library does.
  if (driver->primary_context_retain(&context, 0) == 0) driver->context_set_current(context);
  return driver;
}

void copy_on_host(const CopyRequest& request) {
  const auto* source = static_cast<const char*>(request.source);
  auto* destination = static_cast<char*>(request.destination);
  for (size_t i = 0; i < request.height; ++i) {
    std::memcpy(destination + i * request.destination_pitch, source + i * request.source_pitch,
                request.width_bytes);
  }
}

// Pieces that follow one another on both sides are one piece.
CopyRequest joined_without_gaps(CopyRequest request) {
  if (request.source_pitch == request.width_bytes &&
      request.destination_pitch == request.width_bytes) {
    request.width_bytes *= request.height;
    request.height = 1;
  }
  return request;
}

// One piece, of any size. The driver's 2D copy takes no pitch of 2 GiB or more.
int copy_piece(const DriverCalls& driver, const CopyRequest& request) {
  const void* source = request.source;
  void* destination = request.destination;
  const size_t bytes = request.width_bytes;
  if (request.direction == Direction::kToDevice) {
    const auto device = reinterpret_cast<DeviceAddress>(destination);
    return request.is_async ? driver.copy_to_device_async(device, source, bytes, request.stream)
                            : driver.copy_to_device(device, source, bytes);
  }
  const auto device = reinterpret_cast<DeviceAddress>(source);
  return request.is_async ? driver.copy_to_host_async(destination, device, bytes, request.stream)
                          : driver.copy_to_host(destination, device, bytes);
}

int copy_pieces(const DriverCalls& driver, const CopyRequest& request) {
  CopySide host;
  host.memory_type = kHostMemory;
  CopySide device;
  device.memory_type = kDeviceMemory;
  const bool to_device = request.direction == Direction::kToDevice;
  host.host = to_device ? request.source : request.destination;
  host.pitch_bytes = to_device ? request.source_pitch : request.destination_pitch;
  device.device = reinterpret_cast<DeviceAddress>(to_device ? request.destination : request.source);
  device.pitch_bytes = to_device ? request.destination_pitch : request.source_pitch;
  Copy2D call;
  call.source = to_device ? host : device;
  call.destination = to_device ? device : host;
  call.width_bytes = request.width_bytes;
  call.height = request.height;
  return request.is_async ? driver.copy_2d_async(&call, request.stream) : driver.copy_2d(&call);
}

}  // namespace

myblasStatus_t get_version(myblasHandle_t, int* result) noexcept { return get_v1_version(result); }

myblasStatus_t get_v1_version(int* result) noexcept {
  if (result == nullptr) return MYBLAS_STATUS_INVALID_VALUE;
  *result = version().number();
  return MYBLAS_STATUS_SUCCESS;
}

size_t get_lt_version() noexcept { return static_cast<size_t>(version().number()); }

myblasStatus_t get_property(myblasPropertyType_t type, int* value) noexcept {
  if (value == nullptr) return MYBLAS_STATUS_INVALID_VALUE;
  switch (type) {
    case MYBLAS_MAJOR_VERSION: *value = version().major; return MYBLAS_STATUS_SUCCESS;
    case MYBLAS_MINOR_VERSION: *value = version().minor; return MYBLAS_STATUS_SUCCESS;
    case MYBLAS_PATCH_LEVEL: *value = version().patch; return MYBLAS_STATUS_SUCCESS;
  }
  return MYBLAS_STATUS_INVALID_VALUE;
}

// The CUDA runtime of that cuBLAS release: 12.9 and 13.0.
size_t get_cudart_version() noexcept { return kOwnMajor == 12 ? 12090 : 13000; }

const char* get_status_name(myblasStatus_t status) noexcept {
  return status_text(status, &StatusText::name);
}

const char* get_status_string(myblasStatus_t status) noexcept {
  return status_text(status, &StatusText::sentence);
}

myblasStatus_t get_v1_error() noexcept { return take_v1_error(); }

myblasStatus_t copy(const CopyRequest& request) noexcept {
  const CopyRequest joined = joined_without_gaps(request);
  const int usable = myblasDropinGpuUsable();
  if (usable < 0) return MYBLAS_STATUS_NOT_INITIALIZED;  // whose memory it is nobody knows
  const DriverCalls* driver = usable == 1 ? copy_driver() : nullptr;
  if (driver == nullptr) {
    copy_on_host(joined);
    return MYBLAS_STATUS_SUCCESS;
  }
  const int result =
      joined.height == 1 ? copy_piece(*driver, joined) : copy_pieces(*driver, joined);
  return result == 0 ? MYBLAS_STATUS_SUCCESS : MYBLAS_STATUS_MAPPING_ERROR;
}

}  // namespace myblas::dropin
