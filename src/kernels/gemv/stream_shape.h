// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemv/stream_shape.h: what streaming kernels and the cost model agree on: how the threads of a
// block lie over a tile, and how many elements a thread has on their way where there are no runs of
// 16 bytes.
//==============================================================================
#pragma once

#include <cstddef>

namespace myblas {

inline constexpr int kGemvThreads = 256;
inline constexpr int kAxpyLanes = 16;  // side by side, a run of rows each

// Lanes that sum a row of a dot product together. Where a tile has few rows, all of a block.
constexpr int dot_lanes(int tile_rows) {
  if (tile_rows < 8) return kGemvThreads;
  return tile_rows > 32 ? 8 : 32;
}

// k of a row: as many as there are registers for, because k that does not fit waits for DRAM once
// more.
constexpr int dot_elements(int columns, size_t element_bytes) {
  const int words = columns > 4 ? 2 : columns > 1 ? 4 : 16;
  return element_bytes > 4 ? words / 2 : words;
}

// Of the `unroll` k whose runs of `run` rows are under way, those whose elements are: each takes
// registers of its own.
constexpr int axpy_elements(int columns, int run, int unroll) {
  if (run * columns > 16) return 2;
  return run * columns > 8 ? unroll / 2 : unroll;
}

// A block of gemv_tall, each thread with rows of its own.
inline constexpr int kTallThreads = 128;

// Of the k whose runs of `run` rows are under way, those whose elements are.
constexpr int tall_elements(int run, size_t element_bytes) {
  const int words = element_bytes > 4 ? static_cast<int>(element_bytes / 4) : 1;
  return 32 / (run * words);
}

}  // namespace myblas
