// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// ptx/register_count.h: registers a thread may use, moved between warps of a block
// (sm_90a, sm_120f). PTX ISA, "setmaxnreg".
//
// All threads of a warpgroup call it; a multiple of 8 from 24 to 256. An increase waits until the
// registers are there.
//==============================================================================
#pragma once

namespace myblas::ptx {

// What the compiler gave a thread, where it had to find room for more blocks than one. For the
// emulator, which does not know; no instruction.
template <int kRegisters>
__device__ __forceinline__ void started_with_registers() {}

template <int kRegisters>
__device__ __forceinline__ void setmaxnreg_inc() {
  static_assert(kRegisters % 8 == 0 && kRegisters >= 24 && kRegisters <= 256);
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;\n" ::"n"(kRegisters));
}
template <int kRegisters>
__device__ __forceinline__ void setmaxnreg_dec() {
  static_assert(kRegisters % 8 == 0 && kRegisters >= 24 && kRegisters <= 256);
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;\n" ::"n"(kRegisters));
}

}  // namespace myblas::ptx
