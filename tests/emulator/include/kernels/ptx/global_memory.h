// SPDX-License-Identifier: BSD-3-Clause
// src/kernels/ptx/global_memory.h on the emulator: the same functions.
#pragma once

#include "emulator/device.h"
#include "emulator/warp.h"

namespace myblas::ptx {

__device__ __forceinline__ uint4 load_streamed_16B(const void* source, bool exists) {
  if (!exists) return {0, 0, 0, 0};
  if (reinterpret_cast<uintptr_t>(source) % 16 != 0) {
    emulator::invalid("16 bytes from %p, which is not aligned", source);
  }
  return *static_cast<const uint4*>(source);
}
__device__ __forceinline__ uint4 load_cached_16B(const void* source, bool exists) {
  return load_streamed_16B(source, exists);
}
__device__ __forceinline__ uint4 load_past_l1_16B(const void* source, bool exists) {
  return load_streamed_16B(source, exists);
}

}  // namespace myblas::ptx
