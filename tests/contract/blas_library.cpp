// SPDX-License-Identifier: BSD-3-Clause
#include "blas_library.h"

#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace contract {
namespace {

std::string without(const std::string& text, const std::string& part) {
  const size_t at = text.find(part);
  return at == std::string::npos ? text : text.substr(0, at) + text.substr(at + part.size());
}

}  // namespace

BlasLibrary::BlasLibrary(const std::string& path, const std::string& prefix) : prefix_(prefix) {
  // NOTE: cuBLAS works only with the cublasLt of its own directory; the loader might take another.
  const size_t slash = path.rfind('/');
  const size_t name = path.find("libcublas.so", slash == std::string::npos ? 0 : slash);
  if (is_cublas() && name != std::string::npos) {
    const std::string lt = path.substr(0, name) + "libcublasLt.so" + path.substr(name + 12);
    dlopen(lt.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  library_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr) throw std::runtime_error(dlerror());
}

void* BlasLibrary::symbol(const std::string& base) const {
  return dlsym(library_, (prefix_ + (is_cublas() ? base : without(base, "_v2"))).c_str());
}

namespace {

class HostMemory final : public Memory {
 public:
  bool on_device() const override { return false; }
  void* allocate(size_t bytes) override {
    return std::aligned_alloc(4096, (bytes + 4095) & ~size_t{4095});
  }
  int write(void* destination, const void* source, size_t bytes) override {
    std::memcpy(destination, source, bytes);
    return 0;
  }
  int read(void* destination, const void* source, size_t bytes) override {
    std::memcpy(destination, source, bytes);
    return 0;
  }
  int synchronize() override { return 0; }
  size_t free_bytes() override { return 0; }
  int sm_count() override { return 0; }
};

// The few driver calls needed, in the device's primary context, which cuBLAS uses too.
class DeviceMemory final : public Memory {
 public:
  bool open() {
    library_ = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) return false;
    const auto init = load<int(unsigned)>("cuInit");
    const auto device_get = load<int(int*, int)>("cuDeviceGet");
    const auto retain = load<int(void**, int)>("cuDevicePrimaryCtxRetain");
    const auto set_current = load<int(void*)>("cuCtxSetCurrent");
    const auto attribute = load<int(int*, int, int)>("cuDeviceGetAttribute");
    allocate_ = load<int(uint64_t*, size_t)>("cuMemAlloc_v2");
    write_ = load<int(uint64_t, const void*, size_t)>("cuMemcpyHtoD_v2");
    read_ = load<int(void*, uint64_t, size_t)>("cuMemcpyDtoH_v2");
    synchronize_ = load<int()>("cuCtxSynchronize");
    info_ = load<int(size_t*, size_t*)>("cuMemGetInfo_v2");
    constexpr int kMultiprocessorCount = 16;
    int device = 0;
    void* context = nullptr;
    return init(0) == 0 && device_get(&device, 0) == 0 && retain(&context, device) == 0 &&
           set_current(context) == 0 && attribute(&sm_count_, kMultiprocessorCount, device) == 0;
  }
  bool on_device() const override { return true; }
  void* allocate(size_t bytes) override {
    uint64_t address = 0;
    allocate_(&address, bytes);
    return reinterpret_cast<void*>(address);
  }
  int write(void* destination, const void* source, size_t bytes) override {
    return write_(reinterpret_cast<uint64_t>(destination), source, bytes);
  }
  int read(void* destination, const void* source, size_t bytes) override {
    return read_(destination, reinterpret_cast<uint64_t>(source), bytes);
  }
  int synchronize() override { return synchronize_(); }
  size_t free_bytes() override {
    size_t available = 0, total = 0;
    info_(&available, &total);
    return available;
  }
  int sm_count() override { return sm_count_; }

 private:
  template <class Function>
  Function* load(const char* name) {
    return reinterpret_cast<Function*>(dlsym(library_, name));
  }
  void* library_ = nullptr;
  int (*allocate_)(uint64_t*, size_t) = nullptr;
  int (*write_)(uint64_t, const void*, size_t) = nullptr;
  int (*read_)(void*, uint64_t, size_t) = nullptr;
  int (*synchronize_)() = nullptr;
  int (*info_)(size_t*, size_t*) = nullptr;
  int sm_count_ = 0;
};

}  // namespace

std::unique_ptr<Memory> make_host_memory() { return std::make_unique<HostMemory>(); }

std::unique_ptr<Memory> make_device_memory() {
  auto memory = std::make_unique<DeviceMemory>();
  if (!memory->open()) return nullptr;
  return memory;
}

}  // namespace contract
