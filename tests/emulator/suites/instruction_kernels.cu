// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// suites/instruction_kernels.cu: one warp, one instruction, all lanes and registers.
//
// Each reads A (M x K, by rows) and B (K x N, by rows) and adds the product to C (M x N, by rows),
// all as floats. The fragments are put together here as the PTX ISA words them, apart from the
// emulator's own tables, so that the same source says the same on a GPU.
//==============================================================================
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

#include "kernels/common/gemm_args.h"
#include "kernels/ptx/global_memory.h"
#include "kernels/ptx/matrix_copy.h"
#include "kernels/ptx/mma.h"
#include "kernels/ptx/named_barrier.h"
#include "kernels/ptx/shared_memory.h"

using namespace myblas;

namespace {

__device__ __forceinline__ float element(const void* matrix, int row, int col, int columns) {
  return static_cast<const float*>(matrix)[row * columns + col];
}
__device__ __forceinline__ uint32_t bits16(float value, bool bfloat16) {
  return bfloat16 ? __bfloat16_as_ushort(__float2bfloat16_rn(value))
                  : __half_as_ushort(__float2half_rn(value));
}

struct Lane {
  int group, within;  // groupID and threadID_in_group of the manual
};
__device__ __forceinline__ Lane this_lane() {
  return {static_cast<int>(threadIdx.x) >> 2, static_cast<int>(threadIdx.x) % 4};
}

// ---- C and D of every m16n8 shape: rows groupID and groupID + 8, two neighbouring columns ------

template <class T>
__device__ __forceinline__ void load_sums(T (&sums)[4], const GemmArgs& args) {
  const Lane lane = this_lane();
  for (int i = 0; i < 4; ++i) {
    const int row = i < 2 ? lane.group : lane.group + 8;
    sums[i] = static_cast<T>(element(args.c, row, lane.within * 2 + (i & 1), 8));
  }
}
template <class T>
__device__ __forceinline__ void store_sums(const T (&sums)[4], const GemmArgs& args) {
  const Lane lane = this_lane();
  for (int i = 0; i < 4; ++i) {
    const int row = i < 2 ? lane.group : lane.group + 8;
    static_cast<float*>(args.c)[row * 8 + lane.within * 2 + (i & 1)] = static_cast<float>(sums[i]);
  }
}

// Sums in fp16: two neighbouring columns a register.
template <class Multiply>
__device__ __forceinline__ void sum_in_f16(const Multiply& multiply, const GemmArgs& args) {
  float sums[4];
  load_sums(sums, args);
  uint32_t pairs[2];
  for (int i = 0; i < 2; ++i) {
    pairs[i] = bits16(sums[2 * i], false) | bits16(sums[2 * i + 1], false) << 16;
  }
  multiply(pairs);
  for (int i = 0; i < 4; ++i) {
    const auto bits = static_cast<unsigned short>(pairs[i / 2] >> (16 * (i % 2)));
    sums[i] = __half2float(__ushort_as_half(bits));
  }
  store_sums(sums, args);
}

// ---- A and B of 16-bit elements ---------------------------------------------------------------

template <int kK>
__device__ __forceinline__ void load_16bit(uint32_t (&a)[kK / 4], uint32_t (&b)[kK / 8],
                                           const GemmArgs& args, bool bfloat16) {
  const Lane lane = this_lane();
  for (uint32_t& r : a) r = 0;
  for (uint32_t& r : b) r = 0;
  for (int i = 0; i < kK / 2; ++i) {
    const bool upper = kK == 16 ? (i < 2 || (i >= 4 && i < 6)) : i < 2;
    const int row = upper ? lane.group : lane.group + 8;
    const int col = lane.within * 2 + (i & 1) + (i >= 4 ? 8 : 0);
    a[i / 2] |= bits16(element(args.a.base, row, col, kK), bfloat16) << (16 * (i & 1));
  }
  for (int i = 0; i < kK / 4; ++i) {
    const int row = lane.within * 2 + (i & 1) + (i >= 2 ? 8 : 0);
    b[i / 2] |= bits16(element(args.b.base, row, lane.group, 8), bfloat16) << (16 * (i & 1));
  }
}

}  // namespace

#define INSTRUCTION(name) extern "C" __global__ void name(const __grid_constant__ GemmArgs args)

