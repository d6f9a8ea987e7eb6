// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// simt/gemm_simt.cuh: C = alpha*op(A)*op(B) + beta*C, fp32 and complex fp32, CUDA cores.
//
//   layout    column-major, any ld; op() folded into the loader, or by TMA into how fragments are
//             read (lane_sides.cuh): a kernel a layout
//   complex   by cp.async in planes: a k-tile's real parts, and its imaginary parts, with a sum for
//             each part of an element. Conjugated operands have their planes exchanged, which is i
//             times the conjugate, and their sums are turned back at the end. By TMA multiplied as
//             real numbers, of twice the rows and columns; the four products of two elements have a
//             sum each, and become one element, conjugated or not, at the end
//   slices    each of so many slices of a k-tile may have warps of its own, which cover the tile of
//             C; their sums meet in shared memory, and each slice stores a share of them. Such rows
//             do not divide k further: that was not tried
//   CTA tile  TileM x TileN x TileK; warps of WarpM x WarpN; 4 x 8 or 8 x 4 lanes a warp
//   pipeline  a feed (feed_cp_async.cuh, feed_registers.cuh, feed_tma.cuh) fills a ring of kStages
//             k-tiles, fragments one k ahead (simt_step.cuh); one barrier a k-tile, by TMA
//             mbarriers. The main loop is there once for each way in which a feed copies
//   assumes   elements aligned to their size, complex ones to that of their parts; 16-byte copies,
//             if the kernel has them, where an operand is aligned and its rows are contiguous, one
//             element, or part of one, a copy elsewhere; pointer batches
//   epilogue  from registers where C's columns are whole runs of 16 bytes, and where k is
//             contiguous in A; else, and of planes that are not added to C, by way of the ring, a
//             warp's columns one after the other (but simt_batch_tma.cuh, whose ring is taken)
//   edges     what lies outside is zero-filled by the feed, stores are predicated; the k remainder
//             is the first k-tile, so that the main loop looks at no k (by TMA the last one)
//   order     within a part of k, and a slice of its k-tiles, ascending, one fused sum a product of
//             real numbers, in planes a part of an element, closed every k_of_chunk k
//             (common/blocked_sum.cuh), once or never; slices in order, parts by
//             common/split_k.cuh, or shares by common/shares.h. One division of one k has the same
//             bits in every tile shape with the same TileK, slices, closing and feed (TMA's has the
//             k remainder elsewhere), but for the sign of a zero
//   limits    2^32 k-tiles (row.max_offset); offsets are 64-bit, TMA's coordinates 32; blocks
//             stride over tiles, parts and batches
//==============================================================================
#pragma once

#include <type_traits>

#include "kernels/common/arithmetic.cuh"
#include "kernels/common/batch.cuh"
#include "kernels/common/blocked_sum.cuh"
#include "kernels/common/gemm_args.h"
#include "kernels/common/split_k.cuh"
#include "kernels/ptx/opaque.h"
#include "kernels/ptx/shared_memory.h"
#include "kernels/ptx/tma.h"
#include "kernels/simt/operand_loader.cuh"
#include "kernels/simt/simt_smem.h"
#include "kernels/simt/simt_step.cuh"
#include "kernels/simt/simt_store.cuh"
#include "kernels/simt/simt_walk.cuh"

