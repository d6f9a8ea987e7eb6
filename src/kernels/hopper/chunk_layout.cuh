// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// hopper/chunk_layout.cuh: a chunk of C in shared memory, and which of it is a
// thread's.
//
// A chunk is what a consumer hands over at once (HopperShape::chunk_columns). It is laid out as
// TMA's boxes: rows of 128 (64, 32) bytes of m, one a column of C, swizzled; of a chunk with
// several boxes one behind the other, or where added_tile.cuh puts them. 16-bit elements go in
// matrices, by ldmatrix and stmatrix, others each by themselves.
//==============================================================================
#pragma once

#include "kernels/common/arithmetic.cuh"
#include "kernels/common/staged_box.cuh"
#include "kernels/common/tile_order.cuh"
#include "kernels/hopper/hopper_shape.h"
#include "kernels/hopper/rows_in_registers.cuh"
#include "kernels/ptx/matrix_copy.h"
#include "kernels/ptx/shared_memory.h"
#include "kernels/ptx/shared_words.h"

namespace myblas {

// Scale: of results, as they are computed.
template <class Out, class Scale, HopperShape kShape>
struct ChunkLayout {
  static constexpr int kBytes = sizeof(Out);
  static constexpr int kBoxM = kShape.box_m(kBytes);
  static constexpr int kChunkM = kShape.chunk_m(kBytes), kChunkN = kShape.chunk_n(kBytes);
  static constexpr int kChunkBytes = kShape.chunk_bytes(kBytes);
  static constexpr int kChunkSums = kChunkM * kChunkN / 128;  // a thread's
  static constexpr int kRowBytes = kShape.row_bytes(kBytes);
  static constexpr int kBoxBytes = kChunkN * kRowBytes;
  static constexpr int kBoxes = kChunkM / kBoxM;
  static_assert(kBoxes * kBoxBytes == kChunkBytes && kBoxBytes % 1024 == 0);

  // The first element of a tile's chunk: number `chunk` along the columns of wgmma, from this row
  // and column of the tile on.
  static __device__ __forceinline__ void place_of_chunk(const TileOfC& tile, int row, int column,
                                                        int chunk, int* m, int* n) {
    *m = tile.first_m + (kShape.rows_are_m ? row : column + chunk * kChunkM);
    *n = tile.first_n + (kShape.rows_are_m ? column + chunk * kChunkN : row);
  }

  // Where an element lies in a chunk whose boxes follow each other.
  static __device__ __forceinline__ uint32_t offset_of(int m, int n) {
    return static_cast<uint32_t>(m / kBoxM * kBoxBytes) +
           swizzled_in<kRowBytes>(n, m % kBoxM * kBytes);
  }

  // Where sum i of the thread lies in a chunk.
  static __device__ __forceinline__ void place_of_sum(int i, int* m, int* n, int thread) {
    const RowsOfSums rows = kShape.loads_rows ? rows_in_registers(thread) : plain_rows(thread);
    const int row = rows.first ^ (i / 2 % 2 != 0 ? rows.other : 0);
    const int column = i / 4 * 8 + thread % 4 * 2 + i % 2;
    *m = kShape.rows_are_m ? row : column;
    *n = kShape.rows_are_m ? column : row;
  }
  static __device__ __forceinline__ void place_of_sum(int i, int* m, int* n) {
    place_of_sum(i, m, n, static_cast<int>(threadIdx.x));
  }

