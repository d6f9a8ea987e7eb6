// SPDX-License-Identifier: BSD-3-Clause
// src/kernels/ptx/shared_memory.h on the emulator: the same functions; wide loads are counted.
#pragma once

#include "emulator/shared_access.h"

namespace myblas::ptx {

__device__ __forceinline__ uint32_t shared_address(const void* pointer) {
  return emulator::shared_address(pointer);
}

__device__ __forceinline__ void load_shared_4(float* values, const float* source) {
  const auto four = std::bit_cast<float4>(emulator::load_shared_16(source));
  values[0] = four.x;
  values[1] = four.y;
  values[2] = four.z;
  values[3] = four.w;
}

__device__ __forceinline__ void load_shared_4(float* values, uint32_t address) {
  load_shared_4(values, static_cast<const float*>(emulator::shared_pointer(address)));
}

__device__ __forceinline__ void store_shared_4(float* target, const float* values) {
  *reinterpret_cast<float4*>(target) = make_float4(values[0], values[1], values[2], values[3]);
}

__device__ __forceinline__ void store_shared_4(uint32_t address, const float* values) {
  store_shared_4(static_cast<float*>(emulator::shared_pointer(address)), values);
}

__device__ __forceinline__ void store_shared_word(uint32_t address, uint32_t word) {
  *static_cast<uint32_t*>(emulator::shared_pointer(address)) = word;
}
__device__ __forceinline__ void store_shared_16B(uint32_t address, uint4 bits) {
  *static_cast<uint4*>(emulator::shared_pointer(address)) = bits;
}

}  // namespace myblas::ptx
