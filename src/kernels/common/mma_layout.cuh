// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/mma_layout.cuh: the four transpositions of a product as types: a loop is compiled for
// each, and chosen by the call.
//==============================================================================
#pragma once

#include <type_traits>

#include "kernels/common/gemm_args.h"
#include "kernels/common/mma_tile.cuh"

namespace myblas {

// work(std::bool_constant, std::bool_constant): whether A's rows (m) are contiguous, and B's (n).
// What does not depend on it stays out of it: it would be there four times.
template <class Work>
__device__ __forceinline__ void with_transposition(bool rows_a, bool rows_b, const Work& work) {
  if (rows_a) {
    if (rows_b) {
      work(std::true_type{}, std::true_type{});
    } else {
      work(std::true_type{}, std::false_type{});
    }
  } else if (rows_b) {
    work(std::false_type{}, std::true_type{});
  } else {
    work(std::false_type{}, std::false_type{});
  }
}

// How tiles of A and B lie in shared memory.
template <class Cfg, bool kRowsA, bool kRowsB>
struct Layout {
  using TileA = MmaTile<typename Cfg::Mma, Cfg::kTileM, Cfg::kTileK, kRowsA>;
  using TileB = MmaTile<typename Cfg::Mma, Cfg::kTileN, Cfg::kTileK, kRowsB>;
};

// The layouts of a product that a kernel is compiled for: each has a main loop of its own. Of
// bytes, whose transposition takes many instructions, kernels of rare types have one
// (docs/adr/0054).
enum class Layouts { kAny, kTn };

// work(Layout), of the call's operands.
template <class Cfg, class Work>
__device__ __forceinline__ void with_layout(const GemmArgs& args, const Work& work) {
  if constexpr (Cfg::kLayouts == Layouts::kTn) {
    work(Layout<Cfg, false, false>{});
  } else {
    with_transposition(!args.a.transposed, args.b.transposed != 0, [&](auto rows_a, auto rows_b) {
      work(Layout<Cfg, decltype(rows_a)::value, decltype(rows_b)::value>{});
    });
  }
}

}  // namespace myblas
