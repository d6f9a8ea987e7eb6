// SPDX-License-Identifier: BSD-3-Clause
// src/kernels/ptx/matrix_copy.h on the emulator: the same functions.
#pragma once

#include "emulator/matrix_copy.h"

namespace myblas::ptx {

__device__ __forceinline__ void ldmatrix_x4(uint32_t (&to)[4], uint32_t row) {
  emulator::load_matrices(to, row, false);
}
__device__ __forceinline__ void ldmatrix_x4_trans(uint32_t (&to)[4], uint32_t row) {
  emulator::load_matrices(to, row, true);
}
__device__ __forceinline__ void stmatrix_x4(uint32_t row, const uint32_t (&from)[4]) {
  emulator::store_matrices(row, from, false);
}
__device__ __forceinline__ void stmatrix_x4_trans(uint32_t row, const uint32_t (&from)[4]) {
  emulator::store_matrices(row, from, true);
}

}  // namespace myblas::ptx
