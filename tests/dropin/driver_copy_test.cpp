// SPDX-License-Identifier: BSD-3-Clause
// Standalone with a GPU: cublasSetMatrix and its kin copy with the CUDA driver (a fake one).
#include <algorithm>
#include <numeric>
#include <vector>

#include "dropin_libraries.h"

namespace dropin_test {
namespace {

constexpr int kSuccess = 0, kNotInitialized = 1, kMappingError = 11;

using Copy = int(int, int, int, const void*, int, void*, int);
using CopyAsync = int(int, int, int, const void*, int, void*, int, void*);

void* on_device(float* memory) {
  return reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(memory) | (uintptr_t{1} << 62));
}

class DriverCopy : public ::testing::Test {
 protected:
  void SetUp() override {
    myblas_ = open_library(FAKE_MYBLAS, RTLD_NOW | RTLD_GLOBAL);
    ASSERT_NE(myblas_, nullptr);
    cuda_ = open_library(FAKE_CUDA);
    dropin_ = open_library(DROPIN_13);
    ASSERT_TRUE(cuda_ != nullptr && dropin_ != nullptr);
    std::iota(host_.begin(), host_.end(), 0.0f);
  }
  int count(const char* name) { return find<int()>(cuda_, name)(); }

  void* myblas_ = nullptr;
  void* cuda_ = nullptr;
  void* dropin_ = nullptr;
  std::vector<float> host_ = std::vector<float>(12);
  std::vector<float> device_ = std::vector<float>(20, -1.0f);
};

TEST_F(DriverCopy, ThereAndBackWithPitches) {
  auto* set_matrix = find<Copy>(dropin_, "cublasSetMatrix");
  ASSERT_EQ(set_matrix(3, 4, 4, host_.data(), 3, on_device(device_.data()), 5), kSuccess);
  EXPECT_EQ(count("fake_cuda_has_context"), 1) << "the first device became current";
  for (size_t column = 0; column < 4; ++column) {
    for (size_t row = 0; row < 3; ++row) {
      EXPECT_EQ(device_[5 * column + row], host_[3 * column + row]);
    }
    EXPECT_EQ(device_[5 * column + 3], -1.0f);
  }
  std::vector<float> back(12, -2.0f);
  ASSERT_EQ(
      find<Copy>(dropin_, "cublasGetMatrix")(3, 4, 4, on_device(device_.data()), 5, back.data(), 3),
      kSuccess);
  EXPECT_EQ(back, host_);
}

TEST_F(DriverCopy, AsyncGoesToItsStream) {
  void* const stream = reinterpret_cast<void*>(0x5700);
  const int before = count("fake_cuda_async_copies");
  EXPECT_EQ(find<CopyAsync>(dropin_, "cublasSetMatrixAsync")(3, 4, 4, host_.data(), 3,
                                                             on_device(device_.data()), 3, stream),
            kSuccess);
  EXPECT_EQ(count("fake_cuda_async_copies"), before + 1);
  using VectorAsync = int(int, int, const void*, int, void*, int, void*);
  EXPECT_EQ(find<VectorAsync>(dropin_, "cublasGetVectorAsync")(4, 4, on_device(device_.data()), 3,
                                                               host_.data(), 1, stream),
            kSuccess);
  EXPECT_EQ(count("fake_cuda_async_copies"), before + 2);
  EXPECT_EQ(host_[1], 3.0f) << "every third element";
}

TEST_F(DriverCopy, WhatHasNoGapsIsOneCopy) {
  using Vector = int(int, int, const void*, int, void*, int);
  using VectorAsync = int(int, int, const void*, int, void*, int, void*);
  void* const stream = reinterpret_cast<void*>(0x5700);
  void* const device = on_device(device_.data());
  const int before = count("fake_cuda_copies"), before_2d = count("fake_cuda_2d_copies");
  std::vector<float> back(12, -2.0f);
  // Increments of 1.
  ASSERT_EQ(find<Vector>(dropin_, "cublasSetVector")(12, 4, host_.data(), 1, device, 1), kSuccess);
  ASSERT_EQ(find<Vector>(dropin_, "cublasGetVector")(12, 4, device, 1, back.data(), 1), kSuccess);
  EXPECT_EQ(back, host_);
  // ld == rows on both sides.
  std::iota(host_.begin(), host_.end(), 100.0f);
  ASSERT_EQ(
      find<CopyAsync>(dropin_, "cublasSetMatrixAsync")(3, 4, 4, host_.data(), 3, device, 3, stream),
      kSuccess);
  ASSERT_EQ(
      find<VectorAsync>(dropin_, "cublasGetVectorAsync")(12, 4, device, 1, back.data(), 1, stream),
      kSuccess);
  EXPECT_EQ(back, host_);
  // One column, whatever the ld.
  ASSERT_EQ(find<Copy>(dropin_, "cublasSetMatrix")(7, 1, 4, host_.data(), 9, device, 11), kSuccess);
  EXPECT_EQ(device_[6], 106.0f);
  EXPECT_EQ(count("fake_cuda_copies"), before + 5);
  EXPECT_EQ(count("fake_cuda_2d_copies"), before_2d);
  // A gap on one side.
  ASSERT_EQ(find<Copy>(dropin_, "cublasSetMatrix")(3, 4, 4, host_.data(), 3, device, 5), kSuccess);
  ASSERT_EQ(find<Copy>(dropin_, "cublasGetMatrix")(2, 4, 4, device, 3, back.data(), 2), kSuccess);
  EXPECT_EQ(count("fake_cuda_2d_copies"), before_2d + 2);
}

TEST_F(DriverCopy, AGpuThatMyblasCannotUseIsLeftAlone) {
  // A driver, but handles compute on the CPU: "device" pointers are host pointers.
  auto* set_usable = find<void(int)>(myblas_, "fake_myblas_set_gpu_usable");
  set_usable(0);
  const int before = count("fake_cuda_copies");
  EXPECT_EQ(find<Copy>(dropin_, "cublasSetMatrix")(3, 4, 4, host_.data(), 3, device_.data(), 3),
            kSuccess);
  set_usable(1);
  EXPECT_EQ(count("fake_cuda_copies"), before);
  EXPECT_EQ(device_[11], 11.0f);
}

// Whose memory it is follows from the backend, which nobody knows then.
TEST_F(DriverCopy, NothingIsCopiedWhereAVariableHasNoSense) {
  auto* set_usable = find<void(int)>(myblas_, "fake_myblas_set_gpu_usable");
  set_usable(-1);
  const std::vector<float> before(device_.begin(), device_.end());
  EXPECT_EQ(find<Copy>(dropin_, "cublasSetMatrix")(3, 4, 4, host_.data(), 3, device_.data(), 3),
            kNotInitialized);
  set_usable(1);
  EXPECT_TRUE(std::equal(before.begin(), before.end(), device_.begin()));
}

TEST_F(DriverCopy, AFailedCopyIsAMappingError) {
  auto* set_matrix = find<Copy>(dropin_, "cublasSetMatrix");
  EXPECT_EQ(set_matrix(3, 4, 4, host_.data(), 2, on_device(device_.data()), 5), kMappingError);
}

}  // namespace
}  // namespace dropin_test
