// SPDX-License-Identifier: BSD-3-Clause
#include "api/environment.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "api/handle.h"
#include "dispatch/tuning.h"

namespace myblas::testing {
namespace {

// Sets variables for one test and puts back what was there.
class EnvironmentTest : public ::testing::Test {
 protected:
  void set(const char* name, const char* value) {
    const char* old = std::getenv(name);
    saved_.push_back({name, old != nullptr, old != nullptr ? old : ""});
    if (value != nullptr) {
      setenv(name, value, 1);
    } else {
      unsetenv(name);
    }
  }
  void SetUp() override {
    for (const char* name : {"MYBLAS_BACKEND", "MYBLAS_TARGET", "MYBLAS_KERNEL", "MYBLAS_EXPLAIN",
                             "NVIDIA_TF32_OVERRIDE", "CUBLAS_EMULATE_SINGLE_PRECISION"}) {
      set(name, nullptr);
    }
  }
  void TearDown() override {
    for (auto it = saved_.rbegin(); it != saved_.rend(); ++it) {
      if (it->was_set) {
        setenv(it->name.c_str(), it->value.c_str(), 1);
      } else {
        unsetenv(it->name.c_str());
      }
    }
  }

 private:
  struct Saved {
    std::string name;
    bool was_set;
    std::string value;
  };
  std::vector<Saved> saved_;
};

TEST_F(EnvironmentTest, DefaultsWhereNothingIsSet) {
  Environment environment;
  ASSERT_TRUE(read_environment(&environment));
  EXPECT_EQ(environment.backend, BackendChoice::kAuto);
  EXPECT_EQ(environment.target_cc, 0);
  EXPECT_TRUE(environment.tf32_allowed);
  EXPECT_FALSE(environment.emulates_fp32);
  EXPECT_STREQ(environment.policy.kernel, "");
  EXPECT_FALSE(environment.policy.explain);
}

TEST_F(EnvironmentTest, EveryVariableIsRead) {
  set("MYBLAS_BACKEND", "cuda");
  set("MYBLAS_TARGET", "sm_80");
  set("MYBLAS_KERNEL", table_of(90)[0].name);
  set("MYBLAS_EXPLAIN", "1");
  set("NVIDIA_TF32_OVERRIDE", "0");
  set("CUBLAS_EMULATE_SINGLE_PRECISION", "1");
  Environment environment;
  ASSERT_TRUE(read_environment(&environment));
  EXPECT_TRUE(environment.emulates_fp32);
  EXPECT_EQ(environment.backend, BackendChoice::kCuda);
  EXPECT_EQ(environment.target_cc, 80);
  EXPECT_STREQ(environment.policy.kernel, table_of(90)[0].name);
  EXPECT_TRUE(environment.policy.explain);
  EXPECT_FALSE(environment.tf32_allowed);
}

TEST_F(EnvironmentTest, ZeroAndEmptyTurnNothingOn) {
  set("MYBLAS_EXPLAIN", "0");
  set("MYBLAS_BACKEND", "");
  set("NVIDIA_TF32_OVERRIDE", "1");
  set("CUBLAS_EMULATE_SINGLE_PRECISION", "0");
  Environment environment;
  ASSERT_TRUE(read_environment(&environment));
  EXPECT_FALSE(environment.emulates_fp32);
  EXPECT_FALSE(environment.policy.explain);
  EXPECT_EQ(environment.backend, BackendChoice::kAuto);
  EXPECT_TRUE(environment.tf32_allowed);
}

TEST_F(EnvironmentTest, ANonsenseValueStopsCreateWithItsName) {
  for (const char* name : {"MYBLAS_BACKEND", "MYBLAS_TARGET", "MYBLAS_KERNEL"}) {
    SetUp();
    set(name, "nonsense");
    ::testing::internal::CaptureStderr();
    myblasHandle_t handle = nullptr;
    EXPECT_EQ(myblasCreate(&handle), MYBLAS_STATUS_NOT_INITIALIZED) << name;
    const std::string said = ::testing::internal::GetCapturedStderr();
    EXPECT_EQ(handle, nullptr);
    EXPECT_NE(said.find(std::string(name) + "=nonsense"), std::string::npos) << said;
  }
}

TEST_F(EnvironmentTest, PartsOfKStandBehindTheKernelsName) {
  const std::string name = table_of(90)[0].name;
  Environment environment;
  set("MYBLAS_KERNEL", (name + "@4").c_str());
  ASSERT_TRUE(read_environment(&environment));
  EXPECT_EQ(environment.policy.kernel, name);
  EXPECT_EQ(environment.policy.division.parts, 4);
  EXPECT_FALSE(environment.policy.division.summed);
  set("MYBLAS_KERNEL", (name + "@4+sum").c_str());
  ASSERT_TRUE(read_environment(&environment));
  EXPECT_EQ(environment.policy.kernel, name);
  EXPECT_EQ(environment.policy.division.parts, 4);
  EXPECT_TRUE(environment.policy.division.summed);
  set("MYBLAS_KERNEL", (name + "@even").c_str());
  ASSERT_TRUE(read_environment(&environment));
  EXPECT_TRUE(environment.policy.division.even);
  EXPECT_FALSE(environment.policy.division.summed);
  for (const char* nonsense : {"@", "@0", "@evens", "@4even", "@even+sum", "@-1", "@4x", "@x",
                               "@+sum", "@0+sum", "@4+sums"}) {
    set("MYBLAS_KERNEL", (name + nonsense).c_str());
    Environment refused;
    EXPECT_FALSE(read_environment(&refused)) << nonsense;
  }
}

// The one test of this program that sets it: the file is read once a process.
TEST_F(EnvironmentTest, PlansOfKernelsThatAreNoMoreAreToldOnce) {
  const std::string path = ::testing::TempDir() + "myblas_environment_test.txt";
  const TuningKey key{.table_cc = 90,
                      .types = {DataType::kF32, DataType::kF32, Compute::kF32},
                      .trans = kNN,
                      .m = 1,
                      .n = 1,
                      .k = 1,
                      .batch_count = 1};
  std::ofstream(path) << tuning_line(key, table_of(90)[0].name, {1}) << '\n'
                      << tuning_line(key, "no_such_kernel", {1}) << '\n'
                      << tuning_line(key, "sgemm_registers_128x128x8", {1}) << '\n';  // sm_75's
  set("MYBLAS_TUNING", path.c_str());
  const auto said = [] {
    Environment environment;
    ::testing::internal::CaptureStderr();
    EXPECT_TRUE(read_environment(&environment));
    EXPECT_NE(environment.policy.tuning, nullptr);
    return ::testing::internal::GetCapturedStderr();
  };
  const std::string first = said();
  EXPECT_NE(first.find("2 of 3 plans"), std::string::npos) << first;
  EXPECT_NE(first.find("no_such_kernel"), std::string::npos) << first;
  EXPECT_EQ(said(), "");
  std::remove(path.c_str());
}

TEST_F(EnvironmentTest, TheEnvironmentIsReadAtCreationAndNotAfter) {
  set("MYBLAS_BACKEND", "cpu");
  myblasHandle_t handle = nullptr;
  ASSERT_EQ(myblasCreate(&handle), MYBLAS_STATUS_SUCCESS);
  set("MYBLAS_BACKEND", "nonsense");
  char target[32];
  EXPECT_EQ(myblasGetTargetName(handle, target, sizeof target), MYBLAS_STATUS_SUCCESS);
  EXPECT_STREQ(target, "cpu");
  EXPECT_EQ(myblasDestroy(handle), MYBLAS_STATUS_SUCCESS);
}

}  // namespace
}  // namespace myblas::testing
