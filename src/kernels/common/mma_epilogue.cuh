// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/mma_epilogue.cuh: a warp's sums -> alpha * sum + beta * C and its epilogue, in
// C's own order.
//
// Sums lie scattered over the lanes. Where all rows exist, C is not read and there is no epilogue,
// each lane stores what it has. Else a warp brings them, as many columns at a time as there is room
// for, through its own piece of shared memory and stores them in 16-byte chunks where C is aligned,
// else an element a lane.
//==============================================================================
#pragma once

#include <type_traits>

#include "kernels/common/arithmetic.cuh"
#include "kernels/common/epilogue.cuh"
#include "kernels/common/mma_tile.cuh"

namespace myblas {

// The matrix C, and where this warp's part of it begins.
template <class Out>
struct WarpTarget {
  Out* c;  // the warp's first element
  int64_t ld;
  int64_t rows_left, columns_left;  // of C, from there on
  bool in_chunks;                   // C is aligned to 16 bytes, and so are its columns
  RowEpilogue<Out> epilogue;        // from the warp's first row on
};

// Staged sums of kWarpRows (m) x kColumns (n): as many columns, a multiple of 8 that divides
// kWarpColumns, as fit into kMostBytes. The pad keeps what a store of fragments touches, 8 columns
// x 4 pairs of rows, in different banks.
template <class SumType, int kWarpRows, int kWarpColumns, int kPadBytes, int kMostBytes>
struct SumStage {
  using Sum = SumType;
  static constexpr int kRows = kWarpRows;
  static constexpr int kLd = kWarpRows + kPadBytes / static_cast<int>(sizeof(Sum));
  static constexpr int bytes_of(int columns) {
    return kLd * columns * static_cast<int>(sizeof(Sum));
  }
  static constexpr int columns_that_fit() {
    int columns = kWarpColumns;
    while (columns > 8 && bytes_of(columns) > kMostBytes) columns /= 2;
    return columns;
  }
  static constexpr int kColumns = columns_that_fit();
  static constexpr int kBytes = bytes_of(kColumns);
  static_assert(kBytes <= kMostBytes && kColumns % 8 == 0 && kWarpColumns % kColumns == 0);
};

// Two sums that are neighbours along m are one complex element.
template <class Out>
inline constexpr int kSumsOfElement = 1;
template <class Real>
inline constexpr int kSumsOfElement<Complex<Real>> = 2;
template <class Sum, class Out>
using ElementSum = std::conditional_t<kSumsOfElement<Out> == 2, Complex<Sum>, Sum>;

template <class Sum>
__device__ __forceinline__ void stage_pair(Sum* to, Sum first, Sum second) {
  struct alignas(2 * sizeof(Sum)) Pair {
    Sum first, second;
  };
  *reinterpret_cast<Pair*>(to) = Pair{first, second};
}

// 16 bytes of C or of staged sums.
template <class T>
struct alignas(16) Chunk {
  static constexpr int kElements = 16 / static_cast<int>(sizeof(T));
  T elements[kElements];
};

// A chunk of one column of C, from a row of the warp's on, whose sums lie side by side. There is a
// product. chunk: what C holds, where beta is not 0.
template <class Sum, class Out, class Scale>
__device__ __forceinline__ void store_chunk(Out* c, Chunk<Out> chunk, const Sum* sums,
                                            const Finish<Scale>& finish,
                                            const RowEpilogue<Out>& epilogue, int row) {
  using Sums = Chunk<Sum>;
  constexpr int kElements = Chunk<Out>::kElements;
  Scale results[kElements];
#pragma unroll
  for (int i = 0; i < kElements; i += Sums::kElements) {
    const Sums some = *reinterpret_cast<const Sums*>(sums + i);
#pragma unroll
    for (int j = 0; j < Sums::kElements; ++j) {
      results[i + j] = multiply(finish.alpha, static_cast<Scale>(some.elements[j]));
    }
  }
  if (!is_zero(finish.beta)) {
#pragma unroll
    for (int i = 0; i < kElements; ++i) {
      multiply_add(results[i], finish.beta, Widen<Scale, Out>::from(chunk.elements[i], false));
    }
  }
  if (epilogue.any()) {
    Scale biases[kElements];
    epilogue.load(biases, row + kElements, [&](int i) { return row + i; });
    epilogue.template finish<kElements>(results, biases, [](int i) { return i; });
  }
#pragma unroll
  for (int i = 0; i < kElements; ++i) {
    chunk.elements[i] = Narrow<Out, Scale>::from(results[i]);
  }
  *reinterpret_cast<Chunk<Out>*>(c) = chunk;
}

// Column of the warp's part of C that row `row` of the instruction's `octet`-th eight rows is.
template <bool kPairsN>
__device__ __forceinline__ int column_of_row(int octet, int row) {
  return kPairsN ? octet / 2 * 16 + 2 * row + octet % 2 : octet * 8 + row;
}

// The staged columns: those of the octets from first_octet on. Little code, for it is there once
// for each stage of a warp's part.
template <class Stage, bool kPairsN, class Scale, class Out>
__device__ __forceinline__ void store_stage(const typename Stage::Sum* staged_sums,
                                            const WarpTarget<Out>& target, int first_octet,
                                            const Finish<Scale>& finish) {
  using Sum = ElementSum<typename Stage::Sum, Out>;
  const auto* const stage = reinterpret_cast<const Sum*>(staged_sums);
  constexpr int kRows = Stage::kRows / kSumsOfElement<Out>, kLd = Stage::kLd / kSumsOfElement<Out>;
  constexpr int kElements = Chunk<Out>::kElements;
  constexpr int kColumnChunks = kRows / kElements;
  const bool in_chunks = target.in_chunks && finish.has_product;
  const int lane = opaque_thread() % 32;
  // NOTE: beta == 0 must not read C; it may hold NaN.
  const bool reads_c = !is_zero(finish.beta);
  if (in_chunks) {
    constexpr int kChunks = kColumnChunks * Stage::kColumns;
    constexpr int kAtOnce = kChunks >= 128  ? 4
                            : kChunks >= 64 ? 2
                                            : 1;  // whose loads wait together
#pragma unroll 1
    for (int first = lane; first < kChunks; first += 32 * kAtOnce) {
      // body(chunk, its first row, its column on the stage, its address)
      const auto for_each = [&](const auto& body) {
#pragma unroll
        for (int g = 0; g < kAtOnce; ++g) {
          const int i = first + 32 * g;
          const int row = i % kColumnChunks * kElements, column = i / kColumnChunks;
          const int n = column_of_row<kPairsN>(first_octet + column / 8, column % 8);
          const bool exists = (kChunks % (32 * kAtOnce) == 0 || i < kChunks) &&
                              row + kElements <= target.rows_left && n < target.columns_left;
          if (exists) body(g, row, column, target.c + row + n * target.ld);
        }
      };
      Chunk<Out> old[kAtOnce] = {};
      if (reads_c) {
        for_each([&](int g, int, int, const Out* c) {
          old[g] = *reinterpret_cast<const Chunk<Out>*>(c);
        });
      }
      for_each([&](int g, int row, int column, Out* c) {
        store_chunk(c, old[g], stage + column * kLd + row, finish, target.epilogue, row);
      });
    }
  }
  // What is not stored in chunks: all of it, or the rows of a chunk that C's last row cuts.
  const int rows = static_cast<int>(target.rows_left < kRows ? target.rows_left : kRows);
  const int first_row = in_chunks ? rows / kElements * kElements : 0;
  constexpr int kGroup = sizeof(Out) > 8 ? 4 : 8;  // columns whose loads wait together
#pragma unroll 1
  for (int row = first_row + lane; row < rows; row += 32) {
#pragma unroll 1
    for (int first = 0; first < Stage::kColumns; first += kGroup) {
      const auto place = [&](int i) {
        return column_of_row<kPairsN>(first_octet + first / 8, first % 8 + i);
      };
      Out results[kGroup] = {};
#pragma unroll
      for (int i = 0; i < kGroup; ++i) {
        if (reads_c && place(i) < target.columns_left) {
          results[i] = target.c[row + place(i) * target.ld];
        }
      }
      const auto sum = [&](int i) { return static_cast<Scale>(stage[(first + i) * kLd + row]); };
      if (!target.epilogue.any()) {
#pragma unroll
        for (int i = 0; i < kGroup; ++i) store_result(&results[i], sum(i), finish);
      } else {
#pragma unroll
        for (int i = 0; i < kGroup; ++i) {
          store_result(&results[i], sum(i), finish, target.epilogue, row);
        }
      }
#pragma unroll
      for (int i = 0; i < kGroup; ++i) {
        if (place(i) < target.columns_left) target.c[row + place(i) * target.ld] = results[i];
      }
    }
  }
}

template <class Stage, bool kPairsM, int kCountN, int kCountM>
__device__ __forceinline__ void stage_sums(typename Stage::Sum* stage,
                                           const typename Stage::Sum (&sums)[kCountN][kCountM][4],
                                           int first_octet) {
  const int lane = opaque_thread() % 32;
  auto* const place = stage + lane / 4 * Stage::kLd + lane % 4 * (kPairsM ? 4 : 2);
#pragma unroll
  for (int octet = 0; octet < Stage::kColumns / 8; ++octet) {
    auto* const to = place + octet * 8 * Stage::kLd;
    const auto& of_16 = sums[(first_octet + octet) / 2];
    const int upper = (first_octet + octet) % 2 * 2;
#pragma unroll
    for (int j = 0; j < kCountM; j += 2) {
      const auto& low = of_16[j];
      const auto& high = of_16[j + 1];
      if constexpr (kPairsM) {
        stage_pair(to + 8 * j, low[upper], high[upper]);
        stage_pair(to + 8 * j + 2, low[upper + 1], high[upper + 1]);
      } else {
        stage_pair(to + 8 * j, low[upper], low[upper + 1]);
        stage_pair(to + 8 * j + 8, high[upper], high[upper + 1]);
      }
    }
  }
}

template <class Stage, bool kPairsM, bool kPairsN, int kCountN, int kCountM, class Out, class Scale>
__device__ __forceinline__ void store_in_stages(
    const typename Stage::Sum (&sums)[kCountN][kCountM][4], typename Stage::Sum* stage,
    const WarpTarget<Out>& target, const Finish<Scale>& finish) {
#pragma unroll
  for (int first = 0; first < 2 * kCountN; first += Stage::kColumns / 8) {
    stage_sums<Stage, kPairsM>(stage, sums, first);
    __syncwarp();  // all lanes' stores of these columns before any lane's loads
    store_stage<Stage, kPairsN>(stage, target, first, finish);
    __syncwarp();  // all lanes' loads before any lane's stores of the next columns
  }
}

// ---- from registers ---------------------------------------------------------------------------

inline constexpr uint32_t kAllLanes = 0xffffffffu;

template <class T, int kLength>
struct alignas(sizeof(T) * kLength) Run {
  T elements[kLength];
};

// One column's sums, all rows of which exist: a lane's runs of neighbours, from its first one on.
// Those of a quad follow each other, 32 bytes or more.
// kScales: else they are results.
template <bool kPairsM, bool kScales = true, int kCountM, class Sum, class Out, class Scale>
__device__ __forceinline__ void store_runs(Out* column, const Sum (&sums)[kCountM][4], int upper,
                                           Scale alpha, bool aligned) {
  constexpr int kLength = kPairsM ? 4 : 2 / kSumsOfElement<Out>;
#pragma unroll
  for (int j = 0; j < kCountM; j += kPairsM ? 2 : 1) {
    Run<Out, kLength> run;
#pragma unroll
    for (int i = 0; i < kLength; ++i) {
      ElementSum<Sum, Out> sum;
      if constexpr (kSumsOfElement<Out> == 2) {
        sum = {sums[j][upper], sums[j][upper + 1]};
      } else {
        sum = kPairsM ? sums[j + i % 2][upper + i / 2] : sums[j][upper + i];
      }
      const auto result = static_cast<Scale>(sum);
      run.elements[i] = Narrow<Out, Scale>::from(kScales ? multiply(alpha, result) : result);
    }
    Out* const c = column + 8 / kSumsOfElement<Out> * j;
    if (aligned) {
      *reinterpret_cast<Run<Out, kLength>*>(c) = run;
    } else {
#pragma unroll
      for (int i = 0; i < kLength; ++i) c[i] = run.elements[i];
    }
  }
}

// Four words of each lane of a quad, as the rows and columns of a matrix: transposed.
__device__ __forceinline__ void transpose_in_quad(uint32_t (&words)[4], int lane) {
#pragma unroll
  for (int bit = 1; bit < 4; bit *= 2) {
    const bool upper = (lane & bit) != 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if ((i & bit) != 0) continue;
      const uint32_t low = words[i], high = words[i + bit];
      const uint32_t got = __shfl_xor_sync(kAllLanes, upper ? low : high, bit);
      words[i] = upper ? got : low;
      words[i + bit] = upper ? high : got;
    }
  }
}

