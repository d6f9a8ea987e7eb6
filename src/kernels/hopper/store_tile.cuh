// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// hopper/store_tile.cuh: the sums of a warpgroup -> alpha * sums + beta * C and
// its epilogue.
//
// Sums leave in chunks (chunk_layout.cuh) through staging buffers in shared memory. From there TMA
// writes them, or the threads do where columns of C do not begin and end at 16 bytes. What is read
// of C comes the same way first, or ahead of this (added_tile.cuh).
//==============================================================================
#pragma once

#include "kernels/common/arithmetic.cuh"
#include "kernels/common/batch.cuh"
#include "kernels/common/epilogue.cuh"
#include "kernels/common/matrix_place.cuh"
#include "kernels/common/tile_order.cuh"
#include "kernels/hopper/chunk_copies.cuh"
#include "kernels/hopper/chunk_layout.cuh"
#include "kernels/hopper/hopper_shape.h"
#include "kernels/ptx/mbarrier.h"
#include "kernels/ptx/named_barrier.h"
#include "kernels/ptx/shared_memory.h"
#include "kernels/ptx/tma.h"

namespace myblas {

// One consumer's way to C. Its threads call everything together. Scale: of alpha and beta.
template <class Out, class Scale, HopperShape kShape>
class TileStore {
 public:
  using Place = MatrixPlace<kShape.by_pointers>;
  using Layout = ChunkLayout<Out, Scale, kShape>;
  using Copies = ChunkCopies<Out, Layout, kShape>;
  static constexpr int kBoxM = Layout::kBoxM, kBoxes = Layout::kBoxes;
  static constexpr int kBoxBytes = Layout::kBoxBytes, kChunkBytes = Layout::kChunkBytes;
  static constexpr int kChunkM = Layout::kChunkM, kChunkN = Layout::kChunkN;
  static constexpr int kChunkSums = Layout::kChunkSums;
  static constexpr int kBuffers = kShape.staging_buffers(sizeof(Out));

  // staging: kBuffers chunks. barrier: a named barrier of this consumer's. c_full:
  // the address of an mbarrier of one arrival.
  __device__ __forceinline__ TileStore(unsigned char* staging, int barrier, uint32_t c_full)
      : staging_(staging), barrier_(barrier), c_full_(c_full), buffer_(0), free_(0), parity_(0) {}

  // Ahead of store_tile. kEarly: while the tile's products run, what would hold up its stores
  // (docs/adr/0031): its first chunks find their buffers free, and arguments that nobody looked at
  // yet take a while.
  template <class Sum, bool kEarly>
  __device__ __forceinline__ void prepare(const TmaArgs& args, int batch) {
    const Finish<Scale> finish = load_finish<Scale>(args.gemm);
    way_ = Way::kAny;
    if (finish.has_product && is_zero(finish.beta) &&
        is_c_mapped<kShape.by_pointers>(args, batch)) {
      way_ = way_of_results<Sum>(args, finish.alpha == Scale(1));
    }
    if constexpr (kEarly) free_buffers();
  }
  // The same where the sums have become results, but for the epilogue (added_tile.cuh): this ahead
  // of that, and that behind it.
  __device__ __forceinline__ void free_buffers() {
    wait_for_buffers<0>();
    free_ = kBuffers;
  }
  template <class Sum>
  __device__ __forceinline__ void take_results(const TmaArgs& args) {
    way_ = way_of_results<Sum>(args, true);
  }

