// SPDX-License-Identifier: BSD-3-Clause
#include "dispatch/chips.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iterator>

#include "kernels/sum/launch_sum.h"

namespace myblas {
namespace {

struct Sheet {
  const char* name;
  int cc, sms;
  double ghz, gb_per_s, l2_mb;
  size_t smem_kb;  // of a block
  double mma_fma, smem_bytes, l2_bytes;
  int threads;
  double plain_power, mma_power;
};

// NVIDIA's data sheets and architecture papers. L2 bandwidth: T4 1.27 TB/s, A100 5120 B a clock.
// Power: what cuBLAS, CUTLASS and hand-written kernels were published to sustain (T4 55 and 76 %,
// RTX 3090 75, A10 64, L4 60 to 75 by its 72 W, H200 at 1.48 GHz), with the A10's tensor cores
// taken for as limited as the T4's.
// clang-format off
constexpr Sheet kSheets[] = {
    //                cc  SMs    GHz   GB/s  L2  smem  mma  smem  L2  threads power
    {"T4",            75,  40, 1.590,   320,   4,  64,  512,  64, 20, 1024, 0.58, 0.76},
    {"RTX 2080 Ti",   75,  68, 1.545,   616, 5.5,  64,  256,  64,  0, 1024, 1.00, 1.00},
    {"A100",          80, 108, 1.410,  1555,  40, 163, 1024, 128, 47, 2048, 1.00, 1.00},
    {"RTX 3090",      86,  82, 1.695,   936,   6,  99,  256, 128,  0, 1536, 0.75, 1.00},
    {"A10",           86,  72, 1.695,   600,   6,  99,  512, 128,  0, 1536, 0.65, 0.76},
    {"RTX 4090",      89, 128, 2.520,  1008,  72,  99,  256, 128,  0, 1536, 1.00, 1.00},
    {"L4",            89,  58, 2.040,   300,  48,  99,  512, 128,  0, 1536, 0.80, 0.70},
    {"L40S",          89, 142, 2.520,   864,  96,  99,  512, 128,  0, 1536, 1.00, 1.00},
    {"H200",          90, 132, 1.980,  4800,  60, 227, 2048, 128, 32, 2048, 1.00, 0.75},
    {"B200",         100, 148, 1.900,  7700, 126, 227, 4096, 128,  0, 2048, 1.00, 0.80},
    {"RTX 5070 Ti",  120,  70, 2.452,   896,  48,  99,  256, 128,  0, 1536, 1.00, 1.00},
    {"RTX 5090",     120, 170, 2.407,  1792,  96,  99,  256, 128,  0, 1536, 1.00, 1.00},
    {"RTX PRO 6000", 120, 188, 2.617,  1792, 128,  99,  512, 128,  0, 1536, 1.00, 0.88},
};
// clang-format on

Chip chip_of(const Sheet& sheet) {
  Chip chip{};
  std::snprintf(chip.caps.name, sizeof chip.caps.name, "%s", sheet.name);
  chip.caps.cc = chip.caps.table_cc = sheet.cc;
  chip.caps.sm_count = sheet.sms;
  chip.caps.clock_ghz = sheet.ghz;
  chip.caps.dram_gb_per_s = sheet.gb_per_s;
  chip.caps.l2_bytes = sheet.l2_mb * 1048576.0;
  chip.caps.smem_per_block = sheet.smem_kb * 1024;
  chip.caps.half_rate_fp32_sums = sheet.mma_fma < mma_fma_per_clock(sheet.cc, DataType::kF16);
  chip.caps.can_pack = true;
  chip.caps.can_sum = sheet.cc == kSumCc;
  chip.mma_fma = sheet.mma_fma;
  chip.smem_bytes = sheet.smem_bytes;
  chip.l2_bytes = sheet.l2_bytes;
  chip.threads_per_sm = sheet.threads;
  chip.plain_power = sheet.plain_power;
  chip.mma_power = sheet.mma_power;
  return chip;
}

constexpr int kMeasuredCc = 90;  // the rows' percents are an H200's

// Rate that the data sheet's peak stands for.
double mma_peak_fma(const Chip& chip, DataType ab, uint8_t fast_math) {
  const double of_silicon = mma_fma_per_clock(chip.caps.cc, ab);
  switch (ab) {
    case DataType::kF16:
      return (fast_math & kFastF16Sums) != 0 ? std::max(chip.mma_fma, of_silicon) : chip.mma_fma;
    case DataType::kBF16: return chip.mma_fma;
    case DataType::kF32: return chip.mma_fma / 2.0;
    case DataType::kF64: return of_silicon;
    default: break;
  }
  // int8 has its full rate on GeForce too; wgmma and tcgen05 have theirs.
  return std::max(2.0 * chip.mma_fma, of_silicon);
}

// Warps that compute: one or four warps that only load stand beside four or eight.
int math_warps(const KernelRow& row) {
  int warps = 1;
  while (2 * warps * 32 <= row.threads) warps *= 2;
  return warps;
}

int blocks_on(const Chip& chip, const KernelRow& row) {
  constexpr size_t kDriverBytes = 1024;  // of each block
  const size_t of_sm = chip.caps.smem_per_block + (chip.caps.cc >= 80 ? kDriverBytes : 0);
  const auto by_smem = static_cast<int>(of_sm / (row.smem_bytes + kDriverBytes));
  return std::max(1, std::min({row.blocks_per_sm, by_smem, chip.threads_per_sm / row.threads}));
}

// Share of the pipe that a kernel keeps where shared memory is busy for `demand` of the time: a
// line through what mma.sync kernels were published to reach (RTX 4090 and 5090: 95 % at 0.2, A100:
// 86 % at 0.7), then in proportion.
double share_beside_smem(double demand) {
  constexpr double kKnee = 0.75;
  const auto line = [](double d) { return 1.0 - 0.2 * d; };
  return demand <= kKnee ? line(demand) : line(kKnee) * kKnee / demand;
}

RowOnChip plain_on(const Chip& chip, RowOnChip on) {
  if (on.row.key.acc != Compute::kF32) return on;
  const double measured = on.row.percent / 100.0;
  if (plain_fma_per_clock(chip.caps.cc, Compute::kF32) < 128.0) {
    // 64 lanes: an FFMA takes two issue slots' time, and other instructions issue beside it. Half
    // of what the H200 loses is such instructions; latencies and barriers, the other half, stay.
    on.row.percent = static_cast<int>(std::lround(200.0 / (2.0 + (1.0 / measured - 1.0) / 2.0)));
    on.bound = "FFMA pipe";
  } else {
    // Half of the lanes of graphics chips compute int32 too: cuBLAS has 73 % there, 77 % here.
    if (chip.caps.cc != 100) on.row.percent = static_cast<int>(std::lround(95.0 * measured));
    on.bound = "issue slots";
  }
  return on;
}

RowOnChip mma_on(const Chip& chip, RowOnChip on) {
  const DataType ab = on.row.key.ab;
  if (chip.caps.cc == 100) {  // its peak is tcgen05's, as the H200's is wgmma's
    on.bound = "mma.sync's rate";
    return on;
  }
  if (ab == DataType::kF64 && chip.caps.cc != 80) return on;  // two lanes: always fed
  const double peak = mma_peak_fma(chip, ab, on.row.needs_fast);
  const double fed = on.row.percent / 100.0 * mma_fma_per_clock(kMeasuredCc, ab);
  const double smem = share_beside_smem(smem_bytes_per_clock(on.row, peak) / chip.smem_bytes);
  const auto element = static_cast<double>(element_bytes(ab));
  const double l2_demand = peak * element * (on.row.tile_m + on.row.tile_n) /
                           (static_cast<double>(on.row.tile_m) * on.row.tile_n);
  const double l2 = chip.l2_bytes > 0.0 ? chip.l2_bytes / l2_demand : 1.0;
  const double share = std::min({fed / peak, smem, l2});
  on.bound = share == smem ? (smem > 0.9 ? "tensor pipe" : "shared memory")
             : share == l2 ? "L2"
                           : "what fed it on the H200";
  on.row.percent = std::clamp(
      static_cast<int>(std::lround(100.0 * share * peak / mma_fma_per_clock(on.row, chip.caps))), 1,
      100);
  return on;
}

}  // namespace

std::span<const Chip> chips() {
  constexpr size_t kCount = std::size(kSheets);
  static const auto list = [] {
    std::array<Chip, kCount> made{};
    std::transform(std::begin(kSheets), std::end(kSheets), made.begin(), chip_of);
    return made;
  }();
  return list;
}

const Chip* find_chip(const char* name) {
  for (const Chip& chip : chips()) {
    if (std::strcmp(chip.caps.name, name) == 0) return &chip;
  }
  return nullptr;
}

double peak_tflops(const Chip& chip, const GemmKey& key, uint8_t fast_math) {
  const bool is_plain =
      key.acc == Compute::kF32 && key.ab == DataType::kF32 && (fast_math & kFastTF32) == 0;
  const double fma = is_plain || is_complex(key.ab) ? plain_fma_per_clock(chip.caps.cc, key.acc)
                                                    : mma_peak_fma(chip, key.ab, fast_math);
  return 2e-3 * fma * chip.caps.sm_count * chip.caps.clock_ghz;
}

double smem_bytes_per_clock(const KernelRow& row, double fma_per_clock) {
  // The squarest power-of-two split of a warp's share of the tile.
  const double sums = static_cast<double>(row.tile_m) * row.tile_n / math_warps(row);
  double side = 1.0;
  while (4.0 * side * side <= sums) side *= 2.0;
  const double reads = (side + sums / side) / sums;
  const double writes =
      static_cast<double>(row.tile_m + row.tile_n) / (static_cast<double>(row.tile_m) * row.tile_n);
  return fma_per_clock * static_cast<double>(element_bytes(row.key.ab)) * (reads + writes);
}

RowOnChip as_on(const Chip& chip, const KernelRow& row) {
  RowOnChip on{row, "as fitted"};
  if (chip.caps.cc == kMeasuredCc) return on;
  on.row.blocks_per_sm = blocks_on(chip, row);
  switch (row.pipe) {
    case Pipe::kPlain: return plain_on(chip, on);
    case Pipe::kMma: return mma_on(chip, on);
    case Pipe::kWgmma:
    case Pipe::kMemory: break;
  }
  return on;
}

}  // namespace myblas
