// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// shape_list.h: the cases to measure: read from a list, or drawn at random.
//
//   NAME OP TRANS M N K BATCH [lda_pad ldb_pad ldc_pad offset]
//
// One case a line, `#` starts a comment. TRANS is two letters of N, T, C. The
// leading dimensions are the least legal ones plus the pads; offset moves the
// first element of A, B and C, in elements. A case's group is its NAME up to the
// first `_`: results are summed up by it.
//==============================================================================
#pragma once

#include <cstdint>
#include <iosfwd>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "op.h"

namespace bench {

struct Case {
  std::string name;
  Op op;
  char trans_a = 'N', trans_b = 'N';
  int m = 0, n = 0, k = 0, batch = 1;
  int lda_pad = 0, ldb_pad = 0, ldc_pad = 0, offset = 0;
  double beta = 0.0;  // of the run, not of the list: C = A B + beta C
};

// One operand of a case in memory: column-major, matrix i at offset + i * stride.
struct Layout {
  int64_t rows = 0, cols = 0, ld = 0, stride = 0, offset = 0;
  int64_t elements(int batch) const { return offset + stride * batch; }
};

std::string group_of(const Case& one);

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

struct RandomShapes {
  int count = 0;
  uint64_t seed = 1;
  std::vector<std::string> ops;         // drawn from these; a prefix sb_ or pb_ stays. None: all
  std::pair<int, int> sizes{1, 16384};  // least and most of M, N and K
};

// Cases with log-uniform sizes, of at most 1 GB and as many operations as take a few milliseconds
// on a large GPU. Two thirds have multiples of 16 where sizes reach 32, as most programs do; one
// third has odd sizes, half of those pads and an offset too. The group is the OP's. The same values
// give the same list. Throws ShapeListError.
std::vector<Case> random_cases(const RandomShapes& shapes);

// Halves the largest size until the case fits. Whether anything changed.
bool shrink_to(Case& one, double max_gflop);

}  // namespace bench
