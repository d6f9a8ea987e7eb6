// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// api/cublas/standalone.h: what cuBLAS names that are neither matrix products nor
// plain state do where there is no real cuBLAS. Each has the ABI of its name.
//
// The copies use the CUDA driver where there is a GPU. Elsewhere the "device"
// pointers of the CPU backend are host pointers, and a copy is a memcpy.
//==============================================================================
#pragma once

#include <cstddef>
#include <cstdint>

#include "api/cublas/driver_calls.h"
#include "myblas.h"

namespace myblas::dropin {

myblasStatus_t get_version(myblasHandle_t handle, int* version) noexcept;
myblasStatus_t get_v1_version(int* version) noexcept;
size_t get_lt_version() noexcept;
myblasStatus_t get_property(myblasPropertyType_t type, int* value) noexcept;
size_t get_cudart_version() noexcept;
const char* get_status_name(myblasStatus_t status) noexcept;
const char* get_status_string(myblasStatus_t status) noexcept;
myblasStatus_t get_v1_error() noexcept;

// cuBLAS's defaults of the emulation settings that are not 0.
inline constexpr int kAllSpecialValues = 0xffff;  // CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_DEFAULT
inline constexpr int* kNoMantissaBits = nullptr;

// A setting that we do not follow (of how fp64 is emulated) and that therefore keeps its default:
// the setter takes no other value.
template <auto kDefault>
myblasStatus_t set_default(myblasHandle_t handle, decltype(kDefault) value) noexcept {
  if (handle == nullptr) return MYBLAS_STATUS_NOT_INITIALIZED;
  return value == kDefault ? MYBLAS_STATUS_SUCCESS : MYBLAS_STATUS_NOT_SUPPORTED;
}
template <auto kDefault>
myblasStatus_t get_default(myblasHandle_t handle, decltype(kDefault)* value) noexcept {
  if (handle == nullptr) return MYBLAS_STATUS_NOT_INITIALIZED;
  if (value == nullptr) return MYBLAS_STATUS_INVALID_VALUE;
  *value = kDefault;
  return MYBLAS_STATUS_SUCCESS;
}

enum class Direction { kToDevice, kToHost };

// `height` pieces of `width_bytes`; INVALID_VALUE and zero sizes have been dealt with.
struct CopyRequest {
  Direction direction;
  const void* source;
  size_t source_pitch;
  void* destination;
  size_t destination_pitch;
  size_t width_bytes;
  size_t height;
  bool is_async;
  myblasStream_t stream;
};
myblasStatus_t copy(const CopyRequest& request) noexcept;

// Columns of `rows` elements. A vector is a matrix of one row whose ld is its increment.
template <class Int>
myblasStatus_t copy_matrix(Direction direction, Int rows, Int columns, Int element_bytes,
                           const void* a, Int lda, void* b, Int ldb, bool is_async,
                           myblasStream_t stream) noexcept {
  if (rows < 0 || columns < 0 || element_bytes <= 0 || lda <= 0 || ldb <= 0) {
    return MYBLAS_STATUS_INVALID_VALUE;
  }
  if (rows == 0 || columns == 0) return MYBLAS_STATUS_SUCCESS;
  const auto bytes = static_cast<size_t>(element_bytes);
  return copy({direction, a, static_cast<size_t>(lda) * bytes, b, static_cast<size_t>(ldb) * bytes,
               static_cast<size_t>(rows) * bytes, static_cast<size_t>(columns), is_async, stream});
}

template <class Int>
myblasStatus_t set_matrix(Int rows, Int columns, Int element_bytes, const void* a, Int lda, void* b,
                          Int ldb) noexcept {
  return copy_matrix(Direction::kToDevice, rows, columns, element_bytes, a, lda, b, ldb, false,
                     nullptr);
}
template <class Int>
myblasStatus_t get_matrix(Int rows, Int columns, Int element_bytes, const void* a, Int lda, void* b,
                          Int ldb) noexcept {
  return copy_matrix(Direction::kToHost, rows, columns, element_bytes, a, lda, b, ldb, false,
                     nullptr);
}
template <class Int>
myblasStatus_t set_matrix_async(Int rows, Int columns, Int element_bytes, const void* a, Int lda,
                                void* b, Int ldb, myblasStream_t stream) noexcept {
  return copy_matrix(Direction::kToDevice, rows, columns, element_bytes, a, lda, b, ldb, true,
                     stream);
}
template <class Int>
myblasStatus_t get_matrix_async(Int rows, Int columns, Int element_bytes, const void* a, Int lda,
                                void* b, Int ldb, myblasStream_t stream) noexcept {
  return copy_matrix(Direction::kToHost, rows, columns, element_bytes, a, lda, b, ldb, true,
                     stream);
}
template <class Int>
myblasStatus_t set_vector(Int n, Int element_bytes, const void* x, Int incx, void* y,
                          Int incy) noexcept {
  return set_matrix<Int>(1, n, element_bytes, x, incx, y, incy);
}
template <class Int>
myblasStatus_t get_vector(Int n, Int element_bytes, const void* x, Int incx, void* y,
                          Int incy) noexcept {
  return get_matrix<Int>(1, n, element_bytes, x, incx, y, incy);
}
template <class Int>
myblasStatus_t set_vector_async(Int n, Int element_bytes, const void* x, Int incx, void* y,
                                Int incy, myblasStream_t stream) noexcept {
  return set_matrix_async<Int>(1, n, element_bytes, x, incx, y, incy, stream);
}
template <class Int>
myblasStatus_t get_vector_async(Int n, Int element_bytes, const void* x, Int incx, void* y,
                                Int incy, myblasStream_t stream) noexcept {
  return get_matrix_async<Int>(1, n, element_bytes, x, incx, y, incy, stream);
}

}  // namespace myblas::dropin