  // All sums of this consumer: kBlocks times 64 rows, from this row and column of the tile on.
  template <class Sum, int kBlocks, int kSums>
  __device__ __forceinline__ void store_tile(const Sum (&sums)[kBlocks][kSums], const TmaArgs& args,
                                             const TileOfC& tile, int first_row, int first_column,
                                             bool is_finished) {
    // The common cases by themselves: their instructions lie together, few enough for the SM's
    // cache.
    const auto store_by = [&](const auto& store) {
      for_chunks(sums, args, tile, first_row, first_column, store);
    };
    if (way_ == Way::kAny) {
      const Finish<Scale> finish = load_finish<Scale>(args.gemm);
      store_by([&](const Sum* chunk, int m, int n) {
        store_chunk(chunk, args, finish, tile.batch, m, n);
      });
      return;
    }
    const auto place = place_of_c<kShape.by_pointers>(args.gemm, tile.batch);
    // Loaded again: kept from prepare() on, it would hold a register while parts of k meet.
    const Scale alpha = is_finished ? Scale(1) : load_scalar<Scale>(args.gemm.alpha);
    switch (way_) {
      case Way::kPlain:
        store_by([&](const Sum* chunk, int m, int n) {
          store_scaled<true>(chunk, alpha, args, place, m, n);
        });
        break;
      case Way::kScaled:
        store_by([&](const Sum* chunk, int m, int n) {
          store_scaled<false>(chunk, alpha, args, place, m, n);
        });
        break;
      case Way::kGelu:
        store_by([&](const Sum* chunk, int m, int n) {
          store_finished<true>(chunk, alpha, args, tile.batch, place, m, n);
        });
        break;
      default:
        store_by([&](const Sum* chunk, int m, int n) {
          store_finished<false>(chunk, alpha, args, tile.batch, place, m, n);
        });
    }
  }

  // Before the block ends: its shared memory is TMA's until then.
  __device__ __forceinline__ void finish() {
    if (is_elected()) ptx::tma_store_wait_read<0>();
  }

 private:
  // How results come about and leave: kAny reads C, or stores what TMA cannot; the others alpha *
  // sums by TMA, as they are or with an epilogue.
  enum class Way : uint8_t { kAny, kPlain, kScaled, kFinished, kGelu };

  template <class Sum>
  static __device__ __forceinline__ Way way_of_results(const TmaArgs& args, bool alpha_is_one) {
    if (has_epilogue<Sum>(args.gemm)) {
      return args.gemm.epilogue.activation == Activation::kGelu ? Way::kGelu : Way::kFinished;
    }
    return alpha_is_one ? Way::kPlain : Way::kScaled;
  }

  // Calls store(sums, m, n) for each chunk that lies in C.
  template <class Sum, int kBlocks, int kSums, class Store>
  static __device__ __forceinline__ void for_chunks(const Sum (&sums)[kBlocks][kSums],
                                                    const TmaArgs& args, const TileOfC& tile,
                                                    int first_row, int first_column,
                                                    const Store& store) {
#pragma unroll
    for (int block = 0; block < kBlocks; ++block) {
      const int row = first_row + block * kHopperBlock;
#pragma unroll
      for (int chunk = 0; chunk < kSums / kChunkSums; ++chunk) {
        int m, n;
        Layout::place_of_chunk(tile, row, first_column, chunk, &m, &n);
        if (m >= args.gemm.m || n >= args.gemm.n) continue;
        store(sums[block] + chunk * kChunkSums, m, n);
      }
    }
  }

  static __device__ __forceinline__ bool is_elected() { return threadIdx.x % 128 == 0; }

  // Of the chunks behind the last kMost.
  template <int kMost>
  __device__ __forceinline__ void wait_for_buffers() const {
    if (is_elected()) ptx::tma_store_wait_read<kMost>();
    // TMA's reads of their buffers, and all threads' where they store themselves, before anyone's
    // writes to them.
    ptx::named_barrier_sync(barrier_, 128);
  }
  __device__ __forceinline__ unsigned char* take_buffer() {
    if (free_ > 0) {
      --free_;
    } else {
      wait_for_buffers<kBuffers - 1>();
    }
    return staging_ + buffer_ * kChunkBytes;
  }
  __device__ __forceinline__ void fill_buffer(unsigned char* buffer, const Scale* results) {
    Layout::write_chunk(buffer, results);
    // All threads' writes to the buffer before the reads of TMA or of other threads.
    ptx::named_barrier_sync(barrier_, 128);
    buffer_ = (buffer_ + 1) % kBuffers;
  }
  static __device__ __forceinline__ void start_store(const TmaArgs& args,
                                                     const unsigned char* buffer, Place place,
                                                     int m, int n) {
    if (!is_elected()) return;
    // All threads' writes, of which this one knows by the barrier, before TMA's reads. NOTE: by
    // each thread, ahead of the barrier, it says the same and takes longer.
    ptx::fence_async_shared();
    for_boxes([&](int box) {
      store_box(&args.c, m + box * kBoxM, n, place, ptx::shared_address(buffer + box * kBoxBytes));
    });
    ptx::tma_store_commit();
  }

