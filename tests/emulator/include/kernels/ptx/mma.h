// SPDX-License-Identifier: BSD-3-Clause
// src/kernels/ptx/mma.h on the emulator: the same functions.
#pragma once

#include "emulator/mma.h"

namespace myblas::ptx {

__device__ __forceinline__ void mma_m16n8k8_f16(float (&sums)[4], const uint32_t (&a)[2],
                                                const uint32_t (&b)[1]) {
  emulator::mma(emulator::Mma::kM16N8K8F16, sums, a, b);
}
__device__ __forceinline__ void mma_m16n8k8_f16_sums(uint32_t (&sums)[2], const uint32_t (&a)[2],
                                                     const uint32_t (&b)[1]) {
  emulator::mma(emulator::Mma::kM16N8K8F16Sums, sums, a, b);
}
__device__ __forceinline__ void mma_m8n8k16_s8(int32_t (&sums)[2], const uint32_t (&a)[1],
                                               const uint32_t (&b)[1]) {
  emulator::mma(emulator::Mma::kM8N8K16S8, sums, a, b);
}
__device__ __forceinline__ void mma_m16n8k16_f16(float (&sums)[4], const uint32_t (&a)[4],
                                                 const uint32_t (&b)[2]) {
  emulator::mma(emulator::Mma::kM16N8K16F16, sums, a, b);
}
__device__ __forceinline__ void mma_m16n8k16_f16_sums(uint32_t (&sums)[2], const uint32_t (&a)[4],
                                                      const uint32_t (&b)[2]) {
  emulator::mma(emulator::Mma::kM16N8K16F16Sums, sums, a, b);
}
__device__ __forceinline__ void mma_m16n8k16_bf16(float (&sums)[4], const uint32_t (&a)[4],
                                                  const uint32_t (&b)[2]) {
  emulator::mma(emulator::Mma::kM16N8K16Bf16, sums, a, b);
}
__device__ __forceinline__ void mma_m16n8k8_tf32(float (&sums)[4], const uint32_t (&a)[4],
                                                 const uint32_t (&b)[2]) {
  emulator::mma(emulator::Mma::kM16N8K8Tf32, sums, a, b);
}
__device__ __forceinline__ void mma_m16n8k32_s8(int32_t (&sums)[4], const uint32_t (&a)[4],
                                                const uint32_t (&b)[2]) {
  emulator::mma(emulator::Mma::kM16N8K32S8, sums, a, b);
}
__device__ __forceinline__ void mma_m8n8k4_f64(double (&sums)[2], const double (&a)[1],
                                               const double (&b)[1]) {
  emulator::mma(emulator::Mma::kM8N8K4F64, sums, a, b);
}
__device__ __forceinline__ uint32_t round_to_tf32(uint32_t value) {
  const bool finite = (value & 0x7f800000u) != 0x7f800000u;
  return finite ? (value + 0x1000u) & 0xffffe000u : value;
}
__device__ __forceinline__ void mma_m16n8k8_f64(double (&sums)[4], const double (&a)[4],
                                                const double (&b)[2]) {
  emulator::mma(emulator::Mma::kM16N8K8F64, sums, a, b);
}

}  // namespace myblas::ptx
