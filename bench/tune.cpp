// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// tune.cpp: myblas-tune: every kernel and every split of k that may serve a case,
// timed one by one, beside what the cost model chose; the quickest of them, the
// choice and a rival once more, turn by turn.
//
// A plan timed by itself has the clocks that the card's power leaves it at that
// moment: those of products past 50 us differ by up to 15 % from one plan to the
// next. Turn by turn all have the same.
//
// For the model: how much its choices lose, and where (--csv). For users: the
// choices that it missed, as a file for MYBLAS_TUNING (--write). A plan whose
// result is wrong is reported and not timed.
//==============================================================================
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <regex>
#include <set>
#include <span>
#include <tuple>

#include "accuracy.h"
#include "api/choices.h"
#include "api/plan_cache.h"
#include "api/run_gemm.h"
#include "case_data.h"
#include "choose_cases.h"
#include "dispatch/summing.h"
#include "dispatch/tuning.h"
#include "gemm_library.h"
#include "timing.h"

namespace bench {
namespace {

// Splits tried with each row, beside the one that the model prefers.
constexpr int kSplits[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};

struct Options {
  CaseChoice choice;
  std::string csv_path, write_path;
  double threshold_percent = 2.0;
  bool all = false, rival = false;
  std::string rows = ".";  // a regular expression
  double within = 1e9;     // times the choice's prediction
  int finalists = 4;       // are timed turn by turn
  MeasureSettings measure;
};

struct Timed {
  std::string row;
  myblas::Plan plan;
  double us = kUnknown;
  bool in_turns = false;
};

myblas::Policy policy_for(const char* row, const myblas::KDivision& division) {
  myblas::Policy policy;
  if (row != nullptr) std::snprintf(policy.kernel, sizeof policy.kernel, "%s", row);
  policy.division = division;
  return policy;
}

// Which plans are worth their time: predicted to take as long as the choice or not much longer.
struct Candidates {
  const myblas::GemmProblem& problem;  // the case's
  const myblas::DeviceCaps& caps;
  std::span<const myblas::KernelRow> rows;
  double most_us;

  // What comes of forcing a row and a division of k; a row of -1 where that is not legal, or not
  // worth it. parts == 0: the model's for that row.
  myblas::Plan plan_of(const myblas::KernelRow& row, const myblas::KDivision& division) const {
    const myblas::Plan plan = select(problem, caps, policy_for(row.name, division));
    const bool is_of_row = plan.row >= 0 && &rows[static_cast<size_t>(plan.row)] == &row;
    return is_of_row && plan.predicted_us <= most_us ? plan : myblas::Plan{};
  }
};

std::string plan_text(const Timed& timed) {
  if (timed.plan.row < 0) return timed.row;
  return timed.row + "@" + myblas::division_text(timed.plan);
}

// myblas with one row and division of k forced; without a row, the choice.
class ForcedLibrary : public MyblasLibrary {
 public:
  ForcedLibrary(Machine& machine, const char* row, const myblas::KDivision& division)
      : MyblasLibrary(machine) {
    set_policy(handle(), policy_for(row, division));
  }
};

// One case with its data: what a library does of it, and how fast.
class TunedCase {
 public:
  TunedCase(Machine& machine, const Case& one, const MeasureSettings& settings)
      : machine_(machine), one_(one), settings_(settings), data_(machine, one, settings.seed) {}

  // The plan that serves the case, computed once; no row where nothing was launched, or something
  // wrong computed.
  Timed first_run(ForcedLibrary& library) {
    library.begin(one_, data_.sets());
    data_.fill_c(0);
    const ProductCheck check(machine_, data_.checked(0), one_, settings_.samples, settings_.seed);
    try {
      library.run(0);
    } catch (const CallError& refused) {
      complain(refused.what());
      return {};
    }
    machine_.synchronize();
    const myblas::Plan plan = myblas::last_plan();
    if (plan.row < 0) return {};
    Timed ran{library.handle()->rows[static_cast<size_t>(plan.row)].name, plan, kUnknown};
    const Accuracy accuracy = check.judge();
    if (accuracy.complaint.empty()) return ran;
    complain(plan_text(ran) + ": " + accuracy.complaint);
    ++wrong_;
    return {};
  }

