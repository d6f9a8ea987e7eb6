// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the simt family for fp32, sm_75: rows of
// src/dispatch/tables/simt_sm75.inc.
#include "kernels/common/grid_start.cuh"
#include "kernels/simt/feed_registers.cuh"
#include "kernels/simt/gemm_simt.cuh"

using namespace myblas;

// clang-format off
// blocks: resident blocks an SM, for which the compiler must find the registers.
#define MYBLAS_SGEMM_REGISTERS(name, tile_m, tile_n, tile_k, warp_m, warp_n, lanes_m, closing, blocks) \
  extern "C" __global__ void                                                                         \
      __launch_bounds__(SimtConfig<float, tile_m, tile_n, tile_k, warp_m, warp_n, lanes_m, 2, Closing::closing>::kThreads, blocks) \
      name(const __grid_constant__ GemmArgs args) {                                                  \
    begin_grid(args, args.m);                                                                        \
    gemm_simt<SimtConfig<float, tile_m, tile_n, tile_k, warp_m, warp_n, lanes_m, 2, Closing::closing>, RegisterFeed>(args); \
  }

MYBLAS_SGEMM_REGISTERS(sgemm_registers_128x128x8,  128, 128, 8, 64, 64, 4, kNever, 2)
MYBLAS_SGEMM_REGISTERS(sgemm_registers_128x64x8,   128, 64, 8, 32, 64, 4, kInOwnMemory, 3)
MYBLAS_SGEMM_REGISTERS(sgemm_registers_64x128x8,   64, 128, 8, 32, 64, 4, kInOwnMemory, 3)
MYBLAS_SGEMM_REGISTERS(sgemm_registers_64x64x16,   64, 64, 16, 32, 32, 4, kInOwnMemory, 4)
MYBLAS_SGEMM_REGISTERS(sgemm_registers_32x32x16,   32, 32, 16, 32, 16, 8, kInOwnMemory, 8)
