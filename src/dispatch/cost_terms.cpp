// SPDX-License-Identifier: BSD-3-Clause
#include "dispatch/cost_terms.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dispatch/cost.h"
#include "dispatch/cost_constants.h"
#include "kernels/common/gemm_args.h"

namespace myblas {

double tiles_of(const KernelRow& row, const GemmProblem& p) {
  return std::ceil(as_double(p.m) / row.tile_m) * std::ceil(as_double(p.n) / row.tile_n) *
         as_double(p.batch_count);
}

double resident_blocks(const KernelRow& row, const DeviceCaps& caps) {
  const double of_block = static_cast<double>(row.smem_bytes + kReservedSmem);
  const double by_smem = std::floor(static_cast<double>(smem_of_sm(caps)) / of_block);
  return std::max(1.0, std::min<double>(row.blocks_per_sm, by_smem));
}

namespace {

// Of A or B: bf16 terms are twice as long as what they are made of.
double operand_element_bytes(const GemmProblem& p) {
  return static_cast<double>(element_bytes(p.ab_type)) * (p.in_terms ? 2.0 : 1.0);
}

}  // namespace

double a_bytes(const GemmProblem& p) {
  return as_double(p.m) * as_double(p.k) * operand_element_bytes(p);
}
double b_bytes(const GemmProblem& p) {
  return as_double(p.k) * as_double(p.n) * operand_element_bytes(p);
}
double c_bytes(const GemmProblem& p, double write_weight) {
  const double read = is_host_zero(p.beta) ? 0.0 : 1.0;
  return (write_weight + read) * as_double(p.m) * as_double(p.n) *
         static_cast<double>(element_bytes(p.c_type));
}

double coldness(const GemmProblem& p) {
  // All products share a matrix whose stride is 0.
  const auto matrices = [&p](const Matrix& matrix) {
    const bool one = p.batch_kind == BatchKind::kStrided && matrix.stride == 0;
    return one ? 1.0 : as_double(p.batch_count);
  };
  const double bytes = matrices(p.a) * a_bytes(p) + matrices(p.b) * b_bytes(p) +
                       as_double(p.batch_count) * c_bytes(p, 1.0);
  return std::clamp(std::log2(bytes / kWarmBytes) / kWarmOctaves, 0.0, 1.0);
}

double dram_us(const GemmProblem& p, const DeviceCaps& caps, double bytes, double share) {
  return as_double(p.batch_count) * bytes / (caps.dram_gb_per_s * 1e3 * share);
}

double share_past_l2(const GemmProblem& p, const DeviceCaps& caps) {
  const double bytes =
      as_double(p.m) * as_double(p.n) * static_cast<double>(element_bytes(p.c_type));
  return std::min(1.0, as_double(p.batch_count) * bytes / caps.l2_bytes);
}

double cut_sectors(const GemmProblem& p, const DeviceCaps& caps) {
  constexpr int64_t kSectorBytes = 32;
  if (p.c.ld * static_cast<int64_t>(element_bytes(p.c_type)) % kSectorBytes == 0) return 1.0;
  return 1.0 + (kWriteCutSectors - 1.0) * share_past_l2(p, caps);
}

bool has_runs(const Matrix& matrix, DataType type, const GemmProblem& p) {
  constexpr int kRunBytes = 16;
  if (p.batch_kind == BatchKind::kStrided) return alignment_bytes(matrix, type, p) >= kRunBytes;
  return static_cast<uint64_t>(matrix.ld) * element_bytes(type) % kRunBytes == 0;
}

double pointers_us(const GemmProblem& p) {
  return p.batch_kind == BatchKind::kPointers ? kPointersUs : 0.0;
}

double meeting_us(const KernelRow& row, const DeviceCaps& caps, int parts, double rounds,
                  double resident) {
  if (parts == 1) return 0.0;
  const double per_clock = row.pipe == Pipe::kPlain ? kSlotBytesPerClockPlain : kSlotBytesPerClock;
  const double slot_us = as_double(slot_bytes(row)) / (per_clock * caps.clock_ghz * 1e3);
  const double last = row.pipe == Pipe::kWgmma       ? kLastMeetingUsWgmma
                      : row.pipe == Pipe::kMemory    ? kLastMeetingUsStream
                      : row.key.acc == Compute::kF64 ? kLastMeetingUsF64
                                                     : 0.0;
  double us = last + rounds * (kMeetingUs + resident * slot_us);
  const double last_rounds = std::ceil(rounds / parts);
  for (int count = parts; count > 1; count = (count + kSplitFanIn - 1) / kSplitFanIn) {
    us += last_rounds * std::min(count, kSplitFanIn) * slot_us;
    if (count > kSplitFanIn) us += last_rounds * (kMeetingUs + slot_us);
  }
  return us;
}

double cluster_sum_us(const KernelRow& row, const DeviceCaps& caps, int parts) {
  const double clocks = as_double(slot_bytes(row)) * (parts - 1) / kClusterBytesPerClock;
  return kClusterSumUs + (parts > 2 ? kWideClusterUs : 0.0) + clocks / (caps.clock_ghz * 1e3);
}

double together_us(std::initializer_list<double> times) {
  const double longest = std::max(times);
  return longest + kUnhidden * (std::accumulate(times.begin(), times.end(), 0.0) - longest);
}

}  // namespace myblas
