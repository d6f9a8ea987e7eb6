// SPDX-License-Identifier: BSD-3-Clause
// Setters and getters of a handle. In the drop-in they run several times a GEMM: each is a check
// and relaxed stores or loads.
#include <cstdint>

#include "api/handle.h"

using namespace myblas;

namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;
constexpr uintptr_t kWorkspaceAlignment = 256;

// cuBLAS takes every value of five bits, those without a name too.
bool is_math_mode(int mode) { return mode >= 0 && mode < 32; }

template <class Result, class Stored>
myblasStatus_t get(Result* result, const std::atomic<Stored>& value) {
  if (result == nullptr) return MYBLAS_STATUS_INVALID_VALUE;
  *result = static_cast<Result>(value.load(kRelaxed));
  return MYBLAS_STATUS_SUCCESS;
}

}  // namespace

myblasStatus_t myblasSetStream(myblasHandle_t handle, myblasStream_t stream) {
  if (!is_live(handle)) return MYBLAS_STATUS_NOT_INITIALIZED;
  handle->stream.store(stream, kRelaxed);
  if (handle->scratch_pool != nullptr) {
    // What the piece holds, before who reads the pointer.
    handle->scratch.store(scratch_of_stream(handle->scratch_pool, stream),
                          std::memory_order_release);
  }
  handle->has_workspace.store(false, kRelaxed);
  return MYBLAS_STATUS_SUCCESS;
}

myblasStatus_t myblasSetWorkspace(myblasHandle_t handle, void* workspace, size_t bytes) {
  if (!is_live(handle)) return MYBLAS_STATUS_NOT_INITIALIZED;
  if (reinterpret_cast<uintptr_t>(workspace) % kWorkspaceAlignment != 0) {
    return MYBLAS_STATUS_INVALID_VALUE;
  }
  handle->workspace.store(workspace, kRelaxed);
  handle->workspace_bytes.store(workspace != nullptr ? bytes : 0, kRelaxed);
  handle->has_workspace.store(true, kRelaxed);
  return MYBLAS_STATUS_SUCCESS;
}

myblasStatus_t myblasSetPointerMode(myblasHandle_t handle, myblasPointerMode_t mode) {
  if (!is_live(handle)) return MYBLAS_STATUS_NOT_INITIALIZED;
  if (mode != MYBLAS_POINTER_MODE_HOST && mode != MYBLAS_POINTER_MODE_DEVICE) {
    return MYBLAS_STATUS_INVALID_VALUE;
  }
  handle->pointer_mode.store(static_cast<uint8_t>(mode), kRelaxed);
  return MYBLAS_STATUS_SUCCESS;
}

myblasStatus_t myblasSetMathMode(myblasHandle_t handle, myblasMath_t mode) {
  if (!is_live(handle)) return MYBLAS_STATUS_NOT_INITIALIZED;
  if (!is_math_mode(static_cast<int>(mode))) return MYBLAS_STATUS_INVALID_VALUE;
  handle->math_mode.store(static_cast<uint8_t>(mode), kRelaxed);
  return MYBLAS_STATUS_SUCCESS;
}

myblasStatus_t myblasSetAtomicsMode(myblasHandle_t handle, myblasAtomicsMode_t mode) {
  if (!is_live(handle)) return MYBLAS_STATUS_NOT_INITIALIZED;
  if (mode != MYBLAS_ATOMICS_NOT_ALLOWED && mode != MYBLAS_ATOMICS_ALLOWED) {
    return MYBLAS_STATUS_INVALID_VALUE;
  }
  handle->atomics_mode.store(static_cast<uint8_t>(mode), kRelaxed);
  return MYBLAS_STATUS_SUCCESS;
}

myblasStatus_t myblasSetSmCountTarget(myblasHandle_t handle, int sm_count) {
  if (!is_live(handle)) return MYBLAS_STATUS_NOT_INITIALIZED;
  if (sm_count < 0) return MYBLAS_STATUS_INVALID_VALUE;
  if (handle->backend == Backend::kCuda && sm_count > handle->caps.sm_count) {
    return MYBLAS_STATUS_INVALID_VALUE;
  }
  handle->sm_count_target.store(sm_count, kRelaxed);
  return MYBLAS_STATUS_SUCCESS;
}

myblasStatus_t myblasGetStream(myblasHandle_t handle, myblasStream_t* stream) {
  if (!is_live(handle)) return MYBLAS_STATUS_NOT_INITIALIZED;
  return get(stream, handle->stream);
}

myblasStatus_t myblasGetPointerMode(myblasHandle_t handle, myblasPointerMode_t* mode) {
  if (!is_live(handle)) return MYBLAS_STATUS_NOT_INITIALIZED;
  return get(mode, handle->pointer_mode);
}

myblasStatus_t myblasGetMathMode(myblasHandle_t handle, myblasMath_t* mode) {
  if (!is_live(handle)) return MYBLAS_STATUS_NOT_INITIALIZED;
  return get(mode, handle->math_mode);
}

myblasStatus_t myblasGetAtomicsMode(myblasHandle_t handle, myblasAtomicsMode_t* mode) {
  if (!is_live(handle)) return MYBLAS_STATUS_NOT_INITIALIZED;
  return get(mode, handle->atomics_mode);
}

myblasStatus_t myblasGetSmCountTarget(myblasHandle_t handle, int* sm_count) {
  if (!is_live(handle)) return MYBLAS_STATUS_NOT_INITIALIZED;
  return get(sm_count, handle->sm_count_target);
}
