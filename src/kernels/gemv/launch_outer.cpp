// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/gemv/launch_outer.h"

#include <algorithm>

#include "driver/gpu.h"
#include "kernels/gemv/outer_shape.h"

namespace myblas {
namespace {

OuterSteps steps_of(const OperandArg& operand, bool rows_contiguous) {
  return rows_contiguous ? OuterSteps{1, operand.ld} : OuterSteps{operand.ld, 1};
}

}  // namespace

Status launch_outer(const LaunchRequest& request) {
  constexpr int64_t kMaxGridX = (int64_t{1} << 31) - 1;
  constexpr int64_t kMaxGridY = 65535;
  const GemmProblem& p = *request.problem;
  const OuterShape tiling =
      outer_shape(request.tile_m, request.tile_n, p.m, p.n, p.batch_count, request.sm_count);
  if (tiling.tiles_n > kMaxGridX / tiling.tiles_m) return Status::kNotSupported;
  OuterArgs args{};
  args.gemm = make_gemm_args(request);
  args.a = steps_of(args.gemm.a, !args.gemm.a.transposed);
  args.b = steps_of(args.gemm.b, args.gemm.b.transposed);
  args.log2_threads_m = tiling.log2_threads_m;
  args.threads_m = 1 << tiling.log2_threads_m;
  args.threads_n = kOuterThreads >> tiling.log2_threads_m;
  args.tile_m = tiling.tile_m;
  args.tile_n = tiling.tile_n;
  args.tiles = static_cast<uint32_t>(tiling.tiles_m * tiling.tiles_n);
  args.tiles_m = make_divisor(static_cast<uint32_t>(tiling.tiles_m));
  gpu::LaunchShape shape{};
  shape.grid_x = args.tiles;
  shape.grid_y = static_cast<unsigned>(std::min(p.batch_count, kMaxGridY));
  shape.threads = static_cast<unsigned>(request.threads);
  shape.early_start = request.early_start;
  return gpu::launch(request.kernel, shape, request.stream, request.context, &args);
}

}  // namespace myblas
