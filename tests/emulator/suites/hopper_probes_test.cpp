// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// suites/hopper_probes_test.cpp: that the emulator sees what is wrong with a use of TMA, wgmma or
// clusters, whatever the order, and leaves alone what is right (hopper_probe_kernels.cu).
//==============================================================================
#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "runtime/tensor_map.h"
#include "suites/instruction_args.h"
#include "suites/instruction_cases.h"

namespace myblas::test {
namespace {

constexpr int kInner = 64, kRows = 32;

// A tensor of 64 x 32 halves and a box of 64 x 8.
TensorMapShape shape_of(const void* base) {
  TensorMapShape shape{};
  shape.type = DataType::kF16;
  shape.base = base;
  shape.size[0] = kInner;
  shape.size[1] = kRows;
  shape.sides = 3;
  shape.size[2] = 1;
  shape.stride_bytes[0] = kInner * 2;
  shape.stride_bytes[1] = kInner * kRows * 2;
  shape.box[0] = 64;
  shape.box[1] = 8;
  shape.box[2] = 1;
  shape.swizzle = Swizzle::k128B;
  return shape;
}

struct Probe {
  const char* kernel;
  const char* symptom;  // nullptr: none
  unsigned threads = 128;
  unsigned cluster = 1;
  int rows = kRows;  // of the tensor, as the map has it
  bool early_start = false;
  bool base_is_elsewhere = false;  // of the map, in no memory; the box's matrix is the tensor
};
constexpr const char* kGridAhead = "reads global memory, and has not waited for the grid ahead";
constexpr const char* kPairSymptom = "not known here|no mbarrier was initialised";
constexpr Probe kProbes[] = {
    {"probe_load", nullptr},
    {"probe_load_without_wait", "a copy started at hopper_probe.* may still write|nothing wrote"},
    {"probe_load_too_few_bytes", "never completes|nobody can go on"},
    {"probe_load_misaligned", "not aligned to 128"},
    {"probe_load_between_pieces", "not at a multiple of 16 bytes"},
    {"probe_load_without_init_fence", "no mbarrier_fence_init"},
    {"probe_load_other_barrier", "a copy wrote at|may still write|nothing wrote"},
    {"probe_load", "past the start of an allocation of", 128, 1, kRows + 8},
    {"probe_load", kGridAhead, 128, 1, kRows, true},
    {"probe_load", "to no allocation|before an allocation", 128, 1, kRows, false, true},
    {"probe_ring", nullptr},
    {"probe_ring_wrong_parity", "may still write|nothing wrote|never completes"},
    {"probe_ring_too_many_bytes", "never completes"},
    {"probe_ring_never_emptied", "no barrier in between|may still write|never completes"},
    {"probe_store", nullptr},
    {"probe_store_without_fence", "no fence_async_shared"},
    {"probe_store_below_zero", "below 0"},
    {"probe_store_without_barrier", "no barrier in between|nothing wrote"},
    {"probe_store_overwritten", "may still read"},
    {"probe_store_without_wait", "may still read shared memory when its thread ends"},
    {"probe_store_without_commit", "may still read shared memory when its thread ends"},
    {"probe_store", "past the start of an allocation of", 128, 1, kRows + 8},
    {"probe_pair", nullptr, 128, 2},
    {"probe_pair_without_first_barrier", kPairSymptom, 128, 2},
    {"probe_pair_relaxed", nullptr, 128, 2},
    {"probe_pair_relaxed_without_fence", kPairSymptom, 128, 2},
    {"probe_pair_without_last_barrier", "has ended", 128, 2},
    {"probe_pair_arrives_twice", "a second cluster_arrive", 128, 2},
    {"probe_pair_fixed_size", "use dynamic shared memory", 128, 2},
    {"probe_pair_without_remote_wait", "no barrier in between|may still write|nothing wrote", 128,
     2},
    {"probe_registers", "waits for registers", 384},
    {"probe_registers_decreased_upwards", "setmaxnreg.dec from 168 to 240", 384},
    {"probe_wgmma", nullptr},
    {"probe_wgmma_operand_unfenced", "a wgmma reads .* no fence_async_shared"},
    {"probe_wgmma_operand_unwritten", "a wgmma reads .* nothing wrote"},
    {"probe_wgmma_without_fence", "no wgmma_fence"},
    {"probe_wgmma_without_second_fence", "no wgmma_fence"},
    {"probe_wgmma_operand_overwritten", "may still read|no barrier in between"},
    {"probe_wgmma_without_wait", "a wgmma that is not over when its thread ends"},
    {"probe_wgmma_sums_touched", "sum 2 was written while a wgmma was under way"},
    {"probe_wgmma_other_descriptor", "differs from what others of its warpgroup started"},
    {"probe_wgmma_three_warps", "waits for the other warps' wgmma"},
};

std::string name_of(const testing::TestParamInfo<Probe>& info) {
  return info.param.kernel + std::string(info.param.rows == kRows ? "" : "_outside") +
         (info.param.early_start ? "_early" : "") +
         (info.param.base_is_elsewhere ? "_from_elsewhere" : "");
}

class EmulatorSeesHopper : public testing::TestWithParam<Probe> {};

TEST_P(EmulatorSeesHopper, InEveryOrder) {
  const Probe& probe = GetParam();
  EmulatedMachine machine;
  for (uint64_t seed = 1; seed <= 9; ++seed) {
    emulator::Settings settings;
    settings.seed = seed;
    settings.copies = static_cast<emulator::CopyTiming>(seed % 3);
    machine.configure(settings);
    Elements<uint16_t> tensor(machine, std::vector<uint16_t>(kInner * kRows, 1));
    Elements<uint16_t> image(machine, std::vector<uint16_t>(64 * 8, 1));
    Elements<float> sums(machine, std::vector<float>(128));
    TensorMapShape shape = shape_of(tensor.data());
    shape.size[1] = static_cast<uint64_t>(probe.rows);
    BoxArgs box{};
    if (probe.base_is_elsewhere) {
      constexpr uintptr_t kDistance = uintptr_t{1} << 36;
      shape.base =
          reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(shape.base) - kDistance);
      shape.size[2] = 2;
      shape.stride_bytes[1] = kDistance;
      box.z = 1;
    }
    ASSERT_TRUE(machine.encode(shape, &box.map));
    box.shared_image = image.data();
    box.y = kRows - 4;
    box.box_bytes = 64 * 8 * 2;
    WgmmaArgs product{};
    product.c = sums.data();
    const bool multiplies = std::string(probe.kernel).find("wgmma") != std::string::npos;
    const std::string error =
        machine.launch(probe.kernel,
                       {.grid_x = probe.cluster,
                        .threads = probe.threads,
                        .smem_bytes = 4096,
                        .cluster_x = probe.cluster,
                        .early_start = probe.early_start},
                       multiplies ? static_cast<const void*>(&product) : &box);
    if (probe.symptom == nullptr) {
      ASSERT_EQ(error, "") << "seed " << seed;
      const float expected = multiplies ? 17.0f : 0.0f;
      EXPECT_EQ(sums.now(), std::vector<float>(128, expected));
    } else {
      EXPECT_TRUE(std::regex_search(error, std::regex(probe.symptom)))
          << "seed " << seed << ": " << error;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Probes, EmulatorSeesHopper, testing::ValuesIn(kProbes), name_of);

TEST(EmulatorRunsHopper, WgmmaWithAInRegisters) {
  for (const auto& [kernel, k] : {std::pair{"probe_wgmma_registers_bf16", 16},
                                  {"probe_wgmma_registers_tf32", 8},
                                  {"probe_wgmma_registers_s8", 32}}) {
    EmulatedMachine machine;
    Elements<float> a(machine, random_integers(64 * static_cast<size_t>(k), 60, 1));
    Elements<float> b(machine, random_integers(8 * static_cast<size_t>(k), 60, 2));
    Elements<float> c(machine, std::vector<float>(64 * 8));
    WgmmaArgs args{};
    args.a = a.data();
    args.b = b.data();
    args.c = c.data();
    ASSERT_EQ(machine.launch(kernel, {.threads = 128, .smem_bytes = 256}, &args), "");
    std::vector<float> expected;
    for (int i = 0; i < 64 * 8; ++i) {
      float sum = 0;
      for (int p = 0; p < k; ++p) {
        sum += a.before()[static_cast<size_t>(i / 8 * k + p)] *
               b.before()[static_cast<size_t>(p * 8 + i % 8)];
      }
      expected.push_back(sum);
    }
    EXPECT_EQ(c.now(), expected) << kernel;
  }
}

// What is read ahead of the wait is poison.
TEST(EmulatorSeesHopper, SumsReadTooEarly) {
  EmulatedMachine machine;
  Elements<float> sums(machine, std::vector<float>(128));
  WgmmaArgs args{};
  args.c = sums.data();
  ASSERT_EQ(
      machine.launch("probe_wgmma_read_too_early", {.threads = 128, .smem_bytes = 4096}, &args),
      "");
  for (float value : sums.now()) EXPECT_TRUE(std::isnan(value));
}

TEST(EmulatorSeesHopper, MapsThatBreakARule) {
  alignas(128) static unsigned char memory[64 * 1024];
  TensorMap map;
  ASSERT_EQ(emulator::encode_tensor_map(shape_of(memory), &map), nullptr);
  const auto refused = [&](auto change) {
    TensorMapShape shape = shape_of(memory);
    change(shape);
    return emulator::encode_tensor_map(shape, &map) != nullptr;
  };
  EXPECT_TRUE(refused([](TensorMapShape& s) { s.base = memory + 8; }));
  EXPECT_TRUE(refused([](TensorMapShape& s) { s.size[1] = 0; }));
  EXPECT_TRUE(refused([](TensorMapShape& s) { s.size[0] = (uint64_t{1} << 32) + 1; }));
  EXPECT_TRUE(refused([](TensorMapShape& s) { s.stride_bytes[0] = 130; }));
  EXPECT_TRUE(refused([](TensorMapShape& s) { s.stride_bytes[1] = uint64_t{1} << 40; }));
  EXPECT_TRUE(refused([](TensorMapShape& s) { s.box[1] = 257; }));
  EXPECT_TRUE(refused([](TensorMapShape& s) { s.box[0] = 128; }));  // 256 bytes in a row of 128
  EXPECT_TRUE(refused([](TensorMapShape& s) { s.swizzle = Swizzle::k64B; }));
  EXPECT_TRUE(refused([](TensorMapShape& s) {
    s.swizzle = Swizzle::kNone;
    s.box[0] = 12;  // 24 bytes
  }));
  EXPECT_TRUE(refused([](TensorMapShape& s) { s.rounds_to_tf32 = true; }));  // of 16-bit elements
}

}  // namespace
}  // namespace myblas::test
