// SPDX-License-Identifier: BSD-3-Clause
#include "api/cublas/state.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "api/cublas/forward.h"
#include "api/cublas/real_library.h"
#include "api/cublas/shadow.h"
#include "api/dropin_hooks.h"

namespace myblas::dropin {
namespace {

bool is_switched_on(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && value[0] != '\0' && std::strcmp(value, "0") != 0;
}

void log_no_shadow(const char* reason) {
  char line[256];
  std::snprintf(line, sizeof line,
                "myblas: cublasCreate_v2: %s; every call of this handle is forwarded", reason);
  myblasDropinLog(line);
}

// Once a process: which library stands behind the drop-in.
void log_real_library(const RealLibrary& real) {
  static std::atomic<bool> done{false};
  if (!watching() || done.exchange(true)) return;
  char line[PATH_MAX + 64];
  if (real.handle == nullptr) {
    std::snprintf(line, sizeof line, "myblas: standalone, no cuBLAS behind the drop-in");
  } else {
    std::snprintf(line, sizeof line, "myblas: what is not served goes to %s", real.path);
  }
  myblasDropinLog(line);
}

// A handle of the same address that was destroyed behind our back has left its shadow.
void drop_stale_shadow(const void* real_handle) {
  const myblasHandle_t stale = remove_shadow(real_handle);
  if (stale != nullptr) myblasDestroy(stale);
}

void add_shadow_of(const RealLibrary& real, const void* real_handle) {
  // Asked first: without a GPU that myblas runs on, its handle would open OpenBLAS in this process.
  const int usable = real.takes_host_pointers ? 1 : myblasDropinGpuUsable();
  if (usable <= 0) {
    log_no_shadow(usable == 0 ? "myblas has no GPU backend here"
                              : "a variable of myblas has no sense");
    return;
  }
  myblasHandle_t ours = nullptr;
  const Status status = myblasCreate(&ours);
  if (status != MYBLAS_STATUS_SUCCESS) {
    log_no_shadow(myblasGetStatusName(status));
    return;
  }
  myblasDropinMarkShadow(ours);
  char target_name[16] = "";
  const bool on_cpu =
      myblasGetTargetName(ours, target_name, sizeof target_name) != MYBLAS_STATUS_SUCCESS ||
      std::strcmp(target_name, "cpu") == 0;
  // The caller's pointers are device pointers: the CPU backend must never see them.
  const char* reason = nullptr;
  if (on_cpu && !real.takes_host_pointers) {
    reason = "myblas has no GPU backend here";
  } else if (!add_shadow(real_handle, ours, emulation_of_environment())) {
    reason = "too many handles";
  }
  if (reason == nullptr) return;
  log_no_shadow(reason);
  myblasDestroy(ours);
}

// Calls the real setter and repeats on the shadow what it took.
template <Name kName, Divergence kBit, auto kOurs, class... Values>
Status set_both(const void* caller, RealHandle handle, Values... values) {
  auto* const real_setter = target<Status(RealHandle, Values...)>(kName, caller);
  const Status status = real_setter(handle, values...);
  if (t_real_depth != 0 || status != MYBLAS_STATUS_SUCCESS) return status;
  if (Shadow* shadow = find_shadow(handle)) {
    shadow->set(kBit, kOurs(shadow->ours, values...) != MYBLAS_STATUS_SUCCESS);
  }
  return status;
}

// The same for a setting that our kernels do not follow: only its default keeps calls with us.
template <Name kName, Divergence kBit, class Value>
Status set_emulation(const void* caller, RealHandle handle, Value value, Value default_value) {
  auto* const real_setter = target<Status(RealHandle, Value)>(kName, caller);
  const Status status = real_setter(handle, value);
  if (status != MYBLAS_STATUS_SUCCESS) return status;
  if (Shadow* shadow = find_shadow(handle)) shadow->set(kBit, value != default_value);
  return status;
}

#define MYBLAS_CALLER __builtin_return_address(0)

}  // namespace

uint32_t emulation_of_environment() {
  uint32_t divergence = 0;
  if (is_switched_on("CUBLAS_EMULATE_DOUBLE_PRECISION")) divergence |= kEmulateDouble;
  if (is_switched_on("CUBLAS_EMULATION_STRATEGY")) divergence |= kEmulationStrategy;
  return divergence;
}

Status set_our_workspace(myblasHandle_t ours, void* workspace, size_t bytes) {
  const Status status = myblasSetWorkspace(ours, workspace, bytes);
  return status == MYBLAS_STATUS_SUCCESS ? status : myblasSetWorkspace(ours, nullptr, 0);
}

Status create(RealHandle* handle) noexcept {
  auto* const real_create = target<Status(RealHandle*)>(Name::cublasCreate_v2, MYBLAS_CALLER);
  const RealLibrary& real = real_library(MYBLAS_CALLER);
  Status status;
  {
    const RealCall guard;
    status = real_create(handle);
  }
  if (status == MYBLAS_STATUS_SUCCESS && real.handle != nullptr) {
    drop_stale_shadow(*handle);
    if (t_real_depth == 0) add_shadow_of(real, *handle);
  }
  refresh_watching();
  log_real_library(real);
  return status;
}

Status destroy(RealHandle handle) noexcept {
  auto* const real_destroy = target<Status(RealHandle)>(Name::cublasDestroy_v2, MYBLAS_CALLER);
  // Ours first: the real handle's address may be given out again as soon as it is free.
  const myblasHandle_t ours = remove_shadow(handle);
  if (ours != nullptr) myblasDestroy(ours);
  const RealCall guard;
  return real_destroy(handle);
}

Status set_stream(RealHandle handle, myblasStream_t stream) noexcept {
  const Status status = set_both<Name::cublasSetStream_v2, kStreamUnknown, &myblasSetStream>(
      MYBLAS_CALLER, handle, stream);
  // A new stream takes the workspace back to the default one, which both libraries have.
  if (status == MYBLAS_STATUS_SUCCESS) {
    if (Shadow* shadow = find_shadow(handle)) shadow->set(kWorkspaceUnknown, false);
  }
  return status;
}

Status set_workspace(RealHandle handle, void* workspace, size_t bytes) noexcept {
  return set_both<Name::cublasSetWorkspace_v2, kWorkspaceUnknown, &set_our_workspace>(
      MYBLAS_CALLER, handle, workspace, bytes);
}

Status set_pointer_mode(RealHandle handle, myblasPointerMode_t mode) noexcept {
  return set_both<Name::cublasSetPointerMode_v2, kPointerModeUnknown, &myblasSetPointerMode>(
      MYBLAS_CALLER, handle, mode);
}

Status set_math_mode(RealHandle handle, myblasMath_t mode) noexcept {
  const Status status = set_both<Name::cublasSetMathMode, kMathModeUnknown, &myblasSetMathMode>(
      MYBLAS_CALLER, handle, mode);
  if (status == MYBLAS_STATUS_SUCCESS) {
    if (Shadow* shadow = find_shadow(handle)) {
      shadow->set(kDoubleMathMode, (mode & MYBLAS_FP64_EMULATED_FIXEDPOINT_MATH) != 0);
    }
  }
  return status;
}

Status set_atomics_mode(RealHandle handle, myblasAtomicsMode_t mode) noexcept {
  return set_both<Name::cublasSetAtomicsMode, kAtomicsModeUnknown, &myblasSetAtomicsMode>(
      MYBLAS_CALLER, handle, mode);
}

Status set_sm_count_target(RealHandle handle, int sm_count) noexcept {
  return set_both<Name::cublasSetSmCountTarget, kSmCountUnknown, &myblasSetSmCountTarget>(
      MYBLAS_CALLER, handle, sm_count);
}

Status set_emulation_strategy(RealHandle handle, int strategy) noexcept {
  return set_emulation<Name::cublasSetEmulationStrategy, kEmulationStrategy>(MYBLAS_CALLER, handle,
                                                                             strategy, 0);
}

Status set_emulation_special_values(RealHandle handle, int mask) noexcept {
  return set_emulation<Name::cublasSetEmulationSpecialValuesSupport, kEmulationSpecialValues>(
      MYBLAS_CALLER, handle, mask, 0xffff);
}

Status set_mantissa_control(RealHandle handle, int control) noexcept {
  return set_emulation<Name::cublasSetFixedPointEmulationMantissaControl, kMantissaControl>(
      MYBLAS_CALLER, handle, control, 0);
}

Status set_max_mantissa_bits(RealHandle handle, int bits) noexcept {
  return set_emulation<Name::cublasSetFixedPointEmulationMaxMantissaBitCount, kMaxMantissaBits>(
      MYBLAS_CALLER, handle, bits, 0);
}

Status set_mantissa_bit_offset(RealHandle handle, int offset) noexcept {
  return set_emulation<Name::cublasSetFixedPointEmulationMantissaBitOffset, kMantissaBitOffset>(
      MYBLAS_CALLER, handle, offset, 0);
}

Status set_mantissa_bits_pointer(RealHandle handle, int* bits) noexcept {
  return set_emulation<Name::cublasSetFixedPointEmulationMantissaBitCountPointer,
                       kMantissaBitsPointer, int*>(MYBLAS_CALLER, handle, bits, nullptr);
}

Status logger_configure(int on, int to_stdout, int to_stderr, const char* file_name) noexcept {
  auto* const configure =
      target<Status(int, int, int, const char*)>(Name::cublasLoggerConfigure, MYBLAS_CALLER);
  const Status status = configure(on, to_stdout, to_stderr, file_name);
  if (real_library(MYBLAS_CALLER).handle != nullptr) {
    // Ours goes off only if it went on here: MYBLAS_LOG is not this function's to undo.
    static std::atomic<bool> switched_on{false};
    const bool wanted = on != 0;
    const bool was_on = switched_on.exchange(wanted);
    if (wanted) {
      // Both append to the file, a whole entry at a time.
      myblasLoggerConfigure(on, to_stdout, to_stderr, file_name);
    } else if (was_on) {
      myblasLoggerConfigure(0, 0, 0, nullptr);
    }
  }
  refresh_watching();
  return status;
}

Status set_logger_callback(myblasLogCallback callback) noexcept {
  auto* const set_callback =
      target<Status(myblasLogCallback)>(Name::cublasSetLoggerCallback, MYBLAS_CALLER);
  const Status status = set_callback(callback);
  if (real_library(MYBLAS_CALLER).handle != nullptr) myblasSetLoggerCallback(callback);
  refresh_watching();
  return status;
}

#undef MYBLAS_CALLER

}  // namespace myblas::dropin
