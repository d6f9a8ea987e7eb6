// SPDX-License-Identifier: BSD-3-Clause
// suites/instruction_args.h: what the kernels of hopper_instruction_kernels.cu receive.
#pragma once

#include <cstdint>

#include "kernels/common/tensor_map.h"

namespace myblas::test {

// Bytes of an operand of wgmma in shared memory. `step`: from one 16 of k to the next.
struct OperandLayout {
  Swizzle swizzle;
  int32_t leading, stride, step;
};

struct WgmmaArgs {
  const float *a, *b;  // 64 x k and k x n, by rows
  float* c;            // 64 x n, by rows
  int32_t k, accumulate;
  OperandLayout layout_a, layout_b;
  int32_t b_offset;  // of B in shared memory
};

struct BoxArgs {
  TensorMap map;
  uint16_t* shared_image;  // of the box in shared memory, for each block
  int32_t sides;           // of the map
  int32_t x, y, z, w;
  int32_t box_bytes;
};

}  // namespace myblas::test
