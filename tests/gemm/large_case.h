// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemm/large_case.h: products whose offsets do not fit 31 or 32 bits, checked exactly.
//
// Host images of such operands do not exist. Instead every element of A and B is a constant,
// except at a few sample rows, columns, depths and matrices, where it is an integer of its own;
// so the one right value of every element of C is known, and any part of C can be checked.
// Everything between the columns and round the buffers is NaN.
//==============================================================================
#pragma once

#include <ostream>
#include <vector>

#include "support/gemm_case.h"

namespace myblas::test {

struct LargeOperand {
  int64_t ld = 0;      // 0: as small as it may be
  int64_t stride = 0;  // between the matrices of a batch; 0: one for all (A and B), tight (C)
};

struct LargeCase {
  const char* name;
  const char* combo;
  myblasOperation_t op_a, op_b;
  int64_t m, n, k;
  int64_t batch;
  LargeOperand a, b, c;
  bool wide;  // through the _64 routine

  friend void PrintTo(const LargeCase& large, std::ostream* out) { *out << large.name; }
};

class LargeGemm {
 public:
  // Keeps `large` by reference.
  LargeGemm(Device& device, const LargeCase& large);

  size_t bytes() const;  // of device memory, with the guards
  // Fills, multiplies, and compares samples of C, the gaps after its columns and its guards.
  testing::AssertionResult run(myblasHandle_t handle);

 private:
  struct Operand {
    Layout layout;
    double background = 0.0;
    std::vector<int64_t> rows, cols;  // of the stored matrix, sampled
    uint64_t salt = 0;
    DeviceMemory memory;
    uint8_t* first() const;  // element (0, 0) of matrix 0
  };
  void allocate(Operand& operand);
  void fill_background(Operand& operand);
  void put_samples(Operand& operand);
  double value(const Operand& operand, int64_t i, int64_t j, int64_t index) const;
  double expected(int64_t i, int64_t j, int64_t index) const;
  testing::AssertionResult check_samples();
  testing::AssertionResult check_windows();
  testing::AssertionResult check_guards();

  Device& device_;
  const LargeCase& large_;
  const TypeCombo& combo_;
  Operand a_, b_, c_;
  std::vector<int64_t> depths_, matrices_;
};

}  // namespace myblas::test
