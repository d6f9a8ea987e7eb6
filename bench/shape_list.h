// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// shape_list.h: the cases to measure: read from a list, or drawn at random.
//
//   NAME OP TRANS M N K BATCH [lda_pad ldb_pad ldc_pad offset]
//
// One case a line, `#` starts a comment. TRANS is two letters of N, T, C. The
// leading dimensions are the least legal ones plus the pads; offset moves the
// first element of A, B and C, in elements.
//==============================================================================
#pragma once

#include <cstdint>
#include <iosfwd>
#include <stdexcept>
#include <string>
#include <vector>

#include "op.h"

namespace bench {

struct Case {
  std::string name;
  Op op;
  char trans_a = 'N', trans_b = 'N';
  int m = 0, n = 0, k = 0, batch = 1;
  int lda_pad = 0, ldb_pad = 0, ldc_pad = 0, offset = 0;
};

// One operand of a case in memory: column-major, matrix i at offset + i * stride.
struct Layout {
  int64_t rows = 0, cols = 0, ld = 0, stride = 0, offset = 0;
  int64_t elements(int batch) const { return offset + stride * batch; }
};

Layout layout_a(const Case& one);
Layout layout_b(const Case& one);
Layout layout_c(const Case& one);

// Multiplications and additions, counted in real arithmetic.
double work_flop(const Case& one);

// A, B and C moved once.
double least_bytes(const Case& one);

// The message names the source and the line.
struct ShapeListError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::vector<Case> read_shape_list(std::istream& input, const std::string& source);

// `line` without its name field: "f32 NN 512 512 512 1".
Case parse_case(const std::string& line, const std::string& source);

// `count` cases with log-uniform sizes; the same seed gives the same list.
std::vector<Case> random_cases(int count, uint64_t seed);

// Halves the largest size until the case fits. Whether anything changed.
bool shrink_to(Case& one, double max_gflop);

}  // namespace bench
