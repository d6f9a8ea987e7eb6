// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/tensor_map.h: what TMA is told of a matrix in global memory, and how its
// boxes lie in shared memory.
//==============================================================================
#pragma once

#include <cstdint>

#include "kernels/common/gemm_problem.h"

namespace myblas {

// Which 16-byte pieces of shared memory change places: k128B exchanges those of a row of 128 bytes
// by the number of the row, modulo 8 (bits 4-6 of the address are XORed with bits 7-9).
enum class Swizzle : uint8_t { kNone, k32B, k64B, k128B };

// The encoded map, made by gpu::encode_tensor_map and read by the copy hardware alone. A kernel
// gets it inside its __grid_constant__ parameter.
struct alignas(64) TensorMap {
  uint64_t opaque[16];
};

// Matrices of size[1] rows of size[0] contiguous elements, size[2] of them, or of four sides
// size[2] by size[3]. Sizes are 1 to 2^32, base and strides multiples of 16 bytes, strides below
// 2^40; a box has at most 256 elements a side, and as many bytes in a row as the swizzle exchanges,
// or fewer. What lies outside reads as zero and is not written, but for the rest of 16 bytes that a
// row's last element begins or ends in. Matrices may overlap (common/matrix_place.cuh).
struct TensorMapShape {
  DataType type;        // kF16, kBF16, kF32, kS8, kS32, kCF32, kF64
  bool rounds_to_tf32;  // kF32 alone: what is loaded is rounded to TF32, ties to even
  int sides;            // 3, or 4: else nothing reads the last of each array
  const void* base;
  uint64_t size[4];
  uint64_t stride_bytes[3];  // from row to row, from matrix to matrix, and along the fourth side
  uint32_t box[4];
  Swizzle swizzle;
};

}  // namespace myblas
