// SPDX-License-Identifier: BSD-3-Clause
// support/cuda_device.cpp: a device's primary context, which is also the library's.
#include <stdexcept>

#include "support/cuda_driver.h"
#include "support/device.h"

namespace myblas::test {
namespace {

CuAddress address(const void* pointer) { return reinterpret_cast<CuAddress>(pointer); }

class CudaDevice final : public Device {
 public:
  explicit CudaDevice(int ordinal) {
    CuDevice device = 0;
    MYBLAS_TEST_CUDA(cuDeviceGet, &device, ordinal);
    // Never released: the process keeps the context to its end, as programs do.
    MYBLAS_TEST_CUDA(cuDevicePrimaryCtxRetain, &context_, device);
    bind_thread();
  }
  bool is_gpu() const override { return true; }
  void bind_thread() override { MYBLAS_TEST_CUDA(cuCtxSetCurrent, context_); }

  void* allocate(size_t bytes) override {
    CuAddress memory = 0;
    MYBLAS_TEST_CUDA(cuMemAlloc, &memory, bytes == 0 ? 1 : bytes);
    return reinterpret_cast<void*>(memory);
  }
  void release(void* memory) override { MYBLAS_TEST_CUDA(cuMemFree, address(memory)); }
  size_t free_bytes() override {
    size_t available = 0, total = 0;
    MYBLAS_TEST_CUDA(cuMemGetInfo, &available, &total);
    return available;
  }

  // A copy from pageable memory may return before the transfer, and neither it nor a fill waits
  // for non-blocking streams: hence the synchronisation on both sides.
  void copy_in(void* device, const void* host, size_t bytes) override {
    if (bytes == 0) return;
    synchronize();
    MYBLAS_TEST_CUDA(cuMemcpyHtoD, address(device), host, bytes);
    synchronize();
  }
  void copy_out(void* host, const void* device, size_t bytes) override {
    if (bytes == 0) return;
    synchronize();
    MYBLAS_TEST_CUDA(cuMemcpyDtoH, host, address(device), bytes);
  }
  void fill(void* device, uint32_t pattern, size_t element_bytes, size_t count) override {
    if (count == 0) return;
    synchronize();
    switch (element_bytes) {
      case 1:
        MYBLAS_TEST_CUDA(cuMemsetD8, address(device), static_cast<unsigned char>(pattern), count);
        break;
      case 2:
        MYBLAS_TEST_CUDA(cuMemsetD16, address(device), static_cast<unsigned short>(pattern), count);
        break;
      case 4: MYBLAS_TEST_CUDA(cuMemsetD32, address(device), pattern, count); break;
      default: throw std::runtime_error("fill: elements of 1, 2 or 4 bytes");
    }
    synchronize();
  }
  void synchronize() override { MYBLAS_TEST_CUDA(cuCtxSynchronize, ); }

  myblasStream_t create_stream(bool blocking) override {
    myblasStream_t stream = nullptr;
    MYBLAS_TEST_CUDA(cuStreamCreate, &stream, blocking ? kStreamBlocking : kStreamNonBlocking);
    return stream;
  }
  void destroy_stream(myblasStream_t stream) override { MYBLAS_TEST_CUDA(cuStreamDestroy, stream); }
  void synchronize_stream(myblasStream_t stream) override {
    MYBLAS_TEST_CUDA(cuStreamSynchronize, stream);
  }

 private:
  CuContext context_ = nullptr;
};

}  // namespace

std::unique_ptr<Device> make_cuda_device(std::string* why, int ordinal) {
  if (cuda_driver(why) == nullptr) return nullptr;
  try {
    return std::make_unique<CudaDevice>(ordinal);
  } catch (const std::exception& error) {
    *why = error.what();
    return nullptr;
  }
}

}  // namespace myblas::test
