// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// ptx/named_barrier.h: barriers 1 to 15 of a block, for some of its warps. PTX ISA, "bar".
// `threads`: how many arrive in all, a multiple of 32; everyone gives the same number.
//==============================================================================
#pragma once

namespace myblas::ptx {

// Arrive and wait for the others.
__device__ __forceinline__ void named_barrier_sync(int id, int threads) {
  asm volatile("bar.sync %0, %1;\n" ::"r"(id), "r"(threads) : "memory");
}

// Arrive and go on.
__device__ __forceinline__ void named_barrier_arrive(int id, int threads) {
  asm volatile("bar.arrive %0, %1;\n" ::"r"(id), "r"(threads) : "memory");
}

}  // namespace myblas::ptx
