// SPDX-License-Identifier: BSD-3-Clause
#include "api/handle.h"

#include <memory>
#include <new>

#include "api/choices.h"
#include "api/dropin_hooks.h"
#include "api/environment.h"
#include "api/log.h"
#include "cpu/openblas_backend.h"
#include "driver/gpu.h"
#include "kernels/common/launch_tma.h"

namespace myblas {
namespace {

// Sets up the GPU half of a handle on the current device.
myblasStatus_t open_gpu(myblasContext* handle, const Environment& environment) {
  const gpu::Binding binding = gpu::bind_current();
  if (binding.context == nullptr || !read_device_caps(binding.device, &handle->caps)) {
    log::print_always("myblas: the CUDA driver gave no context on the current device");
    return MYBLAS_STATUS_NOT_INITIALIZED;
  }
  DeviceCaps& caps = handle->caps;
  // A newer table will do too: rows that this chip cannot run are refused one by one.
  if (environment.target_cc != 0) caps.table_cc = environment.target_cc;
  handle->backend = Backend::kCuda;
  handle->context = binding.context;
  handle->rows = table_of(caps.table_cc);
  const Status loading = load_kernels(binding, caps, handle->rows, &handle->kernels);
  if (loading == Status::kAllocFailed) return MYBLAS_STATUS_ALLOC_FAILED;
  if (loading != Status::kSuccess) return MYBLAS_STATUS_ARCH_MISMATCH;
  for (size_t i = 0; i < handle->rows.size(); ++i) {
    const KernelRow& row = handle->rows[i];
    caps.rows_not_built[i] =
        handle->kernels->rows[i] == nullptr || (row.by_pointers && !can_map_memory());
    const bool serves = caps.cc >= row.cc_min && caps.cc <= row.cc_max && !caps.rows_not_built[i];
    handle->has_complex_f64 |= serves && row.key.ab == DataType::kCF64 && row.pipe == Pipe::kMma;
    handle->has_terms |= serves && is_in_terms(row);
  }
  caps.can_pack = handle->kernels->can_pack();
  caps.can_sum = handle->kernels->can_sum();
  set_policy(handle, environment.policy);
  handle->scratch_pool = scratch_pool(binding, caps.sm_count);
  if (handle->scratch_pool == nullptr) return MYBLAS_STATUS_ALLOC_FAILED;
  handle->scratch.store(scratch_of_stream(handle->scratch_pool, nullptr),
                        std::memory_order_release);
  return MYBLAS_STATUS_SUCCESS;
}

myblasStatus_t open_cpu(myblasContext* handle, const char* why_not_gpu) {
  if (!cpu::open()) {
    log::print_always("myblas: no backend. GPU: %s. CPU: %s", why_not_gpu,
                      cpu::unavailable_reason());
    return MYBLAS_STATUS_NOT_INITIALIZED;
  }
  handle->backend = Backend::kCpu;
  return MYBLAS_STATUS_SUCCESS;
}

myblasStatus_t open_backend(myblasContext* handle, const Environment& environment) {
  if (environment.backend == BackendChoice::kCpu) {
    return open_cpu(handle, "not asked for (MYBLAS_BACKEND=cpu)");
  }
  if (gpu::available()) return open_gpu(handle, environment);
  if (environment.backend == BackendChoice::kCuda) {
    log::print_always("myblas: MYBLAS_BACKEND=cuda, but %s", gpu::unavailable_reason());
    return MYBLAS_STATUS_NOT_INITIALIZED;
  }
  return open_cpu(handle, gpu::unavailable_reason());
}

}  // namespace
}  // namespace myblas

using namespace myblas;

myblasStatus_t myblasCreate(myblasHandle_t* result) try {
  if (result == nullptr) return MYBLAS_STATUS_INVALID_VALUE;
  log::configure_from_environment();
  Environment environment;
  if (!read_environment(&environment)) return MYBLAS_STATUS_NOT_INITIALIZED;
  auto handle = std::make_unique<myblasContext>();
  handle->tf32_allowed = environment.tf32_allowed;
  handle->emulates_fp32 = environment.emulates_fp32;
  const myblasStatus_t status = open_backend(handle.get(), environment);
  if (status != MYBLAS_STATUS_SUCCESS) return status;
  *result = handle.release();
  return MYBLAS_STATUS_SUCCESS;
} catch (const std::bad_alloc&) {
  return MYBLAS_STATUS_ALLOC_FAILED;
} catch (...) {
  return MYBLAS_STATUS_INTERNAL_ERROR;
}

myblasStatus_t myblasDestroy(myblasHandle_t handle) {
  if (!is_live(handle)) return MYBLAS_STATUS_NOT_INITIALIZED;
  if (handle->backend == Backend::kCuda) {
    gpu::synchronize(handle->context);  // as cuBLAS does; a failure belongs to earlier work
  }
  handle->magic.store(0, std::memory_order_relaxed);
  delete handle;
  return MYBLAS_STATUS_SUCCESS;
}

int myblasDropinGpuUsable(void) try {
  Environment environment;
  if (!read_environment(&environment)) return -1;
  return environment.backend != BackendChoice::kCpu && gpu::available() ? 1 : 0;
} catch (...) {  // out of memory
  return -1;
}
