// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// hopper/wgmma_types.cuh: what wgmma does with elements of a type.
//
//   Sum        what products are summed in
//   kAnyMajor  either side of an operand may be the contiguous one; else k is
//   multiply   sums of 64 x kN += A * B, of kWgmmaBytes of k
//==============================================================================
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

#include "kernels/ptx/wgmma.h"

namespace myblas {

inline constexpr int kWgmmaBytes = 32;  // of a row along k, that an instruction takes

template <class In>
struct WgmmaType;

template <>
struct WgmmaType<__nv_bfloat16> {
  using Sum = float;
  static constexpr bool kAnyMajor = true;
  template <int kN, bool kATransposed, bool kBTransposed>
  static __device__ __forceinline__ void multiply(float (&sums)[kN / 2], uint64_t a, uint64_t b,
                                                  bool accumulate = true) {
    ptx::wgmma_m64k16_bf16<kN, kATransposed, kBTransposed>(sums, a, b, accumulate);
  }
};

template <>
struct WgmmaType<__half> {
  using Sum = float;
  static constexpr bool kAnyMajor = true;
  template <int kN, bool kATransposed, bool kBTransposed>
  static __device__ __forceinline__ void multiply(float (&sums)[kN / 2], uint64_t a, uint64_t b) {
    ptx::wgmma_m64k16_f16<kN, kATransposed, kBTransposed>(sums, a, b, true);
  }
};

// TF32, of elements that TMA has rounded (TensorMapShape::rounds_to_tf32).
template <>
struct WgmmaType<float> {
  using Sum = float;
  static constexpr bool kAnyMajor = false;
  template <int kN, bool kATransposed, bool kBTransposed>
  static __device__ __forceinline__ void multiply(float (&sums)[kN / 2], uint64_t a, uint64_t b) {
    static_assert(!kATransposed && !kBTransposed);
    ptx::wgmma_m64k8_tf32<kN>(sums, a, b, true);
  }
  // Rows that came through registers.
  template <int kN>
  static __device__ __forceinline__ void multiply(float (&sums)[kN / 2], const uint32_t (&a)[4],
                                                  uint64_t b) {
    ptx::wgmma_m64k8_tf32<kN>(sums, a, b);
  }
};

template <>
struct WgmmaType<int8_t> {
  using Sum = int32_t;
  static constexpr bool kAnyMajor = false;
  template <int kN, bool kATransposed, bool kBTransposed>
  static __device__ __forceinline__ void multiply(int32_t (&sums)[kN / 2], uint64_t a, uint64_t b) {
    static_assert(!kATransposed && !kBTransposed);
    ptx::wgmma_m64k32_s8<kN>(sums, a, b, true);
  }
};

}  // namespace myblas
