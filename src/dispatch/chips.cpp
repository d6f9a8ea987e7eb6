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
  double mma_fma, l2_bytes;
  double plain_power, mma_power;
};

// NVIDIA's data sheets and architecture papers. L2 bandwidth: T4 1.27 TB/s, A100 5120 B a clock.
// Power: what cuBLAS, CUTLASS and hand-written kernels were published to sustain (T4 55 and 76 %,
// RTX 3090 75, A10 64, L4 60 to 75 by its 72 W, H200 at 1.48 GHz), with the A10's tensor cores
// taken for as limited as the T4's.
// clang-format off
constexpr Sheet kSheets[] = {
    //                cc  SMs    GHz   GB/s  L2  smem  mma  L2  power
    {"T4",            75,  40, 1.590,   320,   4,  64,  512, 20, 0.58, 0.76},
    {"RTX 2080 Ti",   75,  68, 1.545,   616, 5.5,  64,  256,  0, 1.00, 1.00},
    {"A100",          80, 108, 1.410,  1555,  40, 163, 1024, 47, 1.00, 1.00},
    {"RTX 3090",      86,  82, 1.695,   936,   6,  99,  256,  0, 0.75, 1.00},
    {"A10",           86,  72, 1.695,   600,   6,  99,  512,  0, 0.65, 0.76},
    {"RTX 4090",      89, 128, 2.520,  1008,  72,  99,  256,  0, 1.00, 1.00},
    {"L4",            89,  58, 2.040,   300,  48,  99,  512,  0, 0.80, 0.70},
    {"L40S",          89, 142, 2.520,   864,  96,  99,  512,  0, 1.00, 1.00},
    {"H200",          90, 132, 1.980,  4800,  60, 227, 2048, 32, 1.00, 0.75},
    {"B200",         100, 148, 1.900,  7700, 126, 227, 4096,  0, 1.00, 0.80},
    {"RTX 5070 Ti",  120,  70, 2.452,   896,  48,  99,  256,  0, 1.00, 1.00},
    {"RTX 5090",     120, 170, 2.407,  1792,  96,  99,  256,  0, 1.00, 1.00},
    {"RTX PRO 6000", 120, 188, 2.617,  1792, 128,  99,  512,  0, 1.00, 0.88},
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
  chip.caps.l2_bytes_per_clock = sheet.l2_bytes;
  chip.mma_fma = sheet.mma_fma;
  chip.plain_power = sheet.plain_power;
  chip.mma_power = sheet.mma_power;
  return chip;
}

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

}  // namespace myblas
