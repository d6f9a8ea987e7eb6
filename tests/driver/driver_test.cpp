// SPDX-License-Identifier: BSD-3-Clause
// Handles on a driver that says what it was asked: what is loaded when, and what a handle costs.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <string>

#include "myblas.h"

namespace {

template <class Function>
Function* find(const char* name) {
  static void* const driver = dlopen("libcuda.so.1", RTLD_NOW);
  return reinterpret_cast<Function*>(dlsym(driver, name));
}

int loads() { return find<int()>("fake_driver_loads")(); }
int questions() { return find<int()>("fake_driver_questions")(); }

class Driver : public ::testing::Test {
 protected:
  Driver() {
    static uint64_t contexts = 1;
    find<void(uint64_t)>("fake_driver_use_context")(++contexts);
    fail_at(-1);
  }
  ~Driver() override {
    if (handle_ != nullptr) myblasDestroy(handle_);
  }
  static void fail_at(int load) { find<void(int)>("fake_driver_fails_at")(load); }

  myblasStatus_t create() {
    if (handle_ != nullptr) myblasDestroy(handle_);
    handle_ = nullptr;
    return myblasCreate(&handle_);
  }
  // Returns the kernel that was launched.
  std::string multiply() {
    constexpr int kSize = 300;
    const float one = 1.0F, zero = 0.0F;
    float* const matrix = reinterpret_cast<float*>(uintptr_t{0x10000});
    EXPECT_EQ(myblasSgemm(handle_, MYBLAS_OP_N, MYBLAS_OP_N, kSize, kSize, kSize, &one, matrix,
                          kSize, matrix, kSize, &zero, matrix, kSize),
              MYBLAS_STATUS_SUCCESS);
    return find<const char*()>("fake_driver_launched")();
  }

  myblasHandle_t handle_ = nullptr;
};

TEST_F(Driver, LaunchesTheKernelThatItNames) {
  ASSERT_EQ(create(), MYBLAS_STATUS_SUCCESS);
  const std::string launched = multiply();
  char name[128] = "";
  EXPECT_EQ(myblasGetLastKernelName(name, sizeof name), MYBLAS_STATUS_SUCCESS);
  EXPECT_NE(launched, "");
  EXPECT_EQ(std::string(name).substr(0, launched.size()), launched);
}

TEST_F(Driver, IsAskedByTheFirstHandleOfAContextAlone) {
  ASSERT_EQ(create(), MYBLAS_STATUS_SUCCESS);
  EXPECT_GT(loads(), 100);
  EXPECT_GT(questions(), 100);
  fail_at(-1);
  ASSERT_EQ(create(), MYBLAS_STATUS_SUCCESS);
  EXPECT_EQ(loads() + questions(), 0);
}

TEST_F(Driver, WithoutMemoryForAKernelTheNextHandleTriesAgain) {
  for (const int load : {0, 5, 200}) {
    fail_at(load);
    EXPECT_EQ(create(), MYBLAS_STATUS_ALLOC_FAILED) << load;
    EXPECT_EQ(loads(), load + 1);
  }
  fail_at(-1);
  ASSERT_EQ(create(), MYBLAS_STATUS_SUCCESS);
  EXPECT_GT(loads(), 100);
  EXPECT_NE(multiply(), "");
}

}  // namespace