  void time(Contender& library, Timed* timed) const {
    time_turn_by_turn({{&library, &timed->us, nullptr}});
  }
  void time_turn_by_turn(const std::vector<TimedLibrary>& libraries) const {
    time_libraries(machine_, libraries, data_.sets().size(), settings_);
  }
  // A rival may refuse what we serve.
  void time_rival(Contender& rival, std::vector<Timed>* all) const {
    try {
      Timed timed{rival.name(), {}, kUnknown};
      rival.begin(one_, data_.sets());
      time(rival, &timed);
      all->push_back(timed);
    } catch (const CallError& refused) {
      complain(refused.what());
    }
  }

  Machine& machine() const { return machine_; }
  const Case& one() const { return one_; }
  int wrong() const { return wrong_; }

 private:
  void complain(const std::string& text) const {
    std::fprintf(stderr, "myblas-tune: %s: %s\n", one_.name.c_str(), text.c_str());
  }

  Machine& machine_;
  const Case& one_;
  const MeasureSettings& settings_;
  CaseData data_;
  int wrong_ = 0;
};

// A library that is forced to the row's plan, which it ran once; null where something else ran, or
// something wrong came of it.
std::unique_ptr<ForcedLibrary> run_plan(TunedCase& tuned, const std::string& row,
                                        const myblas::KDivision& division, Timed* ran) {
  auto forced = std::make_unique<ForcedLibrary>(tuned.machine(), row.c_str(), division);
  *ran = tuned.first_run(*forced);
  return ran->row == row && ran->plan == division ? std::move(forced) : nullptr;
}

// Runs and times the row's plan, if it is not the choice.
void time_plan(TunedCase& tuned, const myblas::KernelRow& row, const myblas::KDivision& division,
               std::vector<Timed>* all) {
  const Timed& choice = all->front();
  if (row.name == choice.row && choice.plan == division) return;
  Timed candidate;
  const auto forced = run_plan(tuned, row.name, division, &candidate);
  if (forced == nullptr) return;
  tuned.time(*forced, &candidate);
  all->push_back(candidate);
}

// The row in parts of k that a pass adds up: all that divide k, and of what streams those that the
// choice tries.
void time_summed(TunedCase& tuned, const myblas::KernelRow& row, const Candidates& candidates,
                 std::vector<Timed>* all) {
  std::set<int> numbers;
  for (int parts = 2; parts <= myblas::kSummedPartsMost; ++parts) {
    if (tuned.one().k % parts == 0) numbers.insert(parts);
  }
  if (myblas::streams(row)) {
    for (const int parts : myblas::parts_that_fill(row, candidates.problem, candidates.caps)) {
      if (parts > 1) numbers.insert(parts);
    }
  }
  for (const int parts : numbers) {
    const myblas::KDivision wanted{parts, true};
    const myblas::Plan plan = candidates.plan_of(row, wanted);
    if (plan.row >= 0 && plan == wanted) time_plan(tuned, row, wanted, all);
  }
}

void time_even(TunedCase& tuned, const myblas::KernelRow& row, const Candidates& candidates,
               std::vector<Timed>* all) {
  const myblas::Plan plan = candidates.plan_of(row, {1, false, true});
  if (plan.row >= 0 && plan.even) time_plan(tuned, row, {1, false, true}, all);
}

// The row in as many parts of k as it is legal in, each summed by a block of its own.
void time_parts(TunedCase& tuned, const myblas::KernelRow& row, const Candidates& candidates,
                std::vector<Timed>* all) {
  std::set<int> numbers(std::begin(kSplits), std::end(kSplits));
  const myblas::Plan preferred = candidates.plan_of(row, {0});
  if (preferred.row >= 0 && !preferred.even) numbers.insert(preferred.parts);
  for (const int parts : numbers) {
    const myblas::Plan plan = candidates.plan_of(row, {parts});
    if (plan.row >= 0 && plan == myblas::KDivision{parts}) time_plan(tuned, row, {parts}, all);
  }
}

// The choice, the quickest other plans and the rival, turn by turn: what all of them take under the
// same clocks is what counts. A plan that is wrong now is taken out.
void time_finalists(TunedCase& tuned, int finalists, ForcedLibrary& choice, Contender* rival,
                    std::vector<Timed>* all) {
  std::stable_sort(all->begin() + 1, all->end(), [](const Timed& a, const Timed& b) {
    return std::pair(a.plan.row >= 0, a.us) < std::pair(b.plan.row >= 0, b.us);  // the rival ahead
  });
  std::vector<std::unique_ptr<ForcedLibrary>> plans;
  std::vector<TimedLibrary> turns{{&choice, &all->front().us, nullptr}};
  all->front().in_turns = true;
  for (size_t i = 1; i < all->size() && static_cast<int>(plans.size()) < finalists; ++i) {
    Timed& timed = (*all)[i];
    Contender* library = rival;
    if (timed.plan.row >= 0) {
      Timed again;
      auto forced = run_plan(tuned, timed.row, timed.plan, &again);
      if (forced == nullptr) {
        timed = {};
        continue;
      }
      library = forced.get();
      plans.push_back(std::move(forced));
    }
    timed.in_turns = true;
    turns.push_back({library, &timed.us, nullptr});
  }
  tuned.time_turn_by_turn(turns);
  std::erase_if(*all, [](const Timed& timed) { return timed.row.empty(); });
}

// All legal plans with their times; the first is the model's choice. A rival's has no row. None
// where the choice is refused or wrong.
std::vector<Timed> time_all(TunedCase& tuned, const Options& options, Contender* rival,
                            myblas::TuningKey* key) {
  std::vector<Timed> all;
  ForcedLibrary free_choice(tuned.machine(), nullptr, {0});
  all.push_back(tuned.first_run(free_choice));
  if (all[0].plan.row < 0) return {};
  const myblas::GemmProblem problem = myblas::last_problem();
  const myblas::DeviceCaps& caps = free_choice.handle()->caps;
  *key = tuning_key(problem, caps);
  tuned.time(free_choice, &all[0]);
  if (rival != nullptr) tuned.time_rival(*rival, &all);

  const auto rows = free_choice.handle()->rows;
  const Candidates candidates{problem, caps, rows, options.within * all[0].plan.predicted_us};
  const std::regex names(options.rows);
  for (const myblas::KernelRow& row : rows) {
    if (row.key.ab != problem.ab_type || !std::regex_search(row.name, names)) continue;
    time_summed(tuned, row, candidates, &all);
    time_even(tuned, row, candidates, &all);
    time_parts(tuned, row, candidates, &all);
  }
  time_finalists(tuned, options.finalists, free_choice, rival, &all);
  return all;
}

int run(const Options& options) {
  const std::unique_ptr<Machine> machine = make_gpu_machine();
  if (!machine) throw std::runtime_error("no GPU: there is nothing to tune");
  const std::unique_ptr<Contender> rival = options.rival ? open_cublas("", *machine) : nullptr;
  std::ofstream csv, tuning;
  if (!options.csv_path.empty()) csv.open(options.csv_path);
  if (!options.write_path.empty()) tuning.open(options.write_path, std::ios::app);
  csv << "# device: " << machine->name() << "\n# myblas: " << MYBLAS_BENCH_COMMIT
      << (options.measure.apart ? "\n# calls: apart: a kernel of neither library between them" : "")
      << "\ncase,op,trans,m,n,k,batch,plan,us,predicted_us,chosen,in_turns\n";

  double log_loss = 0.0;
  int measured = 0, within_5 = 0, wrong = 0;
  for (const Case& one : choose_cases(options.choice, true)) {
    std::vector<Timed> all;
    myblas::TuningKey key;
    try {
      TunedCase tuned(*machine, one, options.measure);
      all = time_all(tuned, options, rival.get(), &key);
      wrong += tuned.wrong();
    } catch (const CaseTooLarge& reason) {
      std::printf("%-28s %s\n", one.name.c_str(), reason.what());
      continue;
    }
    if (all.empty()) continue;
    const Timed& chosen = all.front();
    const Timed& best =
        *std::min_element(all.begin(), all.end(), [](const Timed& a, const Timed& b) {
          return std::tuple(a.plan.row < 0, !a.in_turns, a.us) <
                 std::tuple(b.plan.row < 0, !b.in_turns, b.us);
        });
    const double loss = chosen.us / best.us - 1.0;
    std::printf("%-28s %9.2f us %-44s best %9.2f us %-44s loss %5.1f %%\n", one.name.c_str(),
                chosen.us, plan_text(chosen).c_str(), best.us, plan_text(best).c_str(),
                100.0 * loss);
    std::fflush(stdout);
    for (const Timed& timed : all) {
      const bool is_rival = timed.plan.row < 0;
      if (!options.all && !is_rival && &timed != &chosen && &timed != &best) continue;
      csv << one.name << ',' << one.op.name << ',' << one.trans_a << one.trans_b << ',' << one.m
          << ',' << one.n << ',' << one.k << ',' << one.batch << ',' << plan_text(timed) << ','
          << timed.us << ',' << timed.plan.predicted_us << ',' << (&timed == &chosen) << ','
          << timed.in_turns << '\n';
    }
    csv.flush();
    if (tuning.is_open() && 100.0 * loss > options.threshold_percent) {
      tuning << myblas::tuning_line(key, best.row, best.plan) << '\n' << std::flush;
    }
    ++measured;
    log_loss += std::log1p(loss);
    if (loss <= 0.05) ++within_5;
  }
  if (measured > 0) {
    std::printf("%d cases: the choice within 5 %% of the best in %.0f %%, geomean loss %.2f %%\n",
                measured, 100.0 * within_5 / measured, 100.0 * std::expm1(log_loss / measured));
  }
  if (wrong > 0) std::printf("%d plans gave wrong results: see above\n", wrong);
  return wrong > 0 ? 1 : 0;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::Options options;
  options.measure.replay_ms = 2.0;
  options.measure.repeat = 5;
  options.measure.case_seconds = 0.3;
  CLI::App app{
      "Times every kernel of myblas that may serve a case and says what the cost model's choice "
      "loses. With no options: the public list."};
  bench::add_case_options(app, options.choice);
  app.add_option("--csv", options.csv_path, "Write the chosen and the best plan of each case");
  app.add_flag("--all", options.all, "Write every plan into the CSV");
  app.add_flag("--cublas", options.rival, "Time cuBLAS too: a line of the CSV");
  app.add_option("--rows", options.rows, "Only rows whose name this regular expression finds")
      ->capture_default_str();
  app.add_option("--within", options.within,
                 "Only plans predicted to take at most so many times what the choice is")
      ->check(CLI::PositiveNumber);
  app.add_option(
         "--finalists", options.finalists,
         "So many of the quickest plans, with the choice and --cublas, are timed again, turn "
         "by turn")
      ->check(CLI::Range(1, 16))  // each has a handle, and its workspace
      ->capture_default_str();
  app.add_option("--write", options.write_path,
                 "Append what the model missed to this file, for MYBLAS_TUNING");
  app.add_option("--threshold", options.threshold_percent,
                 "Loss in percent from which --write keeps a plan")
      ->capture_default_str();
  app.add_option("--repeat", options.measure.repeat, "Replays of each plan; their median counts")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--warm-ms", options.measure.warm_ms,
                 "Replays for so long ahead of each timed one: clocks as under steady load")
      ->check(CLI::NonNegativeNumber);
  app.add_flag("--apart", options.measure.apart,
               "A kernel of neither library between calls, whose time is taken off");
  CLI11_PARSE(app, argc, argv);
  options.measure.seed = options.choice.random.seed;
  try {
    return bench::run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "myblas-tune: %s\n", error.what());
    return 2;
  }
}
