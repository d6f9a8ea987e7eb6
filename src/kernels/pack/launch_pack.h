// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// pack/launch_pack.h: launcher of the pass that repacks A and B ahead of a product.
//==============================================================================
#pragma once

#include "kernels/common/launch.h"

namespace myblas {

// Operands that are repacked, a bit each.
enum PackSet : uint8_t { kPackNone = 0, kPackA = 1, kPackB = 2 };

// One kernel for each size of an element, its place in this list or -1, one for fp32 that is split
// into bf16 terms (common/bf16_terms.h), and those for batches of pointers.
inline constexpr const char* kPackKernels[] = {
    "pack_operands_1B",          "pack_operands_2B",          "pack_operands_4B",
    "pack_operands_8B",          "pack_operands_terms",       "pack_operands_pointers_1B",
    "pack_operands_pointers_2B", "pack_operands_pointers_4B", "pack_operands_pointers_8B"};
inline constexpr int kPackKernelCount = 9;
inline constexpr int kTermsKernel = 4, kFirstOfPointers = 5;
constexpr int pack_kernel_of(DataType type, BatchKind batch) {
  if (type == DataType::kCS8) return -1;
  const int first = batch == BatchKind::kPointers ? kFirstOfPointers : 0;
  switch (element_bytes(type)) {
    case 1: return first;
    case 2: return first + 1;
    case 4: return first + 2;
    case 8: return first + 3;
    default: return -1;
  }
}

// All products of a strided batch share a matrix where its stride is 0: it is packed once.
inline int64_t packed_matrices(const Matrix& matrix, const GemmProblem& p) {
  return matrix.stride == 0 && p.batch_kind != BatchKind::kPointers ? 1 : p.batch_count;
}

// Both operands in one launch, transposed where their operation differs between the problems. One
// that was to be conjugated (Op::kC) is so on the way then. Split where the packed problem is in
// terms.
struct PackLaunch {
  const GemmProblem& problem;  // as the caller's matrices lie
  const GemmProblem& packed;   // as the product reads them (dispatch/packing.h)
  uint8_t packs;               // PackSet, not empty
  PassLaunch pass;             // of kPackKernels
};
Status launch_pack(const PackLaunch& launch);

}  // namespace myblas
