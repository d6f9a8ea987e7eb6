// SPDX-License-Identifier: BSD-3-Clause
// src/kernels/ptx/opaque.h on the emulator: the same functions.
#pragma once

#include <cstdint>

namespace myblas::ptx {

__device__ __forceinline__ int32_t opaque(int32_t value) { return value; }
__device__ __forceinline__ int64_t opaque(int64_t value) { return value; }
__device__ __forceinline__ uint32_t zero_once_loaded(uint32_t) { return 0; }
__device__ __forceinline__ int thread_again(uint32_t) { return static_cast<int>(threadIdx.x); }
template <class T>
__device__ __forceinline__ T* opaque(T* pointer) {
  return pointer;
}

}  // namespace myblas::ptx
