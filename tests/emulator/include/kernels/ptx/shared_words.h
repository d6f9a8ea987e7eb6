// SPDX-License-Identifier: BSD-3-Clause
// src/kernels/ptx/shared_words.h on the emulator: the same functions; loads are counted.
#pragma once

#include <bit>
#include <cstdint>

#include "emulator/shared_access.h"

namespace myblas::ptx {

__device__ __forceinline__ void load_shared_word(uint32_t& to, uint32_t address) {
  to = emulator::load_shared_4(emulator::shared_pointer(address));
}
__device__ __forceinline__ void load_shared_word(uint64_t& to, uint32_t address) {
  to = emulator::load_shared_8(emulator::shared_pointer(address));
}
__device__ __forceinline__ void load_shared_word(double& to, uint32_t address) {
  to = std::bit_cast<double>(emulator::load_shared_8(emulator::shared_pointer(address)));
}

template <uint32_t kSelector>
__device__ __forceinline__ uint32_t permute_bytes(uint32_t low, uint32_t high) {
  const uint64_t bytes = static_cast<uint64_t>(high) << 32 | low;
  uint32_t result = 0;
  for (int i = 0; i < 4; ++i) {
    result |= static_cast<uint32_t>(bytes >> (8 * (kSelector >> (4 * i) & 7)) & 0xff) << (8 * i);
  }
  return result;
}

}  // namespace myblas::ptx