namespace myblas {

// Where the totals of closed sums live (common/blocked_sum.cuh).
enum class Closing { kNever, kInOwnMemory, kInSharedMemory, kByHalves };

template <class ElementType, int TileM, int TileN, int TileK, int WarpM, int WarpN, int LanesM,
          int Stages, Closing kTheClosing = Closing::kInOwnMemory, bool kIsFedByTma = false,
          int PassK = TileK, int Slices = 1, bool AlongKA = false, bool AlongKB = false>
struct SimtConfig {
  using Element = ElementType;
  static constexpr int kTileM = TileM, kTileN = TileN, kTileK = TileK;
  static constexpr int kWarpM = WarpM, kWarpN = WarpN;
  static constexpr int kLanesM = LanesM, kLanesN = 32 / LanesM;
  static constexpr int kWarpsM = kTileM / kWarpM, kWarpsN = kTileN / kWarpN;
  // Each slice of a k-tile has warps of its own, which all cover the tile of C: a block that is
  // alone on an SM then has warps enough, of sums enough each, to keep the FFMA pipe busy.
  static constexpr int kSlices = Slices, kSliceK = kTileK / kSlices;
  static constexpr int kSliceThreads = 32 * kWarpsM * kWarpsN;
  static constexpr int kThreads = kSliceThreads * kSlices;
  static constexpr int kStages = Stages;
  static constexpr bool kFedByTma = kIsFedByTma;
  // Operands that come as they lie where k is contiguous (simt/lane_sides.cuh).
  static constexpr bool kAlongKA = AlongKA, kAlongKB = AlongKB;
  // k of the main loop's code: all of a slice of a k-tile, or an even number of times in it. A loop
  // of 36 KB waits for instructions, but in planes less than for passes (docs/adr/0013).
  static constexpr int kPassK = PassK;
  static constexpr Closing kClosing = kTheClosing;
  static constexpr bool kIsComplex = sizeof(Element) == sizeof(Complex<float>);
  static constexpr int kParts = kIsComplex ? 2 : 1;  // real numbers of an element
  // Of an operand in the ring: of each part of its elements, where cp.async copies the parts one by
  // one, else of the elements.
  static constexpr int kPlanes = kFedByTma ? 1 : kParts;
  using RingElement = std::conditional_t<kPlanes == 2, float, Element>;
  // Neighbouring sums along m and n: one 16-byte shared load. Neighbouring rows of C in 16 bytes.
  static constexpr int kRun = 16 / static_cast<int>(sizeof(RingElement));
  static constexpr int kRunOfC = 16 / static_cast<int>(sizeof(Element));
  static constexpr int kAccM = kWarpM / kLanesM, kAccN = kWarpN / kLanesN;
  // Slices store a share of the tile each.
  static constexpr int kStoredN = kAccN / kSlices;
  // Of a tile's parts: beside its sums, what a thread of so few registers has room for.
  static constexpr int kPartBytesAtOnce = kFedByTma ? 128 : kSumBytesAtOnce;
  static constexpr int kSumFloats = kAccM * kAccN * kParts;
  // Of the main loop: columns of sums for a column of elements, and sums.
  static constexpr int kSumColumns = kParts / kPlanes;
  static constexpr int kProducts = kAccM * kAccN * kParts * kSumColumns;
  // Whether cp.async copies aligned rows by 16 bytes. Each way to copy costs a kernel a main loop,
  // and what lies far behind its entry comes late to its first blocks. These have kernels by TMA
  // beside them for what is aligned (on sm_90), and do without, but for tiles of little work.
  // 16 bytes of complex elements would be two of each plane.
  static constexpr bool kTakesChunks =
      kPlanes == 1 && (kClosing != Closing::kInSharedMemory || kProducts < 32);
  // TMA brings rows without gaps, and its barriers lie behind the ring.
  static constexpr int kRowPad = kFedByTma ? 0 : kRun;
  static constexpr int kBarrierElements =
      kFedByTma ? kSimtBarrierBytes / static_cast<int>(sizeof(Element)) : 0;
  static constexpr int kPlaneA = kTileM + kPlanePad, kPlaneB = kTileN + kPlanePad;
  static constexpr int kLdA = kPlanes == 2 ? kPlaneA + kTileM + kPlaneLinePad : kTileM + kRowPad;
  static constexpr int kLdB = kPlanes == 2 ? kPlaneB + kTileN + kPlaneLinePad : kTileN + kRowPad;
  static constexpr int kStageElements = (kLdA + kLdB) * kTileK;
  static constexpr int kRingElements = kStageElements * kStages + kBarrierElements;
  static_assert(sizeof(RingElement) * kRingElements ==
                (kFedByTma
                     ? simt_smem_bytes_by_tma(sizeof(Element), kTileM, kTileN, kTileK, kStages)
                 : kPlanes == 2
                     ? simt_smem_bytes_of_planes(kTileM, kTileN, kTileK, kStages)
                     : simt_smem_bytes(sizeof(Element), kTileM, kTileN, kTileK, kStages)));
  static_assert(kLanesM == 4 || kLanesM == 8, "lane maps below");
  static_assert(kAccM % kRun == 0 && kAccN % kRun == 0, "a thread's sums come in runs");
  static_assert(kTileK % 8 == 0 && kChunkStep % kTileK == 0 && kStages >= 2);
  static_assert(kTileK % kSlices == 0);
  static_assert(kSliceK % kPassK == 0 && kPassK % 2 == 0, "fragments take turns in a pass");
  static_assert(
      (kFedByTma && !kAlongKB) || kPassK == kSliceK,
      "the others ask for a k-tile in each pass, and chunks of k are told no place in one");
  static_assert(kSlices == 1 || kClosing == Closing::kInSharedMemory,
                "the slices' sums meet in their totals");
  static_assert(kFedByTma || !(kAlongKA || kAlongKB), "others fold op() into the loader");
  static_assert(kAlongKB || !kAlongKA, "there are loops for neither, B, and both");
};

// ---- math -------------------------------------------------------------------------------------

// Sums of complex products from those of their parts.
template <class Cfg>
__device__ __forceinline__ void combine_products(StoredSums<Cfg>& sums,
                                                 const StoredProducts<Cfg>& products,
                                                 bool conjugates_a, bool conjugates_b) {
  const float sign_a = conjugates_a ? -1.0F : 1.0F, sign_b = conjugates_b ? -1.0F : 1.0F;
#pragma unroll
  for (int j = 0; j < Cfg::kStoredN; ++j) {
#pragma unroll
    for (int i = 0; i < Cfg::kAccM; ++i) {
      const float* real_b = products[2 * j];
      const float* imaginary_b = products[2 * j + 1];
      const int real_a = place_in_registers<Cfg>(2 * i);
      const int imaginary_a = place_in_registers<Cfg>(2 * i + 1);
      sums[j][place_in_registers<Cfg>(i)] = {
          real_b[real_a] - sign_a * sign_b * imaginary_b[imaginary_a],
          sign_b * imaginary_b[real_a] + sign_a * real_b[imaginary_a]};
    }
  }
}

// The same from planes. An operand that is to be conjugated had its planes exchanged, so that it
// was i times its conjugate: for each of these the sums are multiplied by -i.
template <class Cfg>
__device__ __forceinline__ void combine_planes(StoredSums<Cfg>& sums,
                                               const StoredProducts<Cfg>& planes, bool conjugates_a,
                                               bool conjugates_b) {
  const bool exchanges = conjugates_a != conjugates_b;
  const float sign_real = conjugates_a && conjugates_b ? -1.0F : 1.0F;
  const float sign_imaginary = conjugates_a || conjugates_b ? -1.0F : 1.0F;
#pragma unroll
  for (int j = 0; j < Cfg::kStoredN; ++j) {
#pragma unroll
    for (int i = 0; i < Cfg::kAccM; ++i) {
      const float real = planes[j][place_in_registers<Cfg>(i)];
      const float imaginary = planes[j][Cfg::kAccM + place_in_registers<Cfg>(i)];
      sums[j][place_in_registers<Cfg>(i)] = {sign_real * (exchanges ? imaginary : real),
                                             sign_imaginary * (exchanges ? real : imaginary)};
    }
  }
}

template <class Value, int kColumns, int kRows>
__device__ __forceinline__ void clear_sums(Value (&sums)[kColumns][kRows]) {
#pragma unroll
  for (int j = 0; j < kColumns; ++j) {
#pragma unroll
    for (int i = 0; i < kRows; ++i) sums[j][i] = {};
  }
}

// Behind the stages of the ring, where they are shared. Chunks are those of a slice's own k.
template <class Cfg>
__device__ __forceinline__ auto make_totals(int64_t k, typename Cfg::RingElement* smem,
                                            int thread) {
  if constexpr (Cfg::kClosing == Closing::kInOwnMemory) {
    return Totals<Cfg::kProducts>(k, Cfg::kSliceK);
  } else if constexpr (Cfg::kClosing == Closing::kInSharedMemory) {
    auto* shared = reinterpret_cast<float*>(smem + Cfg::kRingElements);
    // The loop for k contiguous in A has the least registers left; slices meet there.
    constexpr bool kClosesLast = Cfg::kAlongKA || Cfg::kSlices > 1;
    return SharedTotals<Cfg::kProducts, Cfg::kThreads, kClosesLast>(k, Cfg::kSliceK, shared,
                                                                    thread);
  } else if constexpr (Cfg::kClosing == Closing::kByHalves) {
    return HalvedSum<Cfg::kProducts, kHalvedFrom>(k, Cfg::kSliceK);
  } else {
    return NoTotals();
  }
}

// What a thread stores of the sums of all slices, in their order. All threads have closed theirs.
template <class Cfg, class TheTotals>
__device__ __forceinline__ void add_slices(StoredProducts<Cfg>& sums, const TheTotals& totals,
                                           int thread) {
  using Columns = StoredColumns<Cfg>;
  constexpr int kOfColumn = Cfg::kProducts / Cfg::kAccN;
  const int slice = thread / Cfg::kSliceThreads;
#pragma unroll
  for (int j = 0; j < Cfg::kStoredN; ++j) {
    const int column = Columns::number_of(j) + slice * Columns::kOfRun;
    totals.template add_slices<Cfg::kSlices, kOfColumn>(&sums[j * Cfg::kSumColumns][0], slice,
                                                        column * kOfColumn);
  }
}

// ---- one part of k of one tile of C -----------------------------------------------------------

template <class Cfg>
using StepOfLoop = typename StepOf<Cfg, Cfg::kAlongKA, Cfg::kAlongKB>::Step;

template <class Cfg>
__device__ __forceinline__ typename StepOfLoop<Cfg>::Sides sides_of_thread(
    typename Cfg::RingElement* smem, int thread) {
  int lane_m, lane_n;
  lane_position<Cfg>(thread, &lane_m, &lane_n);
  const int warp = thread % Cfg::kSliceThreads / 32;
  const int slice_k = thread / Cfg::kSliceThreads * Cfg::kSliceK;
  return {{smem, warp % Cfg::kWarpsM * Cfg::kWarpM, lane_m, slice_k},
          {smem + Cfg::kLdA * Cfg::kTileK, warp / Cfg::kWarpsM * Cfg::kWarpN, lane_n, slice_k}};
}

// Stages are known by the place of their first element.
template <class Cfg>
inline constexpr int kLastStage = (Cfg::kStages - 1) * Cfg::kStageElements;

// Sums the products of the next k_tiles k-tiles, closed now and then into the totals; `sums` are
// all of them at the end, or of slices the totals. goes_on: others come behind these. What a thread
// is at in the ring: its sides of the stage that it reads, the fragments that it has of it, and the
// stages that are read and that were read before. NOTE: as single references. Of one struct of them
// the compiler (13.0) keeps addresses in two parts, and adds them for every k-tile.
template <class Cfg, class Feed, class TheTotals, class Step>
__device__ __forceinline__ void multiply_k_tiles(SimtProducts<Cfg>& sums, TheTotals& totals,
                                                 Feed& feed, typename Step::Sides& sides,
                                                 Step& products, int& reading, int& freed,
                                                 uint32_t k_tiles, int64_t lda, int64_t ldb,
                                                 bool goes_on) {
  constexpr int kStages = Cfg::kStages, kPassK = Cfg::kPassK;
  int at = 0;  // k of the slice that are behind
  uint32_t left = k_tiles;
  const auto another = [&] {  // k-tile to ask for
    if constexpr (Feed::kGoesOn) return feed.has_next();
    return left > kStages - 1;
  };
  do {
    totals.begin_chunk(left);
    // The main loop: the k-tiles of one chunk, kPassK of their k a pass. What ends it is asked
    // for within the last product, so that it holds no register through the others.
    // NOTE: one loop, with no loop of passes inside one of k-tiles: there the compiler (13.0)
    // puts half of the sums into the bank of their factor.
    feed.by_ways([&](auto ways) {
      bool is_in_chunk = true;
      do {
#pragma unroll
        for (int kk = 0; kk < kPassK; kk += Step::kStepK) {
          const typename Step::Sides here = sides;
          [[maybe_unused]] const int stage = reading;
          bool ends = false;  // the stage in work
          if constexpr (Step::kLoadsHere) {
            if (kk == kPassK - 2 * Step::kStepK) feed.look();
          }
          if (kk == kPassK - Step::kStepK) {
            at += kPassK;
            sides.go_to_pass(reading, at);
            ends = kPassK == Cfg::kSliceK || at == Cfg::kSliceK;
            if (ends) {
              if constexpr (Step::kLoadsHere || Feed::kGoesOn) {
                feed.ask(freed, another());
              } else if constexpr (Feed::kCountsReaders) {
                feed.leave(reading, freed, another(), products.loaded(kk));
              } else {
                feed.leave(reading, freed, another());
              }
              freed = reading;
              reading += Cfg::kStageElements;
              if (reading == kStages * Cfg::kStageElements) reading = 0;
              --left;
              feed.arrived(reading, left != 0 || goes_on);
              // All threads' copies of the next k-tile before any thread's loads of it; all
              // threads' loads of this one before any thread's copies over it.
              if constexpr (!Feed::kCountsReaders) __syncthreads();
              at = 0;
              sides.go_to_stage(reading);
              is_in_chunk = left > totals.tiles_behind_chunk();
            }
          }
          const int ahead = (kk + Step::kStepK) % kPassK;
          products.load(kk, ahead, sides);
          // Over the k-tile before this one, whose loads are over.
          if constexpr (!Feed::kCountsReaders) {
            feed.request(ways, kk, lda, ldb, freed, another());
          }
          products.multiply(sums, kk, ahead, here, sides);
          // Of walks rows too: ahead of the products, sums would lie in the banks of their factors.
          if constexpr (Step::kLoadsHere) {
            if (ends) feed.release(stage);
          } else if constexpr (Feed::kGoesOn) {
            if (ends) feed.release(stage, products.loaded(kk));
          }
        }
      } while (is_in_chunk);
    });
    if (TheTotals::kClosesLast || left != 0) totals.close(reinterpret_cast<float*>(sums));
  } while (left != 0);
  if constexpr (Cfg::kSlices == 1) totals.add_to(reinterpret_cast<float*>(sums));
}

// What the loop sums: all that the thread stores, or where slices share it, a slice's sums.
template <class Cfg>
__device__ __forceinline__ SimtProducts<Cfg>& sums_of_loop(StoredProducts<Cfg>& stored,
                                                           SimtProducts<Cfg>& of_slice) {
  if constexpr (Cfg::kSlices == 1) {
    return stored;
  } else {
    return of_slice;
  }
}

template <class Cfg, template <class> class Feed>
__device__ __forceinline__ void sum_over_k(StoredProducts<Cfg>& stored,
                                           typename Cfg::RingElement* smem,
                                           const typename Feed<Cfg>::Operand& a,
                                           const typename Feed<Cfg>::Operand& b,
                                           const KRange& range, int64_t first_m, int64_t first_n,
                                           int thread) {
  constexpr int kTileK = Cfg::kTileK;
  const int64_t k = range.last - range.first;
  const auto k_tiles = static_cast<uint32_t>((k + kTileK - 1) / kTileK);
  const auto remainder = static_cast<int>((k - 1) % kTileK) + 1;  // 1 ... kTileK
  Feed<Cfg> feed(smem, a, b, first_m, first_n, range.first);
  // As elements are copied.
  const int64_t lda = a.ld * Cfg::kPlanes, ldb = b.ld * Cfg::kPlanes;
  feed.fill(lda, ldb, k_tiles, remainder);

  auto sides = sides_of_thread<Cfg>(smem, thread);
  auto totals = make_totals<Cfg>(k, smem, thread);
  SimtProducts<Cfg> of_slice;
  SimtProducts<Cfg>& sums = sums_of_loop<Cfg>(stored, of_slice);
  clear_sums(sums);
  // All threads' copies of the first k-tile before any thread's loads of it; all slices' loads of
  // the last tile's totals before any thread closes sums over them.
  __syncthreads();
  StepOfLoop<Cfg> products;
  products.begin(sides);
  int reading = 0, freed = kLastStage<Cfg>;
  multiply_k_tiles<Cfg>(sums, totals, feed, sides, products, reading, freed, k_tiles, lda, ldb,
                        false);
  feed.drain();
  // All threads' loads of this tile before any thread's copies of the next; all slices' totals
  // before any thread's loads of them.
  __syncthreads();
  if constexpr (Cfg::kSlices > 1) add_slices<Cfg>(stored, totals, thread);
}

// ---- all tiles and parts ----------------------------------------------------------------------

// Sums the work item `index` over its k.
template <class Cfg, template <class> class Feed, class... Maps>
__device__ __forceinline__ void sum_item(StoredSums<Cfg>& sums, WorkPlace& place,
                                         const GemmArgs& args, int64_t batch, uint32_t index,
                                         const TilesOfC& tiles, const Maps&... maps) {
  using Element = typename Cfg::Element;
  extern __shared__ __align__(1024) float smem[];  // kStages x (A, B), barriers, totals
  // NOTE: alpha == 0 must not read A or B; they may hold NaN, or be NULL.
  const int64_t k = load_finish<Element>(args).has_product ? args.k : 0;
  uint32_t tile, tile_m, tile_n;
  const KRange range = find_item<Cfg>(place, args, batch, index, tiles.count(), k, &tile);
  raster_tile(tile, tiles.m, tiles.n, &tile_m, &tile_n);
  const int64_t first_m = int64_t{tile_m} * Cfg::kTileM, first_n = int64_t{tile_n} * Cfg::kTileN;
  place.first_m = first_m;
  place.first_n = first_n;
  if (k == 0) {
    clear_sums(sums);
    return;
  }
  const int64_t product = place.batch;
  const auto a = Feed<Cfg>::operand_a(args, product, k, maps...);
  const auto b = Feed<Cfg>::operand_b(args, product, k, maps...);
  const int thread = ptx::opaque(static_cast<int>(threadIdx.x));
  auto* stages = reinterpret_cast<typename Cfg::RingElement*>(smem);
  if constexpr (Cfg::kIsComplex) {
    StoredProducts<Cfg> products;
    sum_over_k<Cfg, Feed>(products, stages, a, b, range, first_m, first_n, thread);
    const bool conjugates_a = args.a.conjugated != 0, conjugates_b = args.b.conjugated != 0;
    if constexpr (Cfg::kPlanes == 2) {
      combine_planes<Cfg>(sums, products, conjugates_a, conjugates_b);
    } else {
      combine_products<Cfg>(sums, products, conjugates_a, conjugates_b);
    }
  } else {
    sum_over_k<Cfg, Feed>(sums, stages, a, b, range, first_m, first_n, thread);
  }
}

// `maps`: what the feed knows the operands by beside the arguments.
template <class Cfg, template <class> class Feed, class... Maps>
__device__ __forceinline__ void gemm_simt(const GemmArgs& args, const Maps&... maps) {
  using Element = typename Cfg::Element;
  const BlockGroup<Cfg::kThreads> block;
  WorkPlace place;
  place.at = 0;
  // Of shares, that walk the tiles of all products, there is one row of blocks.
  for (int64_t batch = blockIdx.y; batch < args.batch_count; batch += gridDim.y) {
    for (uint32_t index = blockIdx.x;; index = place.next_index) {
      const TilesOfC tiles = tiles_of<Cfg>(args);
      if (index >= work_items(args, tiles)) break;
      StoredSums<Cfg> sums;
      sum_item<Cfg, Feed>(sums, place, args, batch, index, tiles, maps...);
      bool is_whole = true;
      if constexpr (Cfg::kSlices == 1) {
        is_whole = sum_of_parts<Cfg::kSumFloats, Cfg::kPartBytesAtOnce>(
            block, reinterpret_cast<float*>(sums), args.split, place.meeting());
      }
      if (is_whole) {
        extern __shared__ __align__(1024) float smem[];
        store_tile<Cfg>(sums, args, reinterpret_cast<typename Cfg::RingElement*>(smem),
                        matrix_c_of_batch<Element>(args, place.batch), place.batch, place.first_m,
                        place.first_n, ptx::opaque(static_cast<int>(threadIdx.x)));
      }
      batch = place.batch;
    }
    if (args.split.shares.count > 0) break;
  }
}

}  // namespace myblas
