// SPDX-License-Identifier: BSD-3-Clause
#include "measure.h"

#include <cmath>

#include "accuracy.h"
#include "case_data.h"
#include "timing.h"

namespace bench {
namespace {

struct Entrant {
  Contender* library;
  Measured* result;
};

// A candidate that cannot run, or not be captured, is no candidate.
void choose_best(Machine& machine, Contender& library, size_t sets) {
  MeasureSettings quick;
  quick.repeat = 3;
  quick.replay_ms = 1.0;
  quick.case_seconds = 0.05;
  double best_us = kUnknown;
  size_t best = 0;
  std::string refusal;
  for (size_t i = 0; i < library.candidates(); ++i) {
    library.choose(i);
    double us = kUnknown;
    try {
      library.run(0);
      time_libraries(machine, {{&library, &us, nullptr}}, sets, quick);
    } catch (const CallError& refused) {
      refusal = refused.what();
      continue;
    }
    if (us < best_us || std::isnan(best_us)) {
      best_us = us;
      best = i;
    }
  }
  if (std::isnan(best_us)) throw CallError(refusal);
  library.choose(best);
}

void check_entrant(Machine& machine, const Entrant& entrant, CaseData& data, const Case& one,
                   const MeasureSettings& settings) {
  Measured& result = *entrant.result;
  try {
    data.fill_c(0);
    entrant.library->begin(one, data.sets());
    if (entrant.library->candidates() > 1) {
      choose_best(machine, *entrant.library, data.sets().size());
    }
    data.fill_c(0);
    const ProductCheck check(machine, data.checked(0), one, settings.samples, settings.seed);
    entrant.library->run(0);
    machine.synchronize();
    result.kernel = entrant.library->kernel();
    entrant.library->finish(0);
    const Accuracy accuracy = check.judge();
    result.error = accuracy.max_error;
    result.note = accuracy.complaint;
    result.failed = !accuracy.complaint.empty();
    // Some calls are refused in a capture, or with the addresses of another set.
    machine.record(static_cast<int>(data.sets().size()),
                   [&entrant](int i) { entrant.library->run(static_cast<size_t>(i)); });
  } catch (const CallError& refused) {
    result.note = refused.what();
    result.failed = true;
  }
}

}  // namespace

CaseResult measure_case(Machine& machine, const Rivals& rivals, Contender& myblas, const Case& one,
                        const MeasureSettings& settings) {
  CaseResult result;
  result.one = one;
  CaseData data(machine, one, settings.seed);
  std::vector<Entrant> entrants;
  if (rivals.first != nullptr) entrants.push_back({rivals.first, &result.rival});
  if (rivals.cublaslt != nullptr && rivals.cublaslt->serves(one)) {
    entrants.push_back({rivals.cublaslt, &result.cublaslt});
  }
  entrants.push_back({&myblas, &result.myblas});

  // A library that refuses or miscomputes the case is not timed. int8 through fp32, as plain
  // OpenBLAS does it, is inexact and timed all the same.
  std::vector<TimedLibrary> timed;
  for (const Entrant& entrant : entrants) {
    check_entrant(machine, entrant, data, one, settings);
    const bool inexact_rival = !machine.is_gpu() && entrant.library == rivals.first;
    if (!entrant.result->failed || inexact_rival) {
      timed.push_back({entrant.library, &entrant.result->us, &entrant.result->host_us});
    }
  }
  time_libraries(machine, timed, data.sets().size(), settings);
  if (settings.host_cost && machine.is_gpu()) {
    for (const TimedLibrary& library : timed) {
      *library.host_us = host_cost_us(machine, *library.library, data.sets().size(), *library.us);
    }
  }
  return result;
}

}  // namespace bench
