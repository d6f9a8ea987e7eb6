// SPDX-License-Identifier: BSD-3-Clause
#include "dispatch/summing.h"

#include <algorithm>

#include "dispatch/cost.h"
#include "dispatch/cost_constants.h"

namespace myblas {
namespace {

// 16-bit products leave fp32 sums, as those that are not divided do.
DataType sums_type(DataType c_type) {
  const bool narrow = c_type == DataType::kF16 || c_type == DataType::kBF16;
  return narrow ? DataType::kF32 : c_type;
}

// Columns of sums begin at multiples of 16 bytes: TMA may store them, and the pass loads so much.
int64_t sums_ld(const GemmProblem& p) {
  constexpr int64_t kRunBytes = 16;
  const int64_t run = kRunBytes / static_cast<int64_t>(element_bytes(sums_type(p.c_type)));
  return (p.m - 1) / run * run + run;
}

// k of all products but the last. Whole runs of 16 bytes, or an element each, begin with each.
int64_t k_of_part(const GemmProblem& p, int parts) {
  constexpr int64_t kUnit = 8;
  if (p.k % parts == 0) return p.k / parts;
  return ((p.k - 1) / parts / kUnit + 1) * kUnit;
}

// In double: far past any limit it need not be exact.
double bytes_of_sums(const GemmProblem& p, int parts) {
  return static_cast<double>(sums_ld(p)) * static_cast<double>(p.n) * parts *
         static_cast<double>(element_bytes(sums_type(p.c_type)));
}

}  // namespace

// NOTE: sums of int8 products are exact until C's fp32, which parts of them would not be.
bool may_sum(const GemmProblem& p, int parts, const DeviceCaps& caps) {
  return caps.can_sum && parts > 1 && parts <= kSummedPartsMost && p.k / parts >= kStreamedKLeast &&
         k_of_part(p, parts) * (parts - 1) < p.k && p.batch_count == 1 &&
         p.ab_type != DataType::kS8 && p.ab_type != DataType::kCS8 &&
         p.batch_kind == BatchKind::kStrided && !columns_go_down(p) &&
         sum_kernel_of(p.c_type) >= 0 &&
         bytes_of_sums(p, parts) <= static_cast<double>(sum_bytes_of(caps));
}

std::array<int, 8> parts_that_fill(const KernelRow& row, const GemmProblem& p,
                                   const DeviceCaps& caps) {
  constexpr int64_t kTurns = 4;
  std::array<int, 8> all;
  all.fill(1);
  const int64_t tiles = tile_count(row, p);
  size_t count = 0;
  const auto try_blocks = [&](int64_t blocks) {
    const auto parts = static_cast<int>(std::min<int64_t>(blocks / tiles, kSummedPartsMost));
    if (parts > 1 && (count == 0 || all[count - 1] != parts)) all[count++] = parts;
  };
  for (int of_sm = 1; of_sm < row.blocks_per_sm && of_sm < 4; ++of_sm) {
    try_blocks(int64_t{caps.sm_count} * of_sm);
  }
  for (int64_t turns = 1; turns <= kTurns; ++turns) {
    try_blocks(int64_t{caps.sm_count} * row.blocks_per_sm * turns);
  }
  return all;
}

size_t sums_bytes(const GemmProblem& p, int parts) {
  return static_cast<size_t>(bytes_of_sums(p, parts));
}

GemmProblem divided_problem(const GemmProblem& p, int parts, void* memory) {
  GemmProblem divided = p;
  divided.batch_count = parts;
  divided.k = k_of_part(p, parts);
  const int64_t k_of_last = p.k - divided.k * (parts - 1);
  divided.k_of_last = k_of_last < divided.k ? k_of_last : 0;
  divided.a.stride = p.op_a == Op::kN ? divided.k * p.a.ld : divided.k;
  divided.b.stride = p.op_b == Op::kN ? divided.k : divided.k * p.b.ld;
  divided.c_type = sums_type(p.c_type);
  divided.c = {memory, sums_ld(p), sums_ld(p) * p.n};
  divided.c_is_padded = true;
  divided.beta = Scalar{};  // its bytes are zero as any type
  divided.beta.type = p.beta.type;
  divided.epilogue = Epilogue{};
  return divided;
}

bool wait_for_pass_ahead(const KernelRow& row, const GemmProblem& products, int sm_count) {
  constexpr int64_t kLongK = 2048;
  if (row.pipe != Pipe::kWgmma || row.cluster > 1 || products.k < kLongK) return false;
  return 4 * tile_count(row, products) >= int64_t{3} * sm_count;
}

double predict_sum_us(const GemmProblem& p, int parts, const DeviceCaps& caps) {
  const double passes_of_c = is_host_zero(p.beta) ? 1.0 : 2.0;
  const double c_bytes = passes_of_c * static_cast<double>(p.m) * static_cast<double>(p.n) *
                         static_cast<double>(element_bytes(p.c_type));
  return kSumLaunchUs +
         (bytes_of_sums(p, parts) + c_bytes) / (caps.dram_gb_per_s * 1e3 * kSumShare);
}

}  // namespace myblas
