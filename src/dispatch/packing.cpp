// SPDX-License-Identifier: BSD-3-Clause
#include "dispatch/packing.h"

#include <algorithm>
#include <bit>

#include "dispatch/cost.h"
#include "dispatch/cost_constants.h"
#include "kernels/common/bf16_terms.h"
#include "kernels/pack/pack_args.h"

namespace myblas {
namespace {

constexpr int kWgmmaCc = 90;
constexpr size_t kMemoryBytes = 256;  // and packed operands

// One operand as it will lie.
struct PackedMatrix {
  int64_t rows = 0, columns = 0;
  int64_t ld = 0;
  int64_t stride = 0;
  size_t bytes = 0;  // of all matrices, rounded up
};

// From one packed column to the next: whole lines, or a part of one that TMA can read.
size_t column_bytes(size_t bytes) {
  constexpr size_t kTmaAlignment = 16, kLine = kPackLineBytes;
  if (bytes <= kLine / 2) return std::max(kTmaAlignment, std::bit_ceil(bytes));
  return (bytes + kLine - 1) / kLine * kLine;
}

size_t bytes_most(const Packing& packing) {
  return packing.in_terms ? kTermBytesMost : kPackBytesMost;
}

// `rows` by `columns` in memory. Sizes past the limit come back as one past it.
PackedMatrix packed_matrix(int64_t rows, int64_t columns, int64_t count, DataType type,
                           size_t bytes_most) {
  const auto element = static_cast<double>(element_bytes(type));
  const double most = static_cast<double>(bytes_most);
  PackedMatrix packed;
  packed.rows = rows;
  packed.columns = columns;
  packed.bytes = bytes_most + 1;
  if (static_cast<double>(rows) * element > most || static_cast<double>(columns) > most ||
      static_cast<double>(count) > most) {
    return packed;
  }
  const size_t column = column_bytes(static_cast<size_t>(rows) * element_bytes(type));
  if (static_cast<double>(column) * static_cast<double>(columns) * static_cast<double>(count) >
      most) {
    return packed;
  }
  const size_t bytes = column * static_cast<size_t>(columns) * static_cast<size_t>(count);
  packed.ld = static_cast<int64_t>(column / element_bytes(type));
  packed.stride = packed.ld * columns;
  packed.bytes = (bytes + kMemoryBytes - 1) / kMemoryBytes * kMemoryBytes;
  return packed;
}

bool is_by_pointers(const GemmProblem& p) { return p.batch_kind == BatchKind::kPointers; }

// An operand of so many rows of m or n, all of its k. by_k: a column of memory for each k.
PackedMatrix packed_operand(const GemmProblem& p, const Packing& packing, const Matrix& matrix,
                            int64_t rows, bool by_k) {
  const int64_t count = packed_matrices(matrix, p);
  const size_t most = bytes_most(packing);
  if (packing.in_terms) {
    const int64_t k = std::min(p.k, static_cast<int64_t>(most));  // past it: too much all the same
    const int64_t line = k_in_terms(k) * kTermBytes / static_cast<int64_t>(sizeof(float));
    return packed_matrix(line, rows, count, p.ab_type, most);
  }
  PackedMatrix packed = packed_matrix(by_k ? rows : p.k, by_k ? p.k : rows, count, p.ab_type, most);
  if (is_by_pointers(p) && packed.bytes <= most) packed.bytes += packed_pointers_bytes(count);
  return packed;
}
PackedMatrix packed_a(const GemmProblem& p, const Packing& packing) {
  if ((packing.operands & kPackA) == 0) return {};
  return packed_operand(p, packing, p.a, p.m, packing.op_a == Op::kN);
}
PackedMatrix packed_b(const GemmProblem& p, const Packing& packing) {
  if ((packing.operands & kPackB) == 0) return {};
  return packed_operand(p, packing, p.b, p.n, packing.op_b != Op::kN);
}

// memory: of a batch of pointers these come first, and then the matrices.
Matrix moved(const Matrix& from, const PackedMatrix& packed, void* memory) {
  return {memory, packed.ld, from.stride == 0 ? 0 : packed.stride};
}

Op other(Op op) { return op == Op::kN ? Op::kT : Op::kN; }

// What the row has to be given: the operations as they are, or with as few changed as it takes.
Packing packing_for(const KernelRow& row, const GemmProblem& p) {
  if (is_in_terms(row)) return {kPackA | kPackB, Op::kT, Op::kN, true};
  const Op ops[][2] = {{p.op_a, p.op_b},
                       {other(p.op_a), p.op_b},
                       {p.op_a, other(p.op_b)},
                       {other(p.op_a), other(p.op_b)}};
  Packing packing;
  for (const auto& [op_a, op_b] : ops) {
    GemmProblem with = p;
    with.op_a = packing.op_a = op_a;
    with.op_b = packing.op_b = op_b;
    if ((row.trans & trans_of(with)) != 0) break;
  }
  const auto moves = [&](const Matrix& matrix, int align) {
    return !is_aligned_for(row, matrix, p.ab_type, align, p) || goes_down(matrix, p);
  };
  const bool packs_a = packing.op_a != p.op_a || moves(p.a, row.align_a);
  const bool packs_b = packing.op_b != p.op_b || moves(p.b, row.align_b);
  packing.operands = static_cast<uint8_t>((packs_a ? kPackA : 0) | (packs_b ? kPackB : 0));
  return packing;
}

// The kernels that are worth a pass ahead of them (those of the tensor cores, of mma.sync where
// wgmma has no rows for the same or TMA feeds them, and for FFMA by TMA), and the problems that a
// pass can pack.
// NOTE: where alpha is 0 nothing is launched for it; select() may not look, and plans a row all the
// same.
bool may_pack(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps) {
  const bool gains = row.pipe == Pipe::kWgmma ||
                     (row.pipe == Pipe::kMma && (caps.table_cc != kWgmmaCc || is_by_tma(row))) ||
                     (row.pipe == Pipe::kPlain && is_by_tma(row));
  return caps.can_pack && gains && is_by_pointers(p) == row.by_pointers && p.k > 0 &&
         !columns_go_down(p) && pack_kernel_of(p.ab_type, p.batch_kind) >= 0;
}

// What the pass takes to read an operand as long as: of whole tiles where it is transposed (1919
// columns of 19 rows by 262 in bf16: some 35 us).
double read_bytes(const Matrix& matrix, bool transposes, const GemmProblem& p,
                  const PackedMatrix& packed) {
  if (packed.bytes == 0 || !transposes) return static_cast<double>(packed.bytes);
  const auto element = static_cast<int>(element_bytes(p.ab_type));
  const auto whole = [](int64_t size, int tile) {
    return static_cast<double>((size + tile - 1) / tile * tile);
  };
  return static_cast<double>(packed_matrices(matrix, p)) * whole(packed.columns, kPackTileRows) *
         whole(packed.rows, pack_tile_columns(element)) * element;
}

}  // namespace

const char* describe(const Packing& packing) {
  if (packing.in_terms) return ", splits A and B";
  switch (packing.operands) {
    case kPackA: return ", packs A";
    case kPackB: return ", packs B";
    case kPackA | kPackB: return ", packs A and B";
    default: return "";
  }
}

size_t packed_bytes(const GemmProblem& p, const Packing& packing) {
  return packed_a(p, packing).bytes + packed_b(p, packing).bytes;
}

GemmProblem packed_problem(const GemmProblem& p, const Packing& packing, void* memory) {
  GemmProblem packed = p;
  packed.op_a = packing.op_a;
  packed.op_b = packing.op_b;
  packed.in_terms = packing.in_terms;
  const PackedMatrix a = packed_a(p, packing), b = packed_b(p, packing);
  if ((packing.operands & kPackA) != 0) packed.a = moved(p.a, a, memory);
  if ((packing.operands & kPackB) != 0) {
    packed.b =
        moved(p.b, b, reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(memory) + a.bytes));
  }
  return packed;
}

