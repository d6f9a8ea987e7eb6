// SPDX-License-Identifier: BSD-3-Clause
// The emulator's src/kernels/ptx/cp_async.h: the same functions, landing late.
#pragma once

#include "emulator/async_copy.h"

namespace myblas {

// Start a global->shared copy of 4, 8 or 16 bytes. !in_bounds: zeros are written, nothing is read.
__device__ __forceinline__ void cp_async_4B(uint32_t dst_smem, const void* src, bool in_bounds) {
  emulator::copy_async(dst_smem, src, 4, in_bounds ? 4 : 0, __builtin_return_address(0));
}
__device__ __forceinline__ void cp_async_8B(uint32_t dst_smem, const void* src, bool in_bounds) {
  emulator::copy_async(dst_smem, src, 8, in_bounds ? 8 : 0, __builtin_return_address(0));
}
__device__ __forceinline__ void cp_async_16B(uint32_t dst_smem, const void* src, bool in_bounds) {
  emulator::copy_async(dst_smem, src, 16, in_bounds ? 16 : 0, __builtin_return_address(0));
}
__device__ __forceinline__ void cp_async_commit() { emulator::commit_copies(); }
template <int kGroups>
__device__ __forceinline__ void cp_async_wait() {
  emulator::wait_for_copies(kGroups);
}

}  // namespace myblas
