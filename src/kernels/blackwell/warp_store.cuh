// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// blackwell/warp_store.cuh: the sums of a warp -> alpha * sums + beta * C and its
// epilogue.
//
// Where C is alpha times the product and no more, and its columns begin at 16 bytes, the lanes
// store their sums, and the loads of the next tile have the whole ring meanwhile (docs/adr/0034);
// not of batches of pointers. Else sums leave in chunks through a piece of shared memory that is
// the warp's for a while, laid out as TMA's boxes: rows of 128 bytes of m, one a column of C,
// swizzled. From there TMA writes them, or the lanes do where columns of C do not begin and end at
// 16 bytes. What is read of C comes the same way first.
//==============================================================================
#pragma once

#include "kernels/blackwell/blackwell_shape.h"
#include "kernels/common/arithmetic.cuh"
#include "kernels/common/batch.cuh"
#include "kernels/common/epilogue.cuh"
#include "kernels/common/matrix_place.cuh"
#include "kernels/common/mma_epilogue.cuh"
#include "kernels/common/staged_box.cuh"
#include "kernels/common/tile_order.cuh"
#include "kernels/ptx/matrix_copy.h"
#include "kernels/ptx/mbarrier.h"
#include "kernels/ptx/shared_memory.h"
#include "kernels/ptx/tma.h"

namespace myblas {

// All lanes of a warp call everything together.
template <class Out, class Sum, BlackwellShape kShape>
class WarpStore {
 public:
  static constexpr int kBytes = sizeof(Out);
  static constexpr int kBoxM = kShape.box_m(kBytes), kBoxes = kShape.boxes(kBytes);
  static constexpr int kWarpM = kShape.warp_m();
  static constexpr int kChunkN = kShape.chunk_n(kBytes);
  static constexpr int kChunks = kShape.warp_n() / kChunkN;
  static constexpr int kBoxBytes = kChunkN * kTmaRowBytes;
  static constexpr int kCountM = kWarpM / 8, kCountN = kChunkN / 16;
  static_assert(kBoxes * kBoxM == kWarpM && kChunkN % 16 == 0);
  static_assert(kBoxes * kBoxBytes <= kShape.staging_bytes() && kShape.staging_bytes() % 1024 == 0);
  static constexpr bool kMayBeDirect = !kShape.by_pointers;  // those would spill
  static constexpr bool kReadsDirectly = kBytes == 8;        // leaves_from_registers (launch_tma.h)
  using ColumnSums = Sum[kCountM][4];                        // of 16 columns: 8 rows (m) each
  using Sums = ColumnSums[kCountN];                          // a chunk's

  // c_full: the address of an mbarrier of one arrival.
  __device__ __forceinline__ explicit WarpStore(uint32_t c_full) : c_full_(c_full), parity_(0) {}

  // Whether the tile leaves straight from registers. By the arguments and the tile alone, for the
  // thread that loads asks too; and of few kinds, for code that runs once a tile is waited for
  // instruction by instruction. C whose columns do not begin at 16 bytes is quicker by way of
  // shared memory (2779 x 3392 x 64 in fp64, tight: 52 us, directly 64).
  static __device__ __forceinline__ bool is_direct(const TmaArgs& args, const TileOfC& tile) {
    if (!kMayBeDirect || args.c_leaves == FromRegisters::kNone) return false;
    return args.c_leaves == FromRegisters::kAll || (tile.first_m + kShape.tile_m <= args.gemm.m &&
                                                    tile.first_n + kShape.tile_n <= args.gemm.n);
  }

