// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// dispatch/packing.h: operands that a row cannot read as they lie, and the problem that it sees
// once a pass ahead of it has repacked them (kernels/pack).
//==============================================================================
#pragma once

#include "dispatch/kernel_row.h"
#include "kernels/pack/launch_pack.h"

namespace myblas {

// Which operands are repacked, and the operations of the product that then is computed: an operand
// whose operation changes is transposed on the way, from Op::kC on conjugated too.
struct Packing {
  uint8_t operands = kPackNone;  // PackSet
  Op op_a = Op::kN, op_b = Op::kN;
  bool in_terms = false;  // both are split into bf16 terms (kernels/common/bf16_terms.h)
};

// ", packs A" and the like, for logs; empty where nothing is packed.
const char* describe(const Packing& packing);

// Most memory for packed operands, of any product: larger ones are left to rows that read them
// where they lie.
inline constexpr size_t kPackBytesMost = size_t{1} << 30;
// Of bf16 terms, which are twice as much as what they are made of.
inline constexpr size_t kTermBytesMost = size_t{1} << 32;

// check(), and, where it refuses for what packing mends, the same for the packed problem.
// `packing` says what has to be packed where the answer is kNone.
Reject check_or_pack(const KernelRow& row, const GemmProblem& problem, const DeviceCaps& caps,
                     Packing* packing);

// Memory for the packed operands; past kPackBytesMost, or kTermBytesMost, for more than any size.
size_t packed_bytes(const GemmProblem& problem, const Packing& packing);

// The problem with its operands packed into `memory`, aligned to 256 bytes.
GemmProblem packed_problem(const GemmProblem& problem, const Packing& packing, void* memory);

// Predicted time of the pass.
double predict_pack_us(const GemmProblem& problem, const Packing& packing, const DeviceCaps& caps);

}  // namespace myblas
