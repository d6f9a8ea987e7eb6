// SPDX-License-Identifier: BSD-3-Clause
#include "support/cuda_driver.h"

#include <dlfcn.h>

#include <stdexcept>

namespace myblas::test {
namespace {

struct Loaded {
  CudaDriver driver{};
  bool usable = false;
  std::string why;

  Loaded() {
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      why = "libcuda.so.1 cannot be opened";
      return;
    }
    const auto bind = [&](auto& member, const char* symbol) {
      member = reinterpret_cast<std::decay_t<decltype(member)>>(dlsym(library, symbol));
      if (member == nullptr && why.empty()) why = std::string("libcuda.so.1 lacks ") + symbol;
    };
    bind(driver.cuInit, "cuInit");
    bind(driver.cuGetErrorName, "cuGetErrorName");
    bind(driver.cuDeviceGetCount, "cuDeviceGetCount");
    bind(driver.cuDeviceGet, "cuDeviceGet");
    bind(driver.cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain");
    bind(driver.cuCtxSetCurrent, "cuCtxSetCurrent");
    bind(driver.cuCtxSynchronize, "cuCtxSynchronize");
    bind(driver.cuMemAlloc, "cuMemAlloc_v2");
    bind(driver.cuMemFree, "cuMemFree_v2");
    bind(driver.cuMemGetInfo, "cuMemGetInfo_v2");
    bind(driver.cuMemcpyHtoD, "cuMemcpyHtoD_v2");
    bind(driver.cuMemcpyDtoH, "cuMemcpyDtoH_v2");
    bind(driver.cuMemsetD8, "cuMemsetD8_v2");
    bind(driver.cuMemsetD16, "cuMemsetD16_v2");
    bind(driver.cuMemsetD32, "cuMemsetD32_v2");
    bind(driver.cuStreamCreate, "cuStreamCreate");
    bind(driver.cuStreamDestroy, "cuStreamDestroy_v2");
    bind(driver.cuStreamSynchronize, "cuStreamSynchronize");
    bind(driver.cuStreamBeginCapture, "cuStreamBeginCapture_v2");
    bind(driver.cuStreamEndCapture, "cuStreamEndCapture");
    bind(driver.cuGraphGetNodes, "cuGraphGetNodes");
    bind(driver.cuGraphNodeGetType, "cuGraphNodeGetType");
    bind(driver.cuGraphInstantiateWithFlags, "cuGraphInstantiateWithFlags");
    bind(driver.cuGraphLaunch, "cuGraphLaunch");
    bind(driver.cuGraphExecDestroy, "cuGraphExecDestroy");
    bind(driver.cuGraphDestroy, "cuGraphDestroy");
    if (!why.empty()) return;
    int count = 0;
    if (driver.cuInit(0) != 0) {
      why = "cuInit failed";
    } else if (driver.cuDeviceGetCount(&count) != 0 || count == 0) {
      why = "the driver reports no device";
    } else {
      usable = true;
    }
  }
};

}  // namespace

const CudaDriver* cuda_driver(std::string* why) {
  static const Loaded loaded;
  if (why != nullptr) *why = loaded.why;
  return loaded.usable ? &loaded.driver : nullptr;
}

void check_cuda(CuResult result, const char* call) {
  if (result == 0) return;
  const char* name = nullptr;
  cuda_driver()->cuGetErrorName(result, &name);
  throw std::runtime_error(std::string(call) + " gave " + (name != nullptr ? name : "?") + " (" +
                           std::to_string(result) + ")");
}

}  // namespace myblas::test
