// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the pack family, a line for each size of an element, and the one that
// splits fp32 into terms: names of launch_pack.h.
#include "kernels/pack/pack_operands.cuh"
#include "kernels/pack/split_terms.cuh"

using namespace myblas;

#define MYBLAS_PACK(name, pass)                                           \
  extern "C" __global__ void __launch_bounds__(kPackThreads, kPackBlocks) \
      name(const __grid_constant__ PackArgs args) {                       \
    pass(args);                                                           \
  }

MYBLAS_PACK(pack_operands_1B, pack_operands<uint8_t>)
MYBLAS_PACK(pack_operands_2B, pack_operands<uint16_t>)
MYBLAS_PACK(pack_operands_4B, pack_operands<uint32_t>)
MYBLAS_PACK(pack_operands_8B, pack_operands<uint64_t>)
MYBLAS_PACK(pack_operands_terms, split_operands)
