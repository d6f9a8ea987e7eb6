// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// ptx/cp_async.h: copies from global to shared memory that run behind the
// program (sm_80 and newer). PTX ISA, "cp.async".
//
// A copy reads source_bytes and fills the rest of its size with zeros; with
// source_bytes == 0 nothing is read and the address may be any.
//==============================================================================
#pragma once

#include <cstdint>

namespace myblas::ptx {

// Start a 4-byte copy. destination: a shared-memory address; both sides aligned to 4. It brings the
// line's other bytes to L2: who copies so little mostly asks for them next, from rows of 64 bytes
// of k (fp32 tiles of 128 x 64 and 64 x 128 on an H200 0.5 % quicker in the mean, up to 4; copies
// of 16 bytes, for fp64, 0.4 % slower).
__device__ __forceinline__ void cp_async_4B(uint32_t destination, const void* source,
                                            int source_bytes) {
  asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], 4, %2;\n" ::"r"(destination),
               "l"(source), "r"(source_bytes)
               : "memory");
}

// Start an 8-byte copy. Both sides aligned to 8.
__device__ __forceinline__ void cp_async_8B(uint32_t destination, const void* source,
                                            int source_bytes) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;\n" ::"r"(destination), "l"(source),
               "r"(source_bytes)
               : "memory");
}

// Start a 16-byte copy past L1. Both sides aligned to 16.
__device__ __forceinline__ void cp_async_16B(uint32_t destination, const void* source,
                                             int source_bytes) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(destination), "l"(source),
               "r"(source_bytes)
               : "memory");
}

// Close this thread's group of the copies started since the last commit.
__device__ __forceinline__ void cp_async_commit() {
  asm volatile("cp.async.commit_group;\n" ::: "memory");
}

// Wait until at most kPending of this thread's groups are unfinished. NOTE: other threads' copies
// need a barrier behind it.
template <int kPending>
__device__ __forceinline__ void cp_async_wait() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(kPending) : "memory");
}

}  // namespace myblas::ptx
