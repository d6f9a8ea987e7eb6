// SPDX-License-Identifier: BSD-3-Clause
// Small kernels, each with one thing about TMA, wgmma or clusters that the emulator must see. The
// tensor is of 16-bit elements; 128 threads.
#include "instruction_args.h"
#include "kernels/ptx/cluster.h"
#include "kernels/ptx/mbarrier.h"
#include "kernels/ptx/register_count.h"
#include "kernels/ptx/shared_memory.h"
#include "kernels/ptx/tma.h"
#include "kernels/ptx/wgmma.h"

using namespace myblas;
using namespace myblas::test;

namespace {

__device__ __forceinline__ int thread() { return static_cast<int>(threadIdx.x); }

// ---- boxes ------------------------------------------------------------------------------------

enum class Load {
  kRight,
  kNoWait,
  kTooFewBytes,
  kMisaligned,
  kBetweenPieces,  // of 16 bytes
  kNoInitFence,
  kOtherBarrier,  // waited for a copy, but not for this one
};

template <Load kLoad>
__device__ __forceinline__ void load(const BoxArgs& args) {
  extern __shared__ __align__(1024) unsigned char smem[];
  const uint32_t box = ptx::shared_address(smem);
  const uint32_t barrier = box + static_cast<uint32_t>(args.box_bytes);
  const uint32_t other = barrier + 8;
  if (thread() == 0) {
    ptx::mbarrier_init(barrier, 1);
    ptx::mbarrier_init(other, 1);
    if (kLoad != Load::kNoInitFence) ptx::mbarrier_fence_init();
  }
  __syncthreads();  // the barriers are made before anyone uses them
  if (thread() == 0) {
    ptx::mbarrier_arrive_expect_tx(
        barrier, kLoad == Load::kTooFewBytes ? args.box_bytes / 2 : args.box_bytes);
    ptx::mbarrier_arrive(other);
    ptx::tma_load_3d(box + (kLoad == Load::kMisaligned ? 64 : 0), &args.map,
                     args.x + (kLoad == Load::kBetweenPieces ? 4 : 0), args.y, args.z, barrier);
    ptx::mbarrier_wait(barrier, 0);
  } else if (kLoad != Load::kNoWait) {
    ptx::mbarrier_wait(kLoad == Load::kOtherBarrier ? other : barrier, 0);
  }
  args.shared_image[thread()] = reinterpret_cast<const uint16_t*>(smem)[thread()];
}

// A ring of one stage, four times: thread 0 copies, all read.
enum class Ring { kRight, kWrongParity, kTooManyBytes, kNobodyEmpties };

template <Ring kRing>
__device__ __forceinline__ void copy_in_a_ring(const BoxArgs& args) {
  extern __shared__ __align__(1024) unsigned char smem[];
  const uint32_t box = ptx::shared_address(smem);
  const uint32_t full = box + static_cast<uint32_t>(args.box_bytes);
  const uint32_t empty = full + 8;
  if (thread() == 0) {
    ptx::mbarrier_init(full, 1);
    ptx::mbarrier_init(empty, 128);
    ptx::mbarrier_fence_init();
  }
  __syncthreads();  // the barriers are made before anyone uses them
  for (int round = 0; round < 4; ++round) {
    if (thread() == 0) {
      if (round > 0 && kRing != Ring::kNobodyEmpties) ptx::mbarrier_wait(empty, (round - 1) % 2);
      ptx::mbarrier_arrive_expect_tx(
          full, kRing == Ring::kTooManyBytes ? 2 * args.box_bytes : args.box_bytes);
      ptx::tma_load_3d(box, &args.map, args.x, args.y - 8 * round, args.z, full);
    }
    ptx::mbarrier_wait(full, kRing == Ring::kWrongParity ? (round + 1) % 2 : round % 2);
    args.shared_image[128 * round + thread()] =
        reinterpret_cast<const uint16_t*>(smem)[128 * round + thread()];
    ptx::mbarrier_arrive(empty);
  }
}

enum class Store { kRight, kNoFence, kNoBarrier, kOverwritten, kNoWait, kNoCommit, kBelowZero };

template <Store kStore>
__device__ __forceinline__ void store(const BoxArgs& args) {
  extern __shared__ __align__(1024) unsigned char smem[];
  auto* const halves = reinterpret_cast<uint16_t*>(smem);
  for (int i = thread(); i < args.box_bytes / 2; i += 128) halves[i] = args.shared_image[i];
  if (kStore != Store::kNoFence) ptx::fence_async_shared();
  if (kStore != Store::kNoBarrier) __syncthreads();  // all stores before the copy
  if (thread() == 0) {
    ptx::tma_store_3d(&args.map, args.x, kStore == Store::kBelowZero ? -1 : args.y, args.z,
                      ptx::shared_address(smem));
    if (kStore != Store::kNoCommit) ptx::tma_store_commit();
    if (kStore != Store::kNoWait && kStore != Store::kOverwritten) ptx::tma_store_wait_read<0>();
    if (kStore == Store::kOverwritten) {
      halves[0] = 0;
      ptx::tma_store_wait_read<0>();
    }
  }
}

// ---- wgmma ------------------------------------------------------------------------------------

enum class Multiply {
  kRight,
  kNoOperandFence,
  kUnwritten,
  kNoFence,
  kNoFenceAgain,
  kOverwritten,
  kNoWait,
  kSumsTouched,
  kReadTooEarly,
  kOtherDescriptor,
  kThreeWarps,
};

// 64 x 8 sums of 64 x 16 and 16 x 8, no swizzle, K-major; all elements 1.
template <Multiply kMultiply>
__device__ __forceinline__ void multiply(const WgmmaArgs& args) {
  extern __shared__ __align__(1024) unsigned char smem[];
  auto* const halves = reinterpret_cast<uint16_t*>(smem);
  for (int i = thread(); i < (64 + 8) * 16; i += 128) {
    if (kMultiply != Multiply::kUnwritten || i != 500) halves[i] = 0x3c00;
  }
  if (kMultiply != Multiply::kNoOperandFence) ptx::fence_async_shared();
  __syncthreads();  // all stores before any wgmma
  const uint32_t start = ptx::shared_address(smem);
  const int other = kMultiply == Multiply::kOtherDescriptor && thread() >= 96 ? 256 : 128;
  const uint64_t a = ptx::wgmma_descriptor(start, other, 256, Swizzle::kNone);
  const uint64_t b = ptx::wgmma_descriptor(start + 2048, 128, 256, Swizzle::kNone);
  float sums[4] = {1.0f, 1.0f, 1.0f, 1.0f};
  if (kMultiply != Multiply::kNoFence) ptx::wgmma_fence();
  if (kMultiply != Multiply::kThreeWarps || thread() < 96) {
    ptx::wgmma_m64k16_f16<8, false, false>(sums, a, b, true);
  }
  ptx::wgmma_commit();
  if (kMultiply == Multiply::kOverwritten && thread() == 127) halves[0] = 0;
  if (kMultiply == Multiply::kSumsTouched) sums[2] = 5.0f;
  float early = sums[0];
  if (kMultiply != Multiply::kNoWait) ptx::wgmma_wait<0>();
  ptx::wgmma_keep(sums);
  if (kMultiply == Multiply::kNoFenceAgain) {
    sums[1] += 1.0f;
    ptx::wgmma_m64k16_f16<8, false, false>(sums, a, b, true);
    ptx::wgmma_commit();
    ptx::wgmma_wait<0>();
  }
  args.c[thread()] = kMultiply == Multiply::kReadTooEarly ? early : sums[0];
}

// ---- clusters ---------------------------------------------------------------------------------

enum class Pair {
  kRight,
  kNoFirstBarrier,
  kRelaxed,
  kRelaxedWithoutFence,
  kNoLastBarrier,
  kArriveTwice,
  kFixedSize,
  kNoRemoteWait
};

// Block 0 loads into both, when block 1 has read what it wrote there itself.
template <Pair kPair>
__device__ __forceinline__ void pair(const BoxArgs& args) {
  extern __shared__ __align__(1024) unsigned char smem[];
  auto* const halves = reinterpret_cast<uint16_t*>(smem);
  const uint32_t full = ptx::shared_address(smem) + static_cast<uint32_t>(args.box_bytes);
  const uint32_t ready = full + 8;
  const uint32_t rank = ptx::cluster_rank();
  if (kPair == Pair::kFixedSize) {
    __shared__ float value;
    if (thread() == 0) value = 1.0f;
    __syncthreads();  // the store before any load
    args.shared_image[thread()] = static_cast<uint16_t>(value);
  }
  if (thread() == 0) {
    ptx::mbarrier_init(full, 1);
    ptx::mbarrier_init(ready, 256);
    if (kPair != Pair::kRelaxedWithoutFence) ptx::mbarrier_fence_init();
  }
  if (kPair == Pair::kRelaxed || kPair == Pair::kRelaxedWithoutFence) {
    ptx::cluster_arrive_relaxed();
    ptx::cluster_wait();  // the barriers of both are made before anyone uses them
  } else if (kPair != Pair::kNoFirstBarrier) {
    ptx::cluster_arrive();
    if (kPair == Pair::kArriveTwice) ptx::cluster_arrive();
    ptx::cluster_wait();  // the barriers of both are made before anyone uses them
  }
  halves[thread()] = 7;
  __syncthreads();  // all stores before any load
  args.shared_image[128 + thread()] = halves[127 - thread()];
  ptx::mbarrier_arrive_remote(ready, 0);
  if (thread() == 0) {
    ptx::mbarrier_arrive_expect_tx(full, args.box_bytes);
    if (rank == 0) {
      if (kPair != Pair::kNoRemoteWait) ptx::mbarrier_wait(ready, 0);
      ptx::tma_load_3d_multicast(ptx::shared_address(smem), &args.map, args.x, args.y, args.z, full,
                                 3);
    }
  }
  if (kPair == Pair::kNoLastBarrier) return;
  ptx::mbarrier_wait(full, 0);
  args.shared_image[thread()] = halves[thread()];
  ptx::cluster_arrive();
  ptx::cluster_wait();  // no block ends while the other may still reach its shared memory
}

// Of small integers; 16 bits are bfloat16.
template <class Element>
__device__ Element element(float value) {
  return static_cast<Element>(value);
}
template <>
__device__ uint16_t element<uint16_t>(float value) {
  return static_cast<uint16_t>(__float_as_uint(value) >> 16);
}

}  // namespace

