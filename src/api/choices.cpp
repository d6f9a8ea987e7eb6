// SPDX-License-Identifier: BSD-3-Clause
#include "api/choices.h"

#include <mutex>

namespace myblas {
namespace {

// Kept until the process ends: a program has few contexts and one policy.
struct Entry {
  const LoadedKernels* kernels;
  Policy policy;
  uint64_t number;
  Entry* next;
};
constinit std::mutex g_mutex;
constinit Entry* g_entries = nullptr;

}  // namespace

uint64_t choices_of(const LoadedKernels* kernels, const Policy& policy) {
  const std::lock_guard<std::mutex> lock(g_mutex);
  for (const Entry* entry = g_entries; entry != nullptr; entry = entry->next) {
    if (entry->kernels == kernels && entry->policy == policy) return entry->number;
  }
  const uint64_t number = g_entries == nullptr ? 1 : g_entries->number + 1;
  g_entries = new Entry{kernels, policy, number, g_entries};
  return number;
}

void set_policy(myblasContext* handle, const Policy& policy) {
  handle->policy = policy;
  handle->choices = choices_of(handle->kernels, policy);
}

}  // namespace myblas
