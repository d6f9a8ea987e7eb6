// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the simt family for many tiny products, a line each: rows of
// src/dispatch/tables/simt_warp.inc.
#include "kernels/common/grid_start.cuh"
#include "kernels/simt/gemm_warp.cuh"

using namespace myblas;
using c32 = Complex<float>;
using c64 = Complex<double>;

// As many as an SM holds: on sm_75 it has 1024 threads.
#if __CUDA_ARCH__ >= 800 || !defined(__CUDA_ARCH__)
constexpr int kMostBlocks = 2048 / (32 * kWarpsOfBlock);
#else
constexpr int kMostBlocks = 1024 / (32 * kWarpsOfBlock);
#endif

// clang-format off
// blocks: resident blocks an SM, for which the compiler must find the registers.
#define MYBLAS_GEMM_WARP(name, In, Out, Acc, tile, blocks)                                    \
  extern "C" __global__ void                                                                  \
      __launch_bounds__(32 * kWarpsOfBlock, blocks < kMostBlocks ? blocks : kMostBlocks)      \
      name(const __grid_constant__ GemmArgs args) {                                           \
    begin_grid(args, args.m);                                                                 \
    gemm_warp<GemmWarpConfig<In, Out, Acc, tile>>(args);                                      \
  }

MYBLAS_GEMM_WARP(gemm_warp_f32_f32_8x8x8,       float, float, float, 8, 12)
MYBLAS_GEMM_WARP(gemm_warp_f32_f32_16x16x16,    float, float, float, 16, 7)
MYBLAS_GEMM_WARP(gemm_warp_bf16_bf16_8x8x8,     __nv_bfloat16, __nv_bfloat16, float, 8, 12)
MYBLAS_GEMM_WARP(gemm_warp_bf16_bf16_16x16x16,  __nv_bfloat16, __nv_bfloat16, float, 16, 7)
MYBLAS_GEMM_WARP(gemm_warp_f16_f16_8x8x8,       __half, __half, float, 8, 12)
MYBLAS_GEMM_WARP(gemm_warp_f16_f16_16x16x16,    __half, __half, float, 16, 7)
MYBLAS_GEMM_WARP(gemm_warp_f64_f64_8x8x8,       double, double, double, 8, 8)
MYBLAS_GEMM_WARP(gemm_warp_f64_f64_16x16x16,    double, double, double, 16, 6)
MYBLAS_GEMM_WARP(gemm_warp_c32_c32_8x8x8,       c32, c32, c32, 8, 8)
MYBLAS_GEMM_WARP(gemm_warp_c32_c32_16x16x16,    c32, c32, c32, 16, 4)
MYBLAS_GEMM_WARP(gemm_warp_c64_c64_8x8x8,       c64, c64, c64, 8, 8)
MYBLAS_GEMM_WARP(gemm_warp_c64_c64_16x16x16,    c64, c64, c64, 16, 3)
