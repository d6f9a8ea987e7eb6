// SPDX-License-Identifier: BSD-3-Clause
// A context's kernels are loaded once, and for want of memory again. Stands for the driver.
#include "api/loaded_kernels.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace myblas {
namespace {

std::map<std::string, gpu::Loading> g_outcomes;  // of others: kReady
int g_asked = 0;

}  // namespace

gpu::Loading gpu::load_kernel(const char* name, int /*device*/, size_t /*smem*/, void** kernel) {
  static char code;
  ++g_asked;
  const auto found = g_outcomes.find(name);
  const Loading outcome = found == g_outcomes.end() ? Loading::kReady : found->second;
  *kernel = outcome == Loading::kReady ? &code : nullptr;
  return outcome;
}

bool gpu::can_start_early(int /*device*/, std::span<void* const> /*kernels*/) { return true; }

namespace testing {
namespace {

class LoadedKernels : public ::testing::Test {
 protected:
  LoadedKernels() {
    g_outcomes.clear();
    g_asked = 0;
    for (size_t i = 0; i < std::size(rows_); ++i) {
      rows_[i].name = kNames[i];
      rows_[i].cc_max = 999;
    }
    rows_[2].key.ab = DataType::kF64;  // a key of its own
    caps_.cc = 80;
    static uint64_t contexts = 0;
    binding_.context_id = ++contexts;
  }
  Status load() { return load_kernels(binding_, caps_, rows_, &loaded_); }

  static constexpr const char* kNames[] = {"quick", "any", "double"};
  KernelRow rows_[3] = {};
  DeviceCaps caps_;
  gpu::Binding binding_ = {};
  const myblas::LoadedKernels* loaded_ = nullptr;
};

TEST_F(LoadedKernels, AreLoadedOnceAContext) {
  ASSERT_EQ(load(), Status::kSuccess);
  const myblas::LoadedKernels* const first = loaded_;
  const int asked = g_asked;
  EXPECT_TRUE(first->can_pack());
  EXPECT_TRUE(first->early_start);
  ASSERT_EQ(load(), Status::kSuccess);
  EXPECT_EQ(loaded_, first);
  EXPECT_EQ(g_asked, asked);
}

TEST_F(LoadedKernels, WithoutCodeARowIsLeftOutButTheLastOfItsKey) {
  g_outcomes["quick"] = gpu::Loading::kNoCode;
  ASSERT_EQ(load(), Status::kSuccess);
  EXPECT_EQ(loaded_->rows[0], nullptr);
  EXPECT_NE(loaded_->rows[1], nullptr);
  binding_.context_id += uint64_t{1} << 32;
  g_outcomes["double"] = gpu::Loading::kNoCode;
  EXPECT_EQ(load(), Status::kNotSupported);
}

TEST_F(LoadedKernels, WithoutMemoryNothingIsKept) {
  for (const char* name : {"quick", "double", kPackKernels[0]}) {
    binding_.context_id += uint64_t{1} << 33;
    g_outcomes = {{name, gpu::Loading::kNoMemory}};
    EXPECT_EQ(load(), Status::kAllocFailed) << name;
    g_outcomes.clear();
    ASSERT_EQ(load(), Status::kSuccess) << name;
    EXPECT_NE(loaded_->rows[0], nullptr) << name;
    EXPECT_NE(loaded_->rows[2], nullptr) << name;
    EXPECT_TRUE(loaded_->can_pack()) << name;
  }
}

}  // namespace
}  // namespace testing
}  // namespace myblas
