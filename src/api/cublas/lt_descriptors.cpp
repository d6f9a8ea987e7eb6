// SPDX-License-Identifier: BSD-3-Clause
#include "api/cublas/lt_descriptors.h"

namespace myblas::dropin {
namespace {

template <class T>
bool get(LtGetAttribute* get_attribute, const void* descriptor, int attribute, T* value) {
  size_t written = 0;
  return get_attribute(descriptor, attribute, value, sizeof *value, &written) ==
             MYBLAS_STATUS_SUCCESS &&
         written == sizeof *value;
}

// What a release does not know has its default there.
template <class T>
void get_or_keep(LtGetAttribute* get_attribute, const void* descriptor, int attribute, T* value) {
  T read;
  if (get(get_attribute, descriptor, attribute, &read)) *value = read;
}

bool has_defaults(const LtLibrary& lt, const void* descriptor) {
  for (int i = 0; i < lt.default_count; ++i) {
    const LtDefault& known = lt.defaults[i];
    uint64_t value = 0;
    size_t written = 0;
    // A descriptor of an older program may be too short for the attribute: it has the default.
    if (lt.get_of_operation(descriptor, known.attribute, &value, known.bytes, &written) ==
            MYBLAS_STATUS_SUCCESS &&
        value != known.value) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool read_operation(const LtLibrary& lt, const void* descriptor, LtOperation* operation) {
  const auto read = [&](int attribute, auto* value) {
    return get(lt.get_of_operation, descriptor, attribute, value);
  };
  if (!read(kLtComputeType, &operation->compute) || !read(kLtScaleType, &operation->scale) ||
      !read(kLtPointerMode, &operation->pointer_mode) || !read(kLtTransA, &operation->transa) ||
      !read(kLtTransB, &operation->transb) || !read(kLtEpilogue, &operation->epilogue)) {
    return false;
  }
  operation->sm_count = 0;
  get_or_keep(lt.get_of_operation, descriptor, kLtSmCountTarget, &operation->sm_count);
  operation->bias = nullptr;
  operation->bias_stride = 0;
  operation->bias_type = -1;  // that of D
  if ((operation->epilogue & kLtEpilogueBias) != 0) {
    if (!read(kLtBiasPointer, &operation->bias)) return false;
    get_or_keep(lt.get_of_operation, descriptor, kLtBiasBatchStride, &operation->bias_stride);
    get_or_keep(lt.get_of_operation, descriptor, kLtBiasType, &operation->bias_type);
  }
  operation->all_else_is_default = has_defaults(lt, descriptor);
  return true;
}

bool read_layout(const LtLibrary& lt, const void* descriptor, LtLayout* layout) {
  const auto read = [&](int attribute, auto* value) {
    return get(lt.get_of_layout, descriptor, attribute, value);
  };
  if (!read(kLtType, &layout->type) || !read(kLtOrder, &layout->order) ||
      !read(kLtRows, &layout->rows) || !read(kLtColumns, &layout->columns) ||
      !read(kLtLd, &layout->ld) || !read(kLtBatchCount, &layout->batch_count) ||
      !read(kLtBatchStride, &layout->batch_stride)) {
    return false;
  }
  layout->plane_offset = 0;
  layout->batch_mode = 0;
  get_or_keep(lt.get_of_layout, descriptor, kLtPlaneOffset, &layout->plane_offset);
  get_or_keep(lt.get_of_layout, descriptor, kLtBatchMode, &layout->batch_mode);
  return true;
}

bool LtLayoutCache::read(const LtLibrary& lt, const void* descriptor, LtLayout* layout) {
  if (!lt.layouts_have_keys) return read_layout(lt, descriptor, layout);
  uint64_t key[kLtLayoutKeyBytes / sizeof(uint64_t)];
  std::memcpy(key, descriptor, sizeof key);
  uint64_t mixed = 0;
  for (const uint64_t word : key) mixed = (mixed ^ word) * 0x9e3779b97f4a7c15u;
  Row& row = rows_[mixed >> (64 - kRowBits)];
  if (!row.is_used || std::memcmp(row.key, key, sizeof key) != 0) {
    row.is_used = false;
    if (!read_layout(lt, descriptor, &row.layout)) return false;
    std::memcpy(row.key, key, sizeof key);
    row.is_used = true;
  }
  *layout = row.layout;
  return true;
}

}  // namespace myblas::dropin
