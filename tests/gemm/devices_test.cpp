// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemm/devices_test.cpp: a process with more than one GPU. A handle belongs to the device that was
// current when it was made, with kernels, scratch memory and plans of its own. Skipped on a machine
// with one.
//==============================================================================
#include <memory>
#include <thread>

#include "gemm/concurrent_calls.h"
#include "support/cuda_driver.h"

namespace myblas::test {
namespace {

class DevicesTest : public ConcurrentCallsTest {
 protected:
  void SetUp() override {
    GpuGemmTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    int count = 0;
    MYBLAS_TEST_CUDA(cuDeviceGetCount, &count);
    if (count < 2) GTEST_SKIP() << "skipped, needs a second GPU";
    for (int ordinal = 0; ordinal < 2; ++ordinal) {
      std::string why;
      auto device = make_cuda_device(&why, ordinal);
      ASSERT_NE(device, nullptr) << why;
      device->bind_thread();
      gpus_.push_back({std::move(device), std::make_unique<Handle>(), nullptr});
      gpus_.back().stream = std::make_unique<Stream>(*gpus_.back().device, false);
    }
  }
  // A device's memory and streams go while it is current.
  void TearDown() override {
    for (Gpu& gpu : gpus_) {
      gpu.device->bind_thread();
      gpu.stream.reset();
      gpu.handle.reset();
    }
    if (!gpus_.empty()) device().bind_thread();
  }

  struct Gpu {
    std::unique_ptr<Device> device;
    std::unique_ptr<Handle> handle;
    std::unique_ptr<Stream> stream;
  };

  // One of each way through the library: fed by TMA, plain, packed, k divided, streamed, batched by
  // pointers.
  static std::vector<GemmCase> cases_of_device(uint64_t seed) {
    std::vector<GemmCase> cases = {
        scaled_case("bf16_bf16_32F", 512, 384, 640, seed),
        scaled_case("f32_f32_32F", 300, 200, 100, seed),
        scaled_case("f32_f32_FAST_TF32", 256, 256, 256, seed),
        scaled_case("f64_f64_64F", 130, 140, 150, seed),
        scaled_case("bf16_bf16_32F", 1023, 1025, 511, seed),
        scaled_case("f16_f32_32F", 128, 128, 16384, seed),
        scaled_case("f32_f32_32F", 64, 64, 32768, seed),
        scaled_case("f16_f16_32F", 4096, 1, 1024, seed),
        scaled_case("s8_s32_32I", 256, 128, 512, seed),
        scaled_case("cf32_cf32_32F", 96, 96, 96, seed),
    };
    GemmCase batch = scaled_case("bf16_bf16_32F", 128, 128, 64, seed);
    batch.entry = find_entry("myblasGemmBatchedEx");
    batch.batch = 7;
    cases.push_back(batch);
    return cases;
  }

  std::vector<Gpu> gpus_;
};

// One thread, which goes from device to device between two calls and does not wait for either.
TEST_F(DevicesTest, TakeTurnsInAThread) {
  for (const bool on_stream : {false, true}) {
    std::vector<std::vector<std::unique_ptr<PreparedGemm>>> products(gpus_.size());
    for (size_t i = 0; i < gpus_.size(); ++i) {
      gpus_[i].device->bind_thread();
      const myblasStream_t stream = on_stream ? gpus_[i].stream->get() : nullptr;
      ASSERT_EQ(myblasSetStream(gpus_[i].handle->get(), stream), MYBLAS_STATUS_SUCCESS);
      for (const GemmCase& gemm : cases_of_device(i + 1)) {
        products[i].push_back(std::make_unique<PreparedGemm>(*gpus_[i].device, gemm));
      }
    }
    for (size_t product = 0; product < products[0].size(); ++product) {
      for (size_t i = 0; i < gpus_.size(); ++i) {
        gpus_[i].device->bind_thread();
        EXPECT_EQ(products[i][product]->launch(gpus_[i].handle->get()), MYBLAS_STATUS_SUCCESS)
            << "device " << i << ": " << to_line(products[i][product]->gemm());
      }
    }
    for (size_t i = 0; i < gpus_.size(); ++i) {
      gpus_[i].device->bind_thread();
      gpus_[i].device->synchronize();
      for (const auto& product : products[i]) {
        EXPECT_TRUE(product->check()) << "device " << i << ": " << to_line(product->gemm());
      }
      count_cases(static_cast<int64_t>(products[i].size()));
      products[i].clear();  // while the device is current
    }
  }
}

// A thread for each device, at the same time.
TEST_F(DevicesTest, AThreadEach) {
  std::vector<std::string> failures(gpus_.size());
  std::vector<std::thread> threads;
  for (size_t i = 0; i < gpus_.size(); ++i) {
    threads.emplace_back([&, i] {
      try {
        gpus_[i].device->bind_thread();
        for (uint64_t round = 0; round < 10; ++round) {
          for (const GemmCase& gemm : cases_of_device(round)) {
            const auto right = run_case(*gpus_[i].device, gpus_[i].handle->get(), gemm);
            if (!right) failures[i] += right.message();
          }
        }
      } catch (const std::exception& error) {
        failures[i] = error.what();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t i = 0; i < gpus_.size(); ++i) {
    EXPECT_EQ(failures[i], "") << "device " << i;
    count_cases(10 * static_cast<int64_t>(cases_of_device(0).size()));
  }
}

// The stream of a handle says where its calls run, whatever device is current by then.
TEST_F(DevicesTest, AnotherIsCurrent) {
  for (size_t i = 0; i < gpus_.size(); ++i) {
    const Gpu& gpu = gpus_[i];
    const myblasHandle_t handle = gpu.handle->get();
    gpu.device->bind_thread();
    ASSERT_EQ(myblasSetStream(handle, gpu.stream->get()), MYBLAS_STATUS_SUCCESS);
    for (const GemmCase& gemm : cases_of_device(5)) {
      PreparedGemm product(*gpu.device, gemm);
      gpus_[1 - i].device->bind_thread();
      EXPECT_EQ(product.launch(handle), MYBLAS_STATUS_SUCCESS) << to_line(gemm);
      gpu.device->bind_thread();
      gpu.stream->synchronize();
      EXPECT_TRUE(product.check()) << "device " << i << ": " << to_line(gemm);
      count_cases(1);
    }
  }
}

}  // namespace
}  // namespace myblas::test
