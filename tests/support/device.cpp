// SPDX-License-Identifier: BSD-3-Clause
#include "support/device.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

namespace myblas::test {
namespace {

class CpuDevice final : public Device {
 public:
  bool is_gpu() const override { return false; }
  void bind_thread() override {}
  void* allocate(size_t bytes) override {
    void* memory = std::malloc(bytes == 0 ? 1 : bytes);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
  }
  void release(void* memory) override { std::free(memory); }
  size_t free_bytes() override { return size_t{1} << 30; }
  void copy_in(void* device, const void* host, size_t bytes) override {
    if (bytes != 0) std::memcpy(device, host, bytes);
  }
  void copy_out(void* host, const void* device, size_t bytes) override {
    if (bytes != 0) std::memcpy(host, device, bytes);
  }
  void fill(void* device, uint32_t pattern, size_t element_bytes, size_t count) override {
    auto* at = static_cast<unsigned char*>(device);
    for (size_t i = 0; i < count; ++i, at += element_bytes) {
      std::memcpy(at, &pattern, element_bytes);
    }
  }
  void synchronize() override {}
  // The CPU backend stores the stream and never looks at it.
  myblasStream_t create_stream(bool) override { return static_cast<myblasStream_t>(allocate(1)); }
  void destroy_stream(myblasStream_t stream) override { release(stream); }
  void synchronize_stream(myblasStream_t) override {}
};

struct Choice {
  std::unique_ptr<Device> device;
  std::string why;

  Choice() {
    const char* requested = std::getenv("MYBLAS_BACKEND");
    const std::string backend = requested != nullptr ? requested : "auto";
    if (backend != "cpu") device = make_cuda_device(&why);
    if (device == nullptr && backend != "cuda") device = make_cpu_device();
    // The tests and the library must agree.
    setenv("MYBLAS_BACKEND", device != nullptr && device->is_gpu() ? "cuda" : "cpu", 1);
  }
};

Choice& choice() {
  static Choice once;
  return once;
}

}  // namespace

std::unique_ptr<Device> make_cpu_device() { return std::make_unique<CpuDevice>(); }

Device* device() { return choice().device.get(); }
const std::string& missing_device() { return choice().why; }

// A destructor cannot throw; a driver that fails here has failed before, and the next call of a
// test says so.
DeviceMemory::~DeviceMemory() {
  if (data_ == nullptr) return;
  try {
    owner_->release(data_);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
}

Stream::~Stream() {
  try {
    owner_.destroy_stream(stream_);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
}

}  // namespace myblas::test
