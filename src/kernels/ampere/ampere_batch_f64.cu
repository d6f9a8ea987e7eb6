// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernel of the ampere family for f64 products of little k in many tiles,
// sm_90: a row of src/dispatch/tables/ampere_batch.inc.
#include "kernels/common/mma_batch.cuh"

using namespace myblas;

// clang-format off
MYBLAS_MMA_BATCH(ampere_batch_f64_32x32x16,  MmaF64Sm90, double, 32, 32, 16, 32, 16, 6)
