// SPDX-License-Identifier: BSD-3-Clause
#include "api/cublas/forward.h"

#include <dlfcn.h>

#include <cstring>

#include "api/cublas/lt_library.h"
#include "api/cublas/real_library.h"
#include "api/cublas/report.h"
#include "api/dropin_hooks.h"

// The trampolines jump through these (trampolines_*.S).
extern "C" {
extern std::atomic<myblas::dropin::Function> myblas_slots[myblas::dropin::kNameCount];
extern const myblas::dropin::Function myblas_stubs[myblas::dropin::kNameCount];
myblas::dropin::Function myblas_resolve(int index, const void* caller);
}

namespace myblas::dropin {

std::atomic<Function> g_targets[kNameCount];
std::atomic<bool> g_watching{false};
constinit thread_local int t_real_depth = 0;

namespace {

std::atomic<int> g_v1_error{MYBLAS_STATUS_SUCCESS};

// Ends of the forwarding jump where nobody serves the name. They take any arguments.
int not_supported() { return MYBLAS_STATUS_NOT_SUPPORTED; }

// A NULL handle comes before all else, as in cuBLAS.
int not_supported_on(myblasHandle_t handle) {
  return handle == nullptr ? MYBLAS_STATUS_NOT_INITIALIZED : MYBLAS_STATUS_NOT_SUPPORTED;
}

int v1_integer_not_supported() {
  g_v1_error.store(MYBLAS_STATUS_NOT_SUPPORTED, std::memory_order_relaxed);
  return 0;
}

// Zero in every register that a float, double or complex result may come back in.
struct Zeros {
  double first, second;
};
Zeros v1_not_supported() {
  g_v1_error.store(MYBLAS_STATUS_NOT_SUPPORTED, std::memory_order_relaxed);
  return {0.0, 0.0};
}

// Whether a name that nobody serves has a cublasHandle_t for its first argument.
bool takes_handle(Name name) {
  switch (name) {
    case Name::cublasInit:
    case Name::cublasShutdown:
    case Name::cublasAlloc:
    case Name::cublasFree:
    case Name::cublasSetKernelStream:
    case Name::cublasXerbla:
    // In no header.
    case Name::cublasGetBackdoor:
    case Name::cublasSetBackdoor:
    case Name::cublasSetBackdoorEx: return false;
    // cublasXt and cublasLt have handles of their own.
    default: return !is_v1(name) && !is_lt(name) && std::strncmp(text_of(name), "cublasXt", 8) != 0;
  }
}

Function unserved(Name name) {
  if (takes_handle(name)) return reinterpret_cast<Function>(&not_supported_on);
  if (!is_v1(name)) return reinterpret_cast<Function>(&not_supported);
  const bool returns_index = std::strncmp(text_of(name), "cublasI", 7) == 0;
  return returns_index ? reinterpret_cast<Function>(&v1_integer_not_supported)
                       : reinterpret_cast<Function>(&v1_not_supported);
}

// The library that has a name; nullptr: standalone.
void* real_handle_of(Name name, const void* caller) {
  return is_lt(name) ? lt_library(caller).handle : real_library(caller).handle;
}

// nullptr: libmyblas logs the call itself.
const char* reason_of_forwarding(Name name, const void* caller) {
  // What we know by ourselves (getters, copies) is no work that a reader of the log looks for, nor
  // are the twenty calls of cublasLt around each product.
  if (standalone_function(name) != nullptr) return nullptr;
  if (is_lt(name) && name != Name::cublasLtMatrixTransform) return nullptr;
  void* const handle = real_handle_of(name, caller);
  if (handle == nullptr) return "standalone, not served";
  if (dlsym(handle, text_of(name)) == nullptr) return "not in the real cuBLAS";
  const bool is_product = std::strstr(text_of(name), "gemm") != nullptr;
  return is_product ? "a product by an interface that myblas does not serve"
                    : "not a matrix product";
}

// While the real cuBLAS is being looked for, and asks a cublasLt: nothing of that is kept.
Function lt_function_in_search(Name name) {
  void* const handle = mapped_lt();
  void* const function = handle == nullptr ? nullptr : dlsym(handle, text_of(name));
  return function == nullptr ? unserved(name) : reinterpret_cast<Function>(function);
}

}  // namespace

Function find_target(Name name, const void* caller) {
  void* const handle = real_handle_of(name, caller);
  Function function = nullptr;
  if (handle != nullptr) {
    function = reinterpret_cast<Function>(dlsym(handle, text_of(name)));
  } else {
    function = standalone_function(name);
  }
  if (function == nullptr) function = unserved(name);
  g_targets[static_cast<int>(name)].store(function, std::memory_order_release);
  refresh_watching();
  return function;
}

void refresh_watching() {
  const bool wanted = myblasDropinLogEnabled() != 0 || report_enabled();
  if (g_watching.exchange(wanted) || !wanted) return;
  // Slots that point at their target already would keep those calls from the log.
  for (int i = 0; i < kNameCount; ++i) {
    myblas_slots[i].store(myblas_stubs[i], std::memory_order_relaxed);
  }
}

myblasStatus_t take_v1_error() {
  return static_cast<myblasStatus_t>(
      g_v1_error.exchange(MYBLAS_STATUS_SUCCESS, std::memory_order_relaxed));
}

}  // namespace myblas::dropin

// Called by the stub of a forwarded name, with the caller's arguments set aside.
myblas::dropin::Function myblas_resolve(int index, const void* caller) {
  using namespace myblas::dropin;
  const Name name = static_cast<Name>(index);
  if (t_search_depth != 0 && is_lt(name)) return lt_function_in_search(name);
  const Function function = target<void()>(name, caller);
  if (!watching()) {
    myblas_slots[index].store(function, std::memory_order_relaxed);
    return function;
  }
  const char* reason = reason_of_forwarding(name, caller);
  if (reason != nullptr) note_forwarded(name, reason);
  return function;
}
