// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernel of the simt family for complex fp32 in small tiles, on every GPU since sm_80:
// a row of src/dispatch/tables/simt_complex.inc.
#include "kernels/simt/simt_cp_async.cuh"

using namespace myblas;

// clang-format off
MYBLAS_SIMT_CP_ASYNC(cgemm_cp_async_32x32x16, Complex<float>, 32, 32, 16, 32, 16, 8, 3, kInOwnMemory, 1, 6)
