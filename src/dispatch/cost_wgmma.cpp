// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// dispatch/cost_wgmma.cpp: what only wgmma's rows have: how their tiles leave, and
// what their rings take of DRAM.
//==============================================================================
#include <algorithm>
#include <cmath>

#include "dispatch/cost.h"
#include "dispatch/cost_constants.h"
#include "dispatch/cost_terms.h"
#include "kernels/common/launch_tma.h"
#include "kernels/common/tile_neighbours.h"
#include "kernels/hopper/hopper_shape.h"

namespace myblas {
namespace {

// What `blocks`, at most one an SM, take for so many bytes each, whatever DRAM could give: as an SM
// asks for them. Fours as their GPC does too, where some have one more than others.
double asked_by_sms_us(const KernelRow& row, const DeviceCaps& caps, double blocks,
                       double of_block) {
  const double clocks_per_us = caps.clock_ghz * 1e3;
  const double of_single = row.tile_m <= 64 ? kDramBytesPerClockOfSm : kDramBytesPerClockOfTall;
  const double of_sm = row.cluster > 2 ? kDramBytesPerClockOfFour : of_single;
  const double sm_us = of_block / (of_sm * clocks_per_us);
  if (row.cluster <= 2 || blocks >= caps.sm_count) return sm_us;
  const double gpcs = std::max(1.0, std::floor(caps.sm_count / kSmsOfGpcInFours));
  const double fours = std::min(std::ceil(blocks / row.cluster / gpcs), kFoursOfGpc);
  const double of_gpc = row.cluster * fours;
  return std::max(sm_us, of_gpc * of_block / (kDramBytesPerClockOfGpc * clocks_per_us));
}

}  // namespace

// Whether boxes at the matrix's edge hold no more than is there (EdgeBoxes of
// kernels/common/tma_args.h): not of wgmma's rows whose producers lack the registers, which take
// turns or have the largest tiles (HopperShape::knows_edges).
bool knows_edges(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps) {
  return row.pipe == Pipe::kWgmma && !row.ping_pong && !caps.whole_boxes &&
         row.tile_m * row.tile_n <= kTileOfLeanProducer && p.batch_kind != BatchKind::kPointers;
}

// Whether one consumer of a wgmma tile has all that lies inside of C: each has its share of the
// instruction's rows, which are n where the tile has 128 of it, but of fours and where A alone
// comes by way of registers m, as of all others, and of fp32 in terms the longer side; or of the
// columns, of pairs of more than 128 rows (hopper/hopper_shape.h).
bool stores_by_one(const KernelRow& row, const GemmProblem& p) {
  constexpr int kRows = 128;
  const int consumers = row.threads / 128 - 1;
  if (consumers == 1) return true;
  if (row.ping_pong) return false;
  if (row.tile_m > kRows && row.tile_n != kRows && row.cluster > 1) {
    return p.n <= row.tile_n / consumers;
  }
  const bool rows_are_m =
      is_in_terms(row)
          ? row.tile_m >= row.tile_n
          : row.tile_n != kRows || (row.tile_m == kRows && (row.cluster > 2 || row.trans == kNN));
  return rows_are_m ? p.m <= row.tile_m / consumers : p.n <= row.tile_n / consumers;
}

// wgmma's tiles leave a consumer in pieces, all at once or through two buffers (of those that take
// turns four), of shared memory that the ring leaves (hopper/hopper_shape.h): their size, of pieces
// of 64 x 64 in 16 bits.
double size_of_pieces(const KernelRow& row) {
  const int consumers = row.threads / 128 - 1;
  const double ring = as_double(row.stages) * (row.tile_m + row.tile_n) * kTmaRowBytes;
  const double staging = (static_cast<double>(row.smem_bytes) - ring) / consumers;
  const double all = static_cast<double>(row.tile_m) * row.tile_n *
                     static_cast<double>(element_bytes(row.key.c)) /
                     (row.ping_pong ? 1 : consumers);
  const double piece = staging >= all ? all : staging / (row.ping_pong ? 4 : 2);
  return piece / (kHopperBlock * kHopperBlock * 2);
}

// How much longer they take than such pieces, for most of a piece's time is the same.
double narrow_pieces(const KernelRow& row) {
  const double of_usual = size_of_pieces(row);
  const double same = of_usual > 1.0 ? kSameOfWidePieces : kSameOfPieces;
  return longer_in_pieces(of_usual, same);
}

// Bytes of DRAM on their way by TMA, as many to each block. All SMs get the same; where some have a
// block more than others, those go on alone, half of their time.
double streamed_us(const KernelRow& row, const DeviceCaps& caps, double blocks, double bytes) {
  const double bandwidth = caps.dram_gb_per_s * 1e3 * kDramShareTma;
  const double of_block = bytes / blocks;
  const auto round_us = [&](double of_round, double alone) {
    return std::max(of_round * of_block / bandwidth,
                    alone * asked_by_sms_us(row, caps, of_round, of_block));
  };
  const double rounds = std::floor(blocks / caps.sm_count);
  const double rest = blocks - rounds * caps.sm_count;
  if (rounds == 0.0) return round_us(rest, 1.0);
  const double rest_us = rest > 0.0 ? round_us(rest, kRestAlone) : 0.0;
  return rounds * round_us(caps.sm_count, 1.0) + rest_us;
}

// What a byte of C costs of a byte read.
double write_weight_of_wgmma(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps) {
  constexpr int kAtOnceBytes = 64;  // of DRAM
  const int tile_bytes = row.tile_m * static_cast<int>(element_bytes(p.c_type));
  const bool tiles_cut = p.m > row.tile_m && tile_bytes % kAtOnceBytes != 0;
  const double tiles = tiles_cut ? 1.0 + (kWriteCutTiles - 1.0) * share_past_l2(p, caps) : 1.0;
  const double cut = tiles * (is_stored_by_tma(p) ? cut_sectors(p, caps) : 1.0);
  const double even = row.cluster > 1      ? kWriteWeightClusters
                      : p.k < kShortKLeast ? kWriteWeightTmaOfShortest
                                           : kWriteWeightTma;
  const bool fits = p.m % row.tile_m == 0 && p.n % row.tile_n == 0;
  const bool uneven = (row.tile_m > 64 && row.tile_m % 128 != 0) || row.tile_n % 128 != 0;
  const bool is_uneven = uneven && !fits && std::min(row.tile_m, row.tile_n) >= 128;
  return cut * (is_uneven && p.k >= kShortKLeast ? kWriteWeightUneven : even);
}

double beside_others(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps, int parts,
                     bool along_m, bool summed) {
  const bool may = row.pipe == Pipe::kWgmma && row.cluster <= 2 && !row.by_pointers;
  if (!may || is_in_terms(row)) return 1.0;
  const int is_large = row.tile_m * row.tile_n > kLargeNeighbours ? 1 : 0;
  if (row.cluster == 1) {
    if (row.blocks_per_sm > 1) return 1.0;
    const int64_t k_tiles = (p.k + row.tile_k - 1) / row.tile_k / parts;
    NeighbourTiles tiles{p.m, p.n, row.tile_m, row.tile_n, parts, k_tiles};
    if (summed) {
      tiles.parts = static_cast<int>(p.batch_count);
      const double asked = asked_in_order(tiles, caps.sm_count);
      return 1.0 - kSavedBehindPass[is_large] * (1.0 - asked);
    }
    if (parts > 1 || p.batch_count > 1 || caps.runs_alone) return 1.0;
    const double asked = neighbours_of(tiles, caps.sm_count).asked;
    return 1.0 - kSavedByNeighbours[is_large] * (1.0 - asked);
  }
  if (caps.runs_alone) return 1.0;
  TmaLaunch launch{};
  launch.tile_m = row.tile_m;
  launch.tile_n = row.tile_n;
  launch.cluster_m = along_m ? 2 : 1;
  launch.cluster_n = along_m ? 1 : 2;
  launch.may_run_together = row.tile_m * row.tile_n <= kPairTogetherMost;
  const double units = std::ceil(as_double(p.m) / (row.tile_m * launch.cluster_m)) *
                       std::ceil(as_double(p.n) / (row.tile_n * launch.cluster_n)) * parts;
  if (units > caps.sm_count) return 1.0;  // in rounds; any number fits an int64 from here
  const auto work = static_cast<int64_t>(units);
  return units_in_cluster(p, launch, caps.sm_count, work) == 2 ? 1.0 - kSavedByTwoPairs[is_large]
                                                               : 1.0;
}

// Of what blocks of wgmma ask L2 for, so many k in all and `rows` for each, the share that DRAM
// brings: each byte once.
double loaded_once(const KernelRow& row, const GemmProblem& p, double all_k, double rows) {
  const double loaded = all_k * rows * static_cast<double>(loaded_bytes(row));
  if (loaded == 0.0) return 1.0;
  return std::min(1.0, as_double(p.batch_count) * (a_bytes(p) + b_bytes(p)) / loaded);
}

// What wgmma's tiles take beside what DRAM sends them. Where that takes longest, bytes on their way
// to an SM for the first time are no load besides; what L2 is asked for `again` is in its way.
double wgmma_busy_us(double math, double loads, double outside, double dram, double again) {
  const double longest = std::max({math, loads, outside});
  const double others = math + loads + outside - longest + dram;
  const double by_tiles = longest + kUnhiddenWgmma * others;
  const double by_dram = dram + kUnhiddenWgmma * (math + outside) + kUnhiddenAgain * again;
  return std::max(by_tiles, by_dram);
}

}  // namespace myblas
