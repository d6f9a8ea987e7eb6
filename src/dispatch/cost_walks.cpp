// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// dispatch/cost_walks.cpp: what fp32 products take in blocks that stay and that TMA
// feeds (kernels/simt/simt_batch_tma.cuh). A ring that goes on from tile to tile has
// no rounds: an SM's tiles are one long product, with something beside it for each.
//==============================================================================
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "dispatch/cost.h"
#include "dispatch/cost_constants.h"
#include "dispatch/cost_terms.h"
#include "dispatch/paper_model.h"
#include "kernels/common/launch.h"

namespace myblas {
namespace {

constexpr double kSchedulers = 4.0;  // of an SM
constexpr double kLanes = 32.0;

// Share of an SM's rate that so many blocks reach.
double share_of_blocks(const KernelRow& row, double most, double blocks) {
  const bool half = row.threads < kLanes * kSchedulers;
  const double alone = half ? kLoneShareWalkHalf : kLoneShareWalk;
  if (blocks >= most) return 1.0;
  return alone + (1.0 - alone) * std::pow((blocks - 1.0) / (most - 1.0), kOthersPowerWalk);
}

// Times that an SM with so many tiles takes a tile's: its blocks at once, round after round.
double times_of_tile(const KernelRow& row, const DeviceCaps& caps, double tiles) {
  const double most = resident_blocks(row, caps);
  constexpr double kCountable = 1e9;  // beyond, the rounds are many
  const auto at_once = static_cast<double>(even_blocks_of_sm(
      static_cast<int64_t>(std::min(tiles, kCountable)), static_cast<int64_t>(most), row.threads));
  const double rounds = std::floor(tiles / at_once);
  const double left = tiles - rounds * at_once;
  double times = rounds * at_once / share_of_blocks(row, most, at_once);
  if (left > 0.0) {
    // Of two rounds some SMs have the second one whole, of more they have more of the last. Two
    // warps a block: the schedulers of an odd one wait for the busier half of them.
    const bool pairs = row.threads < kLanes * kSchedulers && left > 1.0;
    const double own = pairs ? 2.0 * std::ceil(left / 2.0) : left;
    const double uneven = rounds == 0.0 ? 0.0 : rounds == 1.0 ? 1.0 : kUnevenWalk;
    const double last = own + uneven * (at_once - own);
    times += last / share_of_blocks(row, most, last);
  }
  return times;
}

// Whether columns of C are whole runs of 16 bytes (simt/simt_store.cuh).
bool is_stored_in_runs(const GemmProblem& p) {
  constexpr int64_t kOfRun = 4;
  return has_runs(p.c, p.c_type, p) && p.m % kOfRun == 0;
}

}  // namespace

double walking_us(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps, bool summed) {
  const double warps = row.threads / kLanes;
  const double of_sm = std::ceil(tiles_of(row, p) / caps.sm_count);
  const double k_tiles = std::ceil(as_double(p.k) / row.tile_k);
  const double k = k_tiles * row.tile_k;
  const double elements = static_cast<double>(row.tile_m) * row.tile_n;
  const double clocks_per_us = caps.clock_ghz * 1e3;
  const double fma_per_clock =
      plain_fma_per_clock(caps.table_cc, row.key.acc) * rate_on(row, caps).share;
  const bool reads_c = !is_host_zero(p.beta);
  // Along k in A neighbouring lanes have neighbouring rows; elsewhere each has a run of them.
  const bool scatters = row.trans != kTN && !is_stored_in_runs(p);
  const double element_us = kElementUsWalk + (reads_c ? kReadElementUsWalk : 0.0) +
                            (scatters ? kScatteredElementUsWalk : 0.0);
  const double tile_us =
      (k * elements / fma_per_clock + k_tiles * kKTileClocksWalk * warps / kSchedulers) /
          clocks_per_us +
      kTileUsWalk + element_us * elements;
  const double math = times_of_tile(row, caps, of_sm) * tile_us;
  const double loaded =
      of_sm * k * (row.tile_m + row.tile_n) * static_cast<double>(element_bytes(row.key.ab));
  // What is read comes between what is written.
  const double write_weight =
      (reads_c ? kWriteWeight : kWriteWeightStreamed) * cut_sectors(p, caps);
  const double stored = summed ? 0.0 : c_bytes(p, write_weight);
  const double dram = dram_us(p, caps, a_bytes(p) + b_bytes(p) + stored, kDramShare);
  return kLaunchUs + kRoundUsWalk + pointers_us(p) + (reads_c ? kReadUsWalk : 0.0) +
         together_us({math, loaded / (kL2BytesPerClockWalk * clocks_per_us), dram});
}

}  // namespace myblas
