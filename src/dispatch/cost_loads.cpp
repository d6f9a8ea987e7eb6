// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// dispatch/cost_loads.cpp: what a block's operands take on their way from L2.
//==============================================================================
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "dispatch/cost_constants.h"
#include "dispatch/cost_terms.h"
#include "kernels/common/launch_tma.h"
#include "kernels/common/tma_shape.h"
#include "kernels/hopper/hopper_shape.h"

namespace myblas {
namespace {

// Of a tile's rows of A, and of B, the part that a block asks for itself: the others of its cluster
// ask for the rest.
struct AskedParts {
  double a = 1.0, b = 1.0;
};
AskedParts asked_parts(const KernelRow& row) {
  AskedParts parts;
  (shares_b(row) ? parts.b : parts.a) = 1.0 / row.cluster;
  return parts;
}

// What a tile loads of a k along m or n: TMA brings whole blocks of operands that are not
// contiguous along k (common/tma_loader.cuh), and of others what is there where that is all.
double loaded_side(const KernelRow& row, int tile, int64_t size, bool k_contiguous, bool at_edges) {
  if (row.pipe != Pipe::kWgmma) return tile;
  const int64_t step = k_contiguous ? kSwizzleRows : kTmaBlock;
  const int64_t rows = at_edges ? std::min<int64_t>(tile, size) : tile;
  return as_double((rows + step - 1) / step * step);
}

// What L2 takes for a byte that mma.sync's rows copy by 16 (cp.async), of what it takes for one of
// whole sectors: more where lines of k begin within one.
double across_sectors(const KernelRow& row, const Matrix& matrix, const GemmProblem& p,
                      bool k_contiguous) {
  constexpr int kChunkBytes = 16, kSectorBytes = 32;
  const bool by_chunks = !is_by_tma(row) && std::min(row.align_a, row.align_b) >= kChunkBytes;
  if (!by_chunks || !k_contiguous) return 1.0;
  return alignment_bytes(matrix, row.key.ab, p) < kSectorBytes ? kAcrossSectors : 1.0;
}

// What L2 takes for the bytes of an operand's tiles, of `rows` of m or n in all, of what it takes
// for those of whole lines: where columns, the matrices of a batch or tiles begin within them.
// Where the base lies is not looked at.
double across_lines(const KernelRow& row, const Matrix& matrix, const GemmProblem& p,
                    bool k_contiguous, int tile, int64_t rows) {
  constexpr size_t kLineBytes = 128, kSectorBytes = 32;
  if (row.pipe == Pipe::kMma) return across_sectors(row, matrix, p, k_contiguous);
  if (row.pipe != Pipe::kWgmma) return 1.0;
  const auto bytes = [&](int64_t elements) {
    return static_cast<size_t>(elements) * element_bytes(row.key.ab);
  };
  const size_t column = bytes(matrix.ld);
  const bool within = column > 0 && (column % kLineBytes == 0 || kLineBytes % column == 0);
  // Of one column or matrix the distance to the next is never used.
  const bool columns_begin_lines = (k_contiguous ? rows : p.k) == 1 || within;
  const bool matrices_do = p.batch_count == 1 || bytes(matrix.stride) % kLineBytes == 0;
  if (!columns_begin_lines || !matrices_do) {
    const size_t between =
        (columns_begin_lines ? 0 : column) | (matrices_do ? 0 : bytes(matrix.stride));
    return between % kSectorBytes == 0 ? kAcrossLinesBySectors : kAcrossLines;
  }
  const bool tiles_do = k_contiguous || rows <= tile || bytes(tile) % kLineBytes == 0;
  return tiles_do ? 1.0 : kAcrossLinesByTiles;
}

}  // namespace

// Whether the blocks of a cluster are neighbours along m, and so share B: four are, and pairs of
// tiles that are long both ways or of 64 rows along m; other pairs are along the shorter side of
// the tile, or along the longer one where consumers take turns (hopper/hopper_shape.h).
bool shares_b(const KernelRow& row) {
  if (row.cluster > 2 || row.tile_m <= 64 || std::min(row.tile_m, row.tile_n) > 128) return true;
  return (row.tile_m < row.tile_n) != row.ping_pong;
}

// Operands on their way to one SM: no more than its path to L2 takes, and no more at a time than
// the rings of its resident blocks hold.
double load_us(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps, double blocks,
               double block_k) {
  const bool at_edges = knows_edges(row, p, caps);
  const double side_m = loaded_side(row, row.tile_m, p.m, p.op_a != Op::kN, at_edges);
  const double side_n = loaded_side(row, row.tile_n, p.n, p.op_b == Op::kN, at_edges);
  const double k_bytes = (side_m + side_n) * static_cast<double>(loaded_bytes(row));
  const double on_busiest_sm = std::ceil(blocks / caps.sm_count);
  const double resident = std::min(on_busiest_sm, resident_blocks(row, caps));
  const double in_flight = resident * std::max(row.stages - 1, 1) * row.tile_k * k_bytes;
  // Of the SMs that load. A few blocks of wgmma do not get the others' share of L2 (128 x 160 in 70
  // to 96).
  const bool wgmma = row.pipe == Pipe::kWgmma;
  const double share = wgmma ? 1.0 : std::min(1.0, blocks / caps.sm_count);
  // Of what a cluster shares, a block asks L2 for its part, and gets all of it.
  const bool eight = by_eight(row.cluster, row.tile_n, p.n, p.k);
  const double asked_alone = eight ? kAskedByEight : 1.0;  // of fours, who share B
  const AskedParts parts = asked_parts(row);
  const double own_m = side_m * parts.a, own_n = side_n * parts.b;
  const double cost_m = own_m * across_lines(row, p.a, p, p.op_a != Op::kN, row.tile_m, p.m);
  const double cost_n = own_n * across_lines(row, p.b, p, p.op_b == Op::kN, row.tile_n, p.n);
  const double from_others = side_m - own_m + side_n - own_n;  // whole, wherever lines begin
  const double got = (cost_m + cost_n + from_others) / (side_m + side_n);
  const double asked = (cost_m * asked_alone + cost_n) / (side_m + side_n);
  const double of_sm = wgmma ? kL2BytesPerClockOfSmWgmma : kL2BytesPerClockOfSm;
  const double of_all = wgmma ? kL2BytesPerClockSharedWgmma : kL2BytesPerClockShared;
  const double per_clock = std::min(of_sm / got, of_all / (share * asked));
  const double bytes_per_us =
      std::min(per_clock * caps.clock_ghz * 1e3, in_flight / kTileLatencyUs);
  return on_busiest_sm * block_k * k_bytes / bytes_per_us;
}

// TMA makes the rows of a box that lie outside of the matrix by itself, one after the other, and
// copies the others of the block behind them: what that takes where C's last tiles reach over its
// edge, and boxes do not end there. Where blocks come after each other they share it, and half of
// it where they run at once.
double outside_us(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps, double blocks,
                  double block_k) {
  const bool wgmma = row.pipe == Pipe::kWgmma;
  if (wgmma ? knows_edges(row, p, caps) : !walks_by_tma(row)) return 0.0;
  const double on_busiest_sm = std::ceil(blocks / caps.sm_count);
  // Of what a cluster shares, a block loads its part.
  const AskedParts parts = asked_parts(row);
  const double loaded_m = row.tile_m * parts.a, loaded_n = row.tile_n * parts.b;
  const auto clocks_of = [&](int tile, double loaded, int64_t size) {
    const double tiles = std::ceil(as_double(size) / tile);
    // Slower products leave time for it, but where each tile has such rows.
    if (!wgmma && tiles > 1.0) return 0.0;
    const double of_last = std::min(loaded, tiles * tile - as_double(size));
    return of_last * kOutsideRowClocks * (0.5 / tiles + 0.5 / std::min(tiles, on_busiest_sm));
  };
  const double outside =
      clocks_of(row.tile_m, loaded_m, p.m) + clocks_of(row.tile_n, loaded_n, p.n);
  // The others are waited for where no other block has the SM in between.
  const bool waits = wgmma && outside > 0.0 && on_busiest_sm == 1.0;
  const double clocks = outside + (waits ? (loaded_m + loaded_n) * kInsideRowClocks : 0.0);
  return on_busiest_sm * block_k / row.tile_k * clocks / (caps.clock_ghz * 1e3);
}

// Rows of A and B that a block asks for itself.
double asked_rows(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps) {
  const bool at_edges = knows_edges(row, p, caps);
  const AskedParts parts = asked_parts(row);
  return loaded_side(row, row.tile_m, p.m, p.op_a != Op::kN, at_edges) * parts.a +
         loaded_side(row, row.tile_n, p.n, p.op_b == Op::kN, at_edges) * parts.b;
}

}  // namespace myblas
