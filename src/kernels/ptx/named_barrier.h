// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// ptx/named_barrier.h: barriers 1 to 15 of a block, for some of its warps. PTX ISA, "bar".
// `threads`: how many arrive in all, a multiple of 32; everyone gives the same number.
//==============================================================================
#pragma once

#include <cstdint>

namespace myblas::ptx {

// Arrive and wait for the others.
__device__ __forceinline__ void named_barrier_sync(int id, int threads) {
  asm volatile("bar.sync %0, %1;\n" ::"r"(id), "r"(threads) : "memory");
}

// Arrive, wait for the others, and learn whether anyone's flag was set.
__device__ __forceinline__ bool named_barrier_or(int id, int threads, bool flag) {
  uint32_t any;
  asm volatile(
      "{\n"
      ".reg .pred flag, any;\n"
      "setp.ne.u32 flag, %3, 0;\n"
      "bar.red.or.pred any, %1, %2, flag;\n"
      "selp.u32 %0, 1, 0, any;\n"
      "}\n"
      : "=r"(any)
      : "r"(id), "r"(threads), "r"(static_cast<uint32_t>(flag))
      : "memory");
  return any != 0;
}

}  // namespace myblas::ptx