  // alpha * sums, by TMA.
  template <bool kIsOne, class Sum>
  __device__ __forceinline__ void store_scaled(const Sum* sums, Scale alpha, const TmaArgs& args,
                                               Place place, int m, int n) {
    unsigned char* const buffer = take_buffer();
    Scale results[kChunkSums];
#pragma unroll
    for (int i = 0; i < kChunkSums; ++i) {
      const auto sum = static_cast<Scale>(sums[i]);
      results[i] = kIsOne ? sum : multiply(alpha, sum);
    }
    fill_buffer(buffer, results);
    start_store(args, buffer, place, m, n);
  }

  // The same with an epilogue.
  template <bool kIsGelu, class Sum>
  __device__ __forceinline__ void store_finished(const Sum* sums, Scale alpha, const TmaArgs& args,
                                                 int batch, Place place, int m, int n) {
    if constexpr (kTakesEpilogue<Sum>) {
      const auto epilogue = epilogue_of_batch<Out>(args.gemm.epilogue, batch, m);
      Scale biases[kRowsOfM];
      load_biases(biases, epilogue, left_of(args.gemm.m, m, kChunkM));
      unsigned char* const buffer = take_buffer();
      Scale results[kChunkSums];
#pragma unroll
      for (int i = 0; i < kChunkSums; ++i) {
        results[i] =
            epilogue.biased(multiply(alpha, static_cast<Scale>(sums[i])), biases[index_of_row(i)]);
        if constexpr (kIsGelu) results[i] = gelu(results[i]);
      }
      fill_buffer(buffer, results);
      start_store(args, buffer, place, m, n);
    }
  }

  template <class Sum>
  __device__ __forceinline__ void store_chunk(const Sum* sums, const TmaArgs& args,
                                              const Finish<Scale>& finish, int batch, int m,
                                              int n) {
    const GemmArgs& gemm = args.gemm;
    Out* c = matrix_c_of_batch<Out>(gemm, batch) + m + n * gemm.ldc;
    const auto is_mapped = [&] { return is_c_mapped<kShape.by_pointers>(args, batch); };
    const int left_m = left_of(gemm.m, m, kChunkM), left_n = left_of(gemm.n, n, kChunkN);
    unsigned char* const buffer = take_buffer();
    Scale results[kChunkSums];
    // NOTE: beta == 0 must not read C; it may hold NaN.
    if (is_zero(finish.beta)) {
#pragma unroll
      for (int i = 0; i < kChunkSums; ++i) {
        results[i] =
            finish.has_product ? multiply(finish.alpha, static_cast<Scale>(sums[i])) : Scale(0);
      }
    } else {
      if (!is_mapped()) {
        Copies::read_chunk(buffer, c, gemm.ldc, left_m, left_n);
        // All threads' writes of C to the buffer before other threads' reads.
        ptx::named_barrier_sync(barrier_, 128);
      } else {
        if (is_elected()) {
          const auto place = place_of_c<kShape.by_pointers>(gemm, batch);
          ptx::mbarrier_arrive_expect_tx(c_full_, kChunkBytes);
          for_boxes([&](int box) {
            load_box(ptx::shared_address(buffer + box * kBoxBytes), &args.c, m + box * kBoxM, n,
                     place, c_full_);
          });
        }
        ptx::mbarrier_wait(c_full_, parity_);  // the copies' writes before all threads' reads
        parity_ ^= 1;
      }
      add_old(results, sums, finish, buffer);
    }
    if constexpr (kTakesEpilogue<Sum>) {
      const auto epilogue = epilogue_of_batch<Out>(gemm.epilogue, batch, m);
      if (epilogue.any()) {
        Scale biases[kRowsOfM];
        load_biases(biases, epilogue, left_m);
        epilogue.template finish<kChunkSums>(results, biases,
                                             [](int i) { return index_of_row(i); });
      }
    }
    fill_buffer(buffer, results);
    if (!is_mapped()) {
      Copies::copy_chunk(c, gemm.ldc, buffer, left_m, left_n);
      // take_buffer counts a group for each chunk, so that this one has an empty group where chunks
      // of other matrices are TMA's.
      if (kShape.by_pointers && is_elected()) ptx::tma_store_commit();
    } else {
      start_store(args, buffer, place_of_c<kShape.by_pointers>(gemm, batch), m, n);
    }
  }

