// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the sum family, a line for each (type of the sums, type of C): names of
// launch_sum.h.
#include "kernels/sum/sum_parts.cuh"

using namespace myblas;

#define MYBLAS_SUM(name, sum, out)                                      \
  extern "C" __global__ void __launch_bounds__(kSumThreads, kSumBlocks) \
      name(const __grid_constant__ SumArgs args) {                      \
    sum_parts<sum, out>(args);                                          \
  }

MYBLAS_SUM(sum_parts_f32_f16, float, __half)
MYBLAS_SUM(sum_parts_f32_bf16, float, __nv_bfloat16)
MYBLAS_SUM(sum_parts_f32_f32, float, float)
MYBLAS_SUM(sum_parts_f64_f64, double, double)
MYBLAS_SUM(sum_parts_c32_c32, Complex<float>, Complex<float>)
MYBLAS_SUM(sum_parts_c64_c64, Complex<double>, Complex<double>)
