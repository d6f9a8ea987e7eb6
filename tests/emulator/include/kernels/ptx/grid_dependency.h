// SPDX-License-Identifier: BSD-3-Clause
// src/kernels/ptx/grid_dependency.h on the emulator: grids run one after the other, but who has not
// waited may not touch global memory.
#pragma once

#include "emulator/device.h"

namespace myblas::ptx {

__device__ __forceinline__ void wait_for_previous_grid() { emulator::wait_for_grid_ahead(); }
__device__ __forceinline__ void let_next_grid_start() {}

}  // namespace myblas::ptx
