// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// measure.h: one case, both libraries: error, time, host cost.
//==============================================================================
#pragma once

#include <limits>
#include <string>

#include "contender.h"
#include "machine.h"

namespace bench {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

struct MeasureSettings {
  int repeat = 7;             // replays of each library, turn by turn
  double replay_ms = 5.0;     // what a replay lasts at least, where the case is short
  double case_seconds = 1.5;  // above this, fewer replays (never fewer than 3)
  double warm_ms = 0.0;       // replays ahead of each timed one: a card at its power limit slows
  bool apart = false;         // a foreign kernel between calls; its time is taken off
  int samples = 256;
  uint64_t seed = 1;
  bool host_cost = true;
};

struct Measured {
  double us = kUnknown;
  double error = kUnknown;    // max |c - exact| / sum |a||b|; NaN: wrong, unwritten or not run
  double host_us = kUnknown;  // of one asynchronous call
  std::string kernel;
  std::string note;  // why there is no number, or what is wrong
  bool failed = false;
};

struct CaseResult {
  Case one;
  Measured rival, cublaslt, myblas;
  double ratio() const { return rival.us / myblas.us; }
  double ratio_cublaslt() const { return cublaslt.us / myblas.us; }
  double tflops(const Measured& x) const { return work_flop(one) / x.us * 1e-6; }
};

// What myblas is compared with; null: with nothing.
struct Rivals {
  Contender* first = nullptr;  // cuBLAS or OpenBLAS
  Contender* cublaslt = nullptr;
};

CaseResult measure_case(Machine& machine, const Rivals& rivals, Contender& myblas, const Case& one,
                        const MeasureSettings& settings);

}  // namespace bench
