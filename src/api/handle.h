// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// api/handle.h: what stands behind a myblasHandle_t.
//
// Everything a call reads is either fixed at creation or one relaxed atomic, so
// that threads may share a handle without a lock.
//==============================================================================
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "api/loaded_kernels.h"
#include "api/scratch.h"
#include "dispatch/device_caps.h"
#include "dispatch/select.h"
#include "myblas.h"

namespace myblas {

enum class Backend : uint8_t { kCpu, kCuda };

inline constexpr uint32_t kHandleMagic = 0x6d79626cu;  // "mybl"

}  // namespace myblas

struct myblasContext {
  // Fixed at creation.
  // Atomic, so that Destroy's clearing is not optimized away: a handle used after it is mostly
  // still recognised.
  std::atomic<uint32_t> magic{myblas::kHandleMagic};
  myblas::Backend backend = myblas::Backend::kCpu;
  bool tf32_allowed = true;    // NVIDIA_TF32_OVERRIDE=0 forbids it
  bool emulates_fp32 = false;  // CUBLAS_EMULATE_SINGLE_PRECISION permits it
  uint64_t choices = 0;        // choices_of(), what the plan caches are keyed by
  void* context = nullptr;     // CUcontext
  myblas::DeviceCaps caps;
  myblas::Policy policy;                    // with `choices`: set_policy()
  std::span<const myblas::KernelRow> rows;  // table_of(caps.table_cc)
  const myblas::LoadedKernels* kernels = nullptr;
  myblas::ScratchPool* scratch_pool = nullptr;
  bool has_complex_f64 = false;  // tiles of it beside the reference kernel's
  bool has_terms = false;        // of fp32 in bf16 terms

  // State, changed by setters at any time.
  std::atomic<myblasStream_t> stream{nullptr};
  // The stream's; null: comes with the launch.
  std::atomic<myblas::ScratchPiece*> scratch{nullptr};
  std::atomic<uint8_t> pointer_mode{MYBLAS_POINTER_MODE_HOST};
  std::atomic<uint8_t> math_mode{MYBLAS_DEFAULT_MATH};
  std::atomic<uint8_t> atomics_mode{MYBLAS_ATOMICS_NOT_ALLOWED};
  std::atomic<int> sm_count_target{0};
  // The user's scratch memory: for graph captures (docs/adr/0004). Set to none, it is there, of 0
  // bytes.
  std::atomic<bool> has_workspace{false};
  std::atomic<void*> workspace{nullptr};
  std::atomic<size_t> workspace_bytes{0};
  std::atomic<bool> shadow{false};  // stands beside a real cuBLAS handle
};

namespace myblas {

inline bool is_live(myblasHandle_t handle) {
  return handle != nullptr && handle->magic.load(std::memory_order_relaxed) == kHandleMagic;
}

}  // namespace myblas
