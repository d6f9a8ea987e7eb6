// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// dispatch/cost_rounds.cpp: what rounds of blocks take beside their products: to
// start, and to store their tiles of C.
//==============================================================================
#include <algorithm>
#include <cmath>

#include "dispatch/cost.h"
#include "dispatch/cost_constants.h"
#include "dispatch/cost_terms.h"
#include "kernels/common/launch_tma.h"
#include "kernels/hopper/hopper_shape.h"

namespace myblas {
namespace {

// What the skeleton of a row takes from the start of a round's blocks to their first products, and
// from the last ones to the next round.
double start_us(const KernelRow& row) {
  if (row.resident) {
    return row.pipe == Pipe::kPlain ? kRoundUsResidentPlain : kRoundUsResident;
  }
  switch (row.pipe) {
    case Pipe::kWgmma: return kRoundUsWgmma;
    case Pipe::kMma:
      if (row.key.acc == Compute::kF64) {
        return kRoundUsMmaF64 + kRoundUsOfTileF64 * row.tile_m * row.tile_n / kUsualTile;
      }
      if (row.align_a < 16 && row.tile_m * row.tile_n >= 128 * 128) return kRoundUsMmaUnaligned;
      if (row.key.ab == DataType::kF32 && row.align_a >= 16) return kRoundUsMmaTf32;
      return row.stages > 2 ? kRoundUsMma : kRoundUsMmaRegisters;
    default: return row.stages > 1 ? kRoundUsPlain : kRoundUsReference;
  }
}

// fp64 by TMA whose C leaves from registers.
bool is_direct(const KernelRow& row, const GemmProblem& p) {
  return rounds_in_f64(row) && walks_by_tma(row) &&
         leaves_from_registers(p) != FromRegisters::kNone;
}

// Elements of C a clock that the threads of a block of wgmma store, of pieces of 64 x 64 in 16 bits
// that lie in whole boxes.
double threads_store_per_clock(const KernelRow& row, const GemmProblem& p) {
  if (row.tile_m * row.tile_n >= kTileOfLeanProducer) return kThreadStoresPerClockOfLargest;
  if (row.ping_pong) {
    const bool odd = alignment_bytes(p.c, p.c_type, p) < 4;
    return odd ? kThreadStoresPerClockInTurnsOdd : kThreadStoresPerClockInTurns;
  }
  const int consumers = stores_by_one(row, p) ? 1 : row.threads / 128 - 1;
  return std::min(consumers * kThreadStoresPerClock,
                  kThreadStoreBytesPerClock / static_cast<double>(element_bytes(row.key.c)));
}

// How much longer threads take for other pieces, and for boxes of less than 128 bytes of m
// (HopperShape::row_bytes).
double other_pieces(const KernelRow& row) {
  const size_t column_bytes = static_cast<size_t>(row.tile_m) * element_bytes(row.key.c);
  const double of_box = column_bytes % kTmaRowBytes == 0         ? 1.0
                        : column_bytes % (kTmaRowBytes / 2) == 0 ? kThreadStoresOfHalfBox
                                                                 : kThreadStoresOfQuarterBox;
  return of_box * longer_in_pieces(size_of_pieces(row), kThreadStoresSameOfPieces);
}

// What C that is added to takes beside what storing it does: it comes under the products where TMA
// brings it (hopper/added_tile.cuh), and under those of other blocks, if there are.
double added_passes(const KernelRow& row, const GemmProblem& p, double resident) {
  if (row.pipe == Pipe::kWgmma && is_stored_by_tma(p)) {
    return element_bytes(row.key.c) < 4 ? kAddedByWgmma : kAddedByWgmmaF32;
  }
  if (row.pipe != Pipe::kPlain) return 1.0;
  return is_complex(row.key.c) ? kAddedComplex + kAddedComplexAlone / resident
                               : kAddedPlain + kAddedPlainAlone / resident;
}

// Clocks that an SM takes for what `resident` blocks store of C at a time: of whole boxes where
// they are TMA's, inside of C or not. summed: they are sums, which stay in L2.
double store_clocks(const KernelRow& row, const GemmProblem& p, double resident, bool summed) {
  const bool boxes = row.pipe == Pipe::kWgmma;
  const auto side = [boxes](int tile, int64_t size) {
    constexpr int64_t kBoxSide = 64;
    const int64_t whole = boxes ? (size + kBoxSide - 1) / kBoxSide * kBoxSide : size;
    return std::min<double>(tile, as_double(whole));
  };
  const double passes_of_c = is_host_zero(p.beta) ? 1.0 : 1.0 + added_passes(row, p, resident);
  const double stored = passes_of_c * resident * side(row.tile_m, p.m) * side(row.tile_n, p.n);
  if (boxes && !is_stored_by_tma(p)) {
    return stored * other_pieces(row) / threads_store_per_clock(row, p);
  }
  const bool scattered = !has_runs(p.c, p.c_type, p);
  const double slower = walks_by_tma(row) ? kUnalignedStoreTmaF64 : kUnalignedStoreF64;
  const double f64 = is_direct(row, p) ? kStoreBytesPerClockDirectF64
                                       : kStoreBytesPerClockF64 / (scattered ? slower : 1.0);
  const double plain = summed ? kSlotBytesPerClockPlain : kStoreBytesPerClockPlain;
  const double f32 = row.pipe == Pipe::kPlain ? plain : kStoreBytesPerClock;
  const double by_threads = row.key.acc == Compute::kF64 ? f64 : f32;
  const double tma = summed ? kStoreBytesPerClockOfSums : kStoreBytesPerClockTma;
  const double per_clock = boxes ? tma / narrow_pieces(row) : by_threads;
  return stored * static_cast<double>(element_bytes(row.key.c)) / per_clock;
}

// What a block of one tile takes longer to its first products, and from its last ones, where
// elements lie anywhere: two pieces of memory a chunk, and stores element by element. Blocks of
// more tiles have loads and stores of one under another.
double resident_pieces_us(const KernelRow& row, const GemmProblem& p, double rounds) {
  if (rounds > 1.0 || row.pipe != Pipe::kMma || row.key.acc == Compute::kF64) return 0.0;
  const bool runs =
      has_runs(p.a, p.ab_type, p) && has_runs(p.b, p.ab_type, p) && has_runs(p.c, p.c_type, p);
  return runs ? 0.0 : kResidentPiecesUs;
}

// What all rounds of blocks take to start. A block of mma.sync that has an SM for itself starts
// once and loads ahead, and so do blocks that stay.
double starts_us(const KernelRow& row, const GemmProblem& p, double rounds) {
  if (row.resident) return start_us(row) + resident_pieces_us(row, p, rounds);
  if (walks_by_tma(row)) {
    const double f64 = is_direct(row, p) ? kTileUsDirectF64 : kTileUsTmaF64;
    return start_us(row) + (rounds - 1.0) * (rounds_in_f64(row) ? f64 : kTileUsMmaByTma);
  }
  const bool loads_ahead = row.pipe == Pipe::kMma && row.blocks_per_sm == 1 && row.stages > 2;
  if (loads_ahead) return start_us(row) + (rounds - 1.0) * kTileLatencyUs;
  return rounds * start_us(row);
}

}  // namespace

bool walks_by_tma(const KernelRow& row) { return row.pipe == Pipe::kMma && is_by_tma(row); }

bool rounds_in_f64(const KernelRow& row) {
  return row.pipe == Pipe::kMma && row.key.acc == Compute::kF64 && !row.resident;
}

double between_rounds_us(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps,
                         double resident, double rounds, double products_us, bool summed) {
  // Blocks of later rounds start and end at different times, and others multiply meanwhile.
  if (row.pipe == Pipe::kPlain && row.stages > 1 && !row.resident) {
    rounds = 1.0 + kLaterRounds * (rounds - 1.0);
  }
  if (rounds_in_f64(row) && !is_direct(row, p)) {
    rounds = 1.0 + kLaterRoundsF64 * (rounds - 1.0);
  }
  const double start = starts_us(row, p, rounds);
  const double store_us = store_clocks(row, p, resident, summed) / (caps.clock_ghz * 1e3);
  if (row.resident) {  // no store is waited for but the last tile's
    const double tiles = std::ceil(tiles_of(row, p) / caps.sm_count);
    if (row.pipe == Pipe::kPlain) {
      const double inside = std::min<double>(row.tile_m, as_double(p.m)) *
                            std::min<double>(row.tile_n, as_double(p.n));
      const double clocks =
          has_runs(p.c, p.c_type, p) ? 0.0 : tiles * inside / kResidentStoresPerClock;
      const double between_tiles = tiles * kTileUsResidentPlain / resident_blocks(row, caps);
      return start + store_us + between_tiles + clocks / (caps.clock_ghz * 1e3);
    }
    // In fp64 six blocks an SM cover for each other.
    const bool pays_for_tiles = row.key.acc != Compute::kF64;
    return start + store_us + (pays_for_tiles ? tiles * kTileUsResidentMma : 0.0);
  }
  // Consumers that take turns store under the next tile's products, as far as those last, but what
  // of C is added to in fp32 they wait for.
  const bool waits = !is_host_zero(p.beta) && element_bytes(row.key.c) == 4;
  if (!row.ping_pong || waits) return start + rounds * store_us;
  return start + store_us + std::max(0.0, (rounds - 1.0) * (store_us - products_us / rounds));
}

}  // namespace myblas