INSTRUCTION(instruction_m16n8k8_f16) {
  uint32_t a[2], b[1];
  float sums[4];
  load_16bit<8>(a, b, args, false);
  load_sums(sums, args);
  ptx::mma_m16n8k8_f16(sums, a, b);
  store_sums(sums, args);
}
INSTRUCTION(instruction_m16n8k16_f16) {
  uint32_t a[4], b[2];
  float sums[4];
  load_16bit<16>(a, b, args, false);
  load_sums(sums, args);
  ptx::mma_m16n8k16_f16(sums, a, b);
  store_sums(sums, args);
}
INSTRUCTION(instruction_m16n8k8_f16_sums) {
  uint32_t a[2], b[1];
  load_16bit<8>(a, b, args, false);
  const auto multiply = [&](uint32_t(&sums)[2]) { ptx::mma_m16n8k8_f16_sums(sums, a, b); };
  sum_in_f16(multiply, args);
}
INSTRUCTION(instruction_m16n8k16_f16_sums) {
  uint32_t a[4], b[2];
  load_16bit<16>(a, b, args, false);
  const auto multiply = [&](uint32_t(&sums)[2]) { ptx::mma_m16n8k16_f16_sums(sums, a, b); };
  sum_in_f16(multiply, args);
}
INSTRUCTION(instruction_m16n8k16_bf16) {
  uint32_t a[4], b[2];
  float sums[4];
  load_16bit<16>(a, b, args, true);
  load_sums(sums, args);
  ptx::mma_m16n8k16_bf16(sums, a, b);
  store_sums(sums, args);
}
INSTRUCTION(instruction_m16n8k8_tf32) {
  const Lane lane = this_lane();
  uint32_t a[4], b[2];
  float sums[4];
  for (int i = 0; i < 4; ++i) {
    const int row = i == 0 || i == 2 ? lane.group : lane.group + 8;
    const int col = i < 2 ? lane.within : lane.within + 4;
    a[i] = __float_as_uint(element(args.a.base, row, col, 8));
  }
  for (int i = 0; i < 2; ++i) {
    b[i] = __float_as_uint(
        element(args.b.base, i == 0 ? lane.within : lane.within + 4, lane.group, 8));
  }
  load_sums(sums, args);
  ptx::mma_m16n8k8_tf32(sums, a, b);
  store_sums(sums, args);
}
INSTRUCTION(instruction_m16n8k32_s8) {
  const Lane lane = this_lane();
  uint32_t a[4] = {}, b[2] = {};
  int32_t sums[4];
  for (int i = 0; i < 16; ++i) {
    const bool upper = i < 4 || (i >= 8 && i < 12);
    const int row = upper ? lane.group : lane.group + 8;
    const int col = lane.within * 4 + (i & 3) + (i < 8 ? 0 : 16);
    const auto value = static_cast<int8_t>(element(args.a.base, row, col, 32));
    a[i / 4] |= static_cast<uint32_t>(static_cast<uint8_t>(value)) << (8 * (i & 3));
  }
  for (int i = 0; i < 8; ++i) {
    const int row = lane.within * 4 + (i & 3) + (i < 4 ? 0 : 16);
    const auto value = static_cast<int8_t>(element(args.b.base, row, lane.group, 8));
    b[i / 4] |= static_cast<uint32_t>(static_cast<uint8_t>(value)) << (8 * (i & 3));
  }
  load_sums(sums, args);
  ptx::mma_m16n8k32_s8(sums, a, b);
  store_sums(sums, args);
}
INSTRUCTION(instruction_m8n8k16_s8) {
  const Lane lane = this_lane();
  uint32_t a[1] = {}, b[1] = {};
  int32_t sums[2];
  for (int i = 0; i < 4; ++i) {
    const int at_k = lane.within * 4 + i;
    const auto from_a = static_cast<int8_t>(element(args.a.base, lane.group, at_k, 16));
    const auto from_b = static_cast<int8_t>(element(args.b.base, at_k, lane.group, 8));
    a[0] |= static_cast<uint32_t>(static_cast<uint8_t>(from_a)) << (8 * i);
    b[0] |= static_cast<uint32_t>(static_cast<uint8_t>(from_b)) << (8 * i);
  }
  for (int i = 0; i < 2; ++i) {
    sums[i] = static_cast<int32_t>(element(args.c, lane.group, lane.within * 2 + i, 8));
  }
  ptx::mma_m8n8k16_s8(sums, a, b);
  for (int i = 0; i < 2; ++i) {
    static_cast<float*>(args.c)[lane.group * 8 + lane.within * 2 + i] = static_cast<float>(sums[i]);
  }
}
INSTRUCTION(instruction_m8n8k4_f64) {
  const Lane lane = this_lane();
  const double a[1] = {element(args.a.base, lane.group, lane.within, 4)};
  const double b[1] = {element(args.b.base, lane.within, lane.group, 8)};
  double sums[2];
  for (int i = 0; i < 2; ++i) sums[i] = element(args.c, lane.group, lane.within * 2 + i, 8);
  ptx::mma_m8n8k4_f64(sums, a, b);
  for (int i = 0; i < 2; ++i) {
    static_cast<float*>(args.c)[lane.group * 8 + lane.within * 2 + i] = static_cast<float>(sums[i]);
  }
}
INSTRUCTION(instruction_m16n8k8_f64) {
  const Lane lane = this_lane();
  double a[4], b[2], sums[4];
  for (int i = 0; i < 4; ++i) {
    const int row = i % 2 == 0 ? lane.group : lane.group + 8;
    a[i] = element(args.a.base, row, lane.within + i / 2 * 4, 8);
  }
  for (int i = 0; i < 2; ++i) b[i] = element(args.b.base, lane.within + i * 4, lane.group, 8);
  load_sums(sums, args);
  ptx::mma_m16n8k8_f64(sums, a, b);
  store_sums(sums, args);
}

