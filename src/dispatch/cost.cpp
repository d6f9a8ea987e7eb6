// SPDX-License-Identifier: BSD-3-Clause
#include "dispatch/cost.h"

#include <algorithm>
#include <cmath>

namespace myblas {
namespace {

double as_double(int64_t value) { return static_cast<double>(value); }

// Share of the full SM's rate that `resident` blocks reach together: from what one reaches alone to
// all of it where the SM is full.
double share_of_rate(const KernelRow& row, double resident) {
  const double alone = row.threads < kThreadsForAllSchedulers ? kSmallBlockShare : kLoneBlockShare;
  if (row.blocks_per_sm <= 1) return 1.0;
  return alone + (1.0 - alone) * (resident - 1.0) / (row.blocks_per_sm - 1.0);
}

// Tiles are computed whole: the edge of a partly filled tile costs as much as its middle.
double math_us(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps) {
  const double tiles = std::ceil(as_double(p.m) / row.tile_m) *
                       std::ceil(as_double(p.n) / row.tile_n) * as_double(p.batch_count);
  const double blocks_on_busiest_sm = std::ceil(tiles / caps.sm_count);
  const double full_waves = std::floor(blocks_on_busiest_sm / row.blocks_per_sm);
  const double last_wave = blocks_on_busiest_sm - full_waves * row.blocks_per_sm;
  double block_times = full_waves * row.blocks_per_sm;
  if (last_wave > 0.0) block_times += last_wave / share_of_rate(row, last_wave);
  const double fma_per_block = static_cast<double>(row.tile_m) * row.tile_n * as_double(p.k) *
                               (is_complex(p.c_type) ? 4.0 : 1.0);
  const double fma_per_us = plain_fma_per_clock(caps.table_cc, row.key.acc) * caps.clock_ghz * 1e3 *
                            row.percent_of_fma / 100.0;
  return block_times * fma_per_block / fma_per_us;
}

double dram_us(const GemmProblem& p, const DeviceCaps& caps) {
  const auto in_bytes = static_cast<double>(element_bytes(p.ab_type));
  const auto out_bytes = static_cast<double>(element_bytes(p.c_type));
  const double m = as_double(p.m), n = as_double(p.n), k = as_double(p.k);
  const double bytes = (m * k + k * n) * in_bytes + m * n * out_bytes * 2.0;
  return as_double(p.batch_count) * bytes / (caps.dram_gb_per_s * 1e3);
}

}  // namespace

double predict_us(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps) {
  return kLaunchUs + kTileLatencyUs + std::max(math_us(row, p, caps), dram_us(p, caps));
}

}  // namespace myblas