#define BOX_PROBE(name, body) \
  extern "C" __global__ void name(const __grid_constant__ BoxArgs args) { body(args); }
BOX_PROBE(probe_load, load<Load::kRight>)
BOX_PROBE(probe_load_without_wait, load<Load::kNoWait>)
BOX_PROBE(probe_load_too_few_bytes, load<Load::kTooFewBytes>)
BOX_PROBE(probe_load_misaligned, load<Load::kMisaligned>)
BOX_PROBE(probe_load_between_pieces, load<Load::kBetweenPieces>)
BOX_PROBE(probe_load_without_init_fence, load<Load::kNoInitFence>)
BOX_PROBE(probe_load_other_barrier, load<Load::kOtherBarrier>)
BOX_PROBE(probe_ring, copy_in_a_ring<Ring::kRight>)
BOX_PROBE(probe_ring_wrong_parity, copy_in_a_ring<Ring::kWrongParity>)
BOX_PROBE(probe_ring_too_many_bytes, copy_in_a_ring<Ring::kTooManyBytes>)
BOX_PROBE(probe_ring_never_emptied, copy_in_a_ring<Ring::kNobodyEmpties>)
BOX_PROBE(probe_store, store<Store::kRight>)
BOX_PROBE(probe_store_without_fence, store<Store::kNoFence>)
BOX_PROBE(probe_store_without_barrier, store<Store::kNoBarrier>)
BOX_PROBE(probe_store_overwritten, store<Store::kOverwritten>)
BOX_PROBE(probe_store_without_wait, store<Store::kNoWait>)
BOX_PROBE(probe_store_below_zero, store<Store::kBelowZero>)
BOX_PROBE(probe_store_without_commit, store<Store::kNoCommit>)
BOX_PROBE(probe_pair, pair<Pair::kRight>)
BOX_PROBE(probe_pair_without_first_barrier, pair<Pair::kNoFirstBarrier>)
BOX_PROBE(probe_pair_relaxed, pair<Pair::kRelaxed>)
BOX_PROBE(probe_pair_relaxed_without_fence, pair<Pair::kRelaxedWithoutFence>)
BOX_PROBE(probe_pair_without_last_barrier, pair<Pair::kNoLastBarrier>)
BOX_PROBE(probe_pair_arrives_twice, pair<Pair::kArriveTwice>)
BOX_PROBE(probe_pair_fixed_size, pair<Pair::kFixedSize>)
BOX_PROBE(probe_pair_without_remote_wait, pair<Pair::kNoRemoteWait>)