// The same for elements of 2 bytes, of which a lane's runs would be 4 bytes: a quad exchanges them
// for 16 bytes a lane. By all lanes; stored where `exists`.
template <int kCountM, class Out>
__device__ __forceinline__ void store_exchanged(Out* column, const float (&sums)[kCountM][4],
                                                int upper, int lane, float alpha, bool exists) {
  static_assert(sizeof(Out) == 2 && kCountM % 4 == 0);
#pragma unroll
  for (int first = 0; first < kCountM; first += 4) {
    uint32_t words[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const auto& run = sums[first + i];
      const Run<Out, 2> narrow{{Narrow<Out, float>::from(alpha * run[upper]),
                                Narrow<Out, float>::from(alpha * run[upper + 1])}};
      words[i] = reinterpret_cast<const uint32_t&>(narrow);
    }
    transpose_in_quad(words, lane);
    auto* const to = reinterpret_cast<uint4*>(column + 8 * first);
    if (exists) *to = make_uint4(words[0], words[1], words[2], words[3]);
  }
}

// The same runs of C times beta, added to alpha times the sums.
template <bool kPairsM, int kCountM, class Sum, class Out, class Scale>
__device__ __forceinline__ void add_runs(const Out* column, Sum (&sums)[kCountM][4], int upper,
                                         const Finish<Scale>& finish) {
  constexpr int kLength = kPairsM ? 4 : 2 / kSumsOfElement<Out>;
#pragma unroll
  for (int j = 0; j < kCountM; j += kPairsM ? 2 : 1) {
    const auto old =
        *reinterpret_cast<const Run<Out, kLength>*>(column + 8 / kSumsOfElement<Out> * j);
#pragma unroll
    for (int i = 0; i < kLength; ++i) {
      if constexpr (kSumsOfElement<Out> == 2) {
        Scale result = multiply(finish.alpha, Scale{sums[j][upper], sums[j][upper + 1]});
        multiply_add(result, finish.beta, old.elements[i]);
        sums[j][upper] = result.x;
        sums[j][upper + 1] = result.y;
      } else {
        Sum& sum = kPairsM ? sums[j + i % 2][upper + i / 2] : sums[j][upper + i];
        sum = multiply(finish.alpha, sum);
        multiply_add(sum, finish.beta, old.elements[i]);
      }
    }
  }
}

