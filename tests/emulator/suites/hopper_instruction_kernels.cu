// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// suites/hopper_instruction_kernels.cu: TMA, wgmma and clusters, an instruction or two a kernel.
//
// Operands are put into shared memory here as the PTX ISA words it, apart from the emulator's own
// formulas, so that the same source says the same on a GPU.
//==============================================================================
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

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

struct Bf16Operands {
  using Bits = uint16_t;
  using Sum = float;
  static __device__ __forceinline__ Bits bits(float value) {
    return __bfloat16_as_ushort(__float2bfloat16_rn(value));
  }
  template <int kN, bool kATransposed, bool kBTransposed>
  static __device__ __forceinline__ void multiply(Sum (&sums)[kN / 2], uint64_t a, uint64_t b,
                                                  bool accumulate) {
    ptx::wgmma_m64k16_bf16<kN, kATransposed, kBTransposed>(sums, a, b, accumulate);
  }
};
struct F16Operands {
  using Bits = uint16_t;
  using Sum = float;
  static __device__ __forceinline__ Bits bits(float value) {
    return __half_as_ushort(__float2half_rn(value));
  }
  template <int kN, bool kATransposed, bool kBTransposed>
  static __device__ __forceinline__ void multiply(Sum (&sums)[kN / 2], uint64_t a, uint64_t b,
                                                  bool accumulate) {
    ptx::wgmma_m64k16_f16<kN, kATransposed, kBTransposed>(sums, a, b, accumulate);
  }
};
// With all the bits set that are to be ignored.
struct Tf32Operands {
  using Bits = uint32_t;
  using Sum = float;
  static __device__ __forceinline__ Bits bits(float value) {
    return __float_as_uint(value) | 0x1fffu;
  }
  template <int kN, bool, bool>
  static __device__ __forceinline__ void multiply(Sum (&sums)[kN / 2], uint64_t a, uint64_t b,
                                                  bool accumulate) {
    ptx::wgmma_m64k8_tf32<kN>(sums, a, b, accumulate);
  }
};
struct S8Operands {
  using Bits = int8_t;
  using Sum = int32_t;
  static __device__ __forceinline__ Bits bits(float value) { return static_cast<int8_t>(value); }
  template <int kN, bool, bool>
  static __device__ __forceinline__ void multiply(Sum (&sums)[kN / 2], uint64_t a, uint64_t b,
                                                  bool accumulate) {
    ptx::wgmma_m64k32_s8<kN>(sums, a, b, accumulate);
  }
};

// ---- wgmma ------------------------------------------------------------------------------------

// Bytes from the operand's start, a multiple of 1024, to element (row, k): row counts m or n.
// Transposed: of 2 bytes an element.
template <bool kTransposed, int kBytes>
__device__ __forceinline__ int operand_offset(const OperandLayout& layout, int row, int k) {
  if (layout.swizzle == Swizzle::kNone) {
    constexpr int kInPiece = 16 / kBytes, kInStep = 2 * kInPiece;
    const int step = k / kInStep * layout.step, in_step = k % kInStep;
    return kTransposed ? step + row / 8 * layout.stride + in_step / 8 * layout.leading +
                             in_step % 8 * 16 + row % 8 * 2
                       : step + row / 8 * layout.stride + in_step / kInPiece * layout.leading +
                             row % 8 * 16 + in_step % kInPiece * kBytes;
  }
  // Rows of 32, 64 or 128 bytes; a row's number within 1024 bytes says how its pieces of 16 bytes
  // change places.
  const int row_bytes = 16 << static_cast<int>(layout.swizzle);
  const int plain = kTransposed ? row * 2 / row_bytes * layout.leading + row * 2 % row_bytes +
                                      k / 8 * layout.stride + k % 8 * row_bytes
                                : row / 8 * layout.stride + row % 8 * row_bytes + k * kBytes;
  const int pieces = row_bytes / 16;
  return plain ^ (plain / 128 % 8 % pieces) * 16;
}

