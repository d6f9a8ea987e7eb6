// SPDX-License-Identifier: BSD-3-Clause
// src/kernels/ptx/mma.h on the emulator: the same functions.
#pragma once

#include "emulator/mma.h"

namespace myblas::ptx {

__device__ __forceinline__ void mma_m16n8k8_f16(float (&sums)[4], const uint32_t (&a)[2],
                                                const uint32_t (&b)[1]) {
  emulator::mma<emulator::HalfElement, emulator::Layout16Bit, 16, 8, 8>("mma.m16n8k8.f16", sums, a,
                                                                        b);
}
__device__ __forceinline__ void mma_m8n8k16_s8(int32_t (&sums)[2], const uint32_t (&a)[1],
                                               const uint32_t (&b)[1]) {
  emulator::mma<emulator::Int8Element, emulator::Layout8Bit, 8, 8, 16>("mma.m8n8k16.s8", sums, a,
                                                                       b);
}
__device__ __forceinline__ void mma_m16n8k16_f16(float (&sums)[4], const uint32_t (&a)[4],
                                                 const uint32_t (&b)[2]) {
  emulator::mma<emulator::HalfElement, emulator::Layout16Bit, 16, 8, 16>("mma.m16n8k16.f16", sums,
                                                                         a, b);
}
__device__ __forceinline__ void mma_m16n8k16_bf16(float (&sums)[4], const uint32_t (&a)[4],
                                                  const uint32_t (&b)[2]) {
  emulator::mma<emulator::Bfloat16Element, emulator::Layout16Bit, 16, 8, 16>("mma.m16n8k16.bf16",
                                                                             sums, a, b);
}
__device__ __forceinline__ void mma_m16n8k8_tf32(float (&sums)[4], const uint32_t (&a)[4],
                                                 const uint32_t (&b)[2]) {
  emulator::mma<emulator::Tf32Element, emulator::Layout32Bit, 16, 8, 8>("mma.m16n8k8.tf32", sums, a,
                                                                        b);
}
__device__ __forceinline__ void mma_m16n8k32_s8(int32_t (&sums)[4], const uint32_t (&a)[4],
                                                const uint32_t (&b)[2]) {
  emulator::mma<emulator::Int8Element, emulator::Layout8Bit, 16, 8, 32>("mma.m16n8k32.s8", sums, a,
                                                                        b);
}
__device__ __forceinline__ void mma_m8n8k4_f64(double (&sums)[2], const double (&a)[1],
                                               const double (&b)[1]) {
  emulator::mma<emulator::DoubleElement, emulator::LayoutSmallF64, 8, 8, 4>("mma.m8n8k4.f64", sums,
                                                                            a, b);
}
__device__ __forceinline__ uint32_t round_to_tf32(uint32_t value) {
  const bool finite = (value & 0x7f800000u) != 0x7f800000u;
  return finite ? (value + 0x1000u) & 0xffffe000u : value;
}
__device__ __forceinline__ void mma_m16n8k8_f64(double (&sums)[4], const double (&a)[4],
                                                const double (&b)[2]) {
  emulator::mma<emulator::DoubleElement, emulator::Layout32Bit, 16, 8, 8>("mma.m16n8k8.f64", sums,
                                                                          a, b);
}

}  // namespace myblas::ptx
