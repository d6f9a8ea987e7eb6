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

// Lanes side by side of sums of columns, a run of 16 bytes of rows each.
constexpr int axpy_lanes(int tile_rows, size_t element_bytes) {
  return tile_rows * static_cast<int>(element_bytes) / 16;
}

// Of the k whose runs of `run` rows are under way, those whose elements are, with 32 registers.
constexpr int elements_in_flight(int run, size_t element_bytes) {
  const int words = element_bytes > 4 ? static_cast<int>(element_bytes / 4) : 1;
  return 32 / (run * words);
}

// Of the `unroll` k whose runs of `run` rows are under way, those whose elements are: each takes
// registers of its own, of which blocks of whole warps side by side have few.
constexpr int axpy_elements(int columns, int run, int unroll, int lanes, size_t element_bytes) {
  if (lanes == 32) return elements_in_flight(run, element_bytes);
  if (run * columns > 16) return 2;
  return run * columns > 8 ? unroll / 2 : unroll;
}

// A block of gemv_tall, each thread with rows of its own.
inline constexpr int kTallThreads = 128;

// Of the `unroll` k whose runs of `run` rows are under way, those whose elements are.
constexpr int tall_elements(int run, int unroll, size_t element_bytes) {
  const int elements = elements_in_flight(run, element_bytes);
  return elements < unroll ? elements : unroll;
}

}  // namespace myblas
