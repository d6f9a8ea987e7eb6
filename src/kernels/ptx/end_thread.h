// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// ptx/end_thread.h: the end of a kernel in the midst of it. PTX ISA, "exit".
//==============================================================================
#pragma once

namespace myblas::ptx {

// Ends the thread, of a kernel that goes one of two ways: `if (end_thread()) return;` behind the
// first. A plain return brings both to one end, and the compiler then computes ahead of them what
// they have in common, for which a kernel with few registers left has none.
__device__ __forceinline__ bool end_thread() {
  asm volatile("exit;\n" ::: "memory");
  return false;  // never: the compiler is not told
}

}  // namespace myblas::ptx
