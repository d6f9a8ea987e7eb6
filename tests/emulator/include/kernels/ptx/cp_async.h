// SPDX-License-Identifier: BSD-3-Clause
// src/kernels/ptx/cp_async.h on the emulator: the same functions; what they start lands late.
#pragma once

#include "emulator/async_copy.h"

namespace myblas::ptx {

__device__ __forceinline__ void cp_async_4B(uint32_t destination, const void* source,
                                            int source_bytes) {
  emulator::copy_async(destination, source, 4, source_bytes);
}
__device__ __forceinline__ void cp_async_8B(uint32_t destination, const void* source,
                                            int source_bytes) {
  emulator::copy_async(destination, source, 8, source_bytes);
}
__device__ __forceinline__ void cp_async_16B(uint32_t destination, const void* source,
                                             int source_bytes) {
  emulator::copy_async(destination, source, 16, source_bytes);
}
__device__ __forceinline__ void cp_async_commit() { emulator::commit_copies(); }
template <int kPending>
__device__ __forceinline__ void cp_async_wait() {
  emulator::wait_for_copies(kPending);
}

}  // namespace myblas::ptx
