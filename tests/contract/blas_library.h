// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// contract/blas_library.h: the library under examination, and its memory.
//
// Both cuBLAS and myblas are opened by path and called through function
// pointers of our own prototypes, so that one list of cases examines either,
// and neither is needed to build this.
//==============================================================================
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace contract {

class BlasLibrary {
 public:
  // prefix: "cublas", or "myblas", whose names carry no "_v2". Throws std::runtime_error.
  BlasLibrary(const std::string& path, const std::string& prefix);

  // base: cuBLAS's name without its prefix, such as "Sgemm_v2_64". NULL if there is none.
  void* symbol(const std::string& base) const;

  template <class Function>
  Function* find(const std::string& base) const {
    return reinterpret_cast<Function*>(symbol(base));
  }

  bool is_cublas() const { return prefix_ == "cublas"; }

 private:
  std::string prefix_;
  void* library_ = nullptr;
};

// Where the matrices live: GPU memory through the driver API, or plain host memory for a
// library that computes on the CPU.
class Memory {
 public:
  virtual ~Memory() = default;
  virtual bool on_device() const = 0;
  virtual void* allocate(size_t bytes) = 0;
  virtual int write(void* destination, const void* source, size_t bytes) = 0;
  virtual int read(void* destination, const void* source, size_t bytes) = 0;
  virtual int synchronize() = 0;  // 0, or the driver's error, which then sticks to the process
  virtual size_t free_bytes() = 0;
  virtual int sm_count() = 0;
};

std::unique_ptr<Memory> make_host_memory();
std::unique_ptr<Memory> make_device_memory();  // null where there is no usable GPU

}  // namespace contract