  // cublasLt, who asks for one, has no arrays of pointers, and for integers none.
  template <class Sum>
  static constexpr bool kTakesEpilogue =
      !kShape.by_pointers && std::is_floating_point_v<Sum> && std::is_same_v<Scale, float>;
  template <class Sum>
  static __device__ __forceinline__ bool has_epilogue(const GemmArgs& gemm) {
    return kTakesEpilogue<Sum> && epilogue_of_batch<Out>(gemm.epilogue, 0, 0).any();
  }

  // Rows of m that a thread has of a chunk: two, or pairs that are 8 apart. Which is sum i's.
  static constexpr int kRowsOfM = kShape.rows_are_m ? 2 : kChunkSums / 2;
  static __device__ __forceinline__ constexpr int index_of_row(int i) {
    return kShape.rows_are_m ? i / 2 % 2 : i / 4 * 2 + i % 2;
  }
  // left: rows from the chunk's first on.
  static __device__ __forceinline__ void load_biases(Scale (&biases)[kRowsOfM],
                                                     const RowEpilogue<Out>& epilogue, int left) {
    const int thread = ptx::thread_again(static_cast<uint32_t>(left));
    epilogue.load(biases, left, [thread](int r) {
      int m, n;
      Layout::place_of_sum(kShape.rows_are_m ? 2 * r : r / 2 * 4 + r % 2, &m, &n, thread);
      return m;
    });
  }
  static __device__ __forceinline__ int left_of(int64_t whole, int first, int most) {
    return static_cast<int>(whole - first < most ? whole - first : most);
  }

  template <class Body>
  static __device__ __forceinline__ void for_boxes(const Body& body) {
#pragma unroll
    for (int box = 0; box < kBoxes; ++box) body(box);
  }

  // alpha * sums + beta * C, with C's chunk in the buffer.
  template <class Sum>
  static __device__ __forceinline__ void add_old(Scale* results, const Sum* sums,
                                                 const Finish<Scale>& finish,
                                                 const unsigned char* buffer) {
    // Without a product the sums are zeros: times -0 they leave beta * C as it is, its sign too.
    const Scale alpha = finish.has_product ? finish.alpha : static_cast<Scale>(-0.0f);
    const uint32_t first = ptx::shared_address(buffer);
    Layout::for_old_pairs(
        ptx::thread_again(first),
        [&](int box) { return first + static_cast<uint32_t>(box * kBoxBytes); },
        [&](int i, Scale low, Scale high, uint32_t) {
          results[i] = multiply(alpha, static_cast<Scale>(sums[i]));
          results[i + 1] = multiply(alpha, static_cast<Scale>(sums[i + 1]));
          multiply_add(results[i], finish.beta, low);
          multiply_add(results[i + 1], finish.beta, high);
        });
    __syncwarp();  // the warp's reads of the buffer before its writes, of each other's elements
  }

  unsigned char* staging_;
  int barrier_;
  uint32_t c_full_;
  Way way_;
  int buffer_;
  int free_;    // buffers that are free, and that all threads know of as such
  int parity_;  // of the next chunk of C that TMA brings
};

}  // namespace myblas
