// SPDX-License-Identifier: BSD-3-Clause
#include "api/gemv_problem.h"

#include <algorithm>

namespace myblas {
namespace {

// Where element 0 of a vector of `length` is, and how far it is from there to the next.
Matrix vector_of(const OperandCall& vector, DataType type, int64_t length, BatchKind kind) {
  Matrix matrix{vector.base, vector.ld, vector.stride};
  // Pointers of a batch stay as they are: the kernels would have to move each.
  if (vector.ld < 0 && kind == BatchKind::kStrided && vector.base != nullptr) {
    const auto bytes = static_cast<int64_t>(element_bytes(type));
    matrix.base = static_cast<const char*>(vector.base) + (1 - length) * vector.ld * bytes;
  }
  return matrix;
}

// As many dot products as y has elements: the columns of A with x.
void set_dot_products(int64_t rows, int64_t k, GemmProblem* problem) {
  GemmProblem& p = *problem;
  p.m = p.n = 1;
  p.k = k;
  p.batch_count = rows;
  p.op_b = p.b.ld == 1 ? Op::kN : Op::kT;
  p.a.stride = p.a.ld;
  p.b.stride = 0;
  p.c.stride = p.c.ld;
  if (p.b.ld == 1) p.b.ld = k;
  p.c.ld = 1;
}

}  // namespace

const char* set_vector_problem(const GemmCall& call, GemmProblem* problem) {
  GemmProblem& p = *problem;
  const bool plain = p.op_a == Op::kN;
  const int64_t rows = plain ? call.m : call.n, k = plain ? call.n : call.m;
  const bool goes_down = call.b.ld < 0 || call.c.ld < 0;
  if (goes_down && p.batch_kind == BatchKind::kPointers) {
    return "an increment below 0 is not for batches of pointers";
  }
  p.b = vector_of(call.b, p.ab_type, k, p.batch_kind);
  p.c = vector_of(call.c, p.c_type, rows, p.batch_kind);
  p.op_b = Op::kN;
  if (p.c.ld == 1 || rows == 1) {
    p.m = rows;
    p.n = 1;
    p.k = k;
    p.op_b = p.b.ld == 1 ? Op::kN : Op::kT;
    if (p.b.ld == 1) p.b.ld = k;
    p.c.ld = rows;
    return nullptr;
  }
  if (p.op_a == Op::kC && is_complex(p.ab_type)) {
    if (p.batch_count > 1 || p.batch_kind == BatchKind::kPointers) {
      return "of a batch, a complex A^H goes with incy = 1";
    }
    set_dot_products(rows, k, problem);
    return nullptr;
  }
  std::swap(p.a, p.b);
  p.op_a = Op::kN;  // a row: x^T
  p.op_b = plain ? Op::kT : Op::kN;
  p.m = 1;
  p.n = rows;
  p.k = k;
  return nullptr;
}

}  // namespace myblas
