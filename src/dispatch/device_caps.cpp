// SPDX-License-Identifier: BSD-3-Clause
#include "dispatch/device_caps.h"

#include <cstring>

#include "driver/gpu.h"

namespace myblas {

bool read_device_caps(int device, DeviceCaps* caps) {
  gpu::DeviceFacts facts{};
  if (!gpu::query_device(device, &facts)) return false;
  *caps = DeviceCaps{};
  static_assert(sizeof caps->name == sizeof facts.name);
  std::memcpy(caps->name, facts.name, sizeof caps->name);
  caps->cc = facts.cc;
  caps->table_cc = facts.cc;
  caps->sm_count = facts.sm_count;
  // NOTE: no attribute of the driver says so. TITAN, Quadro and RTX cards of the same chips have
  // the full rate.
  caps->half_rate_fp32_sums = std::strstr(facts.name, "GeForce") != nullptr;
  // Some drivers (virtual GPUs) answer 0 for clocks. A usual value keeps predictions comparable.
  constexpr double kUsualGhz = 1.5, kUsualGbPerSecond = 500.0;
  caps->clock_ghz = facts.clock_khz > 0 ? facts.clock_khz * 1e-6 : kUsualGhz;
  // Two transfers a clock: DDR.
  caps->dram_gb_per_s = 2.0 * facts.memory_clock_khz * 1e3 * (facts.memory_bus_bits / 8) * 1e-9;
  if (caps->dram_gb_per_s <= 0.0) caps->dram_gb_per_s = kUsualGbPerSecond;
  caps->l2_bytes = facts.l2_bytes;
  if (facts.cc == 80) caps->l2_bytes_per_clock = 47.0;  // A100: 5120 bytes a clock, 108 SMs
  caps->smem_per_block = static_cast<size_t>(facts.smem_per_block_optin);
  return true;
}

double plain_fma_per_clock(int cc, Compute compute) {
  const bool half_rate_fp32 = cc < 86;                       // sm_75, sm_80: 64 lanes
  const bool full_fp64 = cc == 80 || cc == 90 || cc == 100;  // data-centre chips
  switch (compute) {
    case Compute::kF64: return !full_fp64 ? 2.0 : (cc == 80 ? 32.0 : 64.0);
    case Compute::kS32: return 64.0;
    case Compute::kF16:
    case Compute::kF32: break;
  }
  return half_rate_fp32 ? 64.0 : 128.0;
}

namespace {

// Tensor rates go with the width of the input.
double of_half_rate(DataType ab, double half) {
  switch (ab) {
    case DataType::kS8: return 2.0 * half;
    case DataType::kF32: return half / 2.0;
    default: return half;
  }
}

}  // namespace

double mma_fma_per_clock(int cc, DataType ab) {
  const bool in_f64 = ab == DataType::kF64 || ab == DataType::kCF64;
  if (in_f64) return cc == 80 ? 64.0 : (cc == 90 || cc == 100 ? 128.0 : 2.0);
  if (cc >= 90 && cc < 120) return of_half_rate(ab, 1280.0);  // 62 % of wgmma's
  if (cc == 80) return of_half_rate(ab, 1024.0);
  return of_half_rate(ab, 512.0);  // sm_75, 86, 89, 120
}

double wgmma_fma_per_clock(DataType ab) { return of_half_rate(ab, 2048.0); }

}  // namespace myblas
