// SPDX-License-Identifier: BSD-3-Clause
#include "dispatch/select.h"

#include <algorithm>
#include <cstring>

#include "dispatch/cost.h"
#include "dispatch/cost_constants.h"

namespace myblas {
namespace {

Reject check_row(std::span<const KernelRow> rows, size_t index, const GemmProblem& problem,
                 const DeviceCaps& caps, Packing* packing) {
  if (caps.rows_not_built[index]) return Reject::kNotBuilt;
  return check_or_pack(rows[index], problem, caps, packing);
}

// Whether a row would round the operands of a product of one row or column: that is bound by
// memory, and rows that do not round it are no slower. Forced and measured rows are taken all the
// same.
bool rounds_for_nothing(const KernelRow& row, const GemmProblem& problem) {
  return row.needs_fast != kFastNone && std::min(problem.m, problem.n) == 1;
}

// Whether a dot product would stream an operand of less than a tile's rows past every tile of the
// other one, which it takes for the small one and which no L1 holds: 1000 x 5 x 1000 TN took 18.4
// us in fp32 that way and 5.5 the other, in fp64 12.5 and 7.2. Only where both operands lie along k
// is there the other way, and where the streamed one is a single row: fp32 256 x 1 x 256 NN
// took 4.3 us as a dot product with 256 rows of A, each in as many pieces as it has k, and 2.2 as a
// sum of A's columns. With few rows of A the prediction tells (5 x 1 x 624: 1.9 and 3.4 us). Forced
// and measured rows are taken all the same.
bool streams_the_smaller(const KernelRow& row, const GemmProblem& p) {
  constexpr double kManyBytes = 1 << 20;
  constexpr int64_t kMuchSmaller = 4;  // times; measured: 200
  constexpr int64_t kFewRows = 32;
  if (row.pipe != Pipe::kMemory || row.trans == kAnyTrans) return false;
  const bool streams_a = row.tile_n < row.tile_m;
  const int64_t streamed = streams_a ? p.m : p.n, other = streams_a ? p.n : p.m;
  if (streamed == 1 && other > kFewRows) return true;
  if (p.op_a == Op::kN || p.op_b != Op::kN) return false;
  const double bytes_of_other = static_cast<double>(other) * static_cast<double>(p.k) *
                                static_cast<double>(element_bytes(p.ab_type));
  return streamed < std::max(row.tile_m, row.tile_n) && streamed <= other / kMuchSmaller &&
         bytes_of_other > kManyBytes;
}

// Whether threads that sum a row of C each (gemv_tall) have more columns or a longer k than what
// they mostly are the quickest for. Those that load four k at a time were measured up to 16 k and 8
// columns alone.
bool is_too_long_for_threads(const KernelRow& row, const GemmProblem& p) {
  constexpr int64_t kMostColumns = 64, kLongestK = 32, kLongestKOfOneColumn = 96;
  constexpr int64_t kFour = 4, kMostColumnsOfFour = 8, kLongestKOfFour = 16;
  const int64_t columns = std::min(p.m, p.n);
  if (row.tile_k == kFour) return columns > kMostColumnsOfFour || p.k > kLongestKOfFour;
  return columns > kMostColumns || p.k > (columns == 1 ? kLongestKOfOneColumn : kLongestK);
}

// Dot products by eight lanes of elements of 8 bytes and more: of one column, and as long as a few
// of their steps. Beside two columns, or a longer k, they were seldom the quickest.
bool is_too_long_for_eight_lanes(const KernelRow& row, const GemmProblem& p) {
  constexpr int kLongestStep = 64, kMostSteps = 8;
  const bool is_short = streams(row) && !sums_columns(row, p) && row.tile_k <= kLongestStep &&
                        std::min(row.tile_m, row.tile_n) == 1;
  return is_short && (std::min(p.m, p.n) > 1 || p.k > kMostSteps * row.tile_k);
}

// fp64 on tensor cores, in tiles of which a single row is C's: streams were the quickest in 223 of
// 224 such products (688 columns of 64 k by 510: 119 us by TMA, and 44 as dot products).
bool is_for_more_rows(const KernelRow& row, const GemmProblem& p) {
  return row.pipe == Pipe::kMma && row.key.acc == Compute::kF64 && std::min(p.m, p.n) == 1;
}

// Rows whose blocks sum a few dot products together, or whose threads sum rows of their own, serve
// where the other streams leave most of their threads without work: few rows and a long k, or few
// columns and a short one; elsewhere they seldom are the quickest, and predictions do not say when
// (docs/adr/0041). Outer products have one column alone where k is next to nothing. Of one column,
// streams of several are no quicker, and of several, whole warps side by side were not measured.
bool is_for_others(const KernelRow& row, const GemmProblem& p) {
  constexpr int kFewRowsOfTile = 8;
  constexpr int64_t kFewRows = 256, kLongBytes = 2048, kLongestOuterOfOneColumn = 8;
  if (row.pipe != Pipe::kMemory) return is_for_more_rows(row, p);
  if (is_too_long_for_eight_lanes(row, p)) return true;
  if (std::min(row.tile_m, row.tile_n) > 1) {
    return std::min(p.m, p.n) == 1 && (streams(row) || p.k > kLongestOuterOfOneColumn);
  }
  if (streams(row) && is_of_whole_warps(row)) return std::min(p.m, p.n) > 1;
  if (row.trans == kAnyTrans) return is_too_long_for_threads(row, p);
  if (std::max(row.tile_m, row.tile_n) >= kFewRowsOfTile) return false;
  const int64_t rows = row.tile_n < row.tile_m ? p.m : p.n;
  return rows > kFewRows || p.k * static_cast<int64_t>(element_bytes(p.ab_type)) < kLongBytes;
}

constexpr KDivision kBest{0, false, false};

// Parts worth a prediction: every number while they are few, then steps of a fifth or so.
constexpr int kSplits[] = {1,  2,  3,  4,  5,  6,  7,  8,  10, 12, 14,
                           16, 20, 24, 28, 32, 40, 48, 56, 64, 96, 128};

Plan plan_in_parts(const KernelRow& row, const GemmProblem& problem, const DeviceCaps& caps,
                   int parts) {
  return {{parts}, -1, predict_us(row, problem, caps, parts), {}, 0};
}

// k-tiles dealt evenly, if the row and the problem allow it; else k as it is.
Plan even_plan(const KernelRow& row, const GemmProblem& problem, const DeviceCaps& caps) {
  const int places = even_places(row, problem, caps);
  if (places == 0) return plan_in_parts(row, problem, caps, 1);
  return {{1, false, true}, -1, predict_even_us(row, problem, caps), {}, places};
}

Plan best_split(const KernelRow& row, const GemmProblem& problem, const DeviceCaps& caps) {
  const auto may_meet = [&](int parts) {
    return parts == 1 || caps.can_meet || sums_in_cluster(row, problem, caps.sm_count, parts);
  };
  const int most = largest_split(row, problem, caps);
  Plan best = plan_in_parts(row, problem, caps, may_meet(most) ? most : 1);
  for (const int parts : kSplits) {
    if (parts >= most) break;
    if (!may_meet(parts)) continue;
    const Plan plan = plan_in_parts(row, problem, caps, parts);
    if (plan.predicted_us < best.predicted_us ||
        (plan.predicted_us == best.predicted_us && parts < best.parts)) {
      best = plan;
    }
  }
  const Plan even = even_plan(row, problem, caps);
  return even.even && even.predicted_us < best.predicted_us ? even : best;
}

// The row's plan for a problem that it takes, packed or not. wanted: as the user or a measurement
// will have it, as far as that is legal; in 0 parts: the best.
Plan plan_of(const KernelRow& row, const GemmProblem& problem, const DeviceCaps& caps,
             const Packing& packing, const KDivision& wanted) {
  const auto plan_for = [&](const GemmProblem& seen) -> Plan {
    if (wanted.even) return even_plan(row, seen, caps);
    if (wanted.parts == 0) return best_split(row, seen, caps);
    const int legal = std::min(wanted.parts, largest_split(row, seen, caps));
    return plan_in_parts(row, seen, caps, legal);
  };
  if (packing.operands == kPackNone) return plan_for(problem);
  Plan plan = plan_for(packed_problem(problem, packing, nullptr));
  plan.packing = packing;
  plan.predicted_us += predict_pack_us(problem, packing, caps);
  return plan;
}

// The problem as so many products, and what the pass behind them takes.
struct Division {
  int parts;
  GemmProblem products;
  double sum_us;
};
Division divide(const GemmProblem& problem, const DeviceCaps& caps, int parts) {
  return {parts, divided_problem(problem, parts, nullptr), predict_sum_us(problem, parts, caps)};
}

// The row's plan; row -1 where it has none.
Plan summed_plan(std::span<const KernelRow> rows, size_t index, const Division& division,
                 const DeviceCaps& caps) {
  Packing packing;
  if (check_row(rows, index, division.products, caps, &packing) != Reject::kNone) return {};
  const GemmProblem seen = packed_problem(division.products, packing, nullptr);
  const double us = predict_us(rows[index], seen, caps, 1, true) +
                    predict_pack_us(division.products, packing, caps) + division.sum_us;
  return {{division.parts, true}, static_cast<int>(index), us, packing, 0};
}

// That of the named row; row -1 where there is none.
Plan named_summed_plan(std::span<const KernelRow> rows, const char* name,
                       const GemmProblem& problem, const DeviceCaps& caps, int parts) {
  if (!may_sum(problem, parts, caps)) return {};
  for (size_t i = 0; i < rows.size(); ++i) {
    if (std::strcmp(rows[i].name, name) != 0) continue;
    if (!streams(rows[i]) && problem.k / parts < kSummedKLeast) return {};
    return summed_plan(rows, i, divide(problem, caps, parts), caps);
  }
  return {};
}

double operand_bytes(const GemmProblem& p) {
  const auto of = [&](int64_t rows) {
    return static_cast<double>(rows) * static_cast<double>(p.k);
  };
  return static_cast<double>(p.batch_count) * (of(p.m) + of(p.n)) *
         static_cast<double>(element_bytes(p.ab_type));
}

// Whether the row streams its operand past all of the other one at once.
bool streams_once(const KernelRow& row, const GemmProblem& p) {
  return streams(row) && (row.tile_n < row.tile_m ? p.n <= row.tile_n : p.m <= row.tile_m);
}

// Streams of one column, or row: what was timed in unequal parts.
bool streams_past_one(const KernelRow& row, const GemmProblem& p) {
  return streams(row) && std::min(row.tile_m, row.tile_n) == 1 && std::min(p.m, p.n) == 1;
}

// The least k of a part that is worth a block. Blocks of whole warps side by side make something of
// little; of dot products unequal parts were measured where they are a step of k.
int64_t least_k_of_part(const KernelRow& row, const GemmProblem& products) {
  if (!streams(row)) return kSummedKLeast;
  if (sums_columns(row, products)) {
    return is_of_whole_warps(row) ? kStreamedKLeast : kSummedKLeast;
  }
  return products.k_of_last != 0 ? std::max<int64_t>(kSummedKLeast, row.tile_k) : kSummedKLeast;
}

// Whether a prediction for the products is to be trusted: of streams, that of those that go over
// their operand once (32 x 32 x 100000 NT in fp32, 8 columns at a time: 35 us, as one product 25),
// or over one that stays in L2 (320 x 9 x 6048 NN in fp32, 4 at a time: 7.2 us, in tiles 10.5).
bool may_divide(const KernelRow& row, const GemmProblem& products, const DeviceCaps& caps) {
  constexpr double kShareOfL2 = 0.25;
  if (products.k < least_k_of_part(row, products)) return false;
  if (row.pipe == Pipe::kMemory) {
    return streams_once(row, products) || operand_bytes(products) <= kShareOfL2 * caps.l2_bytes;
  }
  const double places = kSumFull * caps.sm_count * row.blocks_per_sm;
  // What few blocks that stay take is known better.
  const bool is_known = row.pipe != Pipe::kPlain || walks_in_fp32(row);
  return is_known || static_cast<double>(tile_count(row, products)) >= places;
}

// A plan in parts, as it is compared with others.
struct DoubtedPlan {
  Plan plan;
  double us;
};

// What a prediction for the products is multiplied with (kSumDoubt).
double doubt_of_sums(const KernelRow& row, const GemmProblem& problem, const DeviceCaps& caps) {
  const bool streams = row.pipe == Pipe::kMemory;
  if (streams && operand_bytes(problem) > kSumLargeOfL2 * caps.l2_bytes) return kSumDoubtOfLarge;
  if (streams_past_one(row, problem) && sums_columns(row, problem)) return kSumDoubtOfColumns;
  return kSumDoubt[static_cast<size_t>(row.pipe)];
}

// Row `index` takes the place of `best` where it takes less.
void try_summed(std::span<const KernelRow> rows, size_t index, const GemmProblem& problem,
                const Division& division, const DeviceCaps& caps, DoubtedPlan* best) {
  const KernelRow& row = rows[index];
  if (division.sum_us >= best->us || !(row.key == key_of(division.products))) return;
  if (!may_divide(row, division.products, caps) || !is_worth_a_prediction(row, problem)) return;
  const Plan plan = summed_plan(rows, index, division, caps);
  const double us = plan.predicted_us * doubt_of_sums(row, problem, caps);
  if (plan.row >= 0 && us < best->us) *best = {plan, us};
}

// The best of all rows and numbers of parts, if it takes less than `most_us`; else row -1. Equal
// parts for all rows, others for streams past one column: so many that their blocks fill the
// places.
Plan best_summed_plan(std::span<const KernelRow> rows, const GemmProblem& problem,
                      const DeviceCaps& caps, double most_us) {
  DoubtedPlan best{{}, most_us};
  if (!caps.can_sum || problem.batch_count != 1) return best.plan;
  for (int parts = 2; parts <= kSummedPartsMost; ++parts) {
    if (problem.k % parts != 0 || !may_sum(problem, parts, caps)) continue;
    const Division division = divide(problem, caps, parts);
    for (size_t i = 0; i < rows.size(); ++i) {
      try_summed(rows, i, problem, division, caps, &best);
    }
  }
  for (size_t i = 0; i < rows.size(); ++i) {
    const KernelRow& row = rows[i];
    const bool is_of_type = row.key.ab == problem.ab_type && row.key.acc == key_of(problem).acc;
    if (!is_of_type || !streams_past_one(row, problem)) continue;
    if (!is_worth_a_prediction(row, problem)) continue;
    for (const int parts : parts_that_fill(row, problem, caps)) {
      if (problem.k % parts == 0 || !may_sum(problem, parts, caps)) continue;
      try_summed(rows, i, problem, divide(problem, caps, parts), caps, &best);
    }
  }
  return best.plan;
}

// The measured plan of exactly this shape, if there is one and its row may serve it.
Plan tuned_plan(std::span<const KernelRow> rows, const GemmProblem& problem, const DeviceCaps& caps,
                const Tuning& tuning) {
  const TunedPlan* tuned = tuning.find(tuning_key(problem, caps));
  if (tuned == nullptr) return {};
  if (tuned->division.summed) {
    return named_summed_plan(rows, tuned->row.c_str(), problem, caps, tuned->division.parts);
  }
  for (size_t i = 0; i < rows.size(); ++i) {
    if (tuned->row != rows[i].name) continue;
    Packing packing;
    if (check_row(rows, i, problem, caps, &packing) != Reject::kNone) return {};
    Plan plan = plan_of(rows[i], problem, caps, packing, tuned->division);
    plan.row = static_cast<int>(i);
    return plan;
  }
  return {};
}

// Why a legal row is passed over, or null.
const char* passed_over(const KernelRow& row, const GemmProblem& problem) {
  if (rounds_for_nothing(row, problem)) return "rounds, and gains nothing by it";
  if (streams_the_smaller(row, problem)) return "streams the smaller operand";
  return is_for_others(row, problem) ? "is for other numbers of rows and k" : nullptr;
}

}  // namespace

const char* describe_passes(const Plan& plan, char (&text)[kPassesText]) {
  char sums[32] = "";
  if (plan.summed) std::snprintf(sums, sizeof sums, ", sums %d products", plan.parts);
  std::snprintf(text, kPassesText, "%s%s", describe(plan.packing), sums);
  return text;
}

bool is_worth_a_prediction(const KernelRow& row, const GemmProblem& problem) {
  return passed_over(row, problem) == nullptr;
}

Plan select(const GemmProblem& problem, const DeviceCaps& caps, const Policy& policy) {
  Plan best;
  const auto rows = table_of(caps.table_cc);
  if (policy.tuning != nullptr && policy.kernel[0] == '\0') {
    const Plan tuned = tuned_plan(rows, problem, caps, *policy.tuning);
    if (tuned.row >= 0) return tuned;
  }
  if (policy.division.summed) {
    const Plan forced =
        named_summed_plan(rows, policy.kernel, problem, caps, policy.division.parts);
    if (forced.row >= 0) return forced;
  }
  for (size_t i = 0; i < rows.size(); ++i) {
    Packing packing;
    if (check_row(rows, i, problem, caps, &packing) != Reject::kNone) continue;
    // A forced row wins where it is legal; elsewhere the choice is the usual one.
    const bool forced = policy.kernel[0] != '\0' && !policy.division.summed &&
                        std::strcmp(policy.kernel, rows[i].name) == 0;
    if (!forced && !is_worth_a_prediction(rows[i], problem)) continue;
    Plan plan = plan_of(rows[i], problem, caps, packing, forced ? policy.division : kBest);
    plan.row = static_cast<int>(i);
    if (forced) return plan;
    if (best.row < 0 || plan.predicted_us < best.predicted_us) best = plan;
  }
  // A further launch is time of the host's too: it is to be worth it.
  const Plan summed =
      best_summed_plan(rows, problem, caps, kSumWorth * best.predicted_us - kSumWorthUs);
  return summed.row >= 0 ? summed : best;
}

void explain(std::FILE* out, const GemmProblem& p, const DeviceCaps& caps, const Policy& policy) {
  const auto rows = table_of(caps.table_cc);
  std::fprintf(out, "myblas: %s -> %s, %c%c, m=%lld n=%lld k=%lld batch=%lld on %s (table sm_%d)\n",
               name(p.ab_type), name(p.c_type), "NTC"[static_cast<int>(p.op_a)],
               "NTC"[static_cast<int>(p.op_b)], static_cast<long long>(p.m),
               static_cast<long long>(p.n), static_cast<long long>(p.k),
               static_cast<long long>(p.batch_count), caps.name, table_number(caps.table_cc));
  const Plan plan = select(p, caps, policy);
  for (size_t i = 0; i < rows.size(); ++i) {
    Packing packing;
    const Reject reject = check_row(rows, i, p, caps, &packing);
    const bool chosen = static_cast<int>(i) == plan.row && !plan.summed;
    const char* mark = chosen ? "->" : "  ";
    const char* const why = chosen ? nullptr : passed_over(rows[i], p);
    if (reject == Reject::kNone && why != nullptr) {
      std::fprintf(out, "myblas: %s %-44s passed over: %s\n", mark, rows[i].name, why);
    } else if (reject == Reject::kNone) {
      const Plan shown = chosen ? plan : plan_of(rows[i], p, caps, packing, kBest);
      char division[32] = "dealt evenly";
      if (!shown.even) {
        std::snprintf(division, sizeof division, "in %d part%s", shown.parts,
                      shown.parts == 1 ? "" : "s");
      }
      std::fprintf(out, "myblas: %s %-44s predicted %.1f us, k %s%s\n", mark, rows[i].name,
                   shown.predicted_us, division, describe(shown.packing));
    } else if (rows[i].key == key_of(p)) {
      std::fprintf(out, "myblas: %s %-44s refused: %s\n", mark, rows[i].name, describe(reject));
    }
  }
  if (plan.summed) {
    char passes[kPassesText];
    std::fprintf(out, "myblas: -> %-44s predicted %.1f us%s\n",
                 rows[static_cast<size_t>(plan.row)].name, plan.predicted_us,
                 describe_passes(plan, passes));
  }
  if (plan.row < 0) std::fprintf(out, "myblas:    no row serves this problem\n");
}

}  // namespace myblas
