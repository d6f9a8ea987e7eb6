// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/mma_warp_loader.cuh: one kernel of mma_warp.cuh as numbers, and how its lanes load the
// fragments of a k-tile from global memory straight into registers.
//==============================================================================
#pragma once

#include "kernels/common/batch.cuh"
#include "kernels/common/mma_types.cuh"
#include "kernels/common/mma_warp_shape.h"
#include "kernels/ptx/opaque.h"

namespace myblas {

template <class MmaType, class OutType, int Alignment>
struct MmaWarpConfig {
  using Mma = MmaType;
  using Element = typename Mma::Element;
  using Out = OutType;
  static constexpr int kTileM = kMmaWarpTile, kTileN = kMmaWarpTile, kTileK = kMmaWarpTile;
  static constexpr int kSteps = kTileK / Mma::kK;
  static constexpr int kAlignment = Alignment;
  static constexpr int kThreads = 32 * kMmaWarpsOfBlock;
  static_assert(sizeof(Element) == 2 && sizeof(Out) == 2 && kSteps == 2);
  static_assert(kAlignment == 8 || kAlignment == 2);
};

// Of the four rows and the four k that are neighbours, a lane has those from here on: four lanes
// are side by side along k, eight along rows.
__device__ __forceinline__ uint32_t warp_row_of_lane() { return threadIdx.x % 32 / 4 * 4; }
__device__ __forceinline__ uint32_t warp_k_of_lane() { return threadIdx.x % 4 * 4; }
// And of the eight columns of C.
__device__ __forceinline__ uint32_t warp_column_of_lane() { return 2 * warp_k_of_lane(); }

// Of an operand's k-tile, a lane's words: [step][row][which two k].
using WarpFragments = uint32_t[2][4][2];

// A lane's part of the k-tiles of one operand: for each step of 16 k four lines of memory, of which
// it has a chunk of four elements: rows of a k, or k of a row.
// NOTE: words are loaded that hold an element of a chunk that begins inside of the operand; of one
// that memory's end cuts, half. Offsets that are not used may wrap around.
template <class Cfg, bool kRowsContiguous>
class WarpLoader {
  using Element = typename Cfg::Element;
  static constexpr int kBytes = sizeof(Element), kLines = 4, kSteps = Cfg::kSteps;
  static constexpr int kStepK = Cfg::Mma::kK;
  static constexpr bool kWhole = Cfg::kAlignment == 8;  // a chunk is a load, else words hold it
  static constexpr int kWords = kWhole ? 2 : 3;
  using Words = uint32_t[kSteps][kLines][kWords];

 public:
  // At the first k-tile of a tile. ends_memory: what lies behind the matrix may not be read.
  __device__ __forceinline__ WarpLoader(const BatchOperand& operand, uint32_t first_row,
                                        bool ends_memory)
      : line_bytes_(static_cast<uint32_t>(operand.ld) * kBytes), end_(nullptr) {
    const auto ld = static_cast<uint32_t>(operand.ld), rows = static_cast<uint32_t>(operand.rows);
    const uint32_t row = first_row + warp_row_of_lane(), k = warp_k_of_lane();
    const auto* base = reinterpret_cast<const char*>(operand.base<Element>());
    source_ = base + uint64_t{kBytes} * (kRowsContiguous ? row + k * ld : k + row * ld);
    rows_left_ = static_cast<int>(rows - row);
    if (ends_memory && (rows - first_row <= Cfg::kTileM || is_narrow())) {
      const auto length = static_cast<uint32_t>(kRowsContiguous ? operand.rows : operand.k);
      const auto lines = static_cast<uint32_t>(kRowsContiguous ? operand.k : operand.rows);
      const bool has_odd = ((reinterpret_cast<uintptr_t>(base) | line_bytes_) & 2) != 0;
      if (has_odd || length % 4 != 0) end_ = base + uint64_t{kBytes} * ((lines - 1) * ld + length);
    }
  }

  // The next k-tile, of which there are valid_k.
  __device__ __forceinline__ void fetch(int valid_k, bool is_last) {
    const int k_left =
        kRowsContiguous && rows_left_ <= 0 ? 0 : valid_k - static_cast<int>(warp_k_of_lane());
#pragma unroll
    for (int s = 0; s < kSteps; ++s) {
#pragma unroll
      for (int i = 0; i < kLines; ++i) {
#pragma unroll
        for (int w = 0; w < kWords; ++w) words_[s][i][w] = 0;
      }
    }
    if (end_ != nullptr && (is_last || is_narrow())) {  // all lanes
      load_chunks<true>(k_left);
      load_at_end(k_left);
    } else {
      load_chunks<false>(k_left);
    }
    source_ += kSteps * step_bytes(line_bytes());
  }

  // What was fetched.
  __device__ __forceinline__ void take(WarpFragments& fragments, int valid_k) const {
    const uint64_t line_bytes = this->line_bytes();
#pragma unroll
    for (int s = 0; s < kSteps; ++s) {
      uint32_t chunks[kLines][2];
#pragma unroll
      for (int i = 0; i < kLines; ++i) {
        // As far as it says where in a word they begin, the next k-tile's place is this one's.
        const auto place = reinterpret_cast<uintptr_t>(source_) + i * line_bytes;
        shift(chunks[i], words_[s][i], (place & 2) * 8);
      }
      if constexpr (kRowsContiguous) {
#pragma unroll
        for (int two = 0; two < 2; ++two) {
#pragma unroll
          for (int i = 0; i < kLines; ++i) {
            const uint32_t first = chunks[2 * two][i / 2], second = chunks[2 * two + 1][i / 2];
            fragments[s][i][two] = i % 2 == 0 ? (first & 0xffffu) | second << 16
                                              : first >> 16 | (second & 0xffff0000u);
          }
        }
      } else {
        const int left = valid_k - static_cast<int>(warp_k_of_lane()) - s * kStepK;
        const bool cut = valid_k < Cfg::kTileK && valid_k % 4 != 0;  // a chunk
#pragma unroll
        for (int i = 0; i < kLines; ++i) {
#pragma unroll
          for (int two = 0; two < 2; ++two) {
            fragments[s][i][two] = cut ? head_of(chunks[i][two], left - 2 * two) : chunks[i][two];
          }
        }
      }
    }
  }

