// SPDX-License-Identifier: BSD-3-Clause
// src/kernels/ptx/wgmma.h on the emulator: the same functions; sums come with the wait.
#pragma once

#include "emulator/wgmma.h"
#include "kernels/common/tensor_map.h"

namespace myblas::ptx {

__device__ __forceinline__ void wgmma_fence() { emulator::wgmma_fence(); }
__device__ __forceinline__ void wgmma_commit() { emulator::wgmma_commit(); }
template <int kPending>
__device__ __forceinline__ void wgmma_wait() {
  emulator::wgmma_wait(kPending);
}
template <class Sum, int kSums>
__device__ __forceinline__ void wgmma_keep(Sum (&)[kSums]) {}

constexpr uint64_t wgmma_descriptor(uint32_t shared_address, int leading_bytes, int stride_bytes,
                                    Swizzle swizzle) {
  constexpr uint64_t kModes[] = {0, 3, 2, 1};  // none, 32, 64, 128 bytes
  return uint64_t{shared_address >> 4 & 0x3fff} | static_cast<uint64_t>(leading_bytes / 16) << 16 |
         static_cast<uint64_t>(stride_bytes / 16) << 32 | kModes[static_cast<int>(swizzle)] << 62;
}

template <int kN, bool kATransposed, bool kBTransposed>
__device__ __forceinline__ void wgmma_m64k16_bf16(float (&sums)[kN / 2], uint64_t a, uint64_t b,
                                                  bool accumulate) {
  emulator::wgmma({emulator::WgmmaType::kBF16, kN, kATransposed, kBTransposed}, sums, a, nullptr, b,
                  accumulate);
}
template <int kN, bool kATransposed, bool kBTransposed>
__device__ __forceinline__ void wgmma_m64k16_f16(float (&sums)[kN / 2], uint64_t a, uint64_t b,
                                                 bool accumulate) {
  emulator::wgmma({emulator::WgmmaType::kF16, kN, kATransposed, kBTransposed}, sums, a, nullptr, b,
                  accumulate);
}
template <int kN>
__device__ __forceinline__ void wgmma_m64k8_tf32(float (&sums)[kN / 2], uint64_t a, uint64_t b,
                                                 bool accumulate) {
  emulator::wgmma({emulator::WgmmaType::kTF32, kN, false, false}, sums, a, nullptr, b, accumulate);
}
template <int kN>
__device__ __forceinline__ void wgmma_m64k8_tf32(float (&sums)[kN / 2], const uint32_t (&a)[4],
                                                 uint64_t b) {
  emulator::wgmma({emulator::WgmmaType::kTF32, kN, false, false}, sums, 0, a, b, true);
}
template <int kN>
__device__ __forceinline__ void wgmma_m64k32_s8(int32_t (&sums)[kN / 2], uint64_t a, uint64_t b,
                                                bool accumulate) {
  emulator::wgmma({emulator::WgmmaType::kS8, kN, false, false}, sums, a, nullptr, b, accumulate);
}

}  // namespace myblas::ptx
