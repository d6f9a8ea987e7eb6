// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// ptx/opaque.h: values that the compiler knows nothing of. PTX ISA, "mov".
//
// What follows from opaque(x) is computed where it is written, each time: it is not hoisted out of
// a loop, nor kept in registers from an earlier computation.
//==============================================================================
#pragma once

#include <cstdint>

namespace myblas::ptx {

__device__ __forceinline__ int32_t opaque(int32_t value) {
  int32_t same;
  asm volatile("mov.b32 %0, %1;\n" : "=r"(same) : "r"(value));
  return same;
}

__device__ __forceinline__ int64_t opaque(int64_t value) {
  int64_t same;
  asm volatile("mov.b64 %0, %1;\n" : "=l"(same) : "l"(value));
  return same;
}

// 0, for which the machine waits until it has `value`: what is computed from it comes behind the
// load of `value` itself, not behind the instruction that started it.
__device__ __forceinline__ uint32_t zero_once_loaded(uint32_t value) {
  uint32_t zero;
  asm volatile(
      "{\n"
      ".reg .b32 bits;\n"
      "popc.b32 bits, %1;\n"
      "shr.u32 %0, bits, 6;\n"
      "}\n"
      : "=r"(zero)
      : "r"(value));
  return zero;
}

// threadIdx.x, as far as even the assembler knows another one for each `of`: what follows from it
// is not computed ahead of a loop in which that changes, where it would hold registers all along.
__device__ __forceinline__ int thread_again(uint32_t of) {
  return static_cast<int>((threadIdx.x | zero_once_loaded(of)) % 1024);  // and so not below 0
}

template <class T>
__device__ __forceinline__ T* opaque(T* pointer) {
  T* same;
  asm volatile("mov.b64 %0, %1;\n" : "=l"(same) : "l"(pointer));
  return same;
}

}  // namespace myblas::ptx
