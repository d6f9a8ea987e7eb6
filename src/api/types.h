// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// api/types.h: the public enums' meaning. The type table of include/myblas.h.
//==============================================================================
#pragma once

#include <optional>

#include "kernels/common/gemm_problem.h"
#include "myblas.h"

namespace myblas {

// One line of the type table, with what the compute type permits.
struct TypeCase {
  DataType ab;
  DataType c;
  DataType scale;  // type of alpha and beta
  Compute compute;
  uint8_t fast_math;  // FastMath bits
  bool pedantic;
};

bool is_known_data_type(int type);  // of those cuBLAS knows here: the standard ones, fp8, fp4
bool is_narrow_float(int type);     // fp8 and fp4: known, and a type of no matrix here
bool is_known_algo(int algo);
bool is_compute_value(int compute);  // a compute type, or any value below the first of them

// A compute type, or the cudaDataType that CUDA 10 programs pass in its place, as a compute type;
// -1 where it is neither.
int normalize_compute_type(int compute);

// The line for these public enum values; none where the combination is not in the table.
// `compute` is normalized. The routines' own tables are subsets: see allowed_in_*.
std::optional<TypeCase> find_type_case(int compute, int a, int b, int c);

// SgemmEx: fp32 arithmetic on real types. CgemmEx: complex. Grouped: one type throughout.
bool allowed_in_sgemm_ex(const TypeCase& types);
bool allowed_in_cgemm_ex(const TypeCase& types);
bool allowed_in_grouped(int compute, const TypeCase& types);

const char* data_type_name(int type);  // "R_16F"; "?" where unknown

}  // namespace myblas
