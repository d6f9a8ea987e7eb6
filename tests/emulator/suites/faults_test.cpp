// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// suites/faults_test.cpp: each planted fault (faults.cmake) must be found by a sample of the
// boundary cases that the intact kernel passes, and for the reason that the list gives.
//==============================================================================
#include <regex>
#include <set>

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

// The first failure of the loaded kernel, or nothing.
std::string first_failure(const std::string& kernel) {
  if (kernel.starts_with("pack_")) return first_pack_failure(kernel);
  if (kernel.starts_with("sum_")) return first_sum_failure(kernel);
  const TableRow row = find_row(kernel);
  RowHandle handle(row);
  uint64_t settings = 1;
  auto cases = sample(boundary_cases(*row.row, 1, 2), 128);
  for (const GemmCase& gemm : pointer_cases(*row.row)) cases.push_back(gemm);
  for (const GemmCase& gemm : cases) {
    settings = mix(settings);
    const auto result = handle.run(gemm, settings_of(settings));
    if (!result) return result.message();
  }
  RowHandle of_eights(row, {"1"}, 9);
  for (const GemmCase& gemm : cases_by_eight(*row.row)) {
    const auto result = of_eights.run(gemm, settings_of(1));
    if (!result) return result.message();
  }
  const auto far = run_far_offsets(handle);
  return far ? "" : far.message();
}

TEST_P(EmulatorFaults, AreFound) {
  load_all_kernels();
  const Fault& fault = GetParam();
  emulator::load_module(fault.module);
  const bool planted = emulator::find_kernel("fault_has_lost_its_place") == nullptr;
  const std::string failure = first_failure(fault.kernel);
  emulator::unload_module();
  ASSERT_TRUE(planted) << "the text that faults.cmake replaces does not occur exactly once";
  EXPECT_FALSE(failure.empty()) << "the fault survives: " << fault.name;
  const std::string symptom = fault.symptom[0] != '\0' ? fault.symptom : kWrongResult;
  EXPECT_TRUE(std::regex_search(failure, std::regex(symptom)))
      << fault.name << " was found, but not as \"" << symptom << "\": " << failure;
}

INSTANTIATE_TEST_SUITE_P(Planted, EmulatorFaults, testing::ValuesIn(kFaults), fault_name);

// The same sample without a fault: what finds the faults must not find anything else.
TEST(EmulatorFaults, AreNotSeenInIntactKernels) {
  load_all_kernels();
  std::set<std::string> kernels;
  for (const Fault& fault : kFaults) kernels.insert(fault.kernel);
  for (const std::string& kernel : kernels) EXPECT_EQ(first_failure(kernel), "") << kernel;
}

}  // namespace
}  // namespace myblas::test
