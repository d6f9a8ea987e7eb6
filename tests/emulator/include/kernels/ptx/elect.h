// SPDX-License-Identifier: BSD-3-Clause
// src/kernels/ptx/elect.h on the emulator: the lowest lane, of a warp that has come together.
#pragma once

#include "emulator/device.h"

namespace myblas::ptx {

__device__ __forceinline__ bool elect_one() {
  __syncwarp();
  return threadIdx.x % 32 == 0;
}

}  // namespace myblas::ptx
