// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// ptx/elect.h: one thread of a warp (sm_90). PTX ISA, "elect.sync".
//==============================================================================
#pragma once

#include <cstdint>

namespace myblas::ptx {

// True in one lane of the warp, always the same one. By all lanes, together. Behind it the compiler
// knows that one thread runs: instructions whose operands are the warp's, as TMA's are, it else
// puts into a loop over the lanes.
__device__ __forceinline__ bool elect_one() {
  uint32_t elected;
  asm volatile(
      "{\n"
      ".reg .pred elected;\n"
      "elect.sync _|elected, 0xffffffff;\n"
      "selp.u32 %0, 1, 0, elected;\n"
      "}\n"
      : "=r"(elected));
  return elected != 0;
}

}  // namespace myblas::ptx
