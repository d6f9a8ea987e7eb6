// SPDX-License-Identifier: BSD-3-Clause
#include "dispatch/cost.h"

#include <algorithm>
#include <cmath>

#include "kernels/common/gemm_args.h"

namespace myblas {
namespace {

double as_double(int64_t value) { return static_cast<double>(value); }

double tiles_of(const KernelRow& row, const GemmProblem& p) {
  return std::ceil(as_double(p.m) / row.tile_m) * std::ceil(as_double(p.n) / row.tile_n) *
         as_double(p.batch_count);
}

// Blocks on one SM at a time: what the registers allow, unless this chip has less shared memory.
double resident_blocks(const KernelRow& row, const DeviceCaps& caps) {
  constexpr double kReserved = 1024.0;  // bytes of each block, by the system
  const double of_sm = static_cast<double>(caps.smem_per_block) + kReserved;
  const double by_smem = std::floor(of_sm / (static_cast<double>(row.smem_bytes) + kReserved));
  return std::max(1.0, std::min<double>(row.blocks_per_sm, by_smem));
}

// Share of the full SM's rate that `resident` blocks reach together: from what one reaches alone to
// all of it where the SM is full.
double share_of_rate(const KernelRow& row, double most, double resident) {
  const double alone = row.threads < kThreadsForAllSchedulers ? kSmallBlockShare : kLoneBlockShare;
  if (most <= 1.0) return 1.0;
  return alone + (1.0 - alone) * (resident - 1.0) / (most - 1.0);
}

// Times of one block's work on the SM that has most of it.
double waves(const KernelRow& row, const DeviceCaps& caps, double blocks_on_busiest_sm) {
  const double most = resident_blocks(row, caps);
  const double full = std::floor(blocks_on_busiest_sm / most);
  const double last = blocks_on_busiest_sm - full * most;
  double block_times = full * most;
  if (last > 0.0) block_times += last / share_of_rate(row, most, last);
  return block_times;
}

double pipe_fma_per_clock(const KernelRow& row, int cc) {
  switch (row.pipe) {
    case Pipe::kMma: return mma_fma_per_clock(cc, row.key.ab);
    case Pipe::kWgmma: return wgmma_fma_per_clock(row.key.ab);
    case Pipe::kPlain:
    case Pipe::kMemory: break;
  }
  return plain_fma_per_clock(cc, row.key.acc);
}

// Bytes of one operand of one matrix product, as the kernel reads them.
double a_bytes(const GemmProblem& p) {
  return as_double(p.m) * as_double(p.k) * static_cast<double>(element_bytes(p.ab_type));
}
double b_bytes(const GemmProblem& p) {
  return as_double(p.k) * as_double(p.n) * static_cast<double>(element_bytes(p.ab_type));
}
double c_bytes(const GemmProblem& p) {
  return as_double(p.m) * as_double(p.n) * static_cast<double>(element_bytes(p.c_type)) *
         (is_host_zero(p.beta) ? kWriteWeight : kWriteWeight + 1.0);
}

double dram_us(const GemmProblem& p, const DeviceCaps& caps, double share) {
  return as_double(p.batch_count) * (a_bytes(p) + b_bytes(p) + c_bytes(p)) /
         (caps.dram_gb_per_s * 1e3 * share);
}

// ---- kernels that compute tiles of C ----------------------------------------------------------

// Tiles are computed whole: the edge of a partly filled tile costs as much as its middle.
double math_us(const KernelRow& row, const DeviceCaps& caps, double blocks_on_busiest_sm,
               double block_k) {
  const double fma =
      static_cast<double>(row.tile_m) * row.tile_n * block_k * (is_complex(row.key.c) ? 4.0 : 1.0);
  const double fma_per_us =
      pipe_fma_per_clock(row, caps.table_cc) * caps.clock_ghz * 1e3 * row.percent / 100.0;
  return waves(row, caps, blocks_on_busiest_sm) * fma / fma_per_us;
}

// Operands on their way to one SM: no more than its path to L2 takes, and no more at a time than
// the rings of its resident blocks hold.
double load_us(const KernelRow& row, const DeviceCaps& caps, double blocks_on_busiest_sm,
               double block_k, double blocks) {
  const double k_bytes = static_cast<double>((row.tile_m + row.tile_n)) *
                         static_cast<double>(element_bytes(row.key.ab));
  const double resident = std::min(blocks_on_busiest_sm, resident_blocks(row, caps));
  const double in_flight = resident * std::max(row.stages - 1, 1) * row.tile_k * k_bytes;
  const double per_clock = blocks >= caps.sm_count ? kL2BytesPerClockShared : kL2BytesPerClockOfSm;
  const double bytes_per_us =
      std::min(per_clock * caps.clock_ghz * 1e3, in_flight / kTileLatencyUs);
  return blocks_on_busiest_sm * block_k * k_bytes / bytes_per_us;
}

// Each level of the tree writes a slot and reads up to kSplitFanIn of them, through one SM's path.
double meeting_us(const KernelRow& row, const DeviceCaps& caps, int parts) {
  double us = 0.0;
  for (int count = parts; count > 1; count = (count + kSplitFanIn - 1) / kSplitFanIn) {
    const double slots = std::min(count, kSplitFanIn) + 1.0;
    us += kMeetingUs +
          slots * as_double(slot_bytes(row)) / (kL2BytesPerClockOfSm * caps.clock_ghz * 1e3);
  }
  return us;
}

// TMA asks for the rows of a box that lie outside of the matrix as well, and is slow at it: what a
// narrow product costs a tile that is wider.
double outside_share(const KernelRow& row, const GemmProblem& p) {
  if (row.pipe != Pipe::kWgmma) return 0.0;
  const double outside_m = std::max(0.0, row.tile_m - as_double(p.m));
  const double outside_n = std::max(0.0, row.tile_n - as_double(p.n));
  return (outside_m + outside_n) / (row.tile_m + row.tile_n);
}

// From one wave of blocks to the next: the end of a block and the first k-tile of another, where
// the kernel does not overlap them.
double wave_us(const KernelRow& row, const DeviceCaps& caps, double blocks_on_busiest_sm) {
  if (row.pipe == Pipe::kWgmma) return 0.0;
  return kNextWaveUs * (std::ceil(blocks_on_busiest_sm / resident_blocks(row, caps)) - 1.0);
}

double tiled_us(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps, int parts) {
  const double blocks = tiles_of(row, p) * parts;
  const double on_busiest_sm = std::ceil(blocks / caps.sm_count);
  const double k_tiles = std::ceil(as_double(p.k) / row.tile_k);
  const double block_k = parts == 1 ? as_double(p.k) : std::ceil(k_tiles / parts) * row.tile_k;
  const double slowdown = 1.0 + kOutsideCost * outside_share(row, p);
  const double busy = std::max({math_us(row, caps, on_busiest_sm, block_k),
                                load_us(row, caps, on_busiest_sm, block_k, blocks) * slowdown,
                                dram_us(p, caps, kDramShare) * slowdown});
  return kLaunchUs + kTileLatencyUs + busy + wave_us(row, caps, on_busiest_sm) +
         meeting_us(row, caps, parts);
}

// ---- kernels that stream their operands -------------------------------------------------------

// How much dearer the operand on the narrow side of the tile is to read: its k one element a sector
// where k is not contiguous.
double narrow_weight(const KernelRow& row, const GemmProblem& p) {
  const bool narrow_is_b = row.tile_n < row.tile_m;
  const bool k_contiguous = narrow_is_b ? p.op_b == Op::kN : p.op_a != Op::kN;
  return k_contiguous ? 1.0 : kStridedWeight;
}

// The large operand goes by once for each tile of the other's columns.
double streaming_us(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps, int parts) {
  const double passes_a = std::ceil(as_double(p.n) / row.tile_n);
  const double passes_b = std::ceil(as_double(p.m) / row.tile_m);
  const double narrow = narrow_weight(row, p);
  const double a_weight = row.tile_n < row.tile_m ? 1.0 : narrow;
  const double b_weight = row.tile_n < row.tile_m ? narrow : 1.0;
  const double l2_bytes =
      as_double(p.batch_count) *
      (a_bytes(p) * passes_a * a_weight + b_bytes(p) * passes_b * b_weight + c_bytes(p));
  const double tiles = tiles_of(row, p);
  const double blocks = tiles * parts;
  const double sms = std::min<double>(blocks, caps.sm_count);
  const double l2_us = l2_bytes / (sms * kL2BytesPerClockShared * caps.clock_ghz * 1e3);
  const double fma =
      tiles * row.tile_m * row.tile_n * as_double(p.k) * (is_complex(row.key.c) ? 4.0 : 1.0);
  const double fma_us = fma / (sms * plain_fma_per_clock(caps.table_cc, row.key.acc) *
                               caps.clock_ghz * 1e3 * kLoneBlockShare / 2.0);
  // One tile after the other on each block's place, none shorter than its latencies.
  const double turns = std::ceil(blocks / (caps.sm_count * resident_blocks(row, caps)));
  const double k_steps = std::ceil(std::ceil(as_double(p.k) / row.tile_k) / parts);
  const double latency_us = turns * (kStreamTileUs + k_steps * kStreamStepUs);
  const double busy = std::max({dram_us(p, caps, row.percent / 100.0), l2_us, fma_us, latency_us});
  return kLaunchUs + kTileLatencyUs + busy + meeting_us(row, caps, parts);
}

}  // namespace

int64_t slot_bytes(const KernelRow& row) {
  const int64_t sum = row.key.acc == Compute::kF64 ? 8 : 4;
  return int64_t{row.tile_m} * row.tile_n * sum * (is_complex(row.key.c) ? 2 : 1);
}

// In double: far past any limit it need not be exact.
int64_t tile_count(const KernelRow& row, const GemmProblem& p) {
  return static_cast<int64_t>(std::min(tiles_of(row, p), 9e18));
}

size_t scratch_bytes(int sm_count) {
  // The sums of one wave of blocks: half of the registers of each SM.
  constexpr size_t kSumBytesOfSm = 128 * 1024;
  return static_cast<size_t>(sm_count) * kSumBytesOfSm;
}

int largest_split(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps) {
  if (row.max_parts == 1) return 1;
  const double tiles = tiles_of(row, p);
  const double slots =
      std::min(as_double(kScratchSlots),
               static_cast<double>(scratch_bytes(caps.sm_count)) / as_double(slot_bytes(row)));
  const double k_tiles = std::ceil(as_double(p.k) / row.tile_k);
  return static_cast<int>(
      std::max(1.0, std::min({as_double(row.max_parts), std::floor(slots / tiles), k_tiles})));
}

double predict_us(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps, int parts) {
  return row.pipe == Pipe::kMemory ? streaming_us(row, p, caps, parts)
                                   : tiled_us(row, p, caps, parts);
}

}  // namespace myblas
