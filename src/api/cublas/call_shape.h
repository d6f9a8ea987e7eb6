// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// api/cublas/call_shape.h: what a call is about, read from its argument list.
//
// The cuBLAS functions differ in their parameters but not in their order: m, n,
// k, lda, ldb, ldc, batch count are the integers in turn (of gemv m, n, lda, incx,
// incy, batch count), and strides have a type of their own (long long). So one
// fold over the arguments serves all families.
//==============================================================================
#pragma once

#include <cstdint>

#include "myblas.h"

namespace myblas::dropin {

struct CallShape {
  int64_t integers[7] = {};  // in turn
  int integer_count = 0;
  int32_t ops[2] = {};
  int op_count = 0;
  int32_t types[3] = {};  // myblasDataType_t of A, B, C; the -Ex families
  int type_count = 0;
  int32_t compute = 0;
  int32_t algo = MYBLAS_GEMM_DEFAULT;
  char letter = 0;  // S D C Z H, T (bf16) from the pointer type
  bool grouped = false;

  void take(int value) { take(int64_t{value}); }
  void take(int64_t value) {
    if (integer_count < 7) integers[integer_count++] = value;
  }
  void take(long long) {}
  void take(myblasOperation_t op) {
    if (op_count < 2) ops[op_count++] = op;
  }
  void take(myblasDataType_t type) {
    if (type_count < 3) types[type_count++] = type;
  }
  void take(myblasComputeType_t type) { compute = type; }
  void take(myblasGemmAlgo_t value) { algo = value; }
  // Of 16-bit gemv the scalars, and maybe y, are fp32: its letter is that of A and x.
  void take(const float*) {
    if (letter != 'H' && letter != 'T') letter = 'S';
  }
  void take(const double*) { letter = 'D'; }
  void take(const myblasComplex*) { letter = 'C'; }
  void take(const myblasDoubleComplex*) { letter = 'Z'; }
  void take(const myblasHalf*) { letter = 'H'; }
  void take(const myblasBfloat16*) { letter = 'T'; }
  void take(const myblasHalf* const*) { letter = 'H'; }
  void take(const myblasBfloat16* const*) { letter = 'T'; }
  void take(const int*) { grouped = true; }
  void take(const int64_t*) { grouped = true; }
  void take(const void*) {}
  template <class T>
  void take(const T* const*) {}

  bool is_gemv() const { return op_count == 1; }
  bool has_batch_count() const { return integer_count == (is_gemv() ? 6 : 7); }

  // Whether fp32 (fp64) matrices are part of it: what an emulation setting would change.
  bool has_single() const { return has(MYBLAS_R_32F, MYBLAS_C_32F, 'S', 'C'); }
  bool has_double() const { return has(MYBLAS_R_64F, MYBLAS_C_64F, 'D', 'Z'); }

 private:
  bool has(int32_t real, int32_t complex, char real_letter, char complex_letter) const {
    for (int i = 0; i < type_count; ++i) {
      if (types[i] == real || types[i] == complex) return true;
    }
    return type_count == 0 && (letter == real_letter || letter == complex_letter);
  }
};

template <class... Args>
CallShape shape_of(Args... args) {
  CallShape shape;
  (shape.take(args), ...);
  return shape;
}

}  // namespace myblas::dropin