template <class Type, int kN, bool kATransposed, bool kBTransposed>
__device__ __forceinline__ void fill_operands(unsigned char* smem, const WgmmaArgs& args) {
  using Bits = typename Type::Bits;
  for (int i = thread(); i < 64 * args.k; i += 128) {
    const int row = i / args.k, k = i % args.k;
    const int offset = operand_offset<kATransposed, sizeof(Bits)>(args.layout_a, row, k);
    *reinterpret_cast<Bits*>(smem + offset) = Type::bits(args.a[i]);
  }
  for (int i = thread(); i < args.k * kN; i += 128) {
    const int offset = operand_offset<kBTransposed, sizeof(Bits)>(args.layout_b, i % kN, i / kN);
    *reinterpret_cast<Bits*>(smem + args.b_offset + offset) = Type::bits(args.b[i]);
  }
}

// Thread t holds rows 16 (t / 32) + t % 32 / 4 and 8 below, of every 8 columns the pair t % 4.
template <int kN, class Sum, class Visit>
__device__ __forceinline__ void for_each_sum(Sum (&sums)[kN / 2], Visit visit) {
#pragma unroll
  for (int i = 0; i < kN / 2; ++i) {
    const int row = thread() / 32 * 16 + thread() % 32 / 4 + (i % 4 >= 2 ? 8 : 0);
    visit(sums[i], row * kN + i / 4 * 8 + thread() % 4 * 2 + i % 2);
  }
}

template <class Type, int kN, bool kATransposed, bool kBTransposed>
__device__ __forceinline__ void multiply(const WgmmaArgs& args) {
  extern __shared__ __align__(1024) unsigned char smem[];
  fill_operands<Type, kN, kATransposed, kBTransposed>(smem, args);
  ptx::fence_async_shared();
  __syncthreads();  // all stores and their fences before any wgmma
  using Sum = typename Type::Sum;
  Sum sums[kN / 2];
  for_each_sum<kN>(sums, [&](Sum& sum, int at) { sum = static_cast<Sum>(args.c[at]); });
  const uint32_t start = ptx::shared_address(smem);
  constexpr int kInStep = 32 / sizeof(typename Type::Bits);
  for (int step = 0; step < args.k / kInStep; ++step) {
    const uint64_t a =
        ptx::wgmma_descriptor(start + static_cast<uint32_t>(step * args.layout_a.step),
                              args.layout_a.leading, args.layout_a.stride, args.layout_a.swizzle);
    const uint64_t b = ptx::wgmma_descriptor(
        start + static_cast<uint32_t>(args.b_offset + step * args.layout_b.step),
        args.layout_b.leading, args.layout_b.stride, args.layout_b.swizzle);
    const bool accumulate = step > 0 || args.accumulate != 0;
    ptx::wgmma_fence();
    Type::template multiply<kN, kATransposed, kBTransposed>(sums, a, b, accumulate);
  }
  ptx::wgmma_commit();
  ptx::wgmma_wait<0>();
  ptx::wgmma_keep(sums);
  for_each_sum<kN>(sums, [&](Sum& sum, int at) { args.c[at] = static_cast<float>(sum); });
}

// TF32 with A in registers: register r of lane l is of row l / 4, or 8 below for odd r, and of k
// l % 4, or 4 on for r of 2 and 3.
template <int kN>
__device__ __forceinline__ void multiply_registers(const WgmmaArgs& args) {
  extern __shared__ __align__(1024) unsigned char smem[];
  fill_operands<Tf32Operands, kN, false, false>(smem, args);
  ptx::fence_async_shared();
  __syncthreads();  // all stores and their fences before any wgmma
  float sums[kN / 2];
  for_each_sum<kN>(sums, [&](float& sum, int at) { sum = args.accumulate ? args.c[at] : 0.0f; });
  const uint32_t start = ptx::shared_address(smem);
  for (int step = 0; step < args.k / 8; ++step) {
    uint32_t a[4];
#pragma unroll
    for (int r = 0; r < 4; ++r) {
      const int row = thread() / 32 * 16 + thread() % 32 / 4 + r % 2 * 8;
      const int k = step * 8 + thread() % 4 + r / 2 * 4;
      a[r] = Tf32Operands::bits(args.a[row * args.k + k]);
    }
    const uint64_t b = ptx::wgmma_descriptor(
        start + static_cast<uint32_t>(args.b_offset + step * args.layout_b.step),
        args.layout_b.leading, args.layout_b.stride, args.layout_b.swizzle);
    ptx::wgmma_fence();
    ptx::wgmma_m64k8_tf32<kN>(sums, a, b);
    ptx::wgmma_commit();
    ptx::wgmma_wait<0>();  // before the next k's registers
  }
  ptx::wgmma_keep(sums);
  for_each_sum<kN>(sums, [&](float& sum, int at) { args.c[at] = sum; });
}

}  // namespace

