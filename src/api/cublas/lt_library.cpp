// SPDX-License-Identifier: BSD-3-Clause
#include "api/cublas/lt_library.h"

#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "api/cublas/forward.h"
#include "api/cublas/mapped_objects.h"
#include "api/cublas/real_library.h"
#include "api/cublas/search_paths.h"
#include "api/cublas/state.h"
#include "api/dropin_hooks.h"

namespace myblas::dropin {
namespace {

template <class F>
F* find(void* handle, const char* name) {
  return reinterpret_cast<F*>(dlsym(handle, name));
}

bool has_our_major(void* handle) {
  auto* const get_property = find<int(int, int*)>(handle, "cublasLtGetProperty");
  int major = 0;
  if (get_property == nullptr || get_property(0, &major) != 0) return false;
  return kOwnMajor == 0 || major == kOwnMajor;
}

bool try_lt(const char* path, int flags, LtLibrary* result) {
  void* handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | flags);
  if (handle == nullptr) return false;
  auto* const matmul = find<LtMatmul>(handle, "cublasLtMatmul");
  auto* const get_of_operation = find<LtGetAttribute>(handle, "cublasLtMatmulDescGetAttribute");
  auto* const get_of_layout = find<LtGetAttribute>(handle, "cublasLtMatrixLayoutGetAttribute");
  if (matmul == nullptr || get_of_operation == nullptr || get_of_layout == nullptr ||
      is_a_dropin(handle) || !has_our_major(handle)) {
    dlclose(handle);
    return false;
  }
  result->handle = handle;
  result->matmul = matmul;
  result->get_of_operation = get_of_operation;
  result->get_of_layout = get_of_layout;
  std::snprintf(result->path, sizeof result->path, "%s", path);
  return true;
}

// The one that made the program's descriptors.
bool try_mapped_lt(LtLibrary* result) {
  const MappedObjects objects;
  for (const char* path = objects.next(nullptr); path != nullptr; path = objects.next(path)) {
    if (std::strncmp(base_name(path), "libcublasLt.so", 14) != 0) continue;
    if (try_lt(path, RTLD_NOLOAD, result)) return true;
  }
  return false;
}

bool try_beside(const RealLibrary& real, LtLibrary* result) {
  if (real.handle == nullptr) return false;
  const int directory_bytes = static_cast<int>(base_name(real.path) - real.path);
  for (const int major : kCublasMajors) {
    char path[PATH_MAX];
    const int length = std::snprintf(path, sizeof path, "%.*slibcublasLt.so.%d", directory_bytes,
                                     real.path, major);
    if (length < 0 || static_cast<size_t>(length) >= sizeof path) continue;
    if (try_lt(path, 0, result)) return true;
  }
  return false;
}

bool must_be_default(int attribute) {
  const bool scales = attribute >= kLtFirstScale && attribute <= kLtLastScale;
  return scales || attribute == kLtOutScale || attribute == kLtTransC || attribute == kLtFillMode ||
         attribute == kLtUndocumented || attribute == kLtAtomicSyncRows ||
         attribute == kLtAtomicSyncColumns || attribute == kLtEmulation ||
         attribute >= kLtFirstLater;
}

// A new operation has the defaults. False where one of them cannot be kept.
bool learn_defaults(LtLibrary* lt) {
  constexpr int kHighestAttribute = 63;
  constexpr int kCompute32F = 68;
  auto* const create = find<int(void**, int, int)>(lt->handle, "cublasLtMatmulDescCreate");
  auto* const destroy = find<int(void*)>(lt->handle, "cublasLtMatmulDescDestroy");
  void* fresh = nullptr;
  if (create == nullptr || destroy == nullptr || create(&fresh, kCompute32F, MYBLAS_R_32F) != 0) {
    return false;
  }
  bool learned = true;
  for (int attribute = 0; attribute <= kHighestAttribute; ++attribute) {
    size_t bytes = 0;
    if (!must_be_default(attribute) ||
        lt->get_of_operation(fresh, attribute, nullptr, 0, &bytes) != 0) {
      continue;  // not one of this release
    }
    LtDefault known{attribute, static_cast<uint32_t>(bytes), 0};
    constexpr int kRoom = sizeof lt->defaults / sizeof lt->defaults[0];
    if (lt->default_count == kRoom || bytes > sizeof known.value ||
        lt->get_of_operation(fresh, attribute, &known.value, bytes, &bytes) != 0) {
      learned = false;
      break;
    }
    lt->defaults[lt->default_count++] = known;
  }
  destroy(fresh);
  return learned;
}

struct LayoutProbe {
  int attribute;
  size_t bytes;
  uint64_t value;  // another than below
};

// Sets one attribute after the other in a layout of ours and looks whether it shows in the key.
// What does not (a layout that points to memory elsewhere) may change behind the same bytes.
bool learn_keys(const LtLibrary& lt) {
  using Init = int(void*, size_t, int, uint64_t, uint64_t, int64_t);
  using Set = int(void*, int, const void*, size_t);
  auto* const init = find<Init>(lt.handle, "cublasLtMatrixLayoutInit_internal");
  auto* const set = find<Set>(lt.handle, "cublasLtMatrixLayoutSetAttribute");
  if (init == nullptr || set == nullptr) return false;
  static constexpr LayoutProbe kProbes[] = {
      {kLtType, 4, MYBLAS_R_64F}, {kLtOrder, 4, 1},       {kLtRows, 8, 9},
      {kLtColumns, 8, 9},         {kLtLd, 8, 9},          {kLtBatchCount, 4, 9},
      {kLtBatchStride, 8, 9},     {kLtPlaneOffset, 8, 9}, {kLtBatchMode, 4, 1},
  };
  static_assert(sizeof kProbes / sizeof kProbes[0] == kLtLayoutAttributes);
  for (const LayoutProbe& probe : kProbes) {
    uint64_t layout[32] = {};
    if (init(layout, sizeof layout, MYBLAS_R_32F, 2, 3, 4) != 0) return false;
    uint64_t before[32];
    std::memcpy(before, layout, sizeof before);
    if (set(layout, probe.attribute, &probe.value, probe.bytes) != 0) {
      size_t bytes = 0;  // a release without this attribute?
      if (lt.get_of_layout(layout, probe.attribute, nullptr, 0, &bytes) != 0) continue;
      return false;
    }
    if (std::memcmp(before, layout, kLtLayoutKeyBytes) == 0) return false;
  }
  return true;
}

void open_lt(const void* caller, LtLibrary* lt) {
  const RealLibrary& real = real_library(caller);
  if (!try_mapped_lt(lt) && !try_beside(real, lt)) return;
  lt->may_meet_our_handles = real.handle == nullptr;
  lt->emulation = emulation_of_environment();
  const char* wanted = std::getenv("MYBLAS_LT");
  if (!learn_defaults(lt)) lt->left_alone = "a cublasLt that myblas does not understand";
  if (wanted != nullptr && std::strcmp(wanted, "0") == 0) lt->left_alone = "MYBLAS_LT=0";
  lt->layouts_have_keys = learn_keys(*lt);
}

void log_lt(const LtLibrary& lt) {
  if (!watching() || lt.handle == nullptr) return;
  char line[PATH_MAX + 64];
  std::snprintf(line, sizeof line, "myblas: what is not served of cublasLt goes to %s", lt.path);
  myblasDropinLog(line);
}

std::atomic<const LtLibrary*> g_lt{nullptr};
const LtLibrary kNoMemory;

}  // namespace

void* mapped_lt() {
  LtLibrary lt;
  return try_mapped_lt(&lt) ? lt.handle : nullptr;
}

const LtLibrary& lt_library(const void* caller) {
  const LtLibrary* known = g_lt.load(std::memory_order_acquire);
  if (known != nullptr) [[likely]] {
    return *known;
  }
  // As in real_library: no lock, and the first answer stays.
  auto* memory = static_cast<LtLibrary*>(std::malloc(sizeof(LtLibrary)));
  if (memory == nullptr) return kNoMemory;
  auto* found = new (memory) LtLibrary;
  open_lt(caller, found);
  if (!g_lt.compare_exchange_strong(known, found, std::memory_order_acq_rel)) {
    std::free(found);
    return *known;
  }
  refresh_watching();
  log_lt(*found);
  return *found;
}

}  // namespace myblas::dropin
