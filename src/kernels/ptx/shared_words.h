// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// ptx/shared_words.h: loads of 4 and 8 bytes by shared address, and the choice of bytes of two
// registers. PTX ISA, "ld.shared", "prmt".
//==============================================================================
#pragma once

#include <cstdint>

namespace myblas::ptx {

__device__ __forceinline__ void load_shared_word(uint32_t& to, uint32_t address) {
  asm volatile("ld.shared.u32 %0, [%1];\n" : "=r"(to) : "r"(address) : "memory");
}
__device__ __forceinline__ void load_shared_word(uint64_t& to, uint32_t address) {
  asm volatile("ld.shared.u64 %0, [%1];\n" : "=l"(to) : "r"(address) : "memory");
}
__device__ __forceinline__ void load_shared_word(double& to, uint32_t address) {
  asm volatile("ld.shared.f64 %0, [%1];\n" : "=d"(to) : "r"(address) : "memory");
}

// Byte i of the result is the byte of {low, high} that nibble i of `selector`, 0 to 7, names.
template <uint32_t kSelector>
__device__ __forceinline__ uint32_t permute_bytes(uint32_t low, uint32_t high) {
  uint32_t bytes;
  asm("prmt.b32 %0, %1, %2, %3;\n" : "=r"(bytes) : "r"(low), "r"(high), "n"(kSelector));
  return bytes;
}

}  // namespace myblas::ptx
