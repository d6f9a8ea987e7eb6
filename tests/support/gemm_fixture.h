// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// support/gemm_fixture.h: what every suite through the public API starts from.
//==============================================================================
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "support/device.h"

namespace myblas::test {

// A handle for the length of a scope.
class Handle {
 public:
  Handle();
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle();
  myblasHandle_t get() const { return handle_; }

 private:
  myblasHandle_t handle_ = nullptr;
};

// A handle whose calls are served by one kernel where that is legal, k divided as
// MYBLAS_KERNEL=name@division says, or in so many parts.
class ForcedHandle {
 public:
  ForcedHandle(const char* kernel, const std::string& division);
  ForcedHandle(const char* kernel, int parts, bool summed = false);
  myblasHandle_t get() const { return own_->get(); }

 private:
  std::unique_ptr<Handle> own_;
};

// What served this thread's last call.
std::string last_kernel();

// Whose table a handle selects from: "sm_90" and the like, or "cpu".
std::string target_of(myblasHandle_t handle);

// Skips where the backend asked for is missing (fails instead where MYBLAS_TEST_REQUIRE_GPU is
// set). handle() is one handle for the whole process, in its default state between tests.
class GemmTest : public testing::Test {
 protected:
  void SetUp() override;
  static Device& device();
  static myblasHandle_t handle();
  // Counts towards the suite's minimum (check_minimums).
  static void count_cases(int64_t cases);
};

class GpuGemmTest : public GemmTest {
 protected:
  void SetUp() override;
  // Skips where calls are served from another table: behind SetUp, for what one table alone has.
  void need_table_of(const char* target);
};

// A suite that runs whole must have counted at least this many cases, or nobody would notice
// that its loops have become empty. -1: the suite does not run on that backend.
struct SuiteMinimum {
  const char* suite;
  int64_t cpu, gpu;
};
// Prints the counts. False where a suite of the binary is not in the table, one of the table is
// not in the binary, or a count is too low.
bool check_minimums(std::span<const SuiteMinimum> minimums);

// An environment variable as a number, or `otherwise`.
int64_t environment_number(const char* name, int64_t otherwise);

// main() of a suite binary.
int run_suites(int argc, char** argv, std::span<const SuiteMinimum> minimums);

}  // namespace myblas::test
