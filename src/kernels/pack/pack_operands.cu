// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the pack family, a line for each size of an element: names of
// launch_pack.h.
#include "kernels/pack/pack_operands.cuh"

using namespace myblas;

#define MYBLAS_PACK(name, element)                                        \
  extern "C" __global__ void __launch_bounds__(kPackThreads, kPackBlocks) \
      name(const __grid_constant__ PackArgs args) {                       \
    pack_operands<element>(args);                                         \
  }

MYBLAS_PACK(pack_operands_1B, uint8_t)
MYBLAS_PACK(pack_operands_2B, uint16_t)
MYBLAS_PACK(pack_operands_4B, uint32_t)
MYBLAS_PACK(pack_operands_8B, uint64_t)