 private:
  // Whether what hangs over the end of a line may reach over more than the next.
  __device__ __forceinline__ bool is_narrow() const { return line_bytes_ < 8 * kBytes; }
  // Opaque: multiples of it, ready in registers, would cost more than they save.
  __device__ __forceinline__ uint64_t line_bytes() const {
    return static_cast<uint32_t>(ptx::opaque(static_cast<int32_t>(line_bytes_)));
  }
  // A step's lines lie at one distance, a multiple of words, from those of the one before it.
  static __device__ __forceinline__ uint64_t step_bytes(uint64_t line_bytes) {
    return kStepK * (kRowsContiguous ? line_bytes : uint64_t{kBytes});
  }
  __device__ __forceinline__ bool exists(int step, int line, int k_left) const {
    return kRowsContiguous ? step * kStepK + line < k_left
                           : line < rows_left_ && step * kStepK < k_left;
  }
  // Where the words of a line's first chunk begin, and how many bytes a chunk's are.
  __device__ __forceinline__ const char* words_of(uint64_t line_bytes, int line,
                                                  uint32_t* bytes) const {
    const auto chunk = reinterpret_cast<uintptr_t>(source_) + line * line_bytes;
    const bool odd = !kWhole && (chunk & 2) != 0;
    *bytes = odd ? 12 : 8;
    return reinterpret_cast<const char*>(kWhole ? chunk : chunk & ~uintptr_t{3});
  }

  // Of all chunks that exist, or those that end ahead of memory's end.
  template <bool kEnds>
  __device__ __forceinline__ void load_chunks(int k_left) {
    const uint64_t line_bytes = this->line_bytes();
#pragma unroll
    for (int i = 0; i < kLines; ++i) {
      uint32_t bytes;
      const char* from = words_of(line_bytes, i, &bytes);
#pragma unroll
      for (int s = 0; s < kSteps; ++s) {
        if (exists(s, i, k_left) && (!kEnds || bytes_left(from) >= bytes)) {
          if constexpr (kWhole) {
            const uint2 both = __ldg(reinterpret_cast<const uint2*>(from));
            words_[s][i][0] = both.x;
            words_[s][i][1] = both.y;
          } else {
            const auto* const words = reinterpret_cast<const uint32_t*>(from);
            words_[s][i][0] = __ldg(words);
            words_[s][i][1] = __ldg(words + 1);
            if (bytes == 12) words_[s][i][2] = __ldg(words + 2);
          }
        }
        from += step_bytes(line_bytes);
      }
    }
  }
  __device__ __forceinline__ uint32_t bytes_left(const char* from) const {
    return static_cast<uint32_t>(end_ - from);
  }

  // Those that do not: the words ahead of it, and half of one. Little code, for it is there for
  // each operand and layout, and who comes here finds none of it in the SM's cache.
  __device__ __forceinline__ void load_at_end(int k_left) {
    const uint64_t line_bytes = this->line_bytes();
#pragma unroll 1
    for (int at = 0; at < kSteps * kLines; ++at) {
      uint32_t bytes;
      const int step = at / kLines, line = at % kLines;
      const char* const from = words_of(line_bytes, line, &bytes) + step * step_bytes(line_bytes);
      const uint32_t left = bytes_left(from);
      if (!exists(step, line, k_left) || left >= bytes) continue;
      uint32_t loaded[kWords];
#pragma unroll
      for (int w = 0; w < kWords; ++w) {
        const char* const word = from + 4 * w;
        loaded[w] = 0;
        if (left >= 4 * w + 4) loaded[w] = __ldg(reinterpret_cast<const uint32_t*>(word));
        if (left == 4 * w + 2) loaded[w] = __ldg(reinterpret_cast<const uint16_t*>(word));
      }
#pragma unroll
      for (int j = 0; j < kSteps * kLines; ++j) {
#pragma unroll
        for (int w = 0; w < kWords; ++w) {
          uint32_t& here = words_[j / kLines][j % kLines][w];
          here = at == j ? loaded[w] : here;
        }
      }
    }
  }

  // The chunk that begins at bit `first` of three words; of two, at their first.
  static __device__ __forceinline__ void shift(uint32_t (&chunk)[2],
                                               const uint32_t (&words)[kWords], uint32_t first) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      if constexpr (kWhole) {
        chunk[i] = words[i];
      } else {
        const uint64_t pair = static_cast<uint64_t>(words[i + 1]) << 32 | words[i];
        chunk[i] = static_cast<uint32_t>(pair >> first);
      }
    }
  }

  // Of two elements, those of the first `elements`.
  static __device__ __forceinline__ uint32_t head_of(uint32_t two, int elements) {
    return elements >= 2 ? two : elements == 1 ? two & 0xffffu : 0u;
  }

  const char* source_;  // this lane's first chunk of the next k-tile
  uint32_t line_bytes_;
  const char* end_;  // of memory, where the last k-tile reaches it
  int rows_left_;    // from this lane's first row on
  Words words_;
};

}  // namespace myblas