// Calls body(octet, this lane's column of it from its first row on, whether C has that).
template <bool kPairsM, bool kPairsN, int kCountN, class Out, class Body>
__device__ __forceinline__ void for_octets(const WarpTarget<Out>& target, const Body& body) {
  const int lane = opaque_thread() % 32;
  const int columns =
      static_cast<int>(target.columns_left < 16 * kCountN ? target.columns_left : 16 * kCountN);
  const int first_row =
      sizeof(Out) == 2 ? lane % 4 * 8 : lane % 4 * (kPairsM ? 4 : 2 / kSumsOfElement<Out>);
  Out* column = target.c + first_row + column_of_row<kPairsN>(0, lane / 4) * target.ld;
#pragma unroll
  for (int octet = 0; octet < 2 * kCountN; ++octet) {
    body(octet, column, column_of_row<kPairsN>(octet, lane / 4) < columns);
    column += (column_of_row<kPairsN>(octet + 1, 0) - column_of_row<kPairsN>(octet, 0)) * target.ld;
  }
}

template <bool kPairsM, bool kPairsN, bool kScales, int kCountN, int kCountM, class Sum, class Out,
          class Scale>
__device__ __forceinline__ void store_from_registers(const Sum (&sums)[kCountN][kCountM][4],
                                                     const WarpTarget<Out>& target, Scale alpha) {
  const int lane = opaque_thread() % 32;
  for_octets<kPairsM, kPairsN, kCountN>(target, [&](int octet, Out* column, bool exists) {
    const auto& of_16 = sums[octet / 2];
    if constexpr (sizeof(Out) == 2) {
      store_exchanged(column, of_16, octet % 2 * 2, lane, alpha, exists);
    } else if (exists) {
      store_runs<kPairsM, kScales>(column, of_16, octet % 2 * 2, alpha, target.in_chunks);
    }
  });
}

