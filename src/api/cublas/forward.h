// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// api/cublas/forward.h: from a name to the function that really runs.
//
// Behind a real cuBLAS that is its function of the same name; standalone, our
// own function where there is one (entries.inc), else one that returns
// NOT_SUPPORTED.
//==============================================================================
#pragma once

#include <atomic>
#include <type_traits>

#include "api/cublas/names.h"
#include "myblas.h"

namespace myblas::dropin {

using Function = void (*)();

extern std::atomic<Function> g_targets[kNameCount];
extern std::atomic<bool> g_watching;

// Whether each call has to be told to the log or the report. Off, a forwarded call is one jump.
inline bool watching() { return g_watching.load(std::memory_order_relaxed); }

// Looks again at whether a log or a report wants every call; after anything that may switch one.
void refresh_watching();

// The standalone function of a name; nullptr where there is none.
Function standalone_function(Name name);

Function find_target(Name name, const void* caller);

template <class F>
F* target(Name name, const void* caller) {
  Function function = g_targets[static_cast<int>(name)].load(std::memory_order_acquire);
  if (function == nullptr) [[unlikely]] {
    function = find_target(name, caller);
  }
  return reinterpret_cast<F*>(function);
}

// What cublasGetError returns in standalone mode; the call clears it.
myblasStatus_t take_v1_error();

// While a function of the real library runs on behalf of an entry of ours, calls that come back
// from it go straight to the real library.
extern constinit thread_local int t_real_depth __attribute__((tls_model("initial-exec")));

class RealCall {
 public:
  RealCall() { ++t_real_depth; }
  ~RealCall() { --t_real_depth; }
  RealCall(const RealCall&) = delete;
  RealCall& operator=(const RealCall&) = delete;
};

}  // namespace myblas::dropin
