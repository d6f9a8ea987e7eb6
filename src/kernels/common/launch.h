// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/launch.h: what a launcher receives, and the pieces launchers share.
//==============================================================================
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/gemm_args.h"
#include "kernels/common/gemm_problem.h"

namespace myblas {

// One launch of one compiled kernel, of a row of a table (api/run_gemm.cpp).
struct LaunchRequest {
  const GemmProblem* problem;
  void* kernel;   // loaded kernel, from gpu::load_kernel
  void* stream;   // CUstream
  void* context;  // CUcontext of the handle
  int tile_m, tile_n;
  int threads;
  int blocks_per_sm;
  size_t smem_bytes;  // dynamic shared memory; so much, or half an SM's, was opted into
  int sm_count;       // of the device, or what the caller's SetSmCountTarget leaves
  SplitArgs split;    // but for the shares
  int even_places;    // blocks that k-tiles are dealt to (common/shares.h); 0: none
  int tile_k;
  bool early_start;  // what launch_plan decides (docs/adr/0049)
  size_t smem_per_sm;
  bool sums_in_cluster;  // parts of k are blocks of a cluster (common/cluster_sum.cuh)
  bool behind_pass;      // the grid ahead is one that packs the operands
  bool is_part_of_k;     // a pass adds up what it stores, and may be what the grid ahead does
};

// Dynamic shared memory of a launch of so many blocks: the row's, or more. Blocks that start while
// the grid ahead still ends go where it leaves room first, and an SM takes as many as it holds
// while others get none: where all of them run at once, it is given room for its even share. f64
// 1024^3: 256 blocks of which an SM holds three, 57.6 us; two at most, 40.3. Of the grid ahead
// as many are taken to run, but behind a pass: f32 832^3 TN of packed operands, 117 blocks of which
// an SM holds two, 64.2 us.
size_t even_smem_bytes(const LaunchRequest& request, int64_t blocks);

// The same for launch_tiles: the row's where SMs are to be full and the kernel wants the rest of
// their memory as cache.
size_t tiled_smem_bytes(const LaunchRequest& request, int64_t blocks, bool wants_cache);

// The problem in the kernel's terms. alpha and beta keep their device pointers.
GemmArgs make_gemm_args(const LaunchRequest& request);
ScalarArg make_scalar_arg(const Scalar& scalar);
EpilogueArg make_epilogue_arg(const Epilogue& epilogue);

// Tiles of all products dealt by the k-tile (common/shares.h), where the request wants that.
void deal_tiles(const LaunchRequest& request, GemmArgs* args);

// Launchers of the kernels that take GemmArgs and walk tiles of C: all of the problem in one
// launch. _evenly: of those whose totals of closed sums lie in shared memory. Those of the others
// live in L1, and where SMs are to be full they want what is left of their memory for it.
Status launch_tiled(const LaunchRequest& request);
Status launch_tiled_evenly(const LaunchRequest& request);

// Grid: x walks the work items (tiles of C, times the parts of k), y the batch; or x what is dealt
// of all products. Kernels stride over what is left, so the hardware limits (x < 2^31, y < 65536)
// bound nothing. `parameter` is the kernel's, with `args` in it or the same.
Status launch_tiles(const LaunchRequest& request, const GemmArgs& args, const void* parameter,
                    bool wants_cache = false);

// Launcher of the kernels whose blocks stay and walk over the tiles of all products: as many as run
// at once.
Status launch_resident(const LaunchRequest& request);

// Blocks of an SM that has so many tiles, of the most that it holds: where these go round twice, no
// more than then have two tiles each. (Blocks that start while the grid ahead ends lie anywhere:
// with six tiles an SM in four blocks, those that had two took up to half as long again where they
// met.) Blocks of two warps in pairs, which keep all schedulers.
int64_t even_blocks_of_sm(int64_t tiles, int64_t most, int threads);

// The grid of the kernels whose blocks stay, with so many blocks an SM, and dynamic shared memory
// that spreads them.
struct SpreadGrid {
  int64_t blocks;
  size_t smem_bytes;
};
SpreadGrid spread_grid(const LaunchRequest& request);

// Launches such a grid. `parameter` is the kernel's.
Status launch_resident_spread(const LaunchRequest& request, const void* parameter);

// A kernel of a pass around products (kernels/pack, kernels/sum).
struct PassLaunch {
  void* kernel;  // loaded
  void* stream;
  void* context;
  bool early_start;  // what launch_plan decides (docs/adr/0049)
};
// One row of blocks, without dynamic shared memory; the kernel strides over what `blocks` past the
// hardware's limit would do.
Status launch_pass(const PassLaunch& pass, int64_t blocks, int threads, const void* args);

}  // namespace myblas
