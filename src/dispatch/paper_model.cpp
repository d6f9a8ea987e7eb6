// SPDX-License-Identifier: BSD-3-Clause
#include "dispatch/paper_model.h"

#include <algorithm>

namespace myblas {
namespace {

constexpr int kMeasuredCc = 90;  // the rows' percents are an H200's

// Warps that compute: one or four warps that only load stand beside four or eight.
int math_warps(const KernelRow& row) {
  int warps = 1;
  while (2 * warps * 32 <= row.threads) warps *= 2;
  return warps;
}

// Share of the pipe that a kernel keeps where shared memory is busy for `demand` of the time: a
// line through what mma.sync kernels were published to reach (RTX 4090 and 5090: 95 % at 0.2, A100:
// 86 % at 0.7), then in proportion.
double share_beside_smem(double demand) {
  constexpr double kKnee = 0.75;
  const auto line = [](double d) { return 1.0 - 0.2 * d; };
  return demand <= kKnee ? line(demand) : line(kKnee) * kKnee / demand;
}

RateOnChip plain_on(double measured, int cc) {
  if (plain_fma_per_clock(cc, Compute::kF32) < 128.0) {
    // 64 lanes: an FFMA takes two issue slots' time, and other instructions issue beside it. Half
    // of what the H200 loses is such instructions; latencies and barriers, the other half, stay.
    return {2.0 / (2.0 + (1.0 / measured - 1.0) / 2.0), "FFMA pipe"};
  }
  // Half of the lanes of graphics chips compute int32 too: cuBLAS has 73 % there, 77 % here.
  return {cc == 100 ? measured : 0.95 * measured, "issue slots"};
}

RateOnChip mma_on(const KernelRow& row, const DeviceCaps& caps, double measured) {
  constexpr double kSmemBytesOfTuring = 64.0, kSmemBytes = 128.0;  // a clock and SM
  const DataType ab = row.key.ab;
  const int cc = caps.table_cc;
  if (cc == 100) return {measured, "mma.sync's rate"};  // its peak is tcgen05's
  const bool in_f64 = row.key.acc == Compute::kF64;
  if (in_f64 && cc != 80) return {measured, "as fitted"};  // two lanes: always fed
  const double peak = mma_fma_per_clock(row, caps);
  // Tiles that come by less than 16 bytes a copy are bound by load instructions: a graphics chip's
  // SM has half the units for them (GA102: 16, GA100: 32).
  const double loads = row.align_a < 16 && cc != 80 ? 0.5 : 1.0;
  const double fed = loads * measured * mma_fma_per_clock(kMeasuredCc, ab) / peak;
  const double smem_bytes = cc < 80 ? kSmemBytesOfTuring : kSmemBytes;
  const double smem = share_beside_smem(smem_bytes_per_clock(row, peak) / smem_bytes);
  const double l2_demand = peak * static_cast<double>(element_bytes(ab)) *
                           (row.tile_m + row.tile_n) /
                           (static_cast<double>(row.tile_m) * row.tile_n);
  const double l2 = caps.l2_bytes_per_clock > 0.0 ? caps.l2_bytes_per_clock / l2_demand : 1.0;
  const double share = std::min({fed, smem, l2});
  return {std::clamp(share, 0.01, 1.0), share == smem
                                            ? (smem > 0.9 ? "tensor pipe" : "shared memory")
                                        : share == l2 ? "L2"
                                                      : "what fed it on the H200"};
}

}  // namespace

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

RateOnChip rate_on(const KernelRow& row, const DeviceCaps& caps) {
  const double measured = row.percent / 100.0;
  const bool is_measured = caps.cc == kMeasuredCc || caps.table_cc == kMeasuredCc;
  if (!is_measured && row.pipe == Pipe::kMma) return mma_on(row, caps, measured);
  if (!is_measured && row.pipe == Pipe::kPlain && row.key.acc == Compute::kF32) {
    return plain_on(measured, caps.table_cc);
  }
  return {measured, "as fitted"};
}

}  // namespace myblas
