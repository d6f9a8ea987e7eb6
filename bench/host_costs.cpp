// SPDX-License-Identifier: BSD-3-Clause
#include "host_costs.h"

#include <chrono>

#include "case_data.h"
#include "timing.h"

namespace bench {
namespace {

template <class Call>
double nanoseconds(const Call& call) {
  constexpr int kCalls = 20000, kRuns = 7;
  std::vector<double> averages;
  for (int run = 0; run < kRuns; ++run) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kCalls; ++i) call();
    const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - start;
    averages.push_back(spent.count() / kCalls);
  }
  return median(averages);
}

}  // namespace

HostCosts measure_host_costs(Machine& machine, GemmLibrary& library) {
  const GemmApi& api = library.api();
  const myblasHandle_t handle = library.handle();
  HostCosts costs;
  costs.library = library.name();
  costs.set_stream_ns = nanoseconds([&] { api.SetStream(handle, machine.stream()); });
  costs.set_math_mode_ns = nanoseconds([&] { api.SetMathMode(handle, MYBLAS_DEFAULT_MATH); });
  costs.set_workspace_ns =
      nanoseconds([&] { api.SetWorkspace(handle, library.workspace(), kBenchWorkspaceBytes); });

  const Case small = parse_case("f32 NN 64 64 64 1", "host cost");
  CaseData data(machine, small, 1);
  library.begin(small, data.sets());
  library.run(0);  // loads and chooses what later calls reuse
  constexpr double kAssumedUs = 10.0;
  costs.gemm_us = host_cost_us(machine, library, 1, kAssumedUs);
  return costs;
}

}  // namespace bench
