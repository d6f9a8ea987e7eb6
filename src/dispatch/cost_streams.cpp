// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// dispatch/cost_streams.cpp: predicted time of the rows that stream their
// operands (gemv_dot, gemv_axpy) and of those for outer products (gemv_outer).
//==============================================================================
#include <algorithm>
#include <cmath>

#include "dispatch/cost.h"
#include "dispatch/cost_constants.h"
#include "dispatch/cost_terms.h"
#include "kernels/gemv/outer_shape.h"
#include "kernels/gemv/stream_shape.h"

namespace myblas {
namespace {

// How the operands of a streaming kernel come: in runs of 16 bytes, an element a load, or elements
// that lie apart.
enum class StreamLoads { kRuns, kElements, kApart };

// Whether neighbours along k are neighbours in memory: also in a single row, where ld is 1.
bool k_contiguous(const Matrix& matrix, bool k_first) { return k_first || matrix.ld == 1; }

StreamLoads loads_of(const KernelRow& row, const GemmProblem& p) {
  const bool large_is_a = row.tile_n < row.tile_m;
  const Matrix& large = large_is_a ? p.a : p.b;
  const Matrix& small = large_is_a ? p.b : p.a;
  const bool k_first_a = p.op_a != Op::kN, k_first_b = p.op_b == Op::kN;
  // axpy: the large operand's rows are contiguous, and of the small one it needs an element a k.
  if (!(large_is_a ? k_first_a : k_first_b)) {
    return has_runs(large, p.ab_type, p) ? StreamLoads::kRuns : StreamLoads::kElements;
  }
  if (!k_contiguous(small, large_is_a ? k_first_b : k_first_a)) return StreamLoads::kApart;
  const bool single = std::min(row.tile_m, row.tile_n) == 1;  // one column: its ld is never used
  return has_runs(large, p.ab_type, p) && (single || has_runs(small, p.ab_type, p))
             ? StreamLoads::kRuns
             : StreamLoads::kElements;
}

// Of the 32 lines of the cache that a warp's loads of as many elements could take, what they take
// more than one, where the small operand's lie apart: 0 to 1.
double apartness(const KernelRow& row, const GemmProblem& p) {
  constexpr double kLineBytes = 128.0, kLanes = 32.0;
  const int64_t ld = row.tile_n < row.tile_m ? p.b.ld : p.a.ld;
  const double reach = as_double(ld) * static_cast<double>(element_bytes(p.ab_type)) * kLanes;
  return (std::clamp(reach / kLineBytes, 1.0, kLanes) - 1.0) / (kLanes - 1.0);
}

// FMA of a streaming kernel, of the plain pipe's.
double share_of_fma(const KernelRow& row, const GemmProblem& p, StreamLoads loads) {
  if (loads == StreamLoads::kRuns && row.key.acc == Compute::kF64) return kDotShareOfRunsF64;
  if (loads == StreamLoads::kRuns) {
    return row.tile_m * row.tile_n < kDotFewSums ? kDotShareOfRunsFew : kDotShareOfRuns;
  }
  constexpr int64_t kShortRow = 512;
  const bool by_eight =
      p.k > kShortRow && !sums_columns(row, p) && dot_lanes(std::max(row.tile_m, row.tile_n)) == 8;
  const double halves = element_bytes(p.ab_type) == 2
                            ? kDotShareOfHalves * (by_eight ? kDotShareOfEightLanes : 1.0)
                            : 1.0;
  if (loads == StreamLoads::kElements) return kDotShareOfElements * halves;
  constexpr double kLeast = 1.0 / kDotShareOfElements, kMost = 1.0 / kDotShareOfLines;
  return halves / (kLeast + (kMost - kLeast) * apartness(row, p));
}

// Dot products that all threads of a block sum together.
bool sums_few_rows(const KernelRow& row) {
  return dot_lanes(std::max(row.tile_m, row.tile_n)) == kGemvThreads;
}

// k of one step of a block: what is loaded before any of it is used.
double step_k(const KernelRow& row, const GemmProblem& p, StreamLoads loads) {
  if (loads == StreamLoads::kRuns) return row.tile_k;
  const int rows = std::max(row.tile_m, row.tile_n), columns = std::min(row.tile_m, row.tile_n);
  if (sums_columns(row, p)) {
    const size_t bytes = element_bytes(p.ab_type);
    const int lanes = axpy_lanes(rows, bytes), groups = kGemvThreads / lanes;
    return groups * axpy_elements(columns, rows / lanes, row.tile_k / groups, lanes, bytes);
  }
  return dot_lanes(rows) * dot_elements(columns, element_bytes(p.ab_type));
}

// What a thread's product takes, in those of fp32: fp64 has half their rate, 16 bits are converted
// first, and complex ones are four; how much of that loads cover is fitted.
double product_weight(const KernelRow& row) {
  const bool halves = element_bytes(row.key.ab) == 2;
  return (row.key.acc == Compute::kF64 ? kStreamProductF64
          : halves                     ? kStreamProductHalves
                                       : 1.0) *
         (is_complex(row.key.c) ? kStreamProductComplex : 1.0);
}

// Steps of k of one block and their time, each that of its loads and of a thread's products. Of the
// last one, part of it where it is not whole (2 x 192 x 384 in 1.85 us).
double steps_us(const KernelRow& row, const GemmProblem& p, StreamLoads loads, int parts) {
  const double of_step = step_k(row, p, loads);
  const double k_tiles = std::ceil(std::ceil(as_double(p.k) / row.tile_k) / parts);
  const double steps = std::min(as_double(p.k), k_tiles * row.tile_k) / of_step;
  const double whole = std::floor(steps);
  const double least = sums_few_rows(row) ? 1.0 : kStreamLastStep;
  const double last = steps > whole ? least + (1.0 - least) * (steps - whole) : 0.0;
  const double products = of_step * row.tile_m * row.tile_n / kGemvThreads * product_weight(row);
  const double apart = loads == StreamLoads::kApart ? 1.0 + kApartStep * apartness(row, p) : 1.0;
  const double loads_us = kStreamStepUs - (1.0 - coldness(p)) * kStreamWarmStepUs;
  return (whole + last) * loads_us * apart + steps * kStreamProductUs * products;
}

// What a streaming block takes to bring the sums of its warps together.
double warp_sums_us(const KernelRow& row, const GemmProblem& p) {
  return sums_columns(row, p) ? kStreamSumUs * row.tile_m * row.tile_n : 0.0;
}

// What an SM takes for a block of an outer product, of all of k: the elements that it fetches and
// multiplies, and those that it writes.
double outer_block_us(const KernelRow& row, const GemmProblem& p, const OuterShape& shape) {
  const double rows = std::min<double>(shape.tile_m, as_double(p.m));
  const double cols = std::min<double>(shape.tile_n, as_double(p.n));
  // Threads multiply as many rows and columns as they hold, whether the tile has them or not.
  const double k_us =
      kOuterStepUs * (is_complex(row.key.c) ? kOuterComplex : 1.0) + kOuterFetchUs * (rows + cols);
  const double store_us =
      kOuterStoreUs * rows * cols / (static_cast<double>(row.tile_m) * row.tile_n);
  const bool in_stretches = element_bytes(p.c_type) == 2 && !has_runs(p.c, p.c_type, p);
  return kOuterBlockUs +
         (store_us + as_double(p.k) * k_us) * (in_stretches ? kOuterInStretches : 1.0);
}

// The longer of two that are both felt where they are near each other: loads take longer on a busy
// DRAM.
double near_each_other(double us, double other_us) {
  constexpr double kSharp = 4.0;
  return std::pow(std::pow(us, kSharp) + std::pow(other_us, kSharp), 1.0 / kSharp);
}

// What blocks take for the large operand, `us` of it where they keep DRAM busy: SMs ask for no more
// at a time than their loads on the way are, which are fewer where C has but `fill` of a tile's
// rows. Of blocks that all run at once, some SMs have one more than others. Each that reads for the
// first time is one of the `readers`.
double large_operand_us(const DeviceCaps& caps, double resident, double readers, bool once,
                        double fill, double bytes, double us) {
  const double even = readers / caps.sm_count;
  const double per_us =
      kStreamBytesPerClockOfSm * std::min(1.0, fill / kStreamFillOfAll) * caps.clock_ghz * 1e3;
  if (std::ceil(even) > resident) {
    return std::max(us, bytes / (caps.sm_count * per_us));
  }
  const double of_sm = std::ceil(even);
  const double together = once ? std::pow(of_sm, kStreamTogether) : 1.0;
  const double of_sm_us = of_sm * bytes / readers / (per_us * together);
  return near_each_other(us, of_sm_us);
}

}  // namespace

// Of the rows that take operands any way, those of one column or row are tall ones.
bool is_tall(const KernelRow& row) {
  return row.trans == kAnyTrans && row.pipe == Pipe::kMemory &&
         std::min(row.tile_m, row.tile_n) == 1;
}
bool is_outer(const KernelRow& row) { return row.trans == kAnyTrans && !is_tall(row); }

// Bound by what a block takes, by the DRAM or, where k is not small, by the products.
double outer_us(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps) {
  const OuterShape shape =
      outer_shape(row.tile_m, row.tile_n, p.m, p.n, p.batch_count, caps.sm_count);
  const double blocks =
      as_double(shape.tiles_m) * as_double(shape.tiles_n) * as_double(p.batch_count);
  const double more_k_tiles = std::max(0.0, std::ceil(as_double(p.k) / row.tile_k) - 1.0);
  // Short blocks are dealt evenly; of long ones the SM counts that has most.
  const double of_sm = std::max(1.0, blocks / caps.sm_count);
  const double on_busiest_sm = more_k_tiles > 0.0 ? std::ceil(of_sm) : of_sm;
  const double block_times = 1.0 + kOuterTogether * (on_busiest_sm - 1.0);
  const double blocks_us = kOuterStartUs + pointers_us(p) + more_k_tiles * kOuterKTileUs +
                           block_times * outer_block_us(row, p, shape);
  const bool writes_slowly = element_bytes(row.key.c) == 2 || is_complex(row.key.c);
  const double weight = writes_slowly ? kOuterWriteWeight : 1.0;
  const double bytes = a_bytes(p) + b_bytes(p) + c_bytes(p, weight);
  const double least_us = dram_us(p, caps, bytes, row.percent / 100.0);
  const double fma = as_double(p.batch_count) * as_double(p.m) * as_double(p.n) * as_double(p.k) *
                     (is_complex(row.key.c) ? 4.0 : 1.0);
  const double fma_us = fma / (caps.sm_count * plain_fma_per_clock(caps.table_cc, row.key.acc) *
                               caps.clock_ghz * 1e3 * kOuterShareOfFma);
  return kLaunchUs + std::max({blocks_us, least_us + kOuterUnhidden * fma_us, fma_us});
}

// Bound by DRAM, by steps of k one after the other or, where a warp's elements lie apart, by the
// lines of the cache that its loads take.
double tall_us(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps) {
  constexpr double kLineBytes = 128.0, kLanes = 32.0;
  const bool large_is_a = row.tile_n < row.tile_m;
  const Matrix& large = large_is_a ? p.a : p.b;
  const bool k_first = large_is_a ? p.op_a != Op::kN : p.op_b == Op::kN;
  const bool runs = !k_first && has_runs(large, p.ab_type, p);
  const auto element = static_cast<double>(element_bytes(p.ab_type));
  const double tiles = tiles_of(row, p);
  const double places = caps.sm_count * resident_blocks(row, caps);
  const double turns = std::ceil(tiles / places);
  const int run = std::max(row.tile_m, row.tile_n) / row.threads;  // rows of a thread
  const int of_step = runs ? row.tile_k : tall_elements(run, row.tile_k, element_bytes(p.ab_type));
  const double steps = std::ceil(as_double(p.k) / of_step);
  const double products = of_step * run * product_weight(row);
  const double step_us =
      kStreamStepUs - (1.0 - coldness(p)) * kStreamWarmStepUs + kTallProductUs * products;
  const double latency_us = kTallFirstUs + kTallRowUs * run + kTallBlockUs * tiles / caps.sm_count +
                            pointers_us(p) + turns * steps * step_us +
                            (turns - 1.0) * (kTallTileUs + coldness(p) * kTallColdTileUs);
  const double columns = as_double(large_is_a ? p.n : p.m);
  const double passes = columns * as_double(p.batch_count);
  const double bytes = (large_is_a ? a_bytes(p) : b_bytes(p)) + c_bytes(p, kWriteWeight);
  const double least_us =
      dram_us(p, caps, bytes, row.percent / 100.0) * (1.0 + kStreamAgain * std::log2(columns));
  const double reach = k_first ? as_double(large.ld) * element * kLanes : element * kLanes;
  const double lines = runs ? 0.0 : std::clamp(reach / kLineBytes, 1.0, kLanes);  // of a load
  const double loads = as_double(large_is_a ? p.m : p.n) * as_double(p.k) * passes / kLanes;
  const double l1_us = loads * lines * kTallLineClocks / (caps.sm_count * caps.clock_ghz * 1e3);
  const double fma = loads * kLanes * (is_complex(row.key.c) ? 4.0 : 1.0);
  const double fma_us = fma / (caps.sm_count * plain_fma_per_clock(caps.table_cc, row.key.acc) *
                               caps.clock_ghz * 1e3 * kTallShareOfFma);
  return kLaunchUs + near_each_other(kTallStartUs + least_us,
                                     std::max({latency_us, kTallFirstUs + l1_us, fma_us}));
}

// The large operand goes by once for each tile of the other's columns.
double streaming_us(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps, int parts) {
  const double passes_a = std::ceil(as_double(p.n) / row.tile_n);
  const double passes_b = std::ceil(as_double(p.m) / row.tile_m);
  const double l2_bytes =
      as_double(p.batch_count) *
      (a_bytes(p) * passes_a + b_bytes(p) * passes_b + c_bytes(p, kWriteWeight));
  const double tiles = tiles_of(row, p);
  const double blocks = tiles * parts;
  const double sms = std::min<double>(blocks, caps.sm_count);
  const double l2_us = l2_bytes / (sms * kL2BytesPerClockShared * caps.clock_ghz * 1e3);
  const StreamLoads loads = loads_of(row, p);
  // Threads multiply whole tiles, but load less for one that C does not fill: half of what it lacks
  // counts.
  const double whole = static_cast<double>(row.tile_m) * row.tile_n;
  const double inside =
      std::min<double>(row.tile_m, as_double(p.m)) * std::min<double>(row.tile_n, as_double(p.n));
  const double fma = 0.5 * (whole + inside) * as_double(p.k) / parts *
                     (is_complex(row.key.c) ? 4.0 : 1.0);  // of a block
  const double on_busiest_sm = std::ceil(blocks / caps.sm_count);
  const double fma_us = on_busiest_sm * fma /
                        (plain_fma_per_clock(caps.table_cc, row.key.acc) * caps.clock_ghz * 1e3 *
                         share_of_fma(row, p, loads) * (on_busiest_sm > 1.0 ? 1.0 : kDotLoneShare));
  // One tile after the other on each block's place, none shorter than its latencies.
  const bool large_is_a = row.tile_n < row.tile_m;
  const double passes = large_is_a ? passes_a : passes_b;
  // Dot products that go over their operand again gain nothing by a third block.
  constexpr double kMostAgain = 2.0;
  const bool goes_again = passes > 1.0 && !sums_columns(row, p);
  const double resident = std::min(resident_blocks(row, caps), goes_again ? kMostAgain : 1e9);
  const double places = caps.sm_count * resident;
  const double turns = std::ceil(blocks / places);
  const double tile_us = steps_us(row, p, loads, parts);
  const double latency_us = kStreamFirstUs + kStreamBlockUs * blocks / caps.sm_count +
                            pointers_us(p) + warp_sums_us(row, p) + (turns - 1.0) * kStreamTileUs +
                            turns * tile_us + (sums_few_rows(row) ? kFewRowsBlockUs * blocks : 0.0);
  const double readers = blocks / passes;
  const double rows = as_double(large_is_a ? p.m : p.n);
  const double fill =
      sums_columns(row, p) ? 1.0 : std::min(1.0, rows / std::max(row.tile_m, row.tile_n));
  const double large_bytes = as_double(p.batch_count) * (large_is_a ? a_bytes(p) : b_bytes(p));
  const double bytes = a_bytes(p) + b_bytes(p) + c_bytes(p, kWriteWeight);
  const double large_us =
      large_operand_us(caps, resident, readers, passes == 1.0, fill, large_bytes,
                       dram_us(p, caps, bytes, row.percent / 100.0));
  // The last turn's readers start when the DRAM has done the others' share, but those of many turns
  // start and end at all times.
  const double turns_before = std::ceil(readers / places) - 1.0;
  constexpr double kMostIdle = 0.25;  // that was measured
  const double steps = as_double(p.k) / row.tile_k / parts;
  const bool is_ragged = loads == StreamLoads::kRuns && steps > 1.0 && turns_before > 0.0;
  const double idle = is_ragged ? std::min(kMostIdle, 1.0 - steps / std::ceil(steps)) : 0.0;
  const double ragged = 1.0 + kStreamRagged * idle * idle;
  const double last_us = large_us * (1.0 - turns_before * places / readers);
  const double tail_us =
      turns_before > 0.0 ? std::max(0.0, kStreamStartUs + tile_us - last_us) / turns_before : 0.0;
  const double again = row.key.acc == Compute::kF64 ? kStreamAgainF64 : kStreamAgain;
  const double in_turns = sums_few_rows(row) && turns > 1.0 ? kFewRowsInTurns : 1.0;
  const double least_us =
      (ragged * large_us * in_turns + tail_us) * (1.0 + again * std::log2(passes));
  const double busy = std::max({kStreamStartUs + least_us, l2_us, fma_us, latency_us});
  return kLaunchUs + busy + meeting_us(row, caps, parts, turns, 1.0);
}

}  // namespace myblas
