// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// api/cublas/serve.h: a cuBLAS matrix product on the shadow handle.
//
// Served<F>::call is the entry of one name (entries.inc): it has the ABI of the
// cuBLAS function, calls our function of the same arguments, and forwards to the
// real one wherever ours is not certain to do the same.
//==============================================================================
#pragma once

#include <optional>

#include "api/cublas/call_shape.h"
#include "api/cublas/forward.h"
#include "api/cublas/real_library.h"
#include "api/cublas/report.h"
#include "api/cublas/shadow.h"
#include "api/dropin_hooks.h"

namespace myblas::dropin {

// Ours has done the call or begun it. Otherwise nothing was launched and C is as it was.
inline bool is_final(myblasStatus_t status) {
  switch (status) {
    case MYBLAS_STATUS_NOT_INITIALIZED:
    case MYBLAS_STATUS_INVALID_VALUE:
    case MYBLAS_STATUS_ARCH_MISMATCH:
    case MYBLAS_STATUS_NOT_SUPPORTED: return false;
    default: return true;
  }
}

// nullptr where the shadow can take the call.
template <class... Args>
inline const char* divergence_reason(const Shadow& shadow, Args... args) {
  const uint32_t divergence = shadow.divergence.load(std::memory_order_relaxed);
  if (divergence == 0) [[likely]] {
    return nullptr;
  }
  if ((divergence & kStateUnknown) != 0) return "the handle has a state that myblas does not take";
  const CallShape shape = shape_of(args...);
  if ((divergence & kEmulatesDouble) != 0 && shape.has_double()) return "fp64 emulation is set";
  return nullptr;
}

inline bool asks_for_autotuning(myblasGemmAlgo_t algo) { return algo == MYBLAS_GEMM_AUTOTUNE; }
template <class T>
constexpr bool asks_for_autotuning(T) {
  return false;
}

template <class F>
struct Served;

template <class... Args>
struct Served<myblasStatus_t(myblasHandle_t, Args...)> {
  using F = myblasStatus_t(myblasHandle_t, Args...);

  template <F* kOurs, Name kName>
  static myblasStatus_t call(myblasHandle_t handle, Args... args) noexcept {
    const void* caller = __builtin_return_address(0);
    const char* reason = "a call from inside cuBLAS";
    if (t_real_depth == 0) [[likely]] {
      reason = "a handle that myblas does not know";
      if (const Shadow* shadow = find_shadow(handle)) [[likely]] {
        reason = divergence_reason(*shadow, args...);
        if ((asks_for_autotuning(args) || ...)) reason = "autotuning asked for";
        if (reason == nullptr) [[likely]] {
          if (report_enabled()) [[unlikely]] {
            return reported<kOurs>(kName, *shadow, caller, handle, args...);
          }
          const myblasStatus_t status = kOurs(shadow->ours, args...);
          if (is_final(status)) [[likely]] {
            return status;
          }
          reason = myblasDropinLastRejection();
        }
      }
    }
    return forward(kName, reason, caller, handle, args...);
  }

 private:
  [[gnu::cold]] static myblasStatus_t forward(Name name, const char* reason, const void* caller,
                                              myblasHandle_t handle, Args... args) {
    F* const function = target<F>(name, caller);
    if (real_library(caller).handle == nullptr) return standalone(name, function, handle, args...);
    if (!watching()) {
      const RealCall guard;
      return function(handle, args...);
    }
    CallRecord record(name, shape_of(args...), real_stream_of(handle, caller));
    myblasStatus_t status;
    {
      const RealCall guard;
      status = function(handle, args...);
    }
    record.forwarded(reason);
    return status;
  }

  static myblasStatus_t standalone(Name name, F* function, myblasHandle_t handle, Args... args) {
    if (!report_enabled()) return function(handle, args...);
    CallRecord record(name, shape_of(args...), stream_of(handle));
    const myblasStatus_t status = function(handle, args...);
    record.served_or_refused(status);
    return status;
  }

  template <F* kOurs>
  [[gnu::cold]] static myblasStatus_t reported(Name name, const Shadow& shadow, const void* caller,
                                               myblasHandle_t handle, Args... args) {
    {
      CallRecord record(name, shape_of(args...), stream_of(shadow.ours));
      const myblasStatus_t status = kOurs(shadow.ours, args...);
      if (is_final(status)) {
        record.served_or_refused(status);
        return status;
      }
    }
    return forward(name, myblasDropinLastRejection(), caller, handle, args...);
  }

  // Nothing where the handle does not say: the NULL stream would time other work, or wait for it.
  static std::optional<myblasStream_t> stream_of(myblasHandle_t ours) {
    myblasStream_t stream = nullptr;
    if (myblasGetStream(ours, &stream) != MYBLAS_STATUS_SUCCESS) return std::nullopt;
    return stream;
  }

  static std::optional<myblasStream_t> real_stream_of(myblasHandle_t real, const void* caller) {
    if (!report_enabled() || real == nullptr) return std::nullopt;
    auto* const get_stream =
        target<myblasStatus_t(myblasHandle_t, myblasStream_t*)>(Name::cublasGetStream_v2, caller);
    const RealCall guard;
    myblasStream_t stream = nullptr;
    if (get_stream(real, &stream) != MYBLAS_STATUS_SUCCESS) return std::nullopt;
    return stream;
  }
};

}  // namespace myblas::dropin
