// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// suites/faults_test.cpp: each planted fault (faults.cmake) must be found by a sample of the
// boundary cases, for the reason that the list gives, and by a case that the intact kernel passes.
//==============================================================================
#include <functional>
#include <regex>

#include "suites/emulated_case.h"
#include "suites/offsets.h"
#include "suites/pack_cases.h"
#include "suites/sum_cases.h"

namespace myblas::test {
namespace {

struct Fault {
  const char* name;
  const char* kernel;
  const char* symptom;  // a regular expression; empty: a wrong result
  const char* module;
};
constexpr const char* kWrongResult = "wrong";  // of every comparison's words
constexpr Fault kFaults[] = {
#include "emulated_faults.inc"
};

class EmulatorFaults : public testing::TestWithParam<Fault> {};

std::string fault_name(const testing::TestParamInfo<Fault>& info) { return info.param.name; }

// What a loaded kernel failed at, in words (none where it did not), and how to try that once more.
struct Failure {
  std::string words;
  std::function<std::string()> again;
};

using Trial = std::function<testing::AssertionResult(RowHandle&)>;

Trial trial_of(const GemmCase& gemm, uint64_t seed) {
  return [=](RowHandle& handle) { return handle.run(gemm, settings_of(seed)); };
}

// The first of the trials that fails, with handles of `parts` on so many SMs.
Failure first_failure(const TableRow& row, const std::vector<std::string>& parts, int sm_count,
                      const std::vector<Trial>& trials) {
  RowHandle handle(row, parts, sm_count);
  for (const Trial& trial : trials) {
    const auto result = trial(handle);
    if (result) continue;
    return {result.message(), [=] {
              RowHandle another(row, parts, sm_count);  // of the kernel that is loaded then
              return std::string(trial(another).message());
            }};
  }
  return {};
}

Failure first_failure(const std::string& kernel) {
  const auto of_no_row = [&](auto fails) -> Failure {
    return {fails(kernel), [=] { return fails(kernel); }};
  };
  if (kernel.starts_with("pack_")) return of_no_row(first_pack_failure);
  if (kernel.starts_with("sum_")) return of_no_row(first_sum_failure);
  const TableRow row = find_row(kernel);
  // What few rows have comes first: faults of it are found by nothing else.
  for (const auto& [gemm, sm_count] : cases_in_clusters(*row.row)) {
    Failure failure = first_failure(row, {"1"}, sm_count, {trial_of(gemm, 1)});
    if (!failure.words.empty()) return failure;
  }
  std::vector<GemmCase> cases = pointer_cases(*row.row);
  for (const GemmCase& gemm : sample(boundary_cases(*row.row, 1, 2), 128)) cases.push_back(gemm);
  for (const GemmCase& gemm : cases_past_middle(*row.row, 1)) cases.push_back(gemm);
  for (const GemmCase& gemm : cases_past_warps(*row.row, 1)) cases.push_back(gemm);
  for (const GemmCase& gemm : epilogue_cases(*row.row, 1)) cases.push_back(gemm);
  std::vector<Trial> trials;
  uint64_t seed = 1;
  for (const GemmCase& gemm : cases) trials.push_back(trial_of(gemm, seed = mix(seed)));
  trials.emplace_back(run_far_offsets);
  return first_failure(row, kParts, 2, trials);
}

TEST_P(EmulatorFaults, AreFound) {
  load_all_kernels();
  const Fault& fault = GetParam();
  emulator::load_module(fault.module);
  const bool planted = emulator::find_kernel("fault_has_lost_its_place") == nullptr;
  const auto [failure, again] = first_failure(fault.kernel);
  emulator::unload_module();
  ASSERT_TRUE(planted) << "the text that faults.cmake replaces does not occur exactly once";
  ASSERT_FALSE(failure.empty()) << "the fault survives: " << fault.name;
  const std::string symptom = fault.symptom[0] != '\0' ? fault.symptom : kWrongResult;
  EXPECT_TRUE(std::regex_search(failure, std::regex(symptom)))
      << fault.name << " was found, but not as \"" << symptom << "\": " << failure;
  EXPECT_EQ(again(), "") << "found in the intact kernel too";
}

INSTANTIATE_TEST_SUITE_P(Planted, EmulatorFaults, testing::ValuesIn(kFaults), fault_name);

}  // namespace
}  // namespace myblas::test
