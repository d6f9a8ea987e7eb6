// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/mma_gemm_config.cuh: one mma.sync kernel as numbers, and what follows from them for
// common/mma_gemm.cuh.
//==============================================================================
#pragma once

#include "kernels/common/mma_layout.cuh"
#include "kernels/common/mma_smem.h"
#include "kernels/common/mma_types.cuh"

namespace myblas {

// Scale: the type of alpha and beta. Blocks: resident on an SM. Alignment: bytes, of A and B and of
// their columns; copies are of as many. Through registers anything but 16 stands for any alignment.
template <class MmaType, class OutType, class ScaleType, int TileM, int TileN, int TileK, int WarpM,
          int WarpN, int Stages, int Blocks, int Alignment = Stages == 2 ? 1 : 16,
          Layouts kTheLayouts = Layouts::kAny>
struct MmaGemmConfig {
  using Mma = MmaType;
  using Out = OutType;
  using Scale = ScaleType;
  using Sum = typename Mma::Sum;
  using Element = typename Mma::Element;
  static constexpr int kTileM = TileM, kTileN = TileN, kTileK = TileK;
  static constexpr int kWarpM = WarpM, kWarpN = WarpN;
  static constexpr int kWarpsM = kTileM / kWarpM, kWarpsN = kTileN / kWarpN;
  static constexpr int kWarps = kWarpsM * kWarpsN;
  static constexpr int kThreads = 32 * kWarps;
  static constexpr int kStages = Stages;
  static constexpr int kSteps = kTileK / Mma::kK;      // k-steps of a k-tile
  static constexpr int kSpread = kSteps - 1;           // of which so many start copies
  static constexpr int kRowsM = kWarpM * Mma::kParts;  // of the instruction
  static constexpr int kCountM = kRowsM / 8, kCountN = kWarpN / 16;  // instructions of a warp
  // Places of a k-step where copies start.
  static constexpr int kCopiesOfStep = Mma::kLoadsBetween ? kCountM : 1;
  static constexpr int kSums = 4 * kCountM * kCountN;
  // In fp16 they take half as many registers again.
  static constexpr int kSumRegisters =
      (Mma::kSumsInF16 ? 3 : 2) * kSums * static_cast<int>(sizeof(Sum) / sizeof(uint32_t)) / 2;
  static constexpr int kFragmentRegisters =
      (kRowsM + kWarpN) / 16 * Mma::kRegisters *
      static_cast<int>(sizeof(typename Mma::Register) / sizeof(uint32_t));
  // One where sums and two of them would leave too few registers for the rest.
  static constexpr int kFragmentSets = kSumRegisters + 2 * kFragmentRegisters <= 192 ? 2 : 1;
  static_assert(kFragmentSets == 2 || Mma::kLoadsBetween);
  static_assert(!Mma::kSumsInF16 || Alignment == 16, "multiply_step knows none");
  // Among the instructions of which 16 columns copies start: where there are no loads of fragments.
  static constexpr int kCopyingN = kFragmentSets == 2 ? kCountN - 1 : 0;
  static constexpr uint32_t kStageBytes =
      sizeof(Element) * static_cast<uint32_t>((kTileM + kTileN) * kTileK);
  static constexpr uint32_t kRingBytes = kStages * kStageBytes;
  // With one block on the SM nobody else works while it stores: it loads ahead, and its stages of
  // sums lie behind the ring. Else they lie over it.
  static constexpr bool kThroughRegisters = Stages == 2;
  static constexpr int kAlignment = Alignment;
  static constexpr Layouts kLayouts = kTheLayouts;
  static constexpr bool kLoadsAhead = Blocks == 1 && !kThroughRegisters;
  // Nor while it waits at a barrier: where there are instructions to put between, its warps meet
  // without stopping there (Meeting). Behind so many of a k-step's they ask, and need the others.
  static constexpr bool kMeets = kLoadsAhead && Mma::kLoadsBetween;
  static constexpr int kMeetBehind = kCountM * kCountN * 3 / 8;
  static constexpr int kAskBehind = kMeetBehind / 2;
  static_assert(!kMeets || kFragmentSets == 2, "loads of one set begin ahead of kMeetBehind");
  static constexpr int kStageAreaBytes =
      kLoadsAhead ? mma_stage_bytes(sizeof(Sum), kRowsM, kWarps) : static_cast<int>(kRingBytes);
  using Stage = SumStage<Sum, kRowsM, kWarpN, kMmaStagePadBytes, kStageAreaBytes / kWarps>;
  static constexpr uint32_t kStageAreaOffset = kLoadsAhead ? kRingBytes : 0;
  static constexpr uint32_t kPositionOffset =
      kRingBytes + (kLoadsAhead ? static_cast<uint32_t>(kStageAreaBytes) : 0);
  static_assert(kPositionOffset + kMmaPositionBytes ==
                mma_smem_bytes(sizeof(Element), kTileM, kTileN, kTileK, kStages,
                               kLoadsAhead ? kStageAreaBytes : 0));
  static_assert(kTileM % kWarpM == 0 && kTileN % kWarpN == 0 && kSteps >= 2 && kStages >= 2);
  static_assert(!kThroughRegisters || kSteps % 2 == 0, "a k-tile begins with the same fragments");
};

}  // namespace myblas