#define WGMMA(name, type, n, a_transposed, b_transposed)                                           \
  extern "C" __global__ void __launch_bounds__(128) name(const __grid_constant__ WgmmaArgs args) { \
    multiply<type##Operands, n, a_transposed, b_transposed>(args);                                 \
  }

// Every n.
#define WGMMA_OF_TYPE(stem, type)                \
  WGMMA(stem##_n8_kk, type, 8, false, false)     \
  WGMMA(stem##_n16_kk, type, 16, false, false)   \
  WGMMA(stem##_n32_kk, type, 32, false, false)   \
  WGMMA(stem##_n48_kk, type, 48, false, false)   \
  WGMMA(stem##_n64_kk, type, 64, false, false)   \
  WGMMA(stem##_n96_kk, type, 96, false, false)   \
  WGMMA(stem##_n128_kk, type, 128, false, false) \
  WGMMA(stem##_n144_kk, type, 144, false, false) \
  WGMMA(stem##_n160_kk, type, 160, false, false) \
  WGMMA(stem##_n176_kk, type, 176, false, false) \
  WGMMA(stem##_n192_kk, type, 192, false, false) \
  WGMMA(stem##_n224_kk, type, 224, false, false) \
  WGMMA(stem##_n256_kk, type, 256, false, false)
WGMMA_OF_TYPE(wgmma_bf16, Bf16)
WGMMA_OF_TYPE(wgmma_f16, F16)
WGMMA_OF_TYPE(wgmma_tf32, Tf32)
WGMMA_OF_TYPE(wgmma_s8, S8)

#define WGMMA_OF_REGISTERS(name, n)                                                                \
  extern "C" __global__ void __launch_bounds__(128) name(const __grid_constant__ WgmmaArgs args) { \
    multiply_registers<n>(args);                                                                   \
  }
WGMMA_OF_REGISTERS(wgmma_tf32_n16_rk, 16)
WGMMA_OF_REGISTERS(wgmma_tf32_n32_rk, 32)
WGMMA_OF_REGISTERS(wgmma_tf32_n64_rk, 64)
WGMMA_OF_REGISTERS(wgmma_tf32_n128_rk, 128)
WGMMA_OF_REGISTERS(wgmma_tf32_n192_rk, 192)
WGMMA_OF_REGISTERS(wgmma_tf32_n256_rk, 256)

// Every other pair of majors.
#define WGMMA_OF_MAJORS(stem, type)            \
  WGMMA(stem##_n64_tk, type, 64, true, false)  \
  WGMMA(stem##_n64_kt, type, 64, false, true)  \
  WGMMA(stem##_n64_tt, type, 64, true, true)   \
  WGMMA(stem##_n144_tt, type, 144, true, true) \
  WGMMA(stem##_n160_tt, type, 160, true, true) \
  WGMMA(stem##_n256_tt, type, 256, true, true)
WGMMA_OF_MAJORS(wgmma_bf16, Bf16)
WGMMA_OF_MAJORS(wgmma_f16, F16)

// ---- TMA --------------------------------------------------------------------------------------

// One block brings a box and writes out what lies in its shared memory.
extern "C" __global__ void tensor_load(const __grid_constant__ BoxArgs args) {
  extern __shared__ __align__(1024) unsigned char smem[];
  const uint32_t barrier = ptx::shared_address(smem + args.box_bytes);
  if (thread() == 0) {
    ptx::prefetch_tensor_map(&args.map);
    ptx::mbarrier_init(barrier, 1);
    ptx::mbarrier_fence_init();
    ptx::mbarrier_arrive_expect_tx(barrier, args.box_bytes);
    const uint32_t to = ptx::shared_address(smem);
    if (args.sides == 3) {
      ptx::tma_load_3d(to, &args.map, args.x, args.y, args.z, barrier);
    } else {
      ptx::tma_load_4d(to, &args.map, args.x, args.y, args.z, args.w, barrier);
    }
  }
  __syncthreads();  // the barrier is made before anyone waits for it
  ptx::mbarrier_wait(barrier, 0);
  for (int i = thread(); i < args.box_bytes / 2; i += static_cast<int>(blockDim.x)) {
    args.shared_image[i] = reinterpret_cast<const uint16_t*>(smem)[i];
  }
}

// The other way round.
extern "C" __global__ void tensor_store(const __grid_constant__ BoxArgs args) {
  extern __shared__ __align__(1024) unsigned char smem[];
  for (int i = thread(); i < args.box_bytes / 2; i += static_cast<int>(blockDim.x)) {
    reinterpret_cast<uint16_t*>(smem)[i] = args.shared_image[i];
  }
  ptx::fence_async_shared();
  __syncthreads();  // all stores and their fences before the copy
  if (thread() == 0) {
    const uint32_t from = ptx::shared_address(smem);
    if (args.sides == 3) {
      ptx::tma_store_3d(&args.map, args.x, args.y, args.z, from);
    } else {
      ptx::tma_store_4d(&args.map, args.x, args.y, args.z, args.w, from);
    }
    ptx::tma_store_commit();
    ptx::tma_store_wait_read<0>();
  }
}

// Clusters of two. Block 0 brings the box to both, once block 1 has said that it is ready; each
// writes out its own.
extern "C" __global__ void tensor_multicast(const __grid_constant__ BoxArgs args) {
  extern __shared__ __align__(1024) unsigned char smem[];
  const uint32_t full = ptx::shared_address(smem + args.box_bytes);
  const uint32_t ready = full + 8;
  const uint32_t rank = ptx::cluster_rank();
  if (thread() == 0) {
    ptx::mbarrier_init(full, 1);
    ptx::mbarrier_init(ready, 1);
    ptx::mbarrier_fence_init();
  }
  ptx::cluster_arrive_relaxed();
  ptx::cluster_wait();  // all barriers of the cluster are made before any copy or arrival
  if (thread() == 0) {
    ptx::mbarrier_arrive_expect_tx(full, args.box_bytes);
    if (rank == 1) ptx::mbarrier_arrive_remote(ready, 0);
    if (rank == 0) {
      ptx::mbarrier_wait(ready, 0);
      const uint32_t to = ptx::shared_address(smem);
      if (args.sides == 3) {
        ptx::tma_load_3d_multicast(to, &args.map, args.x, args.y, args.z, full, 3);
      } else {
        ptx::tma_load_4d_multicast(to, &args.map, args.x, args.y, args.z, args.w, full, 3);
      }
    }
  }
  while (!ptx::mbarrier_test_wait(full, 0)) {
  }
  for (int i = thread(); i < args.box_bytes / 2; i += static_cast<int>(blockDim.x)) {
    args.shared_image[static_cast<int>(rank) * args.box_bytes / 2 + i] =
        reinterpret_cast<const uint16_t*>(smem)[i];
  }
  ptx::cluster_arrive();
  ptx::cluster_wait();  // no block ends while the other may still reach its shared memory
}

// ---- registers --------------------------------------------------------------------------------

// Three warpgroups; what the first gives up the others take.
extern "C" __global__ void __launch_bounds__(384, 1)
    register_count(const __grid_constant__ BoxArgs args) {
  if (thread() < 128) {
    ptx::setmaxnreg_dec<40>();
  } else {
    ptx::setmaxnreg_inc<232>();
  }
  args.shared_image[thread()] = static_cast<uint16_t>(thread());
}
