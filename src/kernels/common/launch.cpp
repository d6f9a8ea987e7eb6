// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/common/launch.h"

#include <algorithm>

#include "driver/gpu.h"
#include "kernels/common/shares.h"

namespace myblas {
namespace {

constexpr int64_t kMaxGridX = (int64_t{1} << 31) - 1;
constexpr int64_t kMaxGridY = 65535;
constexpr size_t kReservedSmemOfBlock = 1024;  // bytes, by the system

OperandArg make_operand_arg(const Matrix& matrix, Op op) {
  return {matrix.base, matrix.ld, matrix.stride, op != Op::kN, op == Op::kC};
}

int64_t ceil_div(int64_t value, int64_t divisor) { return (value - 1) / divisor + 1; }

// Tiles of one product.
int64_t tiles_of(const LaunchRequest& request) {
  const GemmProblem& p = *request.problem;
  const int64_t tiles_m = ceil_div(p.m, request.tile_m);
  const int64_t tiles_n = ceil_div(p.n, request.tile_n);
  // Where k is divided there are few: the product is far from any limit.
  return tiles_n > kMaxGridX / tiles_m ? kMaxGridX : tiles_m * tiles_n;
}

int64_t resident_of_sm(const LaunchRequest& request) {
  // Of GPUs with less shared memory than the row was made for an SM holds fewer blocks.
  const auto by_smem =
      static_cast<int64_t>(request.smem_per_sm / (request.smem_bytes + kReservedSmemOfBlock));
  return std::clamp<int64_t>(by_smem, 1, request.blocks_per_sm);
}

// The row's max_offset bounds the tiles of one product, and so their product with `resident`.
int64_t blocks_with_tiles(const LaunchRequest& request, int64_t resident) {
  return std::min(tiles_of(request) * std::min(request.problem->batch_count, resident), resident);
}

Status launch_staying(const LaunchRequest& request, const SpreadGrid& grid, const void* parameter) {
  gpu::LaunchShape shape{};
  shape.grid_x = static_cast<unsigned>(grid.blocks);
  shape.grid_y = 1;
  shape.threads = static_cast<unsigned>(request.threads);
  shape.smem_bytes = static_cast<unsigned>(grid.smem_bytes);
  shape.early_start = request.early_start;
  return gpu::launch(request.kernel, shape, request.stream, request.context, parameter);
}

}  // namespace

ScalarArg make_scalar_arg(const Scalar& scalar) {
  if (scalar.on_device) return {0.0, 0.0, scalar.device, scalar.type == DataType::kF16};
  const WideScalar value = widen(scalar);
  return {value.re, value.im, nullptr, 0};
}

EpilogueArg make_epilogue_arg(const Epilogue& epilogue) {
  return {epilogue.bias, epilogue.stride, epilogue.activation};
}

GemmArgs make_gemm_args(const LaunchRequest& request) {
  const GemmProblem& p = *request.problem;
  GemmArgs args{};
  args.m = p.m;
  args.n = p.n;
  args.k = p.k;
  args.batch_count = p.batch_count;
  args.k_of_last = p.k_of_last > 0 ? p.k_of_last : p.k;
  args.a = make_operand_arg(p.a, p.op_a);
  args.b = make_operand_arg(p.b, p.op_b);
  args.c = const_cast<void*>(p.c.base);
  args.ldc = p.c.ld;
  args.stride_c = p.c.stride;
  args.pointer_batch = p.batch_kind == BatchKind::kPointers;
  args.alpha = make_scalar_arg(p.alpha);
  args.beta = make_scalar_arg(p.beta);
  args.split = request.split;
  args.epilogue = make_epilogue_arg(p.epilogue);
  return args;
}

void deal_tiles(const LaunchRequest& request, GemmArgs* args) {
  if (request.even_places == 0) return;
  args->split.shares = make_shares(tiles_of(request) * args->batch_count,
                                   ceil_div(args->k, request.tile_k), request.even_places);
}

namespace {
Status launch_dealt(const LaunchRequest& request, bool wants_cache) {
  GemmArgs args = make_gemm_args(request);
  deal_tiles(request, &args);
  return launch_tiles(request, args, &args, wants_cache);
}
}  // namespace

Status launch_tiled(const LaunchRequest& request) { return launch_dealt(request, true); }
Status launch_tiled_evenly(const LaunchRequest& request) { return launch_dealt(request, false); }

Status launch_resident(const LaunchRequest& request) {
  const GemmArgs args = make_gemm_args(request);
  const int64_t resident = request.sm_count * resident_of_sm(request);
  return launch_staying(request, {blocks_with_tiles(request, resident), request.smem_bytes}, &args);
}

int64_t even_blocks_of_sm(int64_t tiles, int64_t most, int threads) {
  constexpr int kThreadsOfAll = 128;  // a warp for each scheduler
  if (tiles <= most || tiles > 2 * most) return most;
  const int64_t half = ceil_div(tiles, 2);
  return threads < kThreadsOfAll ? std::min(most, half + half % 2) : half;
}

SpreadGrid spread_grid(const LaunchRequest& request) {
  const int64_t tiles = tiles_of(request) * request.problem->batch_count;
  const int64_t of_sm = even_blocks_of_sm(ceil_div(tiles, request.sm_count),
                                          resident_of_sm(request), request.threads);
  const int64_t blocks = blocks_with_tiles(request, request.sm_count * of_sm);
  return {blocks, even_smem_bytes(request, blocks)};
}

Status launch_resident_spread(const LaunchRequest& request, const void* parameter) {
  return launch_staying(request, spread_grid(request), parameter);
}

size_t even_smem_bytes(const LaunchRequest& request, int64_t blocks) {
  constexpr size_t kUnit = 128;  // bytes of memory
  const int64_t places = int64_t{request.sm_count} * request.blocks_per_sm;
  // So few that they find room beside as many of the grid ahead start at once, and evenly.
  const bool follows_pass = request.behind_pass || request.is_part_of_k;
  const bool beside_those_ahead = 2 * blocks <= places && !follows_pass;
  const bool all_at_once = blocks <= places && !beside_those_ahead;
  if (!request.early_start || !all_at_once) return request.smem_bytes;
  const auto share = static_cast<size_t>(ceil_div(blocks, request.sm_count));
  const size_t one_more = request.smem_per_sm / (share + 1) / kUnit * kUnit;
  return std::max(request.smem_bytes, one_more + kUnit - kReservedSmemOfBlock);
}

size_t tiled_smem_bytes(const LaunchRequest& request, int64_t blocks, bool wants_cache) {
  // Kernels that ask for no memory have no totals.
  const bool leaves_cache = wants_cache && request.smem_bytes > 0 &&
                            blocks > int64_t{request.sm_count} * (request.blocks_per_sm - 1);
  return leaves_cache ? request.smem_bytes : even_smem_bytes(request, blocks);
}

Status launch_tiles(const LaunchRequest& request, const GemmArgs& args, const void* parameter,
                    bool wants_cache) {
  const ShareArgs& shares = args.split.shares;
  gpu::LaunchShape shape{};
  shape.grid_x = shares.count > 0 ? shares.whole + shares.count
                                  : static_cast<unsigned>(tiles_of(request) * args.split.parts);
  shape.grid_y =
      shares.count > 0 ? 1 : static_cast<unsigned>(std::min(args.batch_count, kMaxGridY));
  shape.threads = static_cast<unsigned>(request.threads);
  const int64_t blocks = int64_t{shape.grid_x} * shape.grid_y;
  shape.smem_bytes = static_cast<unsigned>(tiled_smem_bytes(request, blocks, wants_cache));
  shape.early_start = request.early_start;
  return gpu::launch(request.kernel, shape, request.stream, request.context, parameter);
}

Status launch_pass(const PassLaunch& pass, int64_t blocks, int threads, const void* args) {
  gpu::LaunchShape shape{};
  shape.grid_x = static_cast<unsigned>(std::min(blocks, kMaxGridX));
  shape.grid_y = 1;
  shape.threads = static_cast<unsigned>(threads);
  shape.early_start = pass.early_start;
  return gpu::launch(pass.kernel, shape, pass.stream, pass.context, args);
}

}  // namespace myblas
