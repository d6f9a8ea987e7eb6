// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the pack family, two for each size of an element, and the one that splits
// fp32 into terms: names of launch_pack.h.
#include "kernels/pack/pack_operands.cuh"
#include "kernels/pack/split_terms.cuh"

using namespace myblas;

#define MYBLAS_PACK(name, blocks, ...)                               \
  extern "C" __global__ void __launch_bounds__(kPackThreads, blocks) \
      name(const __grid_constant__ PackArgs args) {                  \
    __VA_ARGS__(args);                                               \
  }

MYBLAS_PACK(pack_operands_1B, kPackBlocks, pack_operands<uint8_t, false>)
MYBLAS_PACK(pack_operands_2B, kPackBlocks, pack_operands<uint16_t, false>)
MYBLAS_PACK(pack_operands_4B, kPackBlocks, pack_operands<uint32_t, false>)
MYBLAS_PACK(pack_operands_8B, kPackBlocks, pack_operands<uint64_t, false>)
MYBLAS_PACK(pack_operands_terms, kPackBlocks, split_operands)
// Of batches of pointers: where a matrix lies takes registers.
MYBLAS_PACK(pack_operands_pointers_1B, kPackBlocksByPointers, pack_operands<uint8_t, true>)
MYBLAS_PACK(pack_operands_pointers_2B, kPackBlocksByPointers, pack_operands<uint16_t, true>)
MYBLAS_PACK(pack_operands_pointers_4B, kPackBlocksByPointers, pack_operands<uint32_t, true>)
MYBLAS_PACK(pack_operands_pointers_8B, kPackBlocksByPointers, pack_operands<uint64_t, true>)
