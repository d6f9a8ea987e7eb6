// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// suites/hardware_test.cpp: each instruction on the GPU, on the emulator and by its definition: the
// same random operands, the same bits three times.
//
// The kernels are those of the emulator's own tests, compiled by nvcc; tensor maps are encoded by
// the driver. Needs the chip that has all of the instructions: sm_90.
//==============================================================================
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "driver/cuda_driver.h"
#include "driver/gpu.h"
#include "suites/instruction_cases.h"
#include "support/device.h"

extern "C" const unsigned char myblas_image_instruction_kernels[];
extern "C" const unsigned char myblas_image_hopper_instruction_kernels[];

namespace myblas::test {
namespace {

constexpr int kHopper = 90;
constexpr int kSeeds = 8;

class HardwareMachine final : public InstructionMachine {
 public:
  explicit HardwareMachine(std::unique_ptr<Device> device)
      : device_(std::move(device)), binding_(gpu::bind_current()) {
    for (const unsigned char* image :
         {myblas_image_instruction_kernels, myblas_image_hopper_instruction_kernels}) {
      CUlibrary library = nullptr;
      if (gpu::cuda_driver()->library_load_data(&library, image, nullptr, nullptr, 0, nullptr,
                                                nullptr, 0) != CUDA_SUCCESS) {
        throw std::runtime_error("the instruction kernels do not load");
      }
      libraries_.push_back(library);
    }
  }
  void* allocate(size_t bytes) override { return device_->allocate(bytes); }
  void release(void* memory) override { device_->release(memory); }
  void copy_in(void* to, const void* from, size_t bytes) override {
    device_->copy_in(to, from, bytes);
  }
  void copy_out(void* to, const void* from, size_t bytes) override {
    device_->copy_out(to, from, bytes);
  }
  bool encode(const TensorMapShape& shape, TensorMap* map) override {
    return gpu::encode_tensor_map(shape, map);
  }
  std::string launch(const char* name, const emulator::Shape& shape, const void* args) override {
    void* kernel = find(name);
    if (kernel == nullptr) return std::string("no kernel ") + name;
    if (gpu::prepare_kernel(kernel, binding_.device, shape.smem_bytes) != gpu::Loading::kReady) {
      return "not prepared";
    }
    gpu::LaunchShape launch{};
    launch.grid_x = shape.grid_x;
    launch.grid_y = shape.grid_y;
    launch.threads = shape.threads;
    launch.smem_bytes = static_cast<unsigned>(shape.smem_bytes);
    launch.cluster_x = shape.cluster_x;
    if (gpu::launch(kernel, launch, nullptr, binding_.context, args) != Status::kSuccess) {
      return "the launch was refused";
    }
    return gpu::synchronize(binding_.context) == Status::kSuccess ? "" : "the kernel failed";
  }

 private:
  void* find(const char* name) const {
    for (CUlibrary library : libraries_) {
      CUkernel kernel = nullptr;
      if (gpu::cuda_driver()->library_get_kernel(&kernel, library, name) == CUDA_SUCCESS) {
        return kernel;
      }
    }
    return nullptr;
  }

  std::unique_ptr<Device> device_;
  gpu::Binding binding_;
  std::vector<CUlibrary> libraries_;
};

HardwareMachine* g_hardware = nullptr;

class HardwareInstructions : public testing::TestWithParam<InstructionCase> {};

TEST_P(HardwareInstructions, AreAsEmulated) {
  EmulatedMachine emulated;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const InstructionRun there = GetParam().run(*g_hardware, seed);
    ASSERT_EQ(there.error, "") << "seed " << seed;
    const InstructionRun here = GetParam().run(emulated, seed);
    ASSERT_EQ(here.error, "") << "seed " << seed;
    ASSERT_EQ(there.result, here.result) << "the GPU and the emulator, seed " << seed;
    ASSERT_EQ(there.result, there.expected) << "the GPU and the definition, seed " << seed;
  }
}
INSTANTIATE_TEST_SUITE_P(All, HardwareInstructions, testing::ValuesIn(instruction_cases()),
                         [](const auto& one) { return one.param.name; });

// The GPU, or why there is none that serves.
std::unique_ptr<HardwareMachine> open_hardware(std::string* why) {
  std::unique_ptr<Device> device = make_cuda_device(why);
  gpu::DeviceFacts facts;
  if (device == nullptr) return nullptr;
  if (!gpu::query_device(0, &facts) || facts.cc != kHopper) {
    *why = "its compute capability is not 9.0";
    return nullptr;
  }
  return std::make_unique<HardwareMachine>(std::move(device));
}

}  // namespace
}  // namespace myblas::test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  std::string why;
  const auto hardware = myblas::test::open_hardware(&why);
  if (hardware == nullptr) {
    std::printf("SKIPPED: skipped, no usable GPU: %s\n", why.c_str());
    return 0;
  }
  myblas::test::g_hardware = hardware.get();
  return RUN_ALL_TESTS();
}
