// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the blackwell family for bf16, a line each: rows of
// src/dispatch/tables/blackwell.inc.
#include "kernels/blackwell/blackwell_gemm.cuh"

using namespace myblas;

// clang-format off
#define MYBLAS_BLACKWELL(name, Out, shape)                                              \
  extern "C" __global__ void __launch_bounds__((shape).bound_threads(), (shape).blocks) \
      name(const __grid_constant__ TmaArgs args) {                                      \
    blackwell_gemm<BlackwellConfig<MmaBf16, Out, shape>>(args);                         \
  }

MYBLAS_BLACKWELL(blackwell_bf16_bf16_128x256x64, __nv_bfloat16, kBlackwell128x256)
MYBLAS_BLACKWELL(blackwell_bf16_bf16_128x128x64, __nv_bfloat16, kBlackwell128x128)
MYBLAS_BLACKWELL(blackwell_bf16_bf16_128x64x64,  __nv_bfloat16, kBlackwell128x64)
MYBLAS_BLACKWELL(blackwell_bf16_bf16_64x64x64,   __nv_bfloat16, kBlackwell64x64)
MYBLAS_BLACKWELL(blackwell_bf16_f32_128x256x64,  float, kBlackwell128x256)
MYBLAS_BLACKWELL(blackwell_bf16_f32_128x128x64,  float, kBlackwell128x128)
MYBLAS_BLACKWELL(blackwell_bf16_f32_128x64x64,   float, kBlackwell128x64)
MYBLAS_BLACKWELL(blackwell_bf16_f32_64x64x64,    float, kBlackwell64x64)
MYBLAS_BLACKWELL(blackwell_bf16_bf16_pointers_128x128x64, __nv_bfloat16, of_pointers(kBlackwell128x128))
MYBLAS_BLACKWELL(blackwell_bf16_bf16_pointers_64x64x64,   __nv_bfloat16, of_pointers(kBlackwell64x64))
