// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// ptx/matrix_copy.h: 8 x 8 matrices of 16-bit elements between shared memory and
// the fragments of a warp. PTX ISA, "ldmatrix" (sm_75), "stmatrix" (sm_90).
//
// Lane i gives the address of row i % 8 of matrix i / 8: 16 bytes, aligned to 16. Register r of
// lane i holds row i / 4, columns i % 4 * 2 and the next, of matrix r; with _trans, the transposed
// matrix's. All 32 lanes take part.
//==============================================================================
#pragma once

#include <cstdint>

namespace myblas::ptx {

__device__ __forceinline__ void ldmatrix_x4(uint32_t (&to)[4], uint32_t row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(row)
               : "memory");
}
__device__ __forceinline__ void ldmatrix_x4_trans(uint32_t (&to)[4], uint32_t row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];\n"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(row)
               : "memory");
}

__device__ __forceinline__ void stmatrix_x4(uint32_t row, const uint32_t (&from)[4]) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};\n" ::"r"(row),
               "r"(from[0]), "r"(from[1]), "r"(from[2]), "r"(from[3])
               : "memory");
}
__device__ __forceinline__ void stmatrix_x4_trans(uint32_t row, const uint32_t (&from)[4]) {
  asm volatile(
      "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};\n" ::"r"(row),
      "r"(from[0]), "r"(from[1]), "r"(from[2]), "r"(from[3])
      : "memory");
}

}  // namespace myblas::ptx
