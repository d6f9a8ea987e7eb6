// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// What becomes of C: each routine and type, scalars on the host and on the
// device, with alpha, beta or a size 0 and NaN where nothing should read it.
//==============================================================================
#include "contract_cases.h"

namespace contract {
namespace {

struct Types {
  int ab, c, compute;
};

// The documented combinations of the Ex routines.
constexpr Types kExTypes[] = {
    {kR16F, kR16F, kCompute16F}, {kR8I, kR32I, kCompute32I},  {kR16BF, kR16BF, kCompute32F},
    {kR16F, kR16F, kCompute32F}, {kR8I, kR32F, kCompute32F},  {kR16BF, kR32F, kCompute32F},
    {kR16F, kR32F, kCompute32F}, {kR32F, kR32F, kCompute32F}, {kC8I, kC32F, kCompute32F},
    {kC32F, kC32F, kCompute32F}, {kR64F, kR64F, kCompute64F}, {kC64F, kC64F, kCompute64F}};

bool holds_nan(int type) { return type != kR8I && type != kC8I && type != kR32I; }

void add_outcomes(Cases& cases, const Call& start, const std::string& types) {
  for (const bool device : {false, true}) {
    if (device && start.routine.grouped()) continue;
    const std::string head = "outcome " + types + (device ? "device scalars, " : "");
    const auto add = [&](const std::string& text, auto change) {
      Call call = start;
      call.device_scalars = device;
      change(call);
      add_call(cases, head + text, call);
    };
    const bool nan_a = holds_nan(start.a.type), nan_c = holds_nan(start.c.type);
    add("alpha=2 beta=0", [](Call& c) { c.alpha = 2, c.beta = 0; });
    add("alpha=1 beta=2", [](Call& c) { c.beta = 2; });
    for (const int beta : {0, 1, 2}) {
      const std::string tail = " beta=" + std::to_string(beta);
      add("alpha=0" + tail, [&](Call& c) { c.alpha = 0, c.beta = beta; });
      add("k=0" + tail, [&](Call& c) { c.k = 0, c.beta = beta; });
      if (nan_a) {
        add("alpha=0 NaN in A and B" + tail,
            [&](Call& c) { c.alpha = 0, c.beta = beta, c.a.nan = c.b.nan = true; });
        add("alpha=0 k=0 NaN in A" + tail,
            [&](Call& c) { c.alpha = 0, c.k = 0, c.beta = beta, c.a.nan = true; });
      }
      if (nan_c) {
        add("NaN in C" + tail, [&](Call& c) { c.beta = beta, c.c.nan = true; });
        add("alpha=0 NaN in C" + tail,
            [&](Call& c) { c.alpha = 0, c.beta = beta, c.c.nan = true; });
        add("k=0 NaN in C" + tail, [&](Call& c) { c.k = 0, c.beta = beta, c.c.nan = true; });
      }
    }
    if (nan_a) {
      add("NaN in A", [](Call& c) { c.a.nan = true; });
      add("NaN in B", [](Call& c) { c.b.nan = true; });
      add("k=0 NaN in A and B beta=2",
          [](Call& c) { c.k = 0, c.beta = 2, c.a.nan = c.b.nan = true; });
    }
    add("m=0 beta=2", [](Call& c) { c.m = 0, c.beta = 2; });
    add("n=0 beta=2", [](Call& c) { c.n = 0, c.beta = 2; });
  }
}

void add_operations(Cases& cases, const Call& start) {
  static const char* const kNames[] = {"N", "T", "C"};
  for (int ta = 0; ta < 3; ++ta) {
    for (int tb = 0; tb < 3; ++tb) {
      Call call = start;
      call.transa = ta;
      call.transb = tb;
      add_call(cases, std::string("operations ") + kNames[ta] + kNames[tb], call);
    }
  }
}

}  // namespace

void add_outcome_cases(Cases& cases) {
  for (const Routine& which : all_routines()) {
    add_operations(cases, Call(which));
    if (which.has_algo()) {
      for (const Types& t : kExTypes) {
        Call call(which);
        call.a.type = call.b.type = t.ab;
        call.c.type = t.c;
        call.compute = t.compute;
        add_outcomes(cases, call,
                     type_name(t.ab) + "->" + type_name(t.c) + " compute " +
                         std::to_string(t.compute) + ", ");
      }
    } else {
      add_outcomes(cases, Call(which), "");
    }
  }
}

}  // namespace contract
