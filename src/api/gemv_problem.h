// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// api/gemv_problem.h: a matrix times a vector as a product of matrices.
//
//   y has an increment of 1     C = y is a column, B = x: a column, or the
//                               transpose of a row whose ld is the increment
//   y has another               C = y^T is a row whose ld is the increment:
//                               y^T = x^T op(A)^T
//   and op(A) = A^H             which has no name as an operand of that: as many
//                               dot products as y has elements
//   an increment below 0        BLAS's: the vector's first element is the last
//                               one in memory, and the ld goes down from there
//==============================================================================
#pragma once

#include "api/gemm_call.h"

namespace myblas {

// From a call of rule kGemv that is valid and not empty; `problem` holds its types and scalars.
// Null, or why no single product says it.
const char* set_vector_problem(const GemmCall& call, GemmProblem* problem);

}  // namespace myblas
