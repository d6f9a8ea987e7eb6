// SPDX-License-Identifier: BSD-3-Clause
// src/kernels/ptx/register_count.h on the emulator: no registers move, but the rules are checked.
#pragma once

#include "emulator/cluster.h"

namespace myblas::ptx {

template <int kRegisters>
__device__ __forceinline__ void started_with_registers() {
  emulator::start_with_registers(kRegisters);
}

template <int kRegisters>
__device__ __forceinline__ void setmaxnreg_inc() {
  emulator::increase_registers(kRegisters);
}
template <int kRegisters>
__device__ __forceinline__ void setmaxnreg_dec() {
  emulator::decrease_registers(kRegisters);
}

}  // namespace myblas::ptx
