// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/launch_tma.h: launcher of the kernels that TMA feeds.
//==============================================================================
#pragma once

#include "kernels/common/launch.h"
#include "kernels/common/tma_args.h"

namespace myblas {

// A kernel's shape (hopper/hopper_shape.h, blackwell/blackwell_shape.h) in the launcher's terms.
struct TmaLaunch {
  int tile_m, tile_n;
  int cluster_m, cluster_n;
  int blocks;                        // resident on an SM
  int chunk_n;                       // columns of C in a box
  int row_bytes;                     // of m in a column of it: 128, 64 or 32
  bool knows_edges = false;          // takes smaller boxes at the edges of A and B
  bool may_have_neighbours = false;  // tile_neighbours.h
  bool may_run_together = false;     // units_in_cluster
};

// The least k, and the most, of products whose C is walked by columns (band_of).
inline constexpr int64_t kShortKLeast = 32, kShortK = 256;

// Clusters of tiles along n that are walked together, before those further along m: so many that
// what runs at once, `blocks`, covers a nearly square part of C, in bands of nearly equal width.
// One where k is short: then C is most of what moves, and DRAM takes it quicker column by column
// (128 of 1000 x 1000 x 64 on an H100: 146 us for 159), as long as L2 holds A for the next columns.
// And one where all run at once, and clusters lie along n (1024 x 512 x 4096 in pairs of 96 x 64 on
// an H200: 13.0 us for 14.6).
uint32_t band_of(const GemmProblem& problem, const TmaLaunch& launch, int blocks);

// Units of blocks that share copies, so many to a cluster, as they follow each other: fours two,
// where they follow each other along n (by_eight), and pairs two, of a product whose blocks all run
// at once, and for longer than it takes to find room.
int units_in_cluster(const GemmProblem& problem, const TmaLaunch& launch, int sm_count,
                     int64_t work);

// A launch of `work` units of blocks that stay: as many as run at once.
struct ClusterGrid {
  uint32_t clusters;
  int blocks;  // of each
};
ClusterGrid cluster_grid(const GemmProblem& problem, const TmaLaunch& launch, int sm_count,
                         uint32_t work);

// Whether the driver makes maps of all memory (tma_shape.h). On chips that have TMA.
bool can_map_memory();

// Whether TMA may store C; else threads do. Of a batch of pointers: those matrices that begin at 16
// bytes, as each block sees for itself.
// NOTE: it writes whole pieces of 16 bytes, also past a column's last element: what lies between
// there and the next column is not ours, unless the problem says so.
bool is_stored_by_tma(const GemmProblem& p);

// Which tiles of C the lanes of mma.sync's kernels store as they have them (blackwell/
// warp_store.cuh), where columns begin at 16 bytes and there is no epilogue: all if the host knows
// that beta is 0; else in fp64 all whose rows end in pairs, or whole ones. Not of batches of
// pointers.
FromRegisters leaves_from_registers(const GemmProblem& p);

Status launch_tma_shape(const LaunchRequest& request, const TmaLaunch& launch);

template <auto kShape, int kCBytes>
inline constexpr TmaLaunch kTmaLaunchOf{kShape.tile_m,
                                        kShape.tile_n,
                                        kShape.cluster_m,
                                        kShape.cluster_n,
                                        kShape.blocks,
                                        kShape.chunk_n(kCBytes),
                                        kShape.row_bytes(kCBytes),
                                        kShape.knows_edges(),
                                        kShape.may_have_neighbours(),
                                        kShape.may_run_together()};

// The launcher in the row of a kernel of this shape, with an element of C of kCBytes.
template <auto kShape, int kCBytes>
Status launch_tma(const LaunchRequest& request) {
  return launch_tma_shape(request, kTmaLaunchOf<kShape, kCBytes>);
}

// The same for operands in bf16 terms (common/bf16_terms.h).
Status launch_tma_terms(const LaunchRequest& request, const TmaLaunch& launch);
template <auto kShape>
Status launch_terms(const LaunchRequest& request) {
  return launch_tma_terms(request, kTmaLaunchOf<kShape, sizeof(float)>);
}

// Kernels that TMA feeds with lines of k or of rows (simt/feed_tma.cuh), and of which each block
// walks tiles of C as launch_tiled's do; or, where blocks stay, launch_resident's. `tile_k`: their
// k-tile.
Status launch_tma_tiles(const LaunchRequest& request, int tile_k, bool stays);

template <int kTileK>
Status launch_tiled_by_tma(const LaunchRequest& request) {
  return launch_tma_tiles(request, kTileK, false);
}
template <int kTileK>
Status launch_resident_by_tma(const LaunchRequest& request) {
  return launch_tma_tiles(request, kTileK, true);
}

}  // namespace myblas
