// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/sum/launch_sum.h"

#include "kernels/sum/sum_args.h"

namespace myblas {
namespace {

constexpr int64_t kLimit = int64_t{1} << 31;  // of a Divisor, exclusive

int64_t ceil_div(int64_t value, int64_t divisor) { return (value - 1) / divisor + 1; }

// Threads for a run's parts: more where the runs leave SMs without a full set. Up to eight, each
// with two loads at least; more than that, which add up one after the other, until all of a
// thread's loads are on their way at once.
int log2_groups(int64_t runs, int64_t parts, int sm_count) {
  constexpr int64_t kThreadsOfSm = 1024;
  constexpr int kLog2Eight = 3;
  const auto more = [&](int log2) {
    return log2 < kLog2Eight ? (int64_t{4} << log2) <= parts : (parts >> log2) > kSumsInFlight;
  };
  int log2 = 0;
  while (log2 < kSumLog2MostGroups && (runs << log2) < sm_count * kThreadsOfSm && more(log2)) {
    ++log2;
  }
  return log2;
}

}  // namespace

Status launch_sum(const SumLaunch& launch) {
  const GemmProblem& p = launch.problem;
  const GemmProblem& divided = launch.divided;
  const auto run = kSumRunBytes / static_cast<int64_t>(element_bytes(divided.c_type));
  const int64_t runs_of_column = divided.c.ld / run;
  const int64_t runs = runs_of_column * p.n;
  if (runs >= kLimit || divided.batch_count >= kLimit) return Status::kInternalError;
  SumArgs args{};
  args.sums = divided.c.base;
  args.part_elements = divided.c.stride;
  args.parts = static_cast<int32_t>(divided.batch_count);
  args.log2_groups = log2_groups(runs, divided.batch_count, launch.sm_count);
  args.parts_of_group =
      static_cast<int32_t>(ceil_div(divided.batch_count, int64_t{1} << args.log2_groups));
  args.runs = static_cast<uint32_t>(runs);
  args.runs_of_column = make_divisor(static_cast<uint32_t>(runs_of_column));
  args.c = const_cast<void*>(p.c.base);
  args.ldc = p.c.ld;
  args.m = p.m;
  const auto bytes = static_cast<uint64_t>(element_bytes(p.c_type));
  const uint64_t bits =
      reinterpret_cast<uintptr_t>(p.c.base) | (p.n > 1 ? static_cast<uint64_t>(p.c.ld) * bytes : 0);
  args.c_in_runs = bits % (static_cast<uint64_t>(run) * bytes) == 0 ? 1 : 0;
  args.alpha = make_scalar_arg(p.alpha);
  args.beta = make_scalar_arg(p.beta);
  args.epilogue = make_epilogue_arg(p.epilogue);
  const int64_t blocks = ceil_div(runs << args.log2_groups, kSumThreads);
  return launch_pass(launch.pass, blocks, kSumThreads, &args);
}

}  // namespace myblas
