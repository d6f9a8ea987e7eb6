// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// ptx/mma.h: sums += A * B by a warp, from registers. PTX ISA, "mma.sync".
//
// m16n8k16_f16: A is 16 x 16 by rows, B 16 x 8 by columns, in the fragment layouts of the manual;
// 16-bit elements two, 8-bit elements four a register, the lower index in the lower bits. All 32
// lanes take part.
//==============================================================================
#pragma once

#include <cstdint>

namespace myblas::ptx {

// sm_75 and newer.
__device__ __forceinline__ void mma_m16n8k8_f16(float (&sums)[4], const uint32_t (&a)[2],
                                                const uint32_t (&b)[1]) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, "
      "{%0, %1, %2, %3};\n"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]));
}

// The same with sums in fp16, two neighbours of a row a register: {0, 1}, {2, 3}.
__device__ __forceinline__ void mma_m16n8k8_f16_sums(uint32_t (&sums)[2], const uint32_t (&a)[2],
                                                     const uint32_t (&b)[1]) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%0, %1};\n"
      : "+r"(sums[0]), "+r"(sums[1])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]));
}

// sm_75 and newer. Wraps around on overflow.
__device__ __forceinline__ void mma_m8n8k16_s8(int32_t (&sums)[2], const uint32_t (&a)[1],
                                               const uint32_t (&b)[1]) {
  asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};\n"
               : "+r"(sums[0]), "+r"(sums[1])
               : "r"(a[0]), "r"(b[0]));
}

// From here on sm_80 and newer.
__device__ __forceinline__ void mma_m16n8k16_f16(float (&sums)[4], const uint32_t (&a)[4],
                                                 const uint32_t (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};\n"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__device__ __forceinline__ void mma_m16n8k16_f16_sums(uint32_t (&sums)[2], const uint32_t (&a)[4],
                                                      const uint32_t (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, "
      "{%0, %1};\n"
      : "+r"(sums[0]), "+r"(sums[1])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__device__ __forceinline__ void mma_m16n8k16_bf16(float (&sums)[4], const uint32_t (&a)[4],
                                                  const uint32_t (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};\n"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// The registers hold fp32 bits, of which the upper 19 count.
__device__ __forceinline__ void mma_m16n8k8_tf32(float (&sums)[4], const uint32_t (&a)[4],
                                                 const uint32_t (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};\n"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Wraps around on overflow.
__device__ __forceinline__ void mma_m16n8k32_s8(int32_t (&sums)[4], const uint32_t (&a)[4],
                                                const uint32_t (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};\n"
      : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__device__ __forceinline__ void mma_m8n8k4_f64(double (&sums)[2], const double (&a)[1],
                                               const double (&b)[1]) {
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};\n"
               : "+d"(sums[0]), "+d"(sums[1])
               : "d"(a[0]), "d"(b[0]));
}

// The nearest tf32 of a float, as fp32 bits; ties go away from zero, from sm_90 on to even, as
// TMA rounds. That is one instruction, the other two with a predicate between them. NaN and
// infinity stay what they are.
__device__ __forceinline__ uint32_t round_to_tf32(uint32_t value) {
  uint32_t rounded;
#if __CUDA_ARCH__ >= 900
  asm volatile("cvt.rn.tf32.f32 %0, %1;\n" : "=r"(rounded) : "r"(value));
#else
  asm volatile("cvt.rna.tf32.f32 %0, %1;\n" : "=r"(rounded) : "r"(value));
#endif
  return rounded;
}

// From here on sm_90.
__device__ __forceinline__ void mma_m16n8k8_f64(double (&sums)[4], const double (&a)[4],
                                                const double (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};\n"
      : "+d"(sums[0]), "+d"(sums[1]), "+d"(sums[2]), "+d"(sums[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
}

}  // namespace myblas::ptx
