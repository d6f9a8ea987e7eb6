// SPDX-License-Identifier: BSD-3-Clause
#include "dispatch/select.h"

#include <cstring>

#include "dispatch/cost.h"

namespace myblas {
namespace {

Reject check_row(std::span<const KernelRow> rows, size_t index, const GemmProblem& problem,
                 const DeviceCaps& caps) {
  if (caps.rows_not_built[index]) return Reject::kNotBuilt;
  return check(rows[index], problem, caps);
}

}  // namespace

Plan select(const GemmProblem& problem, const DeviceCaps& caps, const Policy& policy) {
  Plan best;
  const auto rows = table_of(caps.table_cc);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (check_row(rows, i, problem, caps) != Reject::kNone) continue;
    const double us = predict_us(rows[i], problem, caps);
    // A forced row wins where it is legal; elsewhere the choice is the usual one.
    if (policy.kernel[0] != '\0' && std::strcmp(policy.kernel, rows[i].name) == 0) {
      return {static_cast<int>(i), us};
    }
    if (best.row < 0 || us < best.predicted_us) best = {static_cast<int>(i), us};
  }
  return best;
}

void explain(std::FILE* out, const GemmProblem& p, const DeviceCaps& caps, const Policy& policy) {
  const auto rows = table_of(caps.table_cc);
  std::fprintf(out, "myblas: %s -> %s, %c%c, m=%lld n=%lld k=%lld batch=%lld on %s (table sm_%d)\n",
               name(p.ab_type), name(p.c_type), "NTC"[static_cast<int>(p.op_a)],
               "NTC"[static_cast<int>(p.op_b)], static_cast<long long>(p.m),
               static_cast<long long>(p.n), static_cast<long long>(p.k),
               static_cast<long long>(p.batch_count), caps.name, caps.table_cc);
  const Plan plan = select(p, caps, policy);
  for (size_t i = 0; i < rows.size(); ++i) {
    const Reject reject = check_row(rows, i, p, caps);
    const char* mark = static_cast<int>(i) == plan.row ? "->" : "  ";
    if (reject == Reject::kNone) {
      std::fprintf(out, "myblas: %s %-44s predicted %.1f us\n", mark, rows[i].name,
                   predict_us(rows[i], p, caps));
    } else if (rows[i].key == key_of(p)) {
      std::fprintf(out, "myblas: %s %-44s refused: %s\n", mark, rows[i].name, describe(reject));
    }
  }
  if (plan.row < 0) std::fprintf(out, "myblas:    no row serves this problem\n");
}

}  // namespace myblas
