// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// dispatch/cost_warps.cpp: what products take whose tiles are a warp's each: tiny ones by FMA
// (kernels/simt/gemm_warp.cuh), small ones of 16 bits on tensor cores
// (kernels/common/mma_warp.cuh).
//==============================================================================
#include <algorithm>
#include <cmath>

#include "dispatch/cost.h"
#include "dispatch/cost_constants.h"
#include "dispatch/cost_terms.h"

namespace myblas {
namespace {

constexpr double kLanes = 32.0, kSchedulers = 4.0;

// Tiny products, a warp each (gemm_warp): issue slots of a tile, of each of a lane's sums, of a
// k-tile and of each of a lane's loads, as fitted (docs/adr/0041); and what a tile and each k of
// the k-tiles behind its first take at least, complex ones so many times as long.
// bench/shapes/tiny.txt on an H100, beside which tiles of more warps were predicted too long where
// a product has several of these, and the random list.
constexpr double kTinySlots = 84.5;
constexpr double kTinySlotsOfSum = 26.1;
constexpr double kTinySlotsOfKTile = 62.2;
constexpr double kTinySlotsOfLoad = 11.9;
constexpr double kTinyTileUs = 0.98;
constexpr double kTinyComplex = 1.29;
constexpr double kTinyStepUs = 0.0588;
constexpr double kTinyOfSeveral = 1.1;

// Tiles on tensor cores, as fitted to 468 times of warps on an H200 (docs/adr/0044): issue slots
// of a tile, of a k-tile, and more of either by words (237 as fitted: 64 x 77 x 77 by 640 is slower
// than behind a pass, whose time is predicted too long); bytes that an SM's warps load a clock,
// along rows, so much less along k, and by words; bytes that they store a clock.
constexpr double kWarpSlots = 416.0, kWarpSlotsOfKTile = 731.0, kWarpSlotsOfWords = 420.0;
constexpr double kWarpBytesPerClock = 62.6, kWarpAlongK = 0.64, kWarpByWords = 1.62;
constexpr double kWarpStoredPerClock = 5.5;
// What a tile takes at least, and each k-tile; more of either by words; more where C's columns do
// not begin at words, in slots too; and where the last chunk of memory hangs over its end.
constexpr double kWarpTileUs = 0.77, kWarpKTileUs = 0.92, kWarpWordsUs = 0.25;
constexpr double kWarpStagedUs = 0.6, kWarpStagedSlots = 277.0, kWarpEndUs = 0.61;

// Warps that an SM holds.
double warps_of_sm(const KernelRow& row, const DeviceCaps& caps) {
  return resident_blocks(row, caps) * row.threads / kLanes;
}

// Bound by what the schedulers issue for as many tiles, by what those load, or, where all run at
// once, by what one takes to load and to store.
double tiny_fma_us(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps) {
  const double of_sm = std::ceil(tiles_of(row, p) / caps.sm_count);
  const double turns = std::ceil(of_sm / warps_of_sm(row, caps));
  const double k_tiles = std::ceil(as_double(p.k) / row.tile_k);
  const double tile = static_cast<double>(row.tile_m) * row.tile_n;  // = that of an operand
  const double of_complex = is_complex(row.key.c) ? 2.0 : 1.0;
  const double slots =
      kTinySlots + kTinySlotsOfSum * tile / kLanes +
      k_tiles * (kTinySlotsOfKTile + 2.0 * of_complex * kTinySlotsOfLoad * tile / kLanes);
  const double k = std::min(k_tiles * row.tile_k, std::ceil(as_double(p.k) / 4.0) * 4.0);
  const double fma = tile * k * of_complex * of_complex;
  const double fma_clocks =
      fma / (plain_fma_per_clock(caps.table_cc, row.key.acc) * row.percent / 100.0);
  const double issue_us = of_sm * (slots / kSchedulers + fma_clocks) / (caps.clock_ghz * 1e3);
  const double tile_us = (kTinyTileUs + std::max(0.0, k_tiles - 1.0) * row.tile_k * kTinyStepUs) *
                         (is_complex(row.key.c) ? kTinyComplex : 1.0);
  const double latency_us = pointers_us(p) + turns * tile_us;
  const double k_bytes =
      (row.tile_m + row.tile_n) * static_cast<double>(element_bytes(p.ab_type));  // of a tile
  const double l2_us =
      of_sm * k_bytes * as_double(p.k) / (kL2BytesPerClockShared * caps.clock_ghz * 1e3);
  const double bytes = a_bytes(p) + b_bytes(p) + c_bytes(p, kWriteWeight);
  const double least_us = dram_us(p, caps, bytes, kDramShare);
  const bool several = std::max({p.m, p.n, p.k}) > row.tile_m;
  return (kLaunchUs + together_us({issue_us, latency_us, l2_us, least_us})) *
         (several ? kTinyOfSeveral : 1.0);
}

// Whether neighbours along rows are neighbours in memory, of both.
bool rows_contiguous_a(const GemmProblem& p) { return p.op_a == Op::kN; }
bool rows_contiguous_b(const GemmProblem& p) { return p.op_b != Op::kN; }

constexpr int64_t kChunk = 4;  // elements

// Whether the last chunk of an operand's memory, or the words that hold it, may lie across its end.
bool hangs_over_end(const Matrix& matrix, int64_t length) {
  return length % kChunk != 0 || matrix.ld % 2 != 0;
}

// By what the schedulers issue, by what passes L1, or by what a tile waits for, one after the
// other.
double tiny_mma_us(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps) {
  const double per_us = caps.clock_ghz * 1e3;
  const auto element = static_cast<double>(element_bytes(p.ab_type));
  const bool by_words = row.align_a < kChunk * element;
  // Pointers of a batch are not known here; they hardly ever lie worse than their columns.
  const bool by_pointers = p.batch_kind == BatchKind::kPointers;
  const bool odd_columns = by_pointers ? p.c.ld % 2 != 0 : alignment_bytes(p.c, p.c_type, p) < 4;
  const bool staged = odd_columns || p.m % 2 != 0;
  const double tiles_m = std::ceil(as_double(p.m) / row.tile_m);
  const double tiles_n = std::ceil(as_double(p.n) / row.tile_n);
  const double k_tiles = std::ceil(as_double(p.k) / row.tile_k);
  const double of_sm = tiles_of(row, p) / caps.sm_count;
  const double slots = kWarpSlots + k_tiles * (kWarpSlotsOfKTile + by_words * kWarpSlotsOfWords) +
                       staged * kWarpStagedSlots;
  const int along_k = (rows_contiguous_a(p) ? 0 : 1) + (rows_contiguous_b(p) ? 0 : 1);
  const double loaded = as_double(p.batch_count) * element * as_double(p.k) *
                        (as_double(p.m) * tiles_n + as_double(p.n) * tiles_m) / caps.sm_count;
  const double stored =
      as_double(p.batch_count) * element * as_double(p.m) * as_double(p.n) / caps.sm_count;
  const double weight = (1.0 + kWarpAlongK * along_k) * (by_words ? kWarpByWords : 1.0);
  const double l1_us =
      (loaded * weight / kWarpBytesPerClock + stored / kWarpStoredPerClock) / per_us;
  const bool hangs_over = hangs_over_end(p.a, rows_contiguous_a(p) ? p.m : p.k) ||
                          hangs_over_end(p.b, rows_contiguous_b(p) ? p.n : p.k);
  const double turns = std::ceil(std::ceil(of_sm) / warps_of_sm(row, caps));
  const double tile_us =
      kWarpTileUs + staged * kWarpStagedUs + k_tiles * (kWarpKTileUs + by_words * kWarpWordsUs);
  const double bytes = a_bytes(p) + b_bytes(p) + c_bytes(p, kWriteWeight);
  // Of pointers each product may end memory, else the last.
  const double ends = hangs_over ? (by_pointers ? turns : 1.0) * kWarpEndUs : 0.0;
  return kLaunchUs + together_us({of_sm * slots / kSchedulers / per_us, l1_us,
                                  pointers_us(p) + turns * tile_us + ends,
                                  dram_us(p, caps, bytes, kDramShare)});
}

}  // namespace

double tiny_us(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps) {
  return row.pipe == Pipe::kMma ? tiny_mma_us(row, p, caps) : tiny_fma_us(row, p, caps);
}

}  // namespace myblas
