// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// Facts of GPUs that are not at hand, and problems to choose kernels for.
//==============================================================================
#pragma once

#include <cstdint>
#include <random>
#include <span>

#include "dispatch/select.h"

namespace myblas::testing {

// One GPU of each architecture that has a table: T4, A100, RTX 3090, RTX 4090, H200, B200, RTX
// 5090.
std::span<const DeviceCaps> synthetic_gpus();
const DeviceCaps& synthetic_gpu(int cc);

// A plain column-major product with tight leading dimensions, aligned pointers, alpha 1, beta 0.
GemmProblem plain_problem(DataType ab, DataType c, Compute compute, int64_t m, int64_t n,
                          int64_t k);

// Any valid problem: types, operations, sizes log-uniform to 2^20, ld, strides, alignment, batch.
GemmProblem random_problem(std::mt19937_64& random);

// The (ab, c, compute) combinations of the public type table.
struct TypeCombination {
  DataType ab, c;
  Compute compute;
};
std::span<const TypeCombination> public_types();

}  // namespace myblas::testing