// sums[i][j]: the instruction's sums of 16 columns of C (n) x 8 rows (m). `stage` is this warp's.
// kPairs: along m, along n, the instruction's rows lie as kRowsInPairs says (common/mma_tile.cuh).
// From the registers where all rows exist, C is not read and there is no epilogue: that takes a
// quarter of the time, and too much code for the rest. In fp64 also where C is read, all of it
// ahead of the first store: no load waits for a store that it might depend on.
template <class Stage, bool kPairsM, bool kPairsN, int kCountN, int kCountM, class Out, class Scale>
__device__ __forceinline__ void store_warp(const typename Stage::Sum (&sums)[kCountN][kCountM][4],
                                           typename Stage::Sum* stage,
                                           const WarpTarget<Out>& target,
                                           const Finish<Scale>& finish) {
  using Sum = typename Stage::Sum;
  const bool direct = finish.has_product && !target.epilogue.any() &&
                      target.rows_left >= 8 * kCountM / kSumsOfElement<Out> &&
                      (sizeof(Out) != 2 || target.in_chunks);
  // All lanes think the same: the vote tells the compiler, too, that they stay together.
  if (__all_sync(kAllLanes, direct && is_zero(finish.beta))) {
    store_from_registers<kPairsM, kPairsN, true>(sums, target, finish.alpha);
    return;
  }
  if constexpr (sizeof(Sum) == 8) {
    if (__all_sync(kAllLanes, direct && target.in_chunks)) {
      Sum results[kCountN][kCountM][4];
#pragma unroll
      for (int i = 0; i < kCountN * kCountM * 4; ++i) (&results[0][0][0])[i] = (&sums[0][0][0])[i];
      for_octets<kPairsM, kPairsN, kCountN>(target, [&](int octet, Out* column, bool exists) {
        if (exists) add_runs<kPairsM>(column, results[octet / 2], octet % 2 * 2, finish);
      });
      store_from_registers<kPairsM, kPairsN, false>(results, target, finish.alpha);
      return;
    }
  }
  store_in_stages<Stage, kPairsM, kPairsN>(sums, stage, target, finish);
}

}  // namespace myblas
