// SPDX-License-Identifier: BSD-3-Clause
#include "timing.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace bench {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

namespace {

constexpr int kMaxCalls = 4096;
constexpr int kMinReplays = 3;
constexpr double kLongCallUs = 1e4;

std::unique_ptr<Replay> record_calls(Machine& machine, Contender& library, int calls, size_t sets,
                                     bool apart) {
  return machine.record(calls, [&machine, &library, sets, apart](int i) {
    library.run(static_cast<size_t>(i) % sets);
    if (apart) machine.issue_foreign();
  });
}

// What a foreign kernel takes behind another.
double foreign_us(Machine& machine) {
  constexpr int kKernels = 512, kRuns = 9;
  machine.issue_foreign();  // takes its memory, which a capture forbids
  const auto replay = machine.record(kKernels, [&machine](int) { machine.issue_foreign(); });
  std::vector<double> us;
  for (int run = 0; run < kRuns; ++run) us.push_back(replay->run_us() / kKernels);
  return median(us);
}

// A first estimate. Short calls are estimated in a row, so that the launch of the graph does not
// count as the call.
double estimate_us(Machine& machine, Contender& library, size_t sets, bool apart) {
  constexpr int kRow = 32;
  const auto single = record_calls(machine, library, 1, sets, apart);
  double us = single->run_us();
  if (us > kLongCallUs) return us;
  us = std::min(us, single->run_us());
  if (us * kRow > kLongCallUs) return us;
  const auto row = record_calls(machine, library, kRow, sets, apart);
  row->run_us();
  return row->run_us() / kRow;
}

// Enough calls to last, and to go round the sets where that is affordable.
int calls_per_replay(double us, size_t sets, double replay_us) {
  constexpr double kRoundBudget = 4.0;
  const double lasting = std::ceil(replay_us / us);
  const double round = std::min(static_cast<double>(sets), kRoundBudget * replay_us / us);
  return static_cast<int>(std::clamp(std::max(lasting, round), 1.0, double{kMaxCalls}));
}

}  // namespace

void time_libraries(Machine& machine, const std::vector<TimedLibrary>& libraries, size_t sets,
                    const MeasureSettings& settings) {
  if (libraries.empty()) return;  // all were refused or wrong
  struct Runner {
    TimedLibrary timed;
    int calls = 1;
    std::unique_ptr<Replay> replay;
    std::vector<double> us;
  };
  const double between_us = settings.apart ? foreign_us(machine) : 0.0;
  std::vector<Runner> runners;
  double round_us = 0.0;
  for (const TimedLibrary& timed : libraries) {
    Runner runner{timed, 1, nullptr, {}};
    const double us = estimate_us(machine, *timed.library, sets, settings.apart);
    runner.calls = calls_per_replay(us, sets, 1e3 * settings.replay_ms);
    runner.replay = record_calls(machine, *timed.library, runner.calls, sets, settings.apart);
    round_us += us * runner.calls;
    runners.push_back(std::move(runner));
  }
  const int affordable = static_cast<int>(std::min(1e6 * settings.case_seconds / round_us, 1e6));
  const int repeats =
      std::clamp(affordable, std::min(kMinReplays, settings.repeat), settings.repeat);
  for (int turn = 0; turn < repeats; ++turn) {
    for (Runner& runner : runners) {
      for (double us = 0.0; us < 1e3 * settings.warm_ms;) us += runner.replay->run_us();
      runner.us.push_back(runner.replay->run_us() / runner.calls - between_us);
    }
    // Nobody always runs on the same one's heat.
    std::rotate(runners.begin(), runners.begin() + 1, runners.end());
  }
  for (Runner& runner : runners) *runner.timed.us = median(runner.us);
}

double host_cost_us(Machine& machine, Contender& library, size_t sets, double call_us) {
  constexpr double kBurstUs = 2e4;
  constexpr int kMaxBurst = 256;
  const int burst = std::clamp(static_cast<int>(kBurstUs / call_us), 3, kMaxBurst);
  const int bursts = call_us > kLongCallUs ? 1 : 7;
  std::vector<double> averages;
  for (int i = 0; i < bursts; ++i) {
    machine.synchronize();
    const auto start = std::chrono::steady_clock::now();
    for (int call = 0; call < burst; ++call) library.run(static_cast<size_t>(call) % sets);
    const std::chrono::duration<double, std::micro> spent =
        std::chrono::steady_clock::now() - start;
    averages.push_back(spent.count() / burst);
  }
  machine.synchronize();
  return median(averages);
}

}  // namespace bench
