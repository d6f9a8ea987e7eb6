// SPDX-License-Identifier: BSD-3-Clause
#include "support/gemm_fixture.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <stdexcept>

namespace myblas::test {
namespace {

std::map<std::string, int64_t>& counts() {
  static std::map<std::string, int64_t> by_suite;
  return by_suite;
}

// Destroyed by run_suites, before the driver's own static state goes.
std::unique_ptr<Handle>& shared_handle() {
  static std::unique_ptr<Handle> handle;
  return handle;
}

const testing::TestSuite* find_suite(const std::string& name) {
  const testing::UnitTest& tests = *testing::UnitTest::GetInstance();
  for (int i = 0; i < tests.total_test_suite_count(); ++i) {
    if (name == tests.GetTestSuite(i)->name()) return tests.GetTestSuite(i);
  }
  return nullptr;
}

bool ran_whole(const testing::TestSuite& suite) {
  return suite.test_to_run_count() == suite.total_test_count() && suite.skipped_test_count() == 0 &&
         suite.Passed();
}

}  // namespace

Handle::Handle() {
  const myblasStatus_t status = myblasCreate(&handle_);
  if (status != MYBLAS_STATUS_SUCCESS) {
    throw std::runtime_error(std::string("myblasCreate gave ") + myblasGetStatusName(status));
  }
}

Handle::~Handle() { myblasDestroy(handle_); }

ForcedHandle::ForcedHandle(const char* kernel, int parts, bool summed)
    : ForcedHandle(kernel, std::to_string(parts) + (summed ? "+sum" : "")) {}

ForcedHandle::ForcedHandle(const char* kernel, const std::string& division) {
  setenv("MYBLAS_KERNEL", (std::string(kernel) + "@" + division).c_str(), 1);
  own_ = std::make_unique<Handle>();
  unsetenv("MYBLAS_KERNEL");
}

std::string last_kernel() {
  char name[128] = "";
  myblasGetLastKernelName(name, sizeof name);
  return name;
}

std::string target_of(myblasHandle_t handle) {
  char name[32] = "";
  myblasGetTargetName(handle, name, sizeof name);
  return name;
}

void GemmTest::SetUp() {
  if (test::device() != nullptr) {
    test::device()->bind_thread();
    return;
  }
  if (std::getenv("MYBLAS_TEST_REQUIRE_GPU") != nullptr) {
    FAIL() << "MYBLAS_TEST_REQUIRE_GPU is set and there is no usable GPU: " << missing_device();
  }
  GTEST_SKIP() << "skipped, no usable GPU: " << missing_device();
}

void GpuGemmTest::SetUp() {
  GemmTest::SetUp();
  if (IsSkipped() || HasFatalFailure()) return;
  if (!device().is_gpu()) GTEST_SKIP() << "skipped, needs the GPU backend";
}

void GpuGemmTest::need_table_of(const char* target) {
  if (IsSkipped() || HasFatalFailure()) return;
  if (target_of(handle()) != target) GTEST_SKIP() << "skipped, needs the table of " << target;
}

Device& GemmTest::device() { return *test::device(); }

myblasHandle_t GemmTest::handle() {
  if (shared_handle() == nullptr) shared_handle() = std::make_unique<Handle>();
  return shared_handle()->get();
}

void GemmTest::count_cases(int64_t cases) {
  counts()[testing::UnitTest::GetInstance()->current_test_info()->test_suite_name()] += cases;
}

bool check_minimums(std::span<const SuiteMinimum> minimums) {
  bool good = true;
  const bool gpu = device() != nullptr && device()->is_gpu();
  for (const SuiteMinimum& minimum : minimums) {
    const testing::TestSuite* suite = find_suite(minimum.suite);
    if (suite == nullptr) {
      std::printf("[  CASES   ] %s is in the table of minimums and not in the program\n",
                  minimum.suite);
      good = false;
      continue;
    }
    const int64_t least = gpu ? minimum.gpu : minimum.cpu;
    if (suite->test_to_run_count() == 0 || least < 0) continue;
    const int64_t count = counts()[minimum.suite];
    const bool enough = !ran_whole(*suite) || count >= least;
    std::printf("[  CASES   ] %s: %lld cases (at least %lld)%s\n", minimum.suite,
                static_cast<long long>(count), static_cast<long long>(least),
                enough ? "" : " TOO FEW");
    good = good && enough;
  }
  const testing::UnitTest& tests = *testing::UnitTest::GetInstance();
  for (int i = 0; i < tests.total_test_suite_count(); ++i) {
    const std::string name = tests.GetTestSuite(i)->name();
    const bool listed = std::any_of(minimums.begin(), minimums.end(),
                                    [&](const SuiteMinimum& m) { return name == m.suite; });
    if (listed) continue;
    std::printf("[  CASES   ] %s has no entry in the table of minimums\n", name.c_str());
    good = false;
  }
  return good;
}

int64_t environment_number(const char* name, int64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr && *text != 0 ? std::strtoll(text, nullptr, 0) : otherwise;
}

int run_suites(int argc, char** argv, std::span<const SuiteMinimum> minimums) {
  testing::InitGoogleTest(&argc, argv);
  if (!GTEST_FLAG_GET(list_tests)) {
    std::printf("backend: %s\n", device() == nullptr ? "none" : device()->is_gpu() ? "GPU" : "CPU");
  }
  int result = RUN_ALL_TESTS();
  shared_handle().reset();
  if (GTEST_FLAG_GET(list_tests)) return result;
  if (!check_minimums(minimums)) result = 1;
  return result;
}

}  // namespace myblas::test
