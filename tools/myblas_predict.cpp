// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// myblas-predict: which row the library chooses for square products on the chips
// of dispatch/chips.h, and the share of the chip's peak that the cost model and
// the paper model expect of it. Tab-separated; scripts/chip_table.py reads it.
//==============================================================================
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "dispatch/chips.h"
#include "dispatch/paper_model.h"
#include "dispatch/select.h"

using namespace myblas;

namespace {

constexpr int64_t kSizes[] = {1024, 2048, 4096, 8192};

// What products of one kind are called, and how to ask for them.
struct Kind {
  const char* name;
  GemmKey key;
  uint8_t fast_math;
};
constexpr Kind kKinds[] = {
    {"f32", {DataType::kF32, DataType::kF32, Compute::kF32}, kFastNone},
    {"tf32", {DataType::kF32, DataType::kF32, Compute::kF32}, kFastTF32},
    {"f16", {DataType::kF16, DataType::kF16, Compute::kF32}, kFastNone},
    {"f16sum", {DataType::kF16, DataType::kF16, Compute::kF32}, kFastF16Sums},
    {"bf16", {DataType::kBF16, DataType::kBF16, Compute::kF32}, kFastNone},
    {"s8", {DataType::kS8, DataType::kS32, Compute::kS32}, kFastNone},
    {"f64", {DataType::kF64, DataType::kF64, Compute::kF64}, kFastNone},
};

// Whether a chip's table has a row on the tensor cores for products of this kind, and it gains by
// what the kind permits.
bool has_tensor_row(const Chip& chip, const Kind& kind) {
  const int cc = chip.caps.table_cc;
  if (kind.fast_math == kFastF16Sums && !chip.caps.half_rate_fp32_sums) return false;
  return std::ranges::any_of(table_of(cc), [&](const KernelRow& row) {
    const bool is_tensor = row.pipe == Pipe::kMma || row.pipe == Pipe::kWgmma;
    return is_tensor && row.key == kind.key && (row.needs_fast & ~kind.fast_math) == 0 &&
           row.cc_min <= cc && cc <= row.cc_max;
  });
}

// NN, but TN for int8: only there are both operands as its tensor instructions take them.
GemmProblem square(const Kind& kind, int64_t n) {
  GemmProblem p;
  p.ab_type = kind.key.ab;
  p.c_type = kind.key.c;
  p.compute = kind.key.acc;
  p.fast_math = kind.fast_math;
  p.op_a = kind.key.ab == DataType::kS8 ? Op::kT : Op::kN;
  p.m = p.n = p.k = n;
  // Aligned addresses that are never read.
  p.a = {reinterpret_cast<const void*>(uintptr_t{1} << 20), n, n * n};
  p.b = {reinterpret_cast<const void*>(uintptr_t{1} << 40), n, n * n};
  p.c = {reinterpret_cast<const void*>(uintptr_t{1} << 44), n, n * n};
  p.beta.type = p.alpha.type = kind.key.acc == Compute::kF64   ? DataType::kF64
                               : kind.key.acc == Compute::kS32 ? DataType::kS32
                                                               : DataType::kF32;
  return p;
}

// Share of the SMs' time, over all waves, in which they have tiles.
double wave_share(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps, int parts) {
  const double tiles = std::ceil(static_cast<double>(p.m) / row.tile_m) *
                       std::ceil(static_cast<double>(p.n) / row.tile_n) * parts;
  const double useful = static_cast<double>(p.m) * static_cast<double>(p.n) * parts /
                        (static_cast<double>(row.tile_m) * row.tile_n);
  return useful / (std::ceil(tiles / caps.sm_count) * caps.sm_count);
}

void print_line(const Chip& chip, const Kind& kind, int64_t n) {
  const GemmProblem p = square(kind, n);
  const Plan plan = select(p, chip.caps, Policy{});
  const KernelRow& row = table_of(chip.caps.table_cc)[static_cast<size_t>(plan.row)];
  const double us = plan.predicted_us;
  const double size = static_cast<double>(n);
  const double tflops = 2e-6 * size * size * size / us;
  const double peak = peak_tflops(chip, kind.key, kind.fast_math);
  std::printf("%s\t%d\t%s\t%lld\t%s\t%d\t%.1f\t%.1f\t%.1f\t%.1f\t%.0f\t%s\t%.2f\n", chip.caps.name,
              chip.caps.cc, kind.name, static_cast<long long>(n), row.name, plan.parts, us, tflops,
              peak, 100.0 * tflops / peak, 100.0 * wave_share(row, p, chip.caps, plan.parts),
              rate_on(row, chip.caps).bound,
              row.pipe == Pipe::kPlain ? chip.plain_power : chip.mma_power);
}

}  // namespace

int main() {
  std::puts("chip\tcc\ttype\tn\trow\tparts\tus\ttflops\tpeak\tpercent\twaves\tbound\tpower");
  for (const Kind& kind : kKinds) {
    for (const Chip& chip : chips()) {
      if (std::strcmp(kind.name, "f32") != 0 && !has_tensor_row(chip, kind)) continue;
      for (int64_t n : kSizes) print_line(chip, kind, n);
    }
  }
  return 0;
}
