// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// hopper/hgemm_config.cuh: one kernel of hopper/hgemm_wgmma.cuh as numbers, and
// what follows from them.
//==============================================================================
#pragma once

#include <type_traits>

#include "kernels/common/tile_order.cuh"
#include "kernels/hopper/hopper_shape.h"
#include "kernels/hopper/wgmma_types.cuh"

namespace myblas {

template <class InElement, class OutElement, HopperShape kTheShape>
struct HgemmConfig {
  using In = InElement;
  using Out = OutElement;
  using Type = WgmmaType<In>;
  using Sum = typename Type::Sum;
  static constexpr bool kAnyMajor = Type::kAnyMajor && kTheShape.term_tiles == 0;
  // Of alpha and beta.
  using Scale = std::conditional_t<std::is_same_v<Out, int32_t>, int32_t, float>;
  static constexpr HopperShape kShape = kTheShape;
  static constexpr int kStages = kShape.stages;
  static constexpr int kConsumers = kShape.consumers;
  static constexpr int kConsumerThreads = 128 * kConsumers;
  static constexpr int kRows = kShape.consumer_rows();
  static constexpr int kRowBlocks = kRows / kHopperBlock;
  static __device__ __forceinline__ int first_row(int consumer) {
    return kShape.ping_pong || kShape.splits_columns ? 0 : consumer * kRows;
  }
  static constexpr int kColumns = kShape.consumer_columns();
  static __device__ __forceinline__ int first_column(int consumer) {
    return kShape.splits_columns ? consumer * kColumns : 0;
  }
  static constexpr int kTileK = tma_tile_k(sizeof(In)), kBlock = tma_block(sizeof(In));
  static constexpr int kSteps = kTmaRowBytes / kWgmmaBytes;  // instructions along a k-tile
  // That release a stage, of a consumer: where warps load of it themselves, each.
  static constexpr int kReleases = kShape.loads_rows ? 4 : 1;
  using Order = TileOrder<kShape, kTileK>;
  static constexpr int kStageBytes = kShape.stage_bytes();
  static constexpr int kStagingBytes = kShape.staging_bytes(sizeof(Out));
  // Others have no registers left for what stores need.
  static constexpr bool kLeanProducer = kShape.has_lean_producer();
  static constexpr bool kPreparesEarly =
      !kShape.by_pointers && !kShape.loads_rows && (kShape.ping_pong || !kLeanProducer);
  // Others would spill by the line of arguments that comes ahead (common/grid_start.cuh).
  static constexpr bool kTouchesArguments = kShape.term_tiles == 0 &&
                                            !(kShape.loads_rows && kConsumers > 1) &&
                                            kRowBlocks * kColumns <= 320;
  static constexpr int kProducerRegisters = kLeanProducer ? 24 : 40;
  static constexpr int kConsumerRegisters = kConsumers == 3 ? 152 : kLeanProducer ? 240 : 232;
  static_assert(kRows % kHopperBlock == 0 && kColumns % 16 == 0 && kColumns <= 256);
  static_assert(!kShape.splits_columns || !kShape.any_columns);
  static_assert(kConsumers <= 3 && kShape.tile_rows() <= 256, "a box has 256 rows");
  static_assert(kShape.cluster() <= 4 && (kShape.cluster_m == 1 || kShape.cluster_n == 1));
  // A shared operand's parts: rows of whole swizzles, and whole blocks where it may be transposed.
  static_assert(kShape.tile_m % (8 * kShape.cluster_n) == 0);
  static_assert(kShape.tile_n % (8 * kShape.cluster_m) == 0);
  static_assert(kShape.cluster_n == 1 || kShape.tile_m % (kTmaBlock * kShape.cluster_n) == 0 ||
                !(kShape.any_columns || kShape.rows_are_m) || !kAnyMajor);
  static_assert(kShape.cluster_m == 1 || kShape.tile_n % (kTmaBlock * kShape.cluster_m) == 0 ||
                !(kShape.any_columns || !kShape.rows_are_m) || !kAnyMajor);
  static_assert((kShape.smem_bytes(sizeof(Out)) + kSmemOfBlock) * kShape.blocks <= kSmemOfSm);
};

}  // namespace myblas
