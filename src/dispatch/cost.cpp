// SPDX-License-Identifier: BSD-3-Clause
#include "dispatch/cost.h"

#include <algorithm>
#include <cmath>

#include "dispatch/cost_constants.h"
#include "dispatch/cost_terms.h"
#include "dispatch/paper_model.h"
#include "dispatch/summing.h"
#include "kernels/common/bf16_terms.h"
#include "kernels/common/launch_tma.h"
#include "kernels/common/shares.h"
#include "kernels/common/tma_shape.h"
#include "kernels/hopper/hopper_shape.h"
#include "kernels/simt/simt_smem.h"

namespace myblas {
namespace {

// Blocks that are launched for each part of k. All blocks of a cluster are, also where C ends
// before them.
double blocks_of(const KernelRow& row, const GemmProblem& p) {
  double tiles_m = std::ceil(as_double(p.m) / row.tile_m);
  double tiles_n = std::ceil(as_double(p.n) / row.tile_n);
  double& together = shares_b(row) ? tiles_m : tiles_n;
  together = row.cluster * std::ceil(together / row.cluster);
  return tiles_m * tiles_n * as_double(p.batch_count);
}

// Few warps with many sums each: one of them does not fill its scheduler. Sliced rows have two.
// Those that cp.async feeds were fitted with the wait of their like.
bool is_plain_by_tma(const KernelRow& row) { return row.pipe == Pipe::kPlain && is_by_tma(row); }

// By TMA with k-tiles of 32 and many sums a thread: a block waits less often.
bool has_long_k_tiles(const KernelRow& row) {
  constexpr int kLong = 32, kManySums = 64;
  const int sums = row.tile_m * row.tile_n * (is_complex(row.key.c) ? 4 : 1);
  return is_plain_by_tma(row) && row.tile_k >= kLong && sums >= kManySums * row.threads;
}

// Share of the full SM's rate that a block reaches alone, where `most` would fit.
double lone_share(const KernelRow& row, double most) {
  if (row.pipe == Pipe::kWgmma) return 1.0;
  if (rounds_in_f64(row)) return kLoneShareF64;
  if (row.pipe == Pipe::kMma) return kLoneShareMma;
  if (is_plain_by_tma(row)) {
    if (row.threads > 128) return kLoneShareSliced;
    const double rate = has_long_k_tiles(row) ? kLoneRateLongTiles : kLoneRatePlainTma;
    return std::min(1.0, rate / (row.percent / 100.0));
  }
  return 1.0 / (1.0 + (row.resident ? kLoneWaitResident : kLoneWait) * (most - 1.0));
}

// Share of that rate that `resident` blocks reach together: from what one reaches alone to all of
// it where the SM is full.
double share_of_rate(const KernelRow& row, double most, double resident) {
  if (most <= 1.0) return 1.0;
  const double alone = lone_share(row, most);
  // Of two warps: half of the schedulers have none.
  if (row.pipe == Pipe::kPlain && row.threads < 128 && resident == 1.0) return kLoneHalf * alone;
  // Two warps a scheduler keep DMMA busy.
  if (rounds_in_f64(row)) return alone + (1.0 - alone) * std::min(1.0, resident - 1.0);
  const double others = (resident - 1.0) / (most - 1.0);
  // Of what TMA feeds the second block covers more than the third (256^3 by 32 and 512^3 by 8, NT).
  return alone + (1.0 - alone) * (is_plain_by_tma(row) ? std::sqrt(others) : others);
}

// Times of one block's work on the SM that has most of it.
double waves(const KernelRow& row, const DeviceCaps& caps, double blocks_on_busiest_sm) {
  const double most = resident_blocks(row, caps);
  const double full = std::floor(blocks_on_busiest_sm / most);
  const double last = blocks_on_busiest_sm - full * most;
  double block_times = full * most;
  if (last > 0.0) {
    // One that comes alone behind other rounds starts while blocks of those still run.
    const double share = share_of_rate(row, most, last);
    const bool comes_alone = full > 0.0 && last == 1.0 && !row.resident;
    const double covered = is_plain_by_tma(row) ? kTailCoveredPlainTma : kTailCovered;
    block_times += last / (comes_alone ? share + covered * (1.0 - share) : share);
  }
  return block_times;
}

double pipe_fma_per_clock(const KernelRow& row, const DeviceCaps& caps) {
  switch (row.pipe) {
    case Pipe::kMma: return mma_fma_per_clock(row, caps);
    case Pipe::kWgmma:
      return is_in_terms(row) ? wgmma_fma_per_clock(DataType::kBF16) / kTermProducts
                              : wgmma_fma_per_clock(row.key.ab);
    case Pipe::kPlain:
    case Pipe::kMemory: break;
  }
  return plain_fma_per_clock(caps.table_cc, row.key.acc);
}

// Whether a plain row copies rows one by one wherever they lie, as its percent has it: those whose
// totals lie behind the ring, but for tiles of little work, and those of planes
// (SimtConfig::kTakesChunks, in simt/gemm_simt.cuh).
bool copies_singly(const KernelRow& row) {
  if (is_complex(row.key.c)) return true;
  constexpr int kLittleWork = 32;  // sums of a thread
  const size_t ring =
      simt_smem_bytes(element_bytes(row.key.ab), row.tile_m, row.tile_n, row.tile_k, row.stages);
  const size_t tile = static_cast<size_t>(row.tile_m) * static_cast<size_t>(row.tile_n);
  if (row.resident || row.smem_bytes < ring + tile * element_bytes(row.key.c)) return false;
  const size_t slices = (row.smem_bytes - ring) / (tile * element_bytes(row.key.c));
  return tile * slices >= kLittleWork * static_cast<size_t>(row.threads);
}

// Issue slots of a k of a tile for copies of single elements, by which plain kernels transpose.
double copy_slots(const KernelRow& row, const GemmProblem& p) {
  if (row.pipe != Pipe::kPlain || row.stages == 1 || is_plain_by_tma(row)) return 0.0;
  // Blocks that stay leave an operand's k next to each other, but not those of pointers.
  const bool transposes = !row.resident || p.batch_kind == BatchKind::kPointers;
  const bool transposes_a = transposes && p.op_a != Op::kN;
  const bool transposes_b = transposes && p.op_b == Op::kN;
  const auto in_percent = [&](const Matrix& matrix) {
    return copies_singly(row) || has_runs(matrix, p.ab_type, p);
  };
  const double singles_a = transposes_a || !in_percent(p.a) ? row.tile_m : 0.0;
  const double singles_b = transposes_b || !in_percent(p.b) ? row.tile_n : 0.0;
  return kSlotsOfSingle * (singles_a + singles_b);
}

// Of plain blocks that stay: they read an operand along k as it lies there, four k at once; what
// they copy by elements instead is a little slower too, beside its slots.
double rate_along_k(const KernelRow& row, const GemmProblem& p) {
  const bool reads_along_k = p.op_a != Op::kN || p.op_b == Op::kN;
  return row.resident && row.pipe == Pipe::kPlain && reads_along_k ? kResidentRateAlongK : 1.0;
}

// Tiles are computed whole: the edge of a partly filled tile costs as much as its middle.
double math_us(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps, double blocks,
               double block_k) {
  const double fma =
      static_cast<double>(row.tile_m) * row.tile_n * (is_complex(row.key.c) ? 4.0 : 1.0);
  const double idle = row.pipe == Pipe::kWgmma ? caps.sm_count / blocks : 1.0;
  const double clock = std::clamp(idle, 1.0, kUnlimitedClock);
  const double fma_clocks = fma / (pipe_fma_per_clock(row, caps) * clock * rate_along_k(row, p) *
                                   rate_on(row, caps).share);
  return waves(row, caps, std::ceil(blocks / caps.sm_count)) * block_k *
         (fma_clocks + copy_slots(row, p) / kSlotsPerClock) / (caps.clock_ghz * 1e3);
}

// k that a block takes the time of: whole k-tiles, but of fp32 in blocks that stay.
double k_of_block(const KernelRow& row, const GemmProblem& p, int parts) {
  const double k = as_double(p.k);
  const double whole = std::floor(k / row.tile_k) * row.tile_k;
  if (!row.resident || row.pipe != Pipe::kPlain || k == whole) {
    return std::ceil(std::ceil(k / row.tile_k) / parts) * row.tile_k;
  }
  const double steps = std::ceil((k - whole) / kResidentStepK) * kResidentStepK;
  return whole + kResidentOfKTile * row.tile_k + (1.0 - kResidentOfKTile) * steps;
}

// The SMs that blocks find place on: fewer where they run in clusters of more than two.
int sms_for(const KernelRow& row, const DeviceCaps& caps, int parts_in_cluster) {
  const int cluster = std::max(row.cluster, parts_in_cluster);
  if (cluster <= 2) return caps.sm_count;
  return cluster * clusters_at_once(caps.sm_count, cluster);
}

// Of plain blocks that stay: the tiles of a row or a column of C, of which narrow products have one
// alone, ask L2 for the same lines of one operand at once.
double same_lines_us(const KernelRow& row, const GemmProblem& p) {
  if (!row.resident || row.pipe != Pipe::kPlain) return 0.0;
  const double tiles_m = std::ceil(as_double(p.m) / row.tile_m);
  const double tiles_n = std::ceil(as_double(p.n) / row.tile_n);
  return std::max(tiles_m, tiles_n) * kSameLinesUs;
}

double tiled_us(const KernelRow& row, const GemmProblem& p, const DeviceCaps& all, int parts,
                bool summed) {
  const bool meets_in_cluster = sums_in_cluster(row, p, all.sm_count, parts);
  DeviceCaps caps = all;
  caps.sm_count = std::max(1, sms_for(row, all, meets_in_cluster ? parts : 1));
  const double blocks = blocks_of(row, p) * parts;
  const double on_busiest_sm = std::ceil(blocks / caps.sm_count);
  const double resident = std::min(on_busiest_sm, resident_blocks(row, caps));
  const double rounds = std::ceil(on_busiest_sm / resident_blocks(row, caps));
  const double block_k = k_of_block(row, p, parts);
  const double beside =
      meets_in_cluster ? 1.0 : beside_others(row, p, all, parts, shares_b(row), summed);
  const double products = beside * math_us(row, p, caps, blocks, block_k);
  const double between = between_rounds_us(row, p, caps, resident, rounds, products, summed);
  // wgmma's rows load and store on by TMA while the math of a round waits; elsewhere all wait for
  // each other, and the plain pipes' products still wait for DRAM to take C.
  const bool wgmma = row.pipe == Pipe::kWgmma;
  const bool writes_c = (wgmma || row.resident || row.pipe == Pipe::kPlain) && !summed;
  const double write_weight = wgmma ? write_weight_of_wgmma(row, p, caps) : kWriteWeight;
  const double bytes = a_bytes(p) + b_bytes(p) + (writes_c ? c_bytes(p, write_weight) : 0.0);
  const double math = products + (wgmma ? between : 0.0);
  const double loads = beside * load_us(row, p, caps, blocks, block_k);
  const double dram =
      wgmma ? streamed_us(row, caps, blocks, bytes * as_double(p.batch_count))
            : dram_us(p, caps, bytes, rounds_in_f64(row) ? kDramShareF64 : kDramShare);
  const double outside = outside_us(row, p, caps, blocks, block_k);
  const bool starts_late = summed && wait_for_pass_ahead(row, p, caps.sm_count);
  const auto once = [&] { return loaded_once(row, p, blocks * block_k, asked_rows(row, p, caps)); };
  const double busy = wgmma ? wgmma_busy_us(math, loads, outside, dram, loads * (1.0 - once()))
                            : together_us({math, loads, dram, outside});
  const double later = (starts_late ? kLateStartUs : 0.0) + (wgmma && summed ? kSumsUsWgmma : 0.0);
  return kLaunchUs + later + (wgmma ? kTileLatencyUs : between) + busy + same_lines_us(row, p) +
         (meets_in_cluster ? cluster_sum_us(row, caps, parts)
                           : meeting_us(row, caps, parts, rounds, resident));
}

// Blocks that run at once.
int places_of(const KernelRow& row, const DeviceCaps& caps) {
  return caps.sm_count * static_cast<int>(resident_blocks(row, caps));
}

ShareArgs shares_of(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps) {
  constexpr double kCountable = 1e9;
  const double tiles = tiles_of(row, p);
  if (tiles > kCountable) return {};
  const int64_t k_tiles = (p.k + row.tile_k - 1) / row.tile_k;
  return make_shares(static_cast<int64_t>(tiles), k_tiles, places_of(row, caps));
}

// As tiled_us, of rounds of whole tiles and then a share each: together one long tile of every
// block, but that it starts and stores as often as it has tiles, and meets others at both ends of
// its share.
double dealt_us(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps) {
  const ShareArgs shares = shares_of(row, p, caps);
  const double blocks = as_double(shares.count);
  const double resident = std::min(std::ceil(blocks / caps.sm_count), resident_blocks(row, caps));
  const double k_tiles = std::ceil(as_double(p.k) / row.tile_k);
  const double longest = shares.each.divisor + (shares.longer > 0 ? 1.0 : 0.0);
  const double whole_rounds = std::ceil(as_double(shares.whole) / shares.count);
  const double block_k = (whole_rounds * k_tiles + longest) * row.tile_k;
  const double rounds = whole_rounds + 1.0 + std::floor(longest / k_tiles);
  const bool late = row.pipe == Pipe::kMma && shares.whole > 0;
  const double products =
      math_us(row, p, caps, blocks, block_k) * (late ? kDealtBehindRounds : 1.0);
  const double between = between_rounds_us(row, p, caps, resident, rounds, products, false);
  const double loads = load_us(row, p, caps, blocks, block_k);
  const double once = a_bytes(p) + b_bytes(p);
  const double dram = dram_us(p, caps, once + c_bytes(p, kWriteWeight), kDramShare);
  // Shares are each at another k: of operands that L2 does not hold, what it lacks comes once for
  // each tile (96 x 96 x 300000 NT in tiles of 32 x 32: 301 us, as 80 products 168; TF32 3072^3 in
  // 128 x 128 on mma.sync: 379 us, and 331 in rounds). Dealt tiles lie together in C: of a product
  // they need the root of their share of the rows, and of the columns.
  const double tiles_m = std::ceil(as_double(p.m) / row.tile_m);
  const double tiles_n = std::ceil(as_double(p.n) / row.tile_n);
  const double dealt = 1.0 - shares.whole / tiles_of(row, p);
  const double products_dealt = dealt * as_double(p.batch_count);
  const double needed = once * (products_dealt < 1.0 ? std::sqrt(products_dealt) : products_dealt);
  const double lacks = std::max(0.0, 1.0 - kDealtL2Share * caps.l2_bytes / needed);
  const double again = (tiles_n - 1.0) * a_bytes(p) + (tiles_m - 1.0) * b_bytes(p);
  const double shares_dram = dram_us(p, caps, dealt * (once + lacks * again), kDramShare);
  const double shares_products = products * longest / (whole_rounds * k_tiles + longest);
  const double expected = std::max(shares_products, dram_us(p, caps, dealt * once, kDramShare));
  const double busy = together_us({products, loads, dram}) + std::max(0.0, shares_dram - expected);
  const int sharers = 1 + static_cast<int>(std::ceil(k_tiles / longest));
  const double dealing = has_long_k_tiles(row) ? kDealingUsLongTiles : kDealingUs;
  return kLaunchUs + between + busy + dealing + meeting_us(row, caps, sharers, 1.0, resident);
}

double predict_cold_us(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps,
                       int parts, bool summed) {
  if (row.by_warps) return tiny_us(row, p, caps);
  if (walks_in_fp32(row)) return walking_us(row, p, caps, summed);
  if (row.pipe != Pipe::kMemory) return tiled_us(row, p, caps, parts, summed);
  if (is_tall(row)) return tall_us(row, p, caps);
  return is_outer(row) ? outer_us(row, p, caps) : streaming_us(row, p, caps, parts);
}

// What a product of few bytes takes less, for L2 has them still.
double warm_us(const KernelRow& row, const GemmProblem& p) {
  const bool tiled = row.pipe != Pipe::kMemory && !row.by_warps;
  return (1.0 - coldness(p)) * (tiled ? kWarmUsOfTiles : kWarmUs);
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

size_t wave_bytes(int sm_count) {
  constexpr size_t kSumBytesOfSm = 128 * 1024;  // half of its registers
  return static_cast<size_t>(sm_count) * kSumBytesOfSm;
}

size_t scratch_bytes(int sm_count) { return kSlotsOfShare * wave_bytes(sm_count); }

size_t sum_bytes_of(const DeviceCaps& caps) {
  return std::min(wave_bytes(caps.sm_count), caps.sum_bytes);
}

int largest_split(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps) {
  if (row.max_parts == 1) return 1;
  const double tiles = tiles_of(row, p);
  const double slots = std::min(as_double(kScratchSlots), static_cast<double>(sum_bytes_of(caps)) /
                                                              as_double(slot_bytes(row)));
  const double k_tiles = std::ceil(as_double(p.k) / row.tile_k);
  return static_cast<int>(
      std::max(1.0, std::min({as_double(row.max_parts), std::floor(slots / tiles), k_tiles})));
}

bool sums_in_cluster(const KernelRow& row, const GemmProblem& p, int sm_count, int parts) {
  if (row.pipe != Pipe::kWgmma || row.cluster > 1 || row.ping_pong) return false;
  if (row.tile_m * row.tile_n > kClusterSumMost) return false;
  // Where clusters share an operand they took longer than blocks that meet in L2 (3072 x 96 x 8192
  // in two parts of tiles of 128 x 64: 30 us for 24).
  if (p.m > row.tile_m && p.n > row.tile_n) return false;
  if (parts < 2 || parts > kMostOfCluster) return false;
  return tiles_of(row, p) <= row.blocks_per_sm * clusters_at_once(sm_count, parts);
}

int64_t even_slots(int places) { return int64_t{kSlotsOfShare} * places; }

int even_places(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps) {
  if (!can_deal(row) || !caps.can_deal) return 0;
  const int places = places_of(row, caps);
  const int64_t slots = even_slots(places);
  const size_t most_bytes = std::min(scratch_bytes(caps.sm_count), caps.sum_bytes);
  if (slots > kScratchSlots || static_cast<size_t>(slots * slot_bytes(row)) > most_bytes) return 0;
  return shares_of(row, p, caps).count > 0 ? places : 0;
}

double predict_even_us(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps) {
  return dealt_us(row, p, caps) - warm_us(row, p);
}

double predict_us(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps, int parts,
                  bool summed) {
  return predict_cold_us(row, p, caps, parts, summed) - warm_us(row, p);
}

}  // namespace myblas