  // The warp's part of C, from (m, n) on. Of calls that are direct.
  template <int kAllN>
  static __device__ __forceinline__ void store_directly(Sum (&sums)[kAllN][kCountM][4],
                                                        const TmaArgs& args, int batch, int m,
                                                        int n) {
    const GemmArgs& gemm = args.gemm;
    const Finish<Sum> finish = load_finish<Sum>(gemm);
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int column = n + lane / 4;
    Out* c = matrix_c_of_batch<Out>(gemm, batch) + m + column * gemm.ldc;
    // NOTE: beta == 0 must not read C; it may hold NaN.
    if constexpr (kReadsDirectly) {
      if (!is_zero(finish.beta)) {
        const int row = lane % 4 * 2;
        const int left_m = static_cast<int>(gemm.m) - m - row;
        const int left_n = static_cast<int>(gemm.n) - column;
        if (m + kWarpM <= gemm.m && n + 16 * kAllN <= gemm.n) {
          update_directly<true>(sums, finish, c + row, gemm.ldc, left_m, left_n);
        } else {
          update_directly<false>(sums, finish, c + row, gemm.ldc, left_m, left_n);
        }
        return;
      }
    }
    if (finish.has_product && finish.alpha != Sum{1}) {  // else: zeros, or as they are
#pragma unroll
      for (int i = 0; i < kAllN * kCountM * 4; ++i) (&sums[0][0][0])[i] *= finish.alpha;
    }
    const auto for_octets = [&](const auto& store) {  // of columns
#pragma unroll
      for (int octet = 0; octet < 2 * kAllN; ++octet) {
        store(c, sums[octet / 2], octet % 2 * 2, 8 * octet);
        c += 8 * gemm.ldc;
      }
    };
    if (m + kWarpM <= gemm.m && n + 16 * kAllN <= gemm.n) {
      for_octets([&](Out* to, const ColumnSums& of_16, int upper, int) {
        if constexpr (kBytes == 2) {
          store_exchanged(to + lane % 4 * 8, of_16, upper, lane, Sum{1}, true);
        } else {
          store_runs<false>(to + lane % 4 * 2, of_16, upper, Sum{1}, true);
        }
      });
      return;
    }
    const int left_m = static_cast<int>(gemm.m) - m, left_n = static_cast<int>(gemm.n) - column;
    for_octets([&](Out* to, const ColumnSums& of_16, int upper, int columns) {
      if (columns >= left_n) return;
#pragma unroll
      for (int j = 0; j < kCountM; ++j) {
        const int row = 8 * j + lane % 4 * 2;
        const Pair pair{
            {Narrow<Out, Sum>::from(of_16[j][upper]), Narrow<Out, Sum>::from(of_16[j][upper + 1])}};
        if (row + 1 < left_m) *reinterpret_cast<Pair*>(to + row) = pair;
        if (row + 1 == left_m) to[row] = pair.elements[0];
      }
    });
  }

  // alpha * sums + beta * C. `c` is this lane's first pair; left_m, left_n: rows and columns of C
  // from there on, where the part is not whole. Octets of C's columns are on their way ahead of the
  // one that is added to.
  template <bool kWhole, int kAllN>
  static __device__ __forceinline__ void update_directly(Sum (&sums)[kAllN][kCountM][4],
                                                         const Finish<Sum>& finish, Out* c,
                                                         int64_t ldc, int left_m, int left_n) {
    constexpr int kOctets = 2 * kAllN, kMostAhead = kWhole ? 4 : 2;  // as there are registers
    constexpr int kAhead = kOctets < kMostAhead ? kOctets : kMostAhead;
    // Pairs are there as a whole or not at all (leaves_from_registers).
    const auto exists = [&](int octet, int j) {
      return kWhole || (8 * octet < left_n && 8 * j < left_m);
    };
    Pair old[kAhead][kCountM] = {};
    const Out* ahead = c;
    const auto load = [&](int octet) {
#pragma unroll
      for (int j = 0; j < kCountM; ++j) {
        if (exists(octet, j)) {
          old[octet % kAhead][j] = *reinterpret_cast<const Pair*>(ahead + 8 * j);
        }
      }
      ahead += 8 * ldc;
    };
#pragma unroll
    for (int octet = 0; octet < kAhead; ++octet) load(octet);
#pragma unroll
    for (int octet = 0; octet < kOctets; ++octet) {
      Pair results[kCountM];
#pragma unroll
      for (int j = 0; j < kCountM; ++j) {
        Sum* const pair = sums[octet / 2][j] + octet % 2 * 2;
        add_old(pair, finish, old[octet % kAhead][j]);
        results[j] = Pair{{pair[0], pair[1]}};
      }
      if (octet + kAhead < kOctets) load(octet + kAhead);
#pragma unroll
      for (int j = 0; j < kCountM; ++j) {
        if (exists(octet, j)) *reinterpret_cast<Pair*>(c + 8 * j) = results[j];
      }
      c += 8 * ldc;
    }
  }

