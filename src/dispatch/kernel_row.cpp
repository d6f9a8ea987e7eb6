// SPDX-License-Identifier: BSD-3-Clause
#include "dispatch/kernel_row.h"

#include <algorithm>

#include "kernels/common/tma_shape.h"
#include "kernels/gemv/stream_shape.h"

namespace myblas {
namespace {

// Largest element offset inside one matrix of `columns` columns of `rows` rows. Saturates.
int64_t last_offset(int64_t rows, int64_t columns, int64_t ld) {
  int64_t product = 0;
  if (__builtin_mul_overflow(std::max<int64_t>(columns - 1, 0), ld, &product)) return kAnyOffset;
  return product > kAnyOffset - rows ? kAnyOffset : product + rows;
}

int64_t largest_offset(const GemmProblem& p) {
  const bool a_plain = p.op_a == Op::kN;
  const bool b_plain = p.op_b == Op::kN;
  return std::max({last_offset(a_plain ? p.m : p.k, a_plain ? p.k : p.m, p.a.ld),
                   last_offset(b_plain ? p.k : p.n, b_plain ? p.n : p.k, p.b.ld),
                   last_offset(p.m, p.n, p.c.ld)});
}

// int8 on tensor cores is summed in int32, also where C is fp32.
bool sums_in_s32_for_f32(const KernelRow& row) {
  return row.key.ab == DataType::kS8 && row.key.c == DataType::kF32 && row.pipe != Pipe::kPlain;
}
// The largest k of which no sum reaches 2^31: products are at most 2^14.
constexpr int64_t kMostExactS8 = (int64_t{1} << 17) - 1;

bool aligned(const KernelRow& row, const GemmProblem& p) {
  return is_aligned_for(row, p.a, p.ab_type, row.align_a, p) &&
         is_aligned_for(row, p.b, p.ab_type, row.align_b, p) &&
         is_aligned_for(row, p.c, p.c_type, row.align_c, p);
}

}  // namespace

double mma_fma_per_clock(const KernelRow& row, const DeviceCaps& caps) {
  const bool halved = caps.half_rate_fp32_sums && row.key.acc == Compute::kF32 && !sums_in_f16(row);
  return mma_fma_per_clock(caps.table_cc, row.key.ab) * (halved ? 0.5 : 1.0);
}

bool is_by_tma(const KernelRow& row) { return row.max_offset == kTmaMaxOffset; }

bool streams(const KernelRow& row) { return row.pipe == Pipe::kMemory && row.trans != kAnyTrans; }

bool sums_columns(const KernelRow& row, const GemmProblem& p) {
  return row.tile_n < row.tile_m ? p.op_a == Op::kN : p.op_b != Op::kN;
}

bool is_of_whole_warps(const KernelRow& row) {
  constexpr int kColumnsTrans = kNN | kNT, kRowsTrans = kNT | kTT;
  const bool of_columns =
      row.tile_n < row.tile_m ? row.trans == kColumnsTrans : row.trans == kRowsTrans;
  return of_columns &&
         axpy_lanes(std::max(row.tile_m, row.tile_n), element_bytes(row.key.ab)) == 32;
}

bool walks_in_fp32(const KernelRow& row) {
  return row.resident && row.pipe == Pipe::kPlain && is_by_tma(row);
}

bool can_deal(const KernelRow& row) {
  if (row.max_parts == 1) return false;
  // Dealt to three blocks an SM, fp32 tiles of 128 x 64 that come by TMA took longer than
  // cp.async's (1536^3: 203 us for 182, 1111 x 999 x 1023: 96 for 83); those of 64 x 64 were not
  // tried.
  if (row.pipe == Pipe::kPlain) return !is_by_tma(row) || row.blocks_per_sm <= 2;
  return row.pipe == Pipe::kMma && !is_by_tma(row);
}

bool goes_down(const Matrix& matrix, const GemmProblem& p) {
  return p.batch_kind == BatchKind::kStrided && p.batch_count > 1 && matrix.stride < 0;
}

bool columns_go_down(const GemmProblem& p) { return std::min({p.a.ld, p.b.ld, p.c.ld}) < 0; }

int alignment_bytes(const Matrix& matrix, DataType type, const GemmProblem& p) {
  const auto bytes = static_cast<uint64_t>(element_bytes(type));
  uint64_t bits = static_cast<uint64_t>(matrix.ld) * bytes | 256;
  if (p.batch_kind == BatchKind::kStrided) {
    bits |= reinterpret_cast<uintptr_t>(matrix.base);
    if (p.batch_count > 1) bits |= static_cast<uint64_t>(matrix.stride) * bytes;
  } else {
    bits |= bytes;  // the pointers are in device memory: nothing past the element is known
  }
  return static_cast<int>(bits & (~bits + 1));
}

bool is_aligned_for(const KernelRow& row, const Matrix& matrix, DataType type, int align,
                    const GemmProblem& p) {
  if (!row.by_pointers) return alignment_bytes(matrix, type, p) >= align;
  return static_cast<uint64_t>(matrix.ld) * element_bytes(type) % static_cast<uint64_t>(align) == 0;
}

const char* describe(Reject reject) {
  switch (reject) {
    case Reject::kNone: return "accepted";
    case Reject::kKey: return "computes other types";
    case Reject::kTerms:
      return "reads fp32 as it lies or split into bf16 terms, the other of the two";
    case Reject::kTrans: return "does not take this transposition";
    case Reject::kBatch: return "is for batches of pointers alone";
    case Reject::kShortLast: return "does not divide k in unequal parts";
    case Reject::kEpilogue: return "has no bias and no activation";
    case Reject::kFastMath: return "needs a precision permission that the caller did not give";
    case Reject::kArch: return "not for this GPU";
    case Reject::kSmem: return "needs more shared memory than a block may have";
    case Reject::kAlign: return "needs better aligned pointers or strides";
    case Reject::kOffset: return "cannot index offsets this large, or what goes down in memory";
    case Reject::kDepth:
      return "its int32 sums may wrap around at this k, which C's fp32 would not";
    case Reject::kNotBuilt: return "not built for this GPU (MYBLAS_ARCHS)";
  }
  return "?";
}

GemmKey key_of(const GemmProblem& p) {
  return {p.ab_type, p.c_type, p.compute == Compute::kF16 ? Compute::kF32 : p.compute};
}

uint8_t trans_of(const GemmProblem& p) {
  const int index = (p.op_a == Op::kN ? 0 : 2) + (p.op_b == Op::kN ? 0 : 1);
  return static_cast<uint8_t>(1 << index);
}

Reject check(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps) {
  if (!(row.key == key_of(p))) return Reject::kKey;
  if (is_in_terms(row) != p.in_terms) return Reject::kTerms;
  if (!(row.trans & trans_of(p))) return Reject::kTrans;
  if (row.by_pointers && p.batch_kind != BatchKind::kPointers) return Reject::kBatch;
  if (p.k_of_last != 0 && !streams(row)) return Reject::kShortLast;
  if (p.epilogue.any() && !row.takes_epilogue) return Reject::kEpilogue;
  if ((row.needs_fast & p.fast_math) != row.needs_fast) return Reject::kFastMath;
  if (caps.cc < row.cc_min || caps.cc > row.cc_max) return Reject::kArch;
  if (row.smem_bytes > caps.smem_per_block) return Reject::kSmem;
  if (!aligned(row, p)) return Reject::kAlign;
  if (largest_offset(p) > row.max_offset) return Reject::kOffset;
  if (columns_go_down(p) && row.max_offset != kAnyOffset) return Reject::kOffset;
  // A map goes up in memory: such a batch would be as many launches.
  const bool down = goes_down(p.a, p) || goes_down(p.b, p) || goes_down(p.c, p);
  if (is_by_tma(row) && down) return Reject::kOffset;
  if (sums_in_s32_for_f32(row) && p.k > kMostExactS8) return Reject::kDepth;
  return Reject::kNone;
}

}  // namespace myblas
