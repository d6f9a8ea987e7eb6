// SPDX-License-Identifier: BSD-3-Clause
#include "api/cublas/shadow.h"

#include <pthread.h>

namespace myblas::dropin {
namespace {

constexpr uintptr_t kFree = 0;
constexpr uintptr_t kFreeAgain = 1;  // probing goes on past it

// Writers only; a C mutex because the drop-in links no C++ library.
pthread_mutex_t g_writer = PTHREAD_MUTEX_INITIALIZER;

}  // namespace

constinit Shadow g_shadows[1 << kShadowBits];

bool add_shadow(const void* real_handle, myblasHandle_t ours, uint32_t divergence) {
  const auto real = reinterpret_cast<uintptr_t>(real_handle);
  constexpr uint32_t kMask = (1u << kShadowBits) - 1;
  pthread_mutex_lock(&g_writer);
  bool added = false;
  uint32_t at = first_probe(real);
  for (int probe = 0; probe < kMaxProbes && !added; ++probe, at = (at + 1) & kMask) {
    Shadow& shadow = g_shadows[at];
    const uintptr_t seen = shadow.real.load(std::memory_order_relaxed);
    if (seen != kFree && seen != kFreeAgain) continue;
    shadow.ours = ours;
    shadow.divergence.store(divergence, std::memory_order_relaxed);
    shadow.real.store(real, std::memory_order_release);  // readers see the two lines above
    added = true;
  }
  pthread_mutex_unlock(&g_writer);
  return added;
}

myblasHandle_t remove_shadow(const void* real_handle) {
  pthread_mutex_lock(&g_writer);
  myblasHandle_t ours = nullptr;
  if (Shadow* shadow = find_shadow(real_handle)) {
    ours = shadow->ours;
    shadow->ours = nullptr;
    shadow->real.store(kFreeAgain, std::memory_order_release);
  }
  pthread_mutex_unlock(&g_writer);
  return ours;
}

}  // namespace myblas::dropin