Reject check_or_pack(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps,
                     Packing* packing) {
  *packing = {kPackNone, p.op_a, p.op_b, false};
  const Reject reject = check(row, p, caps);
  const bool may_be_mended = reject == Reject::kTrans || reject == Reject::kAlign ||
                             reject == Reject::kOffset || reject == Reject::kTerms;
  if (!may_be_mended) return reject;
  if (!may_pack(row, p, caps)) return reject;
  const Packing mended = packing_for(row, p);
  if (mended.operands == kPackNone || packed_bytes(p, mended) > bytes_most(mended)) return reject;
  const Reject still = check(row, packed_problem(p, mended, nullptr), caps);
  if (still == Reject::kNone) *packing = mended;
  return still;
}

double predict_pack_us(const GemmProblem& p, const Packing& packing, const DeviceCaps& caps) {
  if (packing.operands == kPackNone) return 0.0;
  const auto written = static_cast<double>(packed_bytes(p, packing));
  const bool plain = p.ab_type == DataType::kF32 && (p.fast_math & kFastTF32) == 0;
  const bool by_ffma = plain || p.ab_type == DataType::kCF32;
  const double start_us =
      (by_ffma ? kPackLaunchUsPlain : kPackLaunchUs) + (is_by_pointers(p) ? kPointersUs : 0.0);
  const auto pass_us = [&](double bytes, double share) {
    return start_us + bytes / (caps.dram_gb_per_s * 1e3 * share);
  };
  // Numbers are half as long as their terms.
  if (packing.in_terms) return pass_us(1.5 * written, kPackShareOfTerms);
  const double read = read_bytes(p.a, packing.op_a != p.op_a, p, packed_a(p, packing)) +
                      read_bytes(p.b, packing.op_b != p.op_b, p, packed_b(p, packing));
  return pass_us(written + read, kPackShare / (plain ? kPackPlain : 1.0));
}

}  // namespace myblas
