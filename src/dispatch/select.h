// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// dispatch/select.h: GemmProblem + DeviceCaps + Policy -> the row that serves it.
//
// Pure: no CUDA call, no environment, no allocation, the same answer every time.
//==============================================================================
#pragma once

#include <cstdio>
#include <span>

#include "dispatch/k_division.h"
#include "dispatch/kernel_row.h"
#include "dispatch/packing.h"
#include "dispatch/summing.h"
#include "dispatch/tuning.h"

namespace myblas {

// The table of an architecture: the rows that a device of this compute capability may use, in
// order of preference among equal predictions. Unknown chips take the nearest older table.
std::span<const KernelRow> table_of(int cc);
int table_number(int cc);  // the compute capability that this table is named after

// Compute capabilities that have a table, ascending, and "sm_90"-like names for them.
std::span<const int> table_ccs();
bool parse_target(const char* text, int* cc);  // "sm_90", "90" or "sm_90a"; false if unknown

// What the user asked for through the environment, read at handle creation.
struct Policy {
  char kernel[96] = "";  // MYBLAS_KERNEL: force this row where it is legal
  // MYBLAS_KERNEL=name@division: and divide k so, as far as that is legal. parts == 0: the best.
  KDivision division{0, false, false};
  bool explain = false;            // MYBLAS_EXPLAIN=1
  const Tuning* tuning = nullptr;  // MYBLAS_TUNING: measured plans, which win where they are legal
  bool operator==(const Policy&) const = default;
};

struct Plan : KDivision {
  int row = -1;  // index into table_of(caps.table_cc); -1: nothing serves it
  double predicted_us = 0.0;
  Packing packing;  // what is repacked ahead of the row
  int places = 0;   // even: blocks that k-tiles are dealt to
};

inline bool has_passes(const Plan& plan) {
  return plan.packing.operands != kPackNone || plan.summed;
}

// ", packs A", ", sums 4 products" and the like, for logs; empty where there is no pass.
inline constexpr size_t kPassesText = 64;
const char* describe_passes(const Plan& plan, char (&text)[kPassesText]);

// Whether the choice looks at a row that may serve the problem. A forced one it takes all the same.
bool is_worth_a_prediction(const KernelRow& row, const GemmProblem& problem);

Plan select(const GemmProblem& problem, const DeviceCaps& caps, const Policy& policy);

// The choice in words, a line a row: its prediction or the reason for its refusal.
void explain(std::FILE* out, const GemmProblem& problem, const DeviceCaps& caps,
             const Policy& policy);

}  // namespace myblas