#define WGMMA_PROBE(name, fault)                                            \
  extern "C" __global__ void name(const __grid_constant__ WgmmaArgs args) { \
    multiply<Multiply::fault>(args);                                        \
  }
WGMMA_PROBE(probe_wgmma, kRight)
WGMMA_PROBE(probe_wgmma_operand_unfenced, kNoOperandFence)
WGMMA_PROBE(probe_wgmma_operand_unwritten, kUnwritten)
WGMMA_PROBE(probe_wgmma_without_fence, kNoFence)
WGMMA_PROBE(probe_wgmma_without_second_fence, kNoFenceAgain)
WGMMA_PROBE(probe_wgmma_operand_overwritten, kOverwritten)
WGMMA_PROBE(probe_wgmma_without_wait, kNoWait)
WGMMA_PROBE(probe_wgmma_sums_touched, kSumsTouched)
WGMMA_PROBE(probe_wgmma_read_too_early, kReadTooEarly)
WGMMA_PROBE(probe_wgmma_other_descriptor, kOtherDescriptor)
WGMMA_PROBE(probe_wgmma_three_warps, kThreeWarps)

// A from registers, which no function of ptx/ asks for: 64 x 8 sums, k of 32 bytes. Layouts: PTX
// ISA, "wgmma.mma_async", register fragments.
template <class Element, class Sum>
__device__ void multiply_from_registers(const WgmmaArgs& args, emulator::WgmmaType type) {
  extern __shared__ __align__(1024) unsigned char smem[];
  constexpr int kOfRegister = 4 / sizeof(Element), kOfChunk = 16 / sizeof(Element);
  auto* const columns = reinterpret_cast<Element*>(smem);
  for (int i = thread(); i < 8 * 2 * kOfChunk; i += 128) {
    const int column = i % 8, k = i / 8;
    columns[(k / kOfChunk * 8 + column) * kOfChunk + k % kOfChunk] = element<Element>(args.b[i]);
  }
  ptx::fence_async_shared();
  __syncthreads();  // all stores before any wgmma
  const int lane = thread() % 32, first_row = thread() / 32 * 16 + lane / 4;
  Element fragments[4][kOfRegister];
  for (int i = 0; i < 4 * kOfRegister; ++i) {
    const int r = i / kOfRegister, within = i % kOfRegister;
    const int row = first_row + (r == 1 || r == 3 ? 8 : 0);
    const int k = lane % 4 * kOfRegister + within + (r >= 2 ? kOfChunk : 0);
    fragments[r][within] = element<Element>(args.a[row * 2 * kOfChunk + k]);
  }
  uint32_t a[4];
  std::memcpy(a, fragments, sizeof a);
  Sum sums[4] = {};
  ptx::wgmma_fence();
  emulator::wgmma({type, 8, false, false}, sums, 0, a,
                  ptx::wgmma_descriptor(ptx::shared_address(smem), 128, 256, Swizzle::kNone),
                  false);
  ptx::wgmma_commit();
  ptx::wgmma_wait<0>();
  for (int i = 0; i < 4; ++i) {
    const int row = first_row + i / 2 * 8, column = lane % 4 * 2 + i % 2;
    args.c[row * 8 + column] = static_cast<float>(sums[i]);
  }
}
extern "C" __global__ void probe_wgmma_registers_bf16(const __grid_constant__ WgmmaArgs args) {
  multiply_from_registers<uint16_t, float>(args, emulator::WgmmaType::kBF16);
}
extern "C" __global__ void probe_wgmma_registers_tf32(const __grid_constant__ WgmmaArgs args) {
  multiply_from_registers<float, float>(args, emulator::WgmmaType::kTF32);
}
extern "C" __global__ void probe_wgmma_registers_s8(const __grid_constant__ WgmmaArgs args) {
  multiply_from_registers<int8_t, int32_t>(args, emulator::WgmmaType::kS8);
}

// 384 threads have 168 registers each: 232 + 2 * 168 are too many.
extern "C" __global__ void probe_registers(const __grid_constant__ BoxArgs args) {
  if (thread() < 128) ptx::setmaxnreg_inc<232>();
  args.shared_image[thread() % 128] = 1;
}
// One warp asks for other numbers than its warpgroup's has.
extern "C" __global__ void probe_registers_decreased_upwards(const __grid_constant__ BoxArgs args) {
  ptx::setmaxnreg_dec<240>();
  args.shared_image[thread() % 128] = 1;
}
