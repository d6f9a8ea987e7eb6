// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/gemm_args.h: what a GEMM kernel receives, by value.
//
// Plain data shared by launchers and device code; no CUDA header, so that the
// emulator compiles it as ordinary C++.
//==============================================================================
#pragma once

#include <cstdint>

#include "kernels/common/activation.h"
#include "kernels/common/shares.h"

namespace myblas {

// alpha or beta. `device` wins where it is set: one element in device memory, in the kernel's
// accumulate type, or a half where `device_is_half`. A host value is exact in double for every
// scalar type.
struct ScalarArg {
  double re, im;
  const void* device;
  int32_t device_is_half;
};

// One operand: op() is folded into the loader. In pointer batches `base` is an array of
// batch_count matrix pointers and `stride` is unused.
struct OperandArg {
  const void* base;
  int64_t ld;
  int64_t stride;
  int32_t transposed;
  int32_t conjugated;
};

// Parts of k whose sums one block adds up: few, because a single SM reads them at its share of
// L2's rate.
inline constexpr int kSplitFanIn = 8;

// How k is divided, and where the sums of a tile's parts meet (common/split_k.cuh). Either every
// tile has `parts` ranges of whole k-tiles, each summed by a block of its own (1: not divided, no
// scratch); or parts is 1, and k-tiles are dealt evenly where there are shares (common/shares.h).
struct SplitArgs {
  void* partials;      // slots of tile_m * tile_n sums, one for each part of a tile, two a share
  uint32_t* arrivals;  // a counter for each slot, zero between calls
  int32_t parts;
  ShareArgs shares;  // the launcher's (LaunchRequest::even_places)
};

// What is done ahead of rounding (common/epilogue.cuh). bias: m elements of C's type for each
// product of the batch, `stride` from one to the next; null: none.
struct EpilogueArg {
  const void* bias;
  int64_t stride;
  Activation activation;
};

struct GemmArgs {
  int64_t m, n, k;
  int64_t batch_count;
  int64_t k_of_last;  // k of the batch's last product; what streams alone looks at it
  OperandArg a, b;
  void* c;
  int64_t ldc;
  int64_t stride_c;
  int32_t pointer_batch;
  ScalarArg alpha, beta;
  SplitArgs split;
  EpilogueArg epilogue;
};

}  // namespace myblas
