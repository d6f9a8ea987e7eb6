// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// api/cublas/shadow.h: the myblas handle beside each real cuBLAS handle.
//
// The caller holds the real handle (it may be cast to a cublasLtHandle_t), so
// what we know of it lives in a table from the real handle to ours. Reading takes
// no lock: an open-addressed array of a fixed size, a bounded number of probes.
// A handle that finds no place has no shadow, and its calls are forwarded.
//==============================================================================
#pragma once

#include <atomic>
#include <cstdint>

#include "myblas.h"

namespace myblas::dropin {

// Why calls on a handle have to be forwarded. One bit for each piece of state that the shadow
// does not have (the real library took a value that ours refused), and the emulation settings
// that fp64's kernels do not follow. Whether fp32 is emulated, by CUBLAS_EMULATE_SINGLE_PRECISION
// or the math mode, the shadow knows; it takes what is quicker, and has all special values.
enum Divergence : uint32_t {
  kStreamUnknown = 1u << 0,
  kWorkspaceUnknown = 1u << 1,
  kPointerModeUnknown = 1u << 2,
  kMathModeUnknown = 1u << 3,
  kAtomicsModeUnknown = 1u << 4,
  kSmCountUnknown = 1u << 5,
  kEmulationStrategy = 1u << 6,
  kEmulationSpecialValues = 1u << 7,
  kMantissaControl = 1u << 8,
  kMaxMantissaBits = 1u << 9,
  kMantissaBitOffset = 1u << 10,
  kMantissaBitsPointer = 1u << 11,
  kEmulateDouble = 1u << 12,   // CUBLAS_EMULATE_DOUBLE_PRECISION
  kDoubleMathMode = 1u << 13,  // CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH
};
inline constexpr uint32_t kEmulatesDouble =
    kEmulateDouble | kDoubleMathMode | kEmulationStrategy | kEmulationSpecialValues |
    kMantissaControl | kMaxMantissaBits | kMantissaBitOffset | kMantissaBitsPointer;
inline constexpr uint32_t kStateUnknown = kStreamUnknown | kWorkspaceUnknown | kPointerModeUnknown |
                                          kMathModeUnknown | kAtomicsModeUnknown | kSmCountUnknown;

// One cache line, so that a call reads one.
struct alignas(64) Shadow {
  std::atomic<uintptr_t> real{0};  // 0 free, 1 free again
  myblasHandle_t ours = nullptr;
  std::atomic<uint32_t> divergence{0};

  void set(uint32_t bit, bool on) {
    if (on) {
      divergence.fetch_or(bit, std::memory_order_relaxed);
    } else if ((divergence.load(std::memory_order_relaxed) & bit) != 0) {
      divergence.fetch_and(~bit, std::memory_order_relaxed);
    }
  }
};

inline constexpr int kShadowBits = 12;
inline constexpr int kMaxProbes = 32;
extern Shadow g_shadows[1 << kShadowBits];

inline uint32_t first_probe(uintptr_t real) {
  // Heap addresses differ in their middle bits: multiply, and take the top.
  return static_cast<uint32_t>((uint64_t{real} * 0x9e3779b97f4a7c15u) >> (64 - kShadowBits));
}

// The shadow of a real handle; nullptr where there is none. The handle has to stay alive
// during the call, as cuBLAS itself demands.
inline Shadow* find_shadow(const void* real_handle) {
  const auto real = reinterpret_cast<uintptr_t>(real_handle);
  constexpr uint32_t kMask = (1u << kShadowBits) - 1;
  uint32_t at = first_probe(real);
  for (int probe = 0; probe < kMaxProbes; ++probe, at = (at + 1) & kMask) {
    const uintptr_t seen = g_shadows[at].real.load(std::memory_order_acquire);
    if (seen == real) [[likely]] {
      return real > 1 ? &g_shadows[at] : nullptr;
    }
    if (seen == 0) return nullptr;
  }
  return nullptr;
}

// False where the table has no place for it.
bool add_shadow(const void* real_handle, myblasHandle_t ours, uint32_t divergence);

// Takes the shadow out; the caller owns the handle that it returns (nullptr where there is none).
myblasHandle_t remove_shadow(const void* real_handle);

}  // namespace myblas::dropin