  // The elements of C that are added to a thread's sums of a chunk, from boxes in shared memory:
  // body(i, C of sum i, of sum i + 1, bits of both). address_of(box): of one of the chunk's.
  template <class AddressOf, class Body>
  static __device__ __forceinline__ void for_old_pairs(int thread, const AddressOf& address_of,
                                                       const Body& body) {
    if constexpr (kBytes == 2) {
#pragma unroll
      for (int i = 0; i < kChunkSums; i += 8) {
        int box;
        const uint32_t row = row_of_matrices(i, &box, thread);
        uint32_t packed[4];
        if constexpr (kShape.rows_are_m) {
          ptx::ldmatrix_x4_trans(packed, address_of(box) + row);
        } else {
          ptx::ldmatrix_x4(packed, address_of(box) + row);
        }
#pragma unroll
        for (int matrix = 0; matrix < 4; ++matrix) {
          struct alignas(4) Pair {
            Out low, high;
          };
          const auto& pair = reinterpret_cast<const Pair&>(packed[matrix]);
          body(i + 2 * matrix, Widen<Scale, Out>::from(pair.low, false),
               Widen<Scale, Out>::from(pair.high, false), packed[matrix]);
        }
      }
    } else {
      // Where the first sums lie; the next 8 columns of wgmma are whole rows of the box, or 32
      // bytes.
      uint32_t first[2][2];  // (sum i / 2 % 2, i % 2)
      int m, n;
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        place_of_sum(i, &m, &n, thread);
        first[i / 2][i % 2] = swizzled_in<kRowBytes>(n, m % kBoxM * kBytes);
      }
      const uint32_t of_thread = kShape.rows_are_m ? address_of(m / kBoxM) : 0;
#pragma unroll
      for (int i = 0; i < kChunkSums; i += 2) {
        const int column = i / 4 * 8;
        const auto& of_row = first[i / 2 % 2];
        uint32_t words[2];
        if constexpr (kShape.rows_are_m) {
          const uint32_t columns = of_thread + column * kRowBytes;
          ptx::load_shared_word(words[0], columns + of_row[0]);
          ptx::load_shared_word(words[1], columns + of_row[1]);
        } else {
          uint64_t both;  // neighbours along m
          ptx::load_shared_word(both,
                                address_of(column / kBoxM) + (of_row[0] ^ column % kBoxM * kBytes));
          words[0] = static_cast<uint32_t>(both);
          words[1] = static_cast<uint32_t>(both >> 32);
        }
        body(i, reinterpret_cast<const Out&>(words[0]), reinterpret_cast<const Out&>(words[1]),
             words[0] | words[1]);
      }
    }
  }

  // A thread's results into a chunk whose boxes follow each other.
  static __device__ __forceinline__ void write_chunk(unsigned char* buffer, const Scale* results) {
    if constexpr (kBytes == 2) {
      write_matrices(ptx::shared_address(buffer), results);
    } else if constexpr (kShape.rows_are_m) {
#pragma unroll
      for (int i = 0; i < kChunkSums; ++i) {
        int m, n;
        place_of_sum(i, &m, &n);
        *reinterpret_cast<Out*>(buffer + offset_of(m, n)) = results[i];
      }
    } else {
      struct alignas(2 * kBytes) Pair {
        Out first, second;
      };
#pragma unroll
      for (int i = 0; i < kChunkSums; i += 2) {
        int m, n;
        place_of_sum(i, &m, &n);
        *reinterpret_cast<Pair*>(buffer + offset_of(m, n)) = Pair{results[i], results[i + 1]};
      }
    }
  }

 private:
  // 16-bit sums go four 8 x 8 matrices at a time: the upper and lower 8 of a warp's 16 rows, of two
  // neighbouring groups of 8 columns, here those of sum i and the 7 behind it. Where in its box the
  // row lies whose address this lane gives.
  static __device__ __forceinline__ uint32_t row_of_matrices(int i, int* box, int thread) {
    const int warp = thread % 128 / 32, lane = thread % 32;
    const int half = lane / 8 % 2;
    const int group = i / 4 + lane / 16;  // of 8 columns
    if constexpr (kShape.rows_are_m) {
      static_assert(kBoxes == 1);
      *box = 0;
      return swizzled_in<kRowBytes>(group * 8 + lane % 8, (warp * 2 + half) * 16);
    }
    *box = i / 4 * 8 / kBoxM;  // of both groups
    return swizzled_in<kRowBytes>(warp * 16 + half * 8 + lane % 8,
                                  (group - *box * (kBoxM / 8)) * 16);
  }

  static __device__ __forceinline__ void write_matrices(uint32_t buffer, const float* sums) {
#pragma unroll
    for (int i = 0; i < kChunkSums; i += 8) {
      uint32_t packed[4];
#pragma unroll
      for (int matrix = 0; matrix < 4; ++matrix) {
        packed[matrix] = pack_pair(sums[i + 2 * matrix], sums[i + 2 * matrix + 1], Out{});
      }
      int box;
      const uint32_t row = buffer + row_of_matrices(i, &box, static_cast<int>(threadIdx.x));
      if constexpr (kShape.rows_are_m) {
        ptx::stmatrix_x4_trans(row, packed);
      } else {
        ptx::stmatrix_x4(row + box * kBoxBytes, packed);
      }
    }
  }
};

}  // namespace myblas
