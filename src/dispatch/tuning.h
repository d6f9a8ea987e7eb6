// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// dispatch/tuning.h: plans that were measured, for exact shapes. They win over
// the prediction.
//
// A text file, a plan a line (myblas-tune writes it):
//   TARGET AB C SUM TRANS FAST M N K BATCH KIND ALIGN_A ALIGN_B ALIGN_C ROW DIVISION
//   sm_90 bf16 bf16 f32 NN 0 4096 16 4096 1 strided 16 16 16 some_row 4
// DIVISION of k as in MYBLAS_KERNEL=ROW@DIVISION.
// `#` starts a comment. Alignments are of pointers, columns and strides, in bytes, at most 16.
//==============================================================================
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dispatch/k_division.h"
#include "dispatch/kernel_row.h"

namespace myblas {

// What a measured plan is good for.
struct TuningKey {
  int table_cc = 0;
  GemmKey types{};
  uint8_t trans = 0;  // one bit of TransSet
  uint8_t fast_math = 0;
  int64_t m = 0, n = 0, k = 0, batch_count = 0;
  BatchKind batch_kind = BatchKind::kStrided;
  int align_a = 0, align_b = 0, align_c = 0;
  bool operator==(const TuningKey&) const = default;
};

TuningKey tuning_key(const GemmProblem& problem, const DeviceCaps& caps);
std::string tuning_line(const TuningKey& key, const std::string& row, const KDivision& division);

struct TunedPlan {
  TuningKey key;
  std::string row;
  KDivision division;
};

class Tuning {
 public:
  // Null, with the reason in `error`, where the file does not read or a line means nothing.
  static std::unique_ptr<const Tuning> read(const char* path, std::string* error);

  const TunedPlan* find(const TuningKey& key) const;
  const std::vector<TunedPlan>& plans() const { return plans_; }

 private:
  std::vector<TunedPlan> plans_;  // sorted by size
};

}  // namespace myblas
