// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/gemm_args.h: what a GEMM kernel receives, by value.
//
// Plain data shared by launchers and device code; no CUDA header, so that the
// emulator compiles it as ordinary C++.
//==============================================================================
#pragma once

#include <cstdint>

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

// How k is divided: `parts` ranges of whole k-tiles, each summed by a block of its own, and where
// their sums meet (common/split_k.cuh). parts == 1: not divided, no scratch.
struct SplitArgs {
  void* partials;      // a slot of tile_m * tile_n sums for each (tile, part)
  uint32_t* arrivals;  // a counter for each slot, zero between calls
  int32_t parts;
};

struct GemmArgs {
  int64_t m, n, k;
  int64_t batch_count;
  OperandArg a, b;
  void* c;
  int64_t ldc;
  int64_t stride_c;
  int32_t pointer_batch;
  ScalarArg alpha, beta;
  SplitArgs split;
};

}  // namespace myblas