  // The chunk of C from (m, n) on, by way of `staging`. True where TMA goes on to read that.
  __device__ __forceinline__ bool store_chunk(Sums& sums, unsigned char* staging,
                                              const TmaArgs& args, int batch, int m, int n) {
    const GemmArgs& gemm = args.gemm;
    if (m >= gemm.m || n >= gemm.n) return false;
    const Finish<Sum> finish = load_finish<Sum>(gemm);
    Out* c = matrix_c_of_batch<Out>(gemm, batch) + m + n * gemm.ldc;
    const int left_m = static_cast<int>(gemm.m - m < kWarpM ? gemm.m - m : kWarpM);
    const int left_n = static_cast<int>(gemm.n - n < kChunkN ? gemm.n - n : kChunkN);
    const auto is_mapped = [&] { return is_c_mapped<kShape.by_pointers>(args, batch); };
    const auto place_of_box = [&] { return place_of_c<kShape.by_pointers>(gemm, batch); };
    const bool elected = threadIdx.x % 32 == 0;
    const auto epilogue = epilogue_of_batch<Out>(gemm.epilogue, batch, m);
    // NOTE: beta == 0 must not read C; it may hold NaN.
    const bool reads_c = !is_zero(finish.beta);
    if (reads_c) {
      if (!is_mapped()) {
        read_chunk(staging, c, gemm.ldc, left_m, left_n);
        __syncwarp();  // all lanes' writes of C to the staging before other lanes' reads
      } else {
        if (elected) {
          const auto place = place_of_box();
          ptx::mbarrier_arrive_expect_tx(c_full_, kBoxes * kBoxBytes);
          for_boxes([&](int box) {
            load_box(ptx::shared_address(staging + box * kBoxBytes), &args.c, m + box * kBoxM, n,
                     place, c_full_);
          });
        }
        ptx::mbarrier_wait(c_full_, parity_);  // the copies' writes before all lanes' reads
        parity_ ^= 1;
      }
    }
#pragma unroll
    for (int i = 0; i < kCountN; ++i) {
      unsigned char* of_columns = staging + 16 * i * kTmaRowBytes;
      if (reads_c) {
        for_pairs(sums[i], [&](Sum* pair, uint32_t offset) {
          add_old(pair, finish, *reinterpret_cast<const Pair*>(of_columns + offset));
        });
      } else {
        scale(sums[i], finish);
      }
      if (epilogue.any()) {
        Sum biases[2 * kCountM];
        epilogue.load(biases, left_m, [](int r) {
          return r / 2 * 8 + static_cast<int>(threadIdx.x) % 4 * 2 + r % 2;
        });
        epilogue.template finish<kCountM * 4>(&sums[i][0][0], biases,
                                              [](int s) { return s / 4 * 2 + s % 2; });
      }
      // All lanes' reads of these columns before other lanes' writes; and it keeps the compiler
      // from starting more loads than it has registers for.
      __syncwarp();
      write_columns(of_columns, sums[i]);
    }
    ptx::fence_async_shared();
    __syncwarp();  // all lanes' writes to the staging before the reads of TMA or of other lanes
    if (!is_mapped()) {
      copy_chunk(c, gemm.ldc, staging, left_m, left_n);
      return false;
    }
    if (elected) {
      const auto place = place_of_box();
      for_boxes([&](int box) {
        store_box(&args.c, m + box * kBoxM, n, place,
                  ptx::shared_address(staging + box * kBoxBytes));
      });
      ptx::tma_store_commit();
    }
    return true;
  }

 private:
  struct alignas(2 * sizeof(Out)) Pair {
    Out elements[2];
  };

  template <class Body>
  static __device__ __forceinline__ void for_boxes(const Body& body) {
#pragma unroll
    for (int box = 0; box < kBoxes; ++box) body(box);
  }

  // Where an element of the chunk lies.
  static __device__ __forceinline__ uint32_t offset_of(int m, int n) {
    return static_cast<uint32_t>(m / kBoxM * kBoxBytes) + swizzled(n, m % kBoxM * kBytes);
  }

  // body(pair of sums, offset): each two that are neighbours in C.
  template <class Body>
  static __device__ __forceinline__ void for_pairs(ColumnSums& sums, const Body& body) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
    for (int j = 0; j < kCountM; ++j) {
#pragma unroll
      for (int upper = 0; upper < 2; ++upper) {
        body(sums[j] + 2 * upper, offset_of(8 * j + lane % 4 * 2, 8 * upper + lane / 4));
      }
    }
  }

