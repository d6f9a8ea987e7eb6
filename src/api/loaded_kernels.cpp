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

// NOTE: for want of memory nothing is kept, so that the next handle tries again: a kernel that was
// left out would be for as long as the context lives.
Status no_memory(const char* name, const DeviceCaps& caps) {
  log::print_always("myblas: no memory on %s to load kernel %s", caps.name, name);
  return Status::kAllocFailed;
}

Status load_all(const gpu::Binding& binding, const DeviceCaps& caps,
                std::span<const KernelRow> rows, void** kernels) {
  for (size_t i = 0; i < rows.size(); ++i) {
    const KernelRow& row = rows[i];
    if (caps.cc < row.cc_min || caps.cc > row.cc_max) continue;  // check() refuses it as well
    // Or half an SM's, which a launch that starts early may ask for to be alone there
    // (even_smem_bytes); older chips may have no room for so much beside what the code declares.
    const bool may_ask = row.smem_bytes > 0 || caps.cc >= gpu::kFirstEarlyStart;
    const size_t smem_bytes = may_ask ? std::max(row.smem_bytes, smem_of_sm(caps) / 2) : 0;
    switch (gpu::load_kernel(row.name, binding.device, smem_bytes, &kernels[i])) {
      case gpu::Loading::kReady: continue;
      case gpu::Loading::kNoMemory: return no_memory(row.name, caps);
      case gpu::Loading::kNoCode: break;
    }
    if (is_last_of_key(rows, i)) {
      log::print_always("myblas: kernel %s does not load on %s (sm_%d); this build is for others",
                        row.name, caps.name, caps.cc);
      return Status::kNotSupported;
    }
    log::print("myblas: no code of %s for sm_%d in this build", row.name, caps.cc);
  }
  return Status::kSuccess;
}

// The kernels of a pass around a product: all of them, or null.
template <size_t kCount>
Status load_pass(const gpu::Binding& binding, const DeviceCaps& caps,
                 const char* const (&names)[kCount], void* (&kernels)[kCount]) {
  for (size_t i = 0; i < kCount; ++i) {
    const gpu::Loading loading = gpu::load_kernel(names[i], binding.device, 0, &kernels[i]);
    if (loading == gpu::Loading::kNoMemory) return no_memory(names[i], caps);
    if (loading == gpu::Loading::kReady) continue;
    log::print("myblas: no code of %s for sm_%d in this build", names[i], caps.cc);
    std::ranges::fill(kernels, nullptr);
    break;
  }
  return Status::kSuccess;
}

}  // namespace

Status load_kernels(const gpu::Binding& binding, const DeviceCaps& caps,
                    std::span<const KernelRow> rows, const LoadedKernels** loaded) {
  const std::lock_guard<std::mutex> lock(g_mutex);
  for (const Entry* entry = g_entries; entry != nullptr; entry = entry->next) {
    if (entry->context_id == binding.context_id && entry->table_cc == caps.table_cc) {
      *loaded = &entry->kernels;
      return Status::kSuccess;
    }
  }
  auto entry = std::make_unique<Entry>();
  entry->context_id = binding.context_id;
  entry->table_cc = caps.table_cc;
  entry->kernels.rows = std::make_unique<void*[]>(rows.size());
  entry->next = g_entries;
  Status status = load_all(binding, caps, rows, entry->kernels.rows.get());
  if (status == Status::kSuccess) {
    status = load_pass(binding, caps, kPackKernels, entry->kernels.packs);
  }
  if (status == Status::kSuccess && caps.cc == kSumCc) {
    status = load_pass(binding, caps, kSumKernels, entry->kernels.sums);
  }
  if (status != Status::kSuccess) return status;
  entry->kernels.early_start =
      gpu::can_start_early(binding.device, {entry->kernels.rows.get(), rows.size()}) &&
      gpu::can_start_early(binding.device, entry->kernels.packs) &&
      gpu::can_start_early(binding.device, entry->kernels.sums);
  g_entries = entry.release();
  *loaded = &g_entries->kernels;
  return Status::kSuccess;
}

}  // namespace myblas
