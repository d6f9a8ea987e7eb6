// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// ptx/shared_memory.h: addresses of shared memory, and its wide loads.
//==============================================================================
#pragma once

#include <cstdint>

namespace myblas::ptx {

// The address that asynchronous copies take for a pointer into shared memory.
__device__ __forceinline__ uint32_t shared_address(const void* pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

// Four neighbouring floats of shared memory, aligned to 16 bytes: one LDS.128.
__device__ __forceinline__ void load_shared_4(float* values, const float* source) {
  const float4 four = *reinterpret_cast<const float4*>(source);
  values[0] = four.x;
  values[1] = four.y;
  values[2] = four.z;
  values[3] = four.w;
}
// The same by shared address.
__device__ __forceinline__ void load_shared_4(float* values, uint32_t address) {
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];\n"
               : "=f"(values[0]), "=f"(values[1]), "=f"(values[2]), "=f"(values[3])
               : "r"(address)
               : "memory");
}
// And back.
__device__ __forceinline__ void store_shared_4(float* target, const float* values) {
  *reinterpret_cast<float4*>(target) = make_float4(values[0], values[1], values[2], values[3]);
}
__device__ __forceinline__ void store_shared_4(uint32_t address, const float* values) {
  asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};\n" ::"r"(address), "f"(values[0]),
               "f"(values[1]), "f"(values[2]), "f"(values[3])
               : "memory");
}
// 4 and 16 bytes of any kind.
__device__ __forceinline__ void store_shared_word(uint32_t address, uint32_t word) {
  asm volatile("st.shared.b32 [%0], %1;\n" ::"r"(address), "r"(word) : "memory");
}
__device__ __forceinline__ void store_shared_16B(uint32_t address, uint4 bits) {
  asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};\n" ::"r"(address), "r"(bits.x),
               "r"(bits.y), "r"(bits.z), "r"(bits.w)
               : "memory");
}

}  // namespace myblas::ptx