// A by rows and B by rows of k from shared memory: ldmatrix gives A's fragments as they are, and
// B's with .trans. Then C goes back through stmatrix and is read plainly.
INSTRUCTION(instruction_ldmatrix) {
  __shared__ __align__(16) uint16_t a_tile[16][32 + 8];
  __shared__ __align__(16) uint16_t b_tile[32][8];
  const int lane = static_cast<int>(threadIdx.x);
  for (int i = lane; i < 512; i += 32) {
    a_tile[i / 32][i % 32] =
        static_cast<uint16_t>(bits16(element(args.a.base, i / 32, i % 32, 32), false));
  }
  for (int i = lane; i < 256; i += 32) {
    b_tile[i / 8][i % 8] =
        static_cast<uint16_t>(bits16(element(args.b.base, i / 8, i % 8, 8), false));
  }
  __syncwarp();  // all lanes' stores before any lane's loads
  uint32_t a[2][4], b[4];
  float sums[4];
  for (int half = 0; half < 2; ++half) {
    ptx::ldmatrix_x4(a[half], ptx::shared_address(&a_tile[lane % 16][half * 16 + lane / 16 * 8]));
  }
  ptx::ldmatrix_x4_trans(b, ptx::shared_address(&b_tile[lane][0]));
  load_sums(sums, args);
  ptx::mma_m16n8k16_f16(sums, a[0], {b[0], b[1]});
  ptx::mma_m16n8k16_f16(sums, a[1], {b[2], b[3]});
  store_sums(sums, args);
}

// 16 x 16 halves of A through stmatrix and back by plain loads, once as they are and once
// transposed: C (16 x 16) = A + 2 * transpose of each 8 x 8 part.
INSTRUCTION(instruction_stmatrix) {
  __shared__ __align__(16) uint16_t plain[16][16 + 8];
  __shared__ __align__(16) uint16_t turned[16][16 + 8];
  const int lane = static_cast<int>(threadIdx.x);
  uint32_t a[4], b[2];
  load_16bit<16>(a, b, args, false);
  ptx::stmatrix_x4(ptx::shared_address(&plain[lane % 16][lane / 16 * 8]), a);
  ptx::stmatrix_x4_trans(ptx::shared_address(&turned[lane % 16][lane / 16 * 8]), a);
  __syncwarp();  // all lanes' stores before any lane's loads
  for (int i = lane; i < 256; i += 32) {
    static_cast<float*>(args.c)[i] = __half2float(__ushort_as_half(plain[i / 16][i % 16])) +
                                     2.0f * __half2float(__ushort_as_half(turned[i / 16][i % 16]));
  }
}

// Four floats of A a lane and kind of load, of which every third lane's do not exist.
INSTRUCTION(instruction_global_loads) {
  const int lane = static_cast<int>(threadIdx.x);
  const auto* a = static_cast<const float*>(args.a.base) + 4 * lane;
  const uint4 loaded[] = {ptx::load_streamed_16B(a, lane % 3 != 0),
                          ptx::load_cached_16B(a + 128, lane % 3 != 1),
                          ptx::load_past_l1_16B(a + 256, lane % 3 != 2)};
  for (int i = 0; i < 3; ++i) {
    auto* c = static_cast<float*>(args.c) + 128 * i + 4 * lane;
    c[0] = __uint_as_float(loaded[i].x);
    c[1] = __uint_as_float(loaded[i].y);
    c[2] = __uint_as_float(loaded[i].z);
    c[3] = __uint_as_float(loaded[i].w);
  }
}

// Warp 1 reads what warp 0 wrote, warp 2 does nothing; then both vote, one lane of them with yes;
// 96 threads.
INSTRUCTION(instruction_named_barrier) {
  __shared__ float values[32];
  if (threadIdx.x >= 64) return;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const bool writes = threadIdx.x < 32;
  if (writes) values[lane] = element(args.a.base, 0, lane, 32);
  ptx::named_barrier_sync(3, 64);
  const float value = writes ? 0.0f : values[31 - lane];
  const bool one = ptx::named_barrier_or(4, 64, threadIdx.x == 7);
  const bool none = ptx::named_barrier_or(4, 64, false);
  const float votes = (one ? 1000.0f : 0.0f) + (none ? 2000.0f : 0.0f);
  if (!writes) static_cast<float*>(args.c)[lane] = value + votes;
}
