// SPDX-License-Identifier: BSD-3-Clause
#include "dispatch/select.h"

#include <algorithm>
#include <cstring>

#include "dispatch/cost.h"

namespace myblas {
namespace {

Reject check_row(std::span<const KernelRow> rows, size_t index, const GemmProblem& problem,
                 const DeviceCaps& caps) {
  if (caps.rows_not_built[index]) return Reject::kNotBuilt;
  return check(rows[index], problem, caps);
}

// Parts worth a prediction: every number while they are few, then steps of a fifth or so.
constexpr int kSplits[] = {1,  2,  3,  4,  5,  6,  7,  8,  10, 12, 14,
                           16, 20, 24, 28, 32, 40, 48, 56, 64, 96, 128};

Plan best_split(const KernelRow& row, const GemmProblem& problem, const DeviceCaps& caps) {
  const int most = largest_split(row, problem, caps);
  Plan best{-1, most, predict_us(row, problem, caps, most)};
  for (const int parts : kSplits) {
    if (parts >= most) break;
    const double us = predict_us(row, problem, caps, parts);
    if (us < best.predicted_us || (us == best.predicted_us && parts < best.parts)) {
      best = {-1, parts, us};
    }
  }
  return best;
}

// The measured plan of exactly this shape, if there is one and its row may serve it.
Plan tuned_plan(std::span<const KernelRow> rows, const GemmProblem& problem, const DeviceCaps& caps,
                const Tuning& tuning) {
  const TunedPlan* tuned = tuning.find(tuning_key(problem, caps));
  if (tuned == nullptr) return {};
  for (size_t i = 0; i < rows.size(); ++i) {
    if (tuned->row != rows[i].name) continue;
    if (check_row(rows, i, problem, caps) != Reject::kNone) return {};
    const int parts = std::min(tuned->parts, largest_split(rows[i], problem, caps));
    return {static_cast<int>(i), parts, predict_us(rows[i], problem, caps, parts)};
  }
  return {};
}

}  // namespace

Plan select(const GemmProblem& problem, const DeviceCaps& caps, const Policy& policy) {
  Plan best;
  const auto rows = table_of(caps.table_cc);
  if (policy.tuning != nullptr && policy.kernel[0] == '\0') {
    const Plan tuned = tuned_plan(rows, problem, caps, *policy.tuning);
    if (tuned.row >= 0) return tuned;
  }
  for (size_t i = 0; i < rows.size(); ++i) {
    if (check_row(rows, i, problem, caps) != Reject::kNone) continue;
    Plan plan = best_split(rows[i], problem, caps);
    plan.row = static_cast<int>(i);
    // A forced row wins where it is legal; elsewhere the choice is the usual one.
    if (policy.kernel[0] != '\0' && std::strcmp(policy.kernel, rows[i].name) == 0) {
      if (policy.parts == 0) return plan;
      plan.parts = std::min(policy.parts, largest_split(rows[i], problem, caps));
      plan.predicted_us = predict_us(rows[i], problem, caps, plan.parts);
      return plan;
    }
    if (best.row < 0 || plan.predicted_us < best.predicted_us) best = plan;
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
      const Plan split = static_cast<int>(i) == plan.row ? plan : best_split(rows[i], p, caps);
      std::fprintf(out, "myblas: %s %-44s predicted %.1f us, k in %d part%s\n", mark, rows[i].name,
                   split.predicted_us, split.parts, split.parts == 1 ? "" : "s");
    } else if (rows[i].key == key_of(p)) {
      std::fprintf(out, "myblas: %s %-44s refused: %s\n", mark, rows[i].name, describe(reject));
    }
  }
  if (plan.row < 0) std::fprintf(out, "myblas:    no row serves this problem\n");
}

}  // namespace myblas
