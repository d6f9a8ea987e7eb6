// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/pack/launch_pack.h"

#include <algorithm>

#include "kernels/pack/pack_args.h"

namespace myblas {
namespace {

constexpr int64_t kLimit = int64_t{1} << 31;  // of a Divisor, exclusive

int64_t ceil_div(int64_t value, int64_t divisor) { return (value - 1) / divisor + 1; }

// What is packed of an operand, in elements of `bytes`.
struct Source {
  const Matrix& from;
  const Matrix& to;
  int64_t rows, columns, count;
  bool transposes;
  bool conjugates;
  int64_t bytes;
  bool splits;
  bool by_pointers;
};

// A matrix in tiles, or chunks: so many along its rows, and along its columns.
struct PackWork {
  int64_t inner, outer;
};
PackWork work_of(const Source& source) {
  const auto bytes = static_cast<int>(source.bytes);
  if (source.splits) {
    static_assert(kTermTileRows == kTermTileK);
    return {ceil_div(source.rows, kTermTileK), ceil_div(source.columns, kTermTileK)};
  }
  if (source.transposes) {
    return {ceil_div(source.rows, kPackTileRows),
            ceil_div(source.columns, pack_tile_columns(bytes))};
  }
  return {ceil_div(source.rows * source.bytes, kPackChunkBytes), source.columns};
}

// False where there is too much of it: no memory would hold that.
bool make_operand(const Source& source, PackOperand* operand) {
  operand->from = source.from.base;
  operand->from_ld = source.from.ld;
  operand->from_stride = source.from.stride;
  operand->from_elements = (source.columns - 1) * source.from.ld + source.rows;
  auto* const to = static_cast<unsigned char*>(const_cast<void*>(source.to.base));
  operand->to = to + (source.by_pointers ? packed_pointers_bytes(source.count) : 0);
  operand->to_ld = source.to.ld;
  operand->pointers = source.by_pointers ? reinterpret_cast<void**>(to) : nullptr;
  operand->to_bytes =
      (source.transposes ? source.rows : source.columns) * source.to.ld * source.bytes;
  operand->count = static_cast<uint32_t>(source.count);
  operand->rows = source.rows;
  operand->columns = source.columns;
  operand->transposes = source.transposes ? 1 : 0;
  operand->imaginary_flips = source.transposes && source.conjugates ? 0x80000000u : 0;
  const auto [inner, outer] = work_of(source);
  if (inner >= kLimit || outer >= kLimit / inner || source.count >= kLimit / (inner * outer)) {
    return false;
  }
  const int64_t work = inner * outer * source.count;
  const bool by_tiles = source.transposes || source.splits;
  const int64_t tiles = by_tiles ? work : ceil_div(work, kPackThreads * kPackChunks);
  operand->tiles = static_cast<uint32_t>(tiles);
  operand->chunks = static_cast<uint32_t>(work);
  operand->inner = make_divisor(static_cast<uint32_t>(inner));
  operand->outer = make_divisor(static_cast<uint32_t>(outer));
  return true;
}

// The bits of alpha that are not all zero where it is not.
uint32_t value_bits(DataType type) {
  switch (type) {
    case DataType::kF16: return 0x7fff;
    case DataType::kF32:
    case DataType::kCF32: return 0x7fffffff;
    default: return 0xffffffff;
  }
}

}  // namespace

Status launch_pack(const PackLaunch& launch) {
  const GemmProblem& p = launch.problem;
  const GemmProblem& packed = launch.packed;
  const auto bytes = static_cast<int64_t>(element_bytes(p.ab_type));
  const bool plain_a = p.op_a == Op::kN, plain_b = p.op_b == Op::kN;
  const bool by_pointers = p.batch_kind == BatchKind::kPointers;
  const Source a{p.a,
                 packed.a,
                 plain_a ? p.m : p.k,
                 plain_a ? p.k : p.m,
                 packed_matrices(p.a, p),
                 plain_a != (packed.op_a == Op::kN),
                 is_complex(p.ab_type) && p.op_a == Op::kC,
                 bytes,
                 packed.in_terms,
                 by_pointers};
  const Source b{p.b,
                 packed.b,
                 plain_b ? p.k : p.n,
                 plain_b ? p.n : p.k,
                 packed_matrices(p.b, p),
                 plain_b != (packed.op_b == Op::kN),
                 is_complex(p.ab_type) && p.op_b == Op::kC,
                 bytes,
                 packed.in_terms,
                 by_pointers};
  PackArgs args{};
  if ((launch.packs & kPackA) != 0 && !make_operand(a, &args.operands[0])) {
    return Status::kInternalError;
  }
  if ((launch.packs & kPackB) != 0 && !make_operand(b, &args.operands[1])) {
    return Status::kInternalError;
  }
  if (p.alpha.on_device) {
    args.alpha = p.alpha.device;
    args.alpha_bits = value_bits(p.alpha.type);
    args.alpha_bytes = static_cast<int32_t>(element_bytes(p.alpha.type));
  }
  const int64_t tiles = int64_t{args.operands[0].tiles} + args.operands[1].tiles;
  return launch_pass(launch.pass, std::min(tiles, kPackMostBlocks), kPackThreads, &args);
}

}  // namespace myblas
