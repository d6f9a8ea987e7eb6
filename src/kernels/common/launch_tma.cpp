// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/common/launch_tma.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "driver/gpu.h"
#include "kernels/common/bf16_terms.h"
#include "kernels/common/tensor_map_cache.h"
#include "kernels/common/tile_neighbours.h"
#include "kernels/common/tma_args.h"
#include "kernels/common/tma_shape.h"

namespace myblas {
namespace {

constexpr int64_t kStrideLimit = int64_t{1} << 40;  // bytes, of TMA
constexpr int64_t kMostWork = int64_t{1} << 31;     // of a Divisor, exclusive

int64_t ceil_div(int64_t value, int64_t divisor) { return (value + divisor - 1) / divisor; }

// A batch of matrices as they lie in memory: `inner` elements in a column, `outer` columns.
// pointed_to: wherever they lie.
struct MatrixShape {
  const Matrix& matrix;
  DataType type;
  int64_t inner, outer, count;
  bool pointed_to;
};

// False where TMA has no map for it.
bool make_map(const MatrixShape& m, int box_inner, int box_outer, bool rounds_to_tf32,
              TensorMap* map, Swizzle swizzle = Swizzle::k128B) {
  const auto bytes = static_cast<int64_t>(element_bytes(m.type));
  // Strides that nothing is reached by may be anything, and so are given as small ones.
  const int64_t column = ceil_div(m.inner * bytes, 16) * 16;
  const int64_t outer_stride = m.outer > 1 ? m.matrix.ld * bytes : column;
  const int64_t matrix_stride = m.count > 1 && !m.pointed_to ? m.matrix.stride * bytes : column;
  TensorMapShape shape{};
  shape.type = m.type;
  shape.rounds_to_tf32 = rounds_to_tf32;
  shape.size[0] = static_cast<uint64_t>(m.inner);
  shape.size[1] = static_cast<uint64_t>(m.outer);
  shape.stride_bytes[0] = static_cast<uint64_t>(outer_stride);
  shape.sides = m.pointed_to ? 4 : 3;
  if (m.pointed_to) {  // common/matrix_place.cuh
    const auto array = reinterpret_cast<uintptr_t>(m.matrix.base);
    shape.base = reinterpret_cast<const void*>(array / kMemoryMapStepBytes * kMemoryMapStepBytes);
    shape.size[2] = kMemoryMapSteps;
    shape.size[3] = kMemoryMapStretches;
    shape.stride_bytes[1] = kMemoryMapStepBytes;
    shape.stride_bytes[2] = kMemoryMapSteps * kMemoryMapStepBytes;
  } else {
    shape.base = m.matrix.base;
    shape.size[2] = static_cast<uint64_t>(m.count);
    shape.stride_bytes[1] = static_cast<uint64_t>(matrix_stride);
  }
  shape.box[0] = static_cast<uint32_t>(box_inner);
  shape.box[1] = static_cast<uint32_t>(box_outer);
  shape.box[2] = shape.box[3] = 1;
  shape.swizzle = swizzle;
  return cached_tensor_map(shape, map);
}

// The map of A or B. A box is what one copy brings: where k is contiguous, `rows` (of m or n) of a
// k-tile; else a block of them (common/tma_shape.h). fp32 is for tensor cores, which would cut it
// off.
bool make_operand_map(const MatrixShape& m, bool k_contiguous, int rows, TensorMap* map) {
  const int bytes = static_cast<int>(element_bytes(m.type));
  const int tile_k = tma_tile_k(bytes);
  const bool rounds_to_tf32 = m.type == DataType::kF32;
  return k_contiguous ? make_map(m, tile_k, rows, rounds_to_tf32, map)
                      : make_map(m, tma_block(bytes), tile_k, rounds_to_tf32, map);
}

// Where all products share a matrix, it is the only one.
int64_t matrices_of(const Matrix& matrix, const GemmProblem& p) {
  return matrix.stride == 0 ? 1 : p.batch_count;
}
bool is_pointed_to(const GemmProblem& p) { return p.batch_kind == BatchKind::kPointers; }
int32_t operand_bits(const GemmProblem& p) {
  const auto bits = [](const Matrix& matrix, bool k_contiguous) {
    return (matrix.stride != 0 ? kMovesInBatch : 0) | (k_contiguous ? 0 : kIsTransposed);
  };
  return bits(p.a, p.op_a != Op::kN) | bits(p.b, p.op_b == Op::kN) << kBitsOfA;
}

// NOTE: without a product A and B may be NULL, and nothing loads them. Where alpha is in device
// memory a NULL says that it is 0 there: TMA has no map of that.
bool has_product(const GemmProblem& p) {
  return p.k > 0 && !is_host_zero(p.alpha) && p.a.base != nullptr && p.b.base != nullptr;
}

Product product_of(const GemmArgs& args) {
  return args.alpha.device != nullptr ? Product::kUnlessAlphaIsZero : Product::kAlways;
}

// A and B as they lie, and whether k is contiguous there.
struct Operands {
  bool k_first_a, k_first_b;
  MatrixShape a, b;
};
Operands operands_of(const GemmProblem& p) {
  const bool k_first_a = p.op_a != Op::kN, k_first_b = p.op_b == Op::kN;
  return {k_first_a,
          k_first_b,
          {p.a, p.ab_type, k_first_a ? p.k : p.m, k_first_a ? p.m : p.k, matrices_of(p.a, p),
           is_pointed_to(p)},
          {p.b, p.ab_type, k_first_b ? p.k : p.n, k_first_b ? p.n : p.k, matrices_of(p.b, p),
           is_pointed_to(p)}};
}

// The maps of an operand with `rows` of m or n, of which `sharers` blocks load a part of each tile.
bool make_maps_of_tiles(const MatrixShape& m, bool k_contiguous, int64_t rows, int tile,
                        int sharers, bool knows_edges, TensorMap* map, TensorMap* map_of_edge,
                        EdgeBoxes* edge) {
  *edge = {INT32_MAX, 0};
  const int64_t over_edge = knows_edges ? rows % tile : 0;
  if (over_edge != 0) {
    const int64_t swizzles = ceil_div(ceil_div(over_edge, sharers), kSwizzleRows);
    *edge = {static_cast<int32_t>(rows - over_edge), static_cast<int32_t>(swizzles * kSwizzleRows)};
    if (!make_operand_map(m, k_contiguous, edge->rows, map_of_edge)) return false;
  }
  return make_operand_map(m, k_contiguous, tile / sharers, map);
}

bool make_operand_maps(const GemmProblem& p, const TmaLaunch& launch, TmaArgs* args) {
  const Operands of = operands_of(p);
  const bool knows_edges = launch.knows_edges && !is_pointed_to(p);
  return make_maps_of_tiles(of.a, of.k_first_a, p.m, launch.tile_m, launch.cluster_n, knows_edges,
                            &args->a, &args->map_edge_a, &args->edge_a) &&
         make_maps_of_tiles(of.b, of.k_first_b, p.n, launch.tile_n, launch.cluster_m, knows_edges,
                            &args->b, &args->map_edge_b, &args->edge_b);
}

// Whether one map holds all matrices of the batch.
bool is_one_map(const Matrix& matrix, DataType type, int64_t count) {
  const auto bytes = static_cast<int64_t>(element_bytes(type));
  return count == 1 || (matrix.stride >= 0 && matrix.stride < kStrideLimit / bytes);
}

// Clusters of tiles of one matrix.
struct Units {
  uint32_t m, n;
};
Units units_of(const GemmProblem& p, const TmaLaunch& launch) {
  return {static_cast<uint32_t>(ceil_div(p.m, launch.tile_m * launch.cluster_m)),
          static_cast<uint32_t>(ceil_div(p.n, launch.tile_n * launch.cluster_n))};
}

int64_t k_tiles_of(const GemmProblem& p) {
  return ceil_div(p.k, tma_tile_k(static_cast<int>(element_bytes(p.ab_type))));
}

// The tiles of a unit where blocks run beside their neighbours. Not of pointers, whose kernels do
// not know of it, nor of a batch. Nor where k is divided: behind a kernel that lets no other begin
// early all SMs are free, and a part's blocks then lie beside each other as they are
// (docs/adr/0047).
Neighbours neighbours_in(const GemmProblem& p, const TmaLaunch& launch, int parts, int sm_count) {
  if (!launch.may_have_neighbours || p.batch_count > 1 || is_pointed_to(p) || parts > 1) return {};
  return neighbours_of({p.m, p.n, launch.tile_m, launch.tile_n, parts, k_tiles_of(p)}, sm_count);
}

// cluster_parts: of `parts`, those that are blocks of a cluster: all, or 1.
TileOrderArgs order_of(const GemmProblem& p, const TmaLaunch& launch, int parts, int cluster_parts,
                       int blocks) {
  const Units units = units_of(p, launch);
  TileOrderArgs order{};
  order.tiles_m = static_cast<uint32_t>(ceil_div(p.m, launch.tile_m));
  order.tiles_n = static_cast<uint32_t>(ceil_div(p.n, launch.tile_n));
  order.units_m = units.m;
  order.units_n = units.n;
  const int parts_of_work = parts / cluster_parts;
  order.work = static_cast<uint32_t>(int64_t{units.m} * units.n * parts_of_work * p.batch_count);
  order.band = band_of(p, launch, blocks);
  order.units = make_divisor(units.m * units.n);
  order.parts = make_divisor(static_cast<uint32_t>(parts_of_work));
  order.cluster_parts = cluster_parts;
  order.units_of_band = make_divisor(order.band * units.m);
  order.band_width = make_divisor(order.band);
  order.last_band_width = make_divisor((units.n - 1) % order.band + 1);
  const int64_t k_tiles = k_tiles_of(p);
  order.k_tiles = static_cast<int32_t>(k_tiles / parts);
  order.longer_parts = static_cast<int32_t>(k_tiles % parts);
  return order;
}

LaunchRequest with_problem(LaunchRequest request, const GemmProblem& p) {
  request.problem = &p;
  return request;
}

Status launch_matrices(const LaunchRequest& request, const TmaLaunch& launch,
                       const GemmProblem& p) {
  TmaArgs args{};
  args.gemm = make_gemm_args(with_problem(request, p));
  if (has_product(p)) {
    if (!make_operand_maps(p, launch, &args)) return Status::kInternalError;
    args.product = product_of(args.gemm);
  }
  args.c_mapped = is_stored_by_tma(p);
  args.c_leaves = leaves_from_registers(p);
  if (args.c_mapped != 0) {
    const auto box_m = launch.row_bytes / static_cast<int>(element_bytes(p.c_type));
    const Swizzle swizzle = launch.row_bytes == kTmaRowBytes ? Swizzle::k128B
                            : launch.row_bytes == 64         ? Swizzle::k64B
                                                             : Swizzle::k32B;
    if (!make_map({p.c, p.c_type, p.m, p.n, p.batch_count, is_pointed_to(p)}, box_m, launch.chunk_n,
                  false, &args.c, swizzle)) {
      return Status::kInternalError;
    }
  }
  // Of a beta in device memory nobody knows here whether it is 0, as it mostly is.
  const bool reads_c = args.gemm.beta.device == nullptr && !is_host_zero(p.beta);
  args.c_in_ring =
      reads_c && args.c_mapped != 0 && args.product == Product::kAlways && request.split.parts == 1;
  args.operand_bits = operand_bits(p);
  const int cluster_parts = request.sums_in_cluster ? request.split.parts : 1;
  const Neighbours beside = neighbours_in(p, launch, request.split.parts, request.sm_count);
  TmaLaunch placed = launch;
  placed.cluster_m *= beside.m;
  placed.cluster_n *= beside.n;
  args.order =
      order_of(p, placed, request.split.parts, cluster_parts, request.sm_count * launch.blocks);
  args.order.log2_beside_m =
      static_cast<uint32_t>(std::bit_width(static_cast<unsigned>(beside.m)) - 1);
  args.order.log2_beside_n =
      static_cast<uint32_t>(std::bit_width(static_cast<unsigned>(beside.n)) - 1);

  // Parts of k that meet in the ring's memory leave it to no further tile.
  const ClusterGrid grid = cluster_parts > 1 ? ClusterGrid{args.order.work, cluster_parts}
                           : beside.blocks() > 1
                               ? ClusterGrid{args.order.work, beside.blocks()}
                               : cluster_grid(p, launch, request.sm_count, args.order.work);
  gpu::LaunchShape shape{};
  shape.cluster_x = static_cast<unsigned>(grid.blocks);
  shape.grid_x = grid.clusters * shape.cluster_x;
  shape.grid_y = 1;
  shape.threads = static_cast<unsigned>(request.threads);
  shape.smem_bytes = static_cast<unsigned>(request.smem_bytes);
  shape.early_start = request.early_start;
  return gpu::launch(request.kernel, shape, request.stream, request.context, &args);
}

// The map of A or B for such a kernel (simt/lane_sides.cuh): lines of k, swizzled over all of a
// line, where k is contiguous; else lines of rows as they are.
bool make_line_map(const MatrixShape& m, bool k_contiguous, int rows, int tile_k, TensorMap* map) {
  if (!k_contiguous) return make_map(m, rows, tile_k, false, map, Swizzle::kNone);
  const int64_t line_bytes = int64_t{tile_k} * static_cast<int64_t>(element_bytes(m.type));
  return make_map(m, tile_k, rows, false, map, line_bytes == 64 ? Swizzle::k64B : Swizzle::k128B);
}

// All matrices of `p` by one launch of a kernel of which each block walks tiles: launch_tiles, or
// launch_resident_spread where blocks stay.
Status launch_tiled_matrices(const LaunchRequest& request, int tile_k, bool stays,
                             const GemmProblem& p) {
  const LaunchRequest some = with_problem(request, p);
  TmaArgs args{};
  args.gemm = make_gemm_args(some);
  if (!stays) deal_tiles(some, &args.gemm);
  const Operands operands = operands_of(p);
  if (has_product(p)) {
    if (!make_line_map(operands.a, operands.k_first_a, request.tile_m, tile_k, &args.a) ||
        !make_line_map(operands.b, operands.k_first_b, request.tile_n, tile_k, &args.b)) {
      return Status::kInternalError;
    }
    args.product = product_of(args.gemm);
  }
  args.operand_bits = operand_bits(p);
  return stays ? launch_resident_spread(some, &args) : launch_tiles(some, args.gemm, &args);
}

const void* advance(const Matrix& matrix, DataType type, int64_t matrices, const GemmProblem& p) {
  if (is_pointed_to(p)) return static_cast<const void* const*>(matrix.base) + matrices;
  return static_cast<const char*>(matrix.base) +
         matrices * matrix.stride * static_cast<int64_t>(element_bytes(type));
}

// At most so many matrices of the batch at a time, and one where no map holds them all.
template <class Launch>
Status launch_in_runs(const GemmProblem& p, int64_t most, Launch launch) {
  const int64_t count = p.batch_count;
  const bool together =
      is_pointed_to(p) || (is_one_map(p.a, p.ab_type, count) && is_one_map(p.b, p.ab_type, count) &&
                           is_one_map(p.c, p.c_type, count));
  const int64_t at_once = together ? std::min(count, most) : 1;
  if (at_once == count) return launch(p);
  for (int64_t first = 0; first < count; first += at_once) {
    GemmProblem some = p;
    some.a.base = advance(p.a, p.ab_type, first, p);
    some.b.base = advance(p.b, p.ab_type, first, p);
    some.c.base = advance(p.c, p.c_type, first, p);
    if (p.epilogue.bias != nullptr) {
      some.epilogue.bias =
          static_cast<const char*>(p.epilogue.bias) +
          first * p.epilogue.stride * static_cast<int64_t>(element_bytes(p.c_type));
    }
    some.batch_count = std::min(at_once, count - first);
    const Status status = launch(some);
    if (status != Status::kSuccess) return status;
  }
  return Status::kSuccess;
}

}  // namespace

uint32_t band_of(const GemmProblem& p, const TmaLaunch& launch, int blocks) {
  constexpr int64_t kElementsInL2 = int64_t{1} << 22;  // of A, on any chip with TMA
  const Units units = units_of(p, launch);
  const int unit_m = launch.tile_m * launch.cluster_m, unit_n = launch.tile_n * launch.cluster_n;
  const double at_once = static_cast<double>(blocks) / (launch.cluster_m * launch.cluster_n);
  const bool by_columns = p.k >= kShortKLeast && p.k <= kShortK && p.m * p.k <= kElementsInL2;
  const double all = static_cast<double>(units.m) * units.n * static_cast<double>(p.batch_count);
  const bool walks_m = by_columns || (launch.cluster_n > 1 && all <= at_once);
  const double square = walks_m ? 1.0 : std::max(1.0, std::sqrt(at_once * unit_m / unit_n));
  const double bands = std::ceil(units.n / square);
  return static_cast<uint32_t>(std::ceil(units.n / bands));
}

int units_in_cluster(const GemmProblem& p, const TmaLaunch& launch, int sm_count, int64_t work) {
  if (!launch.may_run_together) return 1;
  const int unit = launch.cluster_m * launch.cluster_n;
  if (unit == 4) {
    const bool fits = clusters_at_once(sm_count, 8) > 0;
    return fits && by_eight(unit, launch.tile_n, p.n, p.k) ? 2 : 1;
  }
  if (unit != 2 || p.batch_count > 1 || is_pointed_to(p)) return 1;
  const Units units = units_of(p, launch);
  const int64_t all_k_tiles = int64_t{units.m} * units.n * k_tiles_of(p);
  const bool is_long = all_k_tiles >= kLeastKTilesOfFour * work;
  return is_long && ceil_div(work, 2) <= clusters_at_once(sm_count, 4) ? 2 : 1;
}

ClusterGrid cluster_grid(const GemmProblem& p, const TmaLaunch& launch, int sm_count,
                         uint32_t work) {
  const int units = units_in_cluster(p, launch, sm_count, work);
  const int blocks = units * launch.cluster_m * launch.cluster_n;
  const int resident = std::max(1, launch.blocks * clusters_at_once(sm_count, blocks));
  const auto clusters = static_cast<uint32_t>(ceil_div(work, units));
  return {std::min(clusters, static_cast<uint32_t>(resident)), blocks};
}

bool can_map_memory() {
  alignas(16) static const unsigned char array[16] = {};
  const Matrix matrix{array, 64, 0};
  TensorMap map;
  return make_map({matrix, DataType::kF16, 64, 64, 1, true}, 64, 64, false, &map);
}

bool is_stored_by_tma(const GemmProblem& p) {
  const uint64_t bytes = element_bytes(p.c_type);
  const auto written = static_cast<uint64_t>(p.c_is_padded ? p.c.ld : p.m);
  const auto ld = static_cast<uint64_t>(p.n > 1 ? p.c.ld : 0);
  const auto stride = static_cast<uint64_t>(p.batch_count > 1 ? p.c.stride : 0);
  uint64_t bits = (written | ld) * bytes;
  if (!is_pointed_to(p)) bits |= reinterpret_cast<uintptr_t>(p.c.base) | stride * bytes;
  return bits % 16 == 0;
}

FromRegisters leaves_from_registers(const GemmProblem& p) {
  if (is_pointed_to(p) || p.epilogue.any()) return FromRegisters::kNone;
  // NOTE: what alignment_bytes() asks, the ld of a single column too: select() may ask no more of
  // addresses (dispatch/cost_terms.h).
  const auto stride = static_cast<uint64_t>(p.batch_count > 1 ? p.c.stride : 0);
  const uint64_t bytes = (static_cast<uint64_t>(p.c.ld) | stride) * element_bytes(p.c_type);
  if ((reinterpret_cast<uintptr_t>(p.c.base) | bytes) % 16 != 0) return FromRegisters::kNone;
  if (is_host_zero(p.beta)) return FromRegisters::kAll;
  if (element_bytes(p.c_type) != 8) return FromRegisters::kNone;
  return p.m % 2 == 0 ? FromRegisters::kAll : FromRegisters::kWholeTiles;
}

Status launch_tma_shape(const LaunchRequest& request, const TmaLaunch& launch) {
  const Units units = units_of(*request.problem, launch);
  const int64_t work_of_matrix = int64_t{units.m} * units.n * request.split.parts;
  const int64_t most = std::max<int64_t>(1, (kMostWork - 1) / work_of_matrix);
  return launch_in_runs(*request.problem, most, [&](const GemmProblem& some) {
    return launch_matrices(request, launch, some);
  });
}

Status launch_tma_terms(const LaunchRequest& request, const TmaLaunch& launch) {
  constexpr int64_t kTermsOfFloat = 2;  // as many bytes
  GemmProblem p = *request.problem;
  p.ab_type = DataType::kBF16;
  p.k = k_in_terms(p.k);
  for (Matrix* matrix : {&p.a, &p.b}) {
    matrix->ld *= kTermsOfFloat;
    matrix->stride *= kTermsOfFloat;
  }
  TmaLaunch alone = launch;  // as they were timed
  alone.may_have_neighbours = alone.may_run_together = false;
  return launch_tma_shape(with_problem(request, p), alone);
}

Status launch_tma_tiles(const LaunchRequest& request, int tile_k, bool stays) {
  const int64_t most = std::min(request.problem->batch_count, kMostWork - 1);  // counted in int32
  return launch_in_runs(*request.problem, most, [&](const GemmProblem& some) {
    return launch_tiled_matrices(request, tile_k, stays, some);
  });
}

}  // namespace myblas
