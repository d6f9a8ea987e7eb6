// SPDX-License-Identifier: BSD-3-Clause
#include "api/loaded_kernels.h"

#include <algorithm>
#include <mutex>

#include "api/log.h"

namespace myblas {
namespace {

// Kept until the process ends: handles point into it, and a context comes at most a few times.
struct Entry {
  uint64_t context_id;
  int table_cc;
  LoadedKernels kernels;
  Entry* next;
};
constinit std::mutex g_mutex;
constinit Entry* g_entries = nullptr;

bool is_last_of_key(std::span<const KernelRow> rows, size_t index) {
  for (size_t i = index + 1; i < rows.size(); ++i) {
    if (rows[i].key == rows[index].key) return false;
  }
  return true;
}

bool load_all(const gpu::Binding& binding, const DeviceCaps& caps, std::span<const KernelRow> rows,
              void** kernels) {
  for (size_t i = 0; i < rows.size(); ++i) {
    const KernelRow& row = rows[i];
    if (caps.cc < row.cc_min || caps.cc > row.cc_max) continue;  // check() refuses it as well
    void* kernel = gpu::find_kernel(row.name);
    // Or half an SM's, which a launch that starts early may ask for to be alone there
    // (even_smem_bytes); older chips may have no room for so much beside what the code declares.
    const bool may_ask = row.smem_bytes > 0 || caps.cc >= gpu::kFirstEarlyStart;
    const size_t smem_bytes = may_ask ? std::max(row.smem_bytes, smem_of_sm(caps) / 2) : 0;
    if (kernel != nullptr && gpu::prepare_kernel(kernel, binding.device, smem_bytes)) {
      kernels[i] = kernel;
    } else if (is_last_of_key(rows, i)) {
      log::print_always("myblas: kernel %s does not load on %s (sm_%d); this build is for others",
                        row.name, caps.name, caps.cc);
      return false;
    } else {
      log::print("myblas: no code of %s for sm_%d in this build", row.name, caps.cc);
    }
  }
  return true;
}

// The kernels of a pass around a product: all of them, or null.
template <size_t kCount>
void load_pass(const gpu::Binding& binding, const DeviceCaps& caps,
               const char* const (&names)[kCount], void* (&kernels)[kCount]) {
  for (size_t i = 0; i < kCount; ++i) {
    void* const kernel = gpu::find_kernel(names[i]);
    if (kernel == nullptr || !gpu::prepare_kernel(kernel, binding.device, 0)) {
      log::print("myblas: no code of %s for sm_%d in this build", names[i], caps.cc);
      std::ranges::fill(kernels, nullptr);
      return;
    }
    kernels[i] = kernel;
  }
}

}  // namespace

const LoadedKernels* load_kernels(const gpu::Binding& binding, const DeviceCaps& caps,
                                  std::span<const KernelRow> rows) {
  const std::lock_guard<std::mutex> lock(g_mutex);
  for (const Entry* entry = g_entries; entry != nullptr; entry = entry->next) {
    if (entry->context_id == binding.context_id && entry->table_cc == caps.table_cc) {
      return &entry->kernels;
    }
  }
  auto entry = std::make_unique<Entry>();
  entry->context_id = binding.context_id;
  entry->table_cc = caps.table_cc;
  entry->kernels.rows = std::make_unique<void*[]>(rows.size());
  entry->next = g_entries;
  if (!load_all(binding, caps, rows, entry->kernels.rows.get())) return nullptr;
  load_pass(binding, caps, kPackKernels, entry->kernels.packs);
  if (caps.cc == kSumCc) load_pass(binding, caps, kSumKernels, entry->kernels.sums);
  g_entries = entry.release();
  return &g_entries->kernels;
}

}  // namespace myblas
