// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// support/device.h: memory and streams of the backend under test.
//
// The same suites run on both backends: on the CPU device memory is malloc's, on
// the GPU it is reached through the driver API, so the tests link no CUDA library.
// Every failure of a driver call throws std::runtime_error with the call's name.
//==============================================================================
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "myblas.h"

namespace myblas::test {

class Device {
 public:
  virtual ~Device() = default;
  virtual bool is_gpu() const = 0;

  // Makes the device current in the calling thread; each thread that uses it calls this first.
  virtual void bind_thread() = 0;

  virtual void* allocate(size_t bytes) = 0;
  virtual void release(void* memory) = 0;
  virtual size_t free_bytes() = 0;

  // Blocking copies, ordered after all work of the device and before all later work.
  virtual void copy_in(void* device, const void* host, size_t bytes) = 0;
  virtual void copy_out(void* host, const void* device, size_t bytes) = 0;
  // `count` elements of element_bytes (1, 2 or 4), each set to the low bytes of `pattern`.
  virtual void fill(void* device, uint32_t pattern, size_t element_bytes, size_t count) = 0;
  virtual void synchronize() = 0;

  virtual myblasStream_t create_stream(bool blocking) = 0;
  virtual void destroy_stream(myblasStream_t stream) = 0;
  virtual void synchronize_stream(myblasStream_t stream) = 0;

  // NaN bytes on either side of a whole arena and between two of its buffers.
  size_t outer_guard_bytes() const { return is_gpu() ? 65536 : 8192; }
  size_t inner_guard_bytes() const { return is_gpu() ? 4096 : 1024; }
};

// The backend chosen by MYBLAS_BACKEND (auto: the GPU if there is one). nullptr where it is
// missing; then missing_device() says why.
Device* device();
const std::string& missing_device();

// Memory that goes back by itself.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  DeviceMemory(Device& owner, size_t bytes) : owner_(&owner), data_(owner.allocate(bytes)) {}
  DeviceMemory(DeviceMemory&& other) noexcept { swap(other); }
  DeviceMemory& operator=(DeviceMemory&& other) noexcept {
    swap(other);
    return *this;
  }
  ~DeviceMemory();
  uint8_t* data() const { return static_cast<uint8_t*>(data_); }

 private:
  void swap(DeviceMemory& other) {
    std::swap(owner_, other.owner_);
    std::swap(data_, other.data_);
  }
  Device* owner_ = nullptr;
  void* data_ = nullptr;
};

class Stream {
 public:
  Stream(Device& owner, bool blocking) : owner_(owner), stream_(owner.create_stream(blocking)) {}
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream();
  myblasStream_t get() const { return stream_; }
  void synchronize() const { owner_.synchronize_stream(stream_); }

 private:
  Device& owner_;
  myblasStream_t stream_;
};

std::unique_ptr<Device> make_cpu_device();
// The GPU of that number. nullptr where it is not there or not usable, and the reason in `why`.
std::unique_ptr<Device> make_cuda_device(std::string* why, int ordinal = 0);

}  // namespace myblas::test