  static __device__ __forceinline__ void scale(ColumnSums& sums, const Finish<Sum>& finish) {
    if (!finish.has_product) return;  // they are zeros, and alpha may be anything
    for_pairs(sums, [&](Sum* pair, uint32_t) {
      pair[0] = multiply(finish.alpha, pair[0]);
      pair[1] = multiply(finish.alpha, pair[1]);
    });
  }

  // alpha * sums + beta * C.
  static __device__ __forceinline__ void add_old(Sum* pair, const Finish<Sum>& finish,
                                                 const Pair& old) {
    // Without a product the sums are zeros: times -0 they leave beta * C as it is, its sign too.
    const Sum alpha = finish.has_product ? finish.alpha : Sum{-0.0};
#pragma unroll
    for (int e = 0; e < 2; ++e) {
      pair[e] = multiply(alpha, pair[e]);
      multiply_add(pair[e], finish.beta, Widen<Sum, Out>::from(old.elements[e], false));
    }
  }

  static __device__ __forceinline__ void write_columns(unsigned char* staging, ColumnSums& sums) {
    if constexpr (kBytes == 2) {
      write_matrices(ptx::shared_address(staging), sums);
    } else {
      for_pairs(sums, [&](const Sum* pair, uint32_t offset) {
        *reinterpret_cast<Pair*>(staging + offset) = Pair{{pair[0], pair[1]}};
      });
    }
  }

  // 16-bit sums, four 8 x 8 matrices at a time: of 8 rows of m and then the next 8, each the lower
  // and upper 8 of the columns.
  static __device__ __forceinline__ void write_matrices(uint32_t staging, const ColumnSums& sums) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int column = lane / 8 % 2 * 8 + lane % 8;  // whose address this lane gives
#pragma unroll
    for (int j = 0; j < kCountM; j += 2) {
      uint32_t packed[4];
#pragma unroll
      for (int matrix = 0; matrix < 4; ++matrix) {
        const float* pair = sums[j + matrix / 2] + matrix % 2 * 2;
        packed[matrix] = pack_pair(pair[0], pair[1], Out{});
      }
      ptx::stmatrix_x4(staging + swizzled(column, (j + lane / 16) * 16), packed);
    }
  }

  // Between the staging and a C that TMA cannot reach, by all lanes; the loads of a group of a
  // lane's elements wait together.
  static __device__ __forceinline__ void read_chunk(unsigned char* staging, const Out* c,
                                                    int64_t ldc, int left_m, int left_n) {
    for_groups([&](int m, int n) { return m < left_m && n < left_n ? c[m + n * ldc] : Out{}; },
               [&](int m, int n, Out element) {
                 *reinterpret_cast<Out*>(staging + offset_of(m, n)) = element;
               });
  }
  static __device__ __forceinline__ void copy_chunk(Out* c, int64_t ldc,
                                                    const unsigned char* staging, int left_m,
                                                    int left_n) {
    for_groups(
        [&](int m, int n) { return *reinterpret_cast<const Out*>(staging + offset_of(m, n)); },
        [&](int m, int n, Out element) {
          if (m < left_m && n < left_n) c[m + n * ldc] = element;
        });
  }
  template <class Load, class Store>
  static __device__ __forceinline__ void for_groups(const Load& load, const Store& store) {
    constexpr int kGroup = kBytes == 8 && kShape.by_pointers ? 1 : 8;  // as there are registers
    static_assert(kWarpM * kChunkN % (32 * kGroup) == 0);
#pragma unroll 1
    for (int first = static_cast<int>(threadIdx.x) % 32; first < kWarpM * kChunkN;
         first += 32 * kGroup) {
      Out group[kGroup];
#pragma unroll
      for (int g = 0; g < kGroup; ++g) {
        const int i = first + 32 * g;
        group[g] = load(i % kWarpM, i / kWarpM);
      }
#pragma unroll
      for (int g = 0; g < kGroup; ++g) {
        const int i = first + 32 * g;
        store(i % kWarpM, i / kWarpM, group[g]);
      }
    }
  }

  uint32_t c_full_;
  int parity_;  // of the next chunk of C that TMA brings
};

}  // namespace myblas
