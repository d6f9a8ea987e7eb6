// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/common/launch_mma.h"

#include <algorithm>

#include "driver/gpu.h"

namespace myblas {
namespace {

constexpr int64_t kMaxGridX = (int64_t{1} << 31) - 1;

int64_t ceil_div(int64_t value, int64_t by) { return (value + by - 1) / by; }

// Saturates at the largest grid: blocks walk over what is left.
int64_t times(int64_t a, int64_t b) { return a > kMaxGridX / b ? kMaxGridX : a * b; }

}  // namespace

Status launch_mma_grid(const LaunchRequest& request, bool alone) {
  GemmArgs args = make_gemm_args(request);
  deal_tiles(request, &args);
  const ShareArgs& shares = args.split.shares;
  const int64_t tiles = times(ceil_div(args.m, request.tile_m), ceil_div(args.n, request.tile_n));
  const int64_t items = shares.count > 0 ? int64_t{shares.whole} + shares.count
                                         : times(times(tiles, args.split.parts), args.batch_count);
  const int64_t most = alone ? request.sm_count : kMaxGridX;
  gpu::LaunchShape shape{};
  shape.grid_x = static_cast<unsigned>(std::min(items, most));
  shape.grid_y = 1;
  shape.threads = static_cast<unsigned>(request.threads);
  shape.smem_bytes = static_cast<unsigned>(even_smem_bytes(request, shape.grid_x));
  shape.early_start = request.early_start;
  return gpu::launch(request.kernel, shape, request.stream, request.context, &args);
}

}  // namespace myblas
