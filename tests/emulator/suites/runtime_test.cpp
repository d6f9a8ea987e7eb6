// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// suites/runtime_test.cpp: that the emulator sees what it is for, by the kernels of
// probe_kernels.cu, and says where.
//==============================================================================
#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

#include "kernels/common/gemm_args.h"
#include "runtime/emulator.h"

namespace myblas::test {
namespace {

constexpr int kFloats = 256;

void load_probes() {
  static const bool loaded = [] {
    emulator::load_module(MYBLAS_EMULATED_MODULES "probe_kernels.so");
    return true;
  }();
  (void)loaded;
}

class Buffer {
 public:
  explicit Buffer(int floats)
      : data_(
            static_cast<float*>(emulator::allocate(sizeof(float) * static_cast<size_t>(floats)))) {}
  ~Buffer() { emulator::release(data_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  float* data() { return data_; }
  float& operator[](int i) { return data_[i]; }

 private:
  float* data_;
};

struct Outcome {
  std::string error;
  std::vector<float> output;
  std::map<std::string, emulator::Wavefronts> wavefronts;
};

// Input: 0, 1, 2, ... Output starts as -1.
Outcome run(const std::string& probe, const emulator::Settings& settings, int out_floats = kFloats,
            bool early_start = false) {
  load_probes();
  Buffer in(kFloats), out(out_floats);
  for (int i = 0; i < kFloats; ++i) in[i] = static_cast<float>(i);
  for (int i = 0; i < out_floats; ++i) out[i] = -1.0f;
  GemmArgs args{};
  args.a.base = in.data();
  args.c = out.data();
  void* kernel = emulator::find_kernel(probe.c_str());
  if (kernel == nullptr) return {"no such probe", {}, {}};
  emulator::configure(settings);
  emulator::launch(kernel, {.threads = 64, .early_start = early_start}, &args);
  emulator::Result result = emulator::take_result();
  return {result.error, {out.data(), out.data() + out_floats}, result.wavefronts};
}

std::vector<emulator::Settings> many_settings() {
  std::vector<emulator::Settings> all;
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    for (const auto copies : {emulator::CopyTiming::kLate, emulator::CopyTiming::kAtOnce,
                              emulator::CopyTiming::kSeeded}) {
      emulator::Settings settings;
      settings.seed = seed;
      settings.copies = copies;
      all.push_back(settings);
    }
  }
  return all;
}

// ---- what is wrong is seen, whatever the order ------------------------------------------------

struct Wrong {
  const char* probe;
  const char* symptom;
  int out_floats;
};
constexpr Wrong kWrong[] = {
    {"probe_reverse_without_barrier", "nothing wrote|no barrier in between", kFloats},
    {"probe_swap_across_warps", "nothing wrote|no barrier in between", kFloats},
    {"probe_shared_overwritten", "thread [0-9]+ (read|wrote at .*), with no barrier in between",
     kFloats},
    {"probe_shared_unwritten", "thread 40: probe_kernels.cu:[0-9]+: reads .* nothing wrote",
     kFloats},
    {"probe_shared_past_end", "reads 4 bytes outside every shared variable", kFloats},
    {"probe_global_past_end", "writes 4 bytes, 256 bytes past the start of an allocation of 256",
     64},
    {"probe_global_before_start", "reads 4 bytes", kFloats},
    {"probe_global_unknown", "reads 4 bytes at 0x1000", kFloats},
    {"probe_misaligned", "probe_kernels.cu:[0-9]+: .* not aligned", kFloats},
    {"probe_divergent_barrier", "nobody can go on: 32 has ended; 32 waits for a barrier at probe_",
     kFloats},
    {"probe_shuffle_from_outside", "shfl reads lane 20, which takes no part", kFloats},
    {"probe_copy_without_wait", "a copy started at probe_kernels.cu:[0-9]+ may still write",
     kFloats},
    {"probe_copy_without_commit", "a copy started at probe_kernels.cu:[0-9]+ may still write",
     kFloats},
    {"probe_copy_wait_one_short", "a copy started at probe_kernels.cu:[0-9]+ may still write",
     kFloats},
    {"probe_copy_without_barrier", "no barrier in between|may still write|nothing wrote", kFloats},
    {"probe_copy_over_a_load", "no barrier in between|may still write", kFloats},
    {"probe_copy_misaligned", "cp.async of 16 bytes from", kFloats},
    {"probe_mbarrier_unknown", "no mbarrier was initialised|no barrier in between", kFloats},
    {"probe_copy_past_end", "reads 16 bytes", kFloats},
};

class EmulatorSees : public testing::TestWithParam<Wrong> {};

TEST_P(EmulatorSees, InEveryOrder) {
  for (const emulator::Settings& settings : many_settings()) {
    const Outcome outcome = run(GetParam().probe, settings, GetParam().out_floats);
    EXPECT_TRUE(std::regex_search(outcome.error, std::regex(GetParam().symptom)))
        << "seed " << settings.seed << ": " << outcome.error;
    EXPECT_NE(outcome.error.find(GetParam().probe), std::string::npos) << outcome.error;
  }
}
INSTANTIATE_TEST_SUITE_P(Probes, EmulatorSees, testing::ValuesIn(kWrong),
                         [](const auto& wrong) { return wrong.param.probe; });

// Loads, stores and asynchronous copies of threads that have not waited for the grid ahead.
TEST(EmulatorSees, WhoDoesNotWaitForTheGridAhead) {
  const std::regex symptom("(reads|writes) global memory, and has not waited for the grid ahead");
  for (const emulator::Settings& settings : many_settings()) {
    for (const char* probe : {"probe_reverse", "probe_global_past_end", "probe_copy"}) {
      const Outcome outcome = run(probe, settings, kFloats, true);
      EXPECT_TRUE(std::regex_search(outcome.error, symptom)) << probe << ": " << outcome.error;
    }
    const Outcome half = run("probe_half_waits_for_grid_ahead", settings, kFloats, true);
    EXPECT_TRUE(std::regex_search(half.error, symptom)) << half.error;
    EXPECT_TRUE(std::regex_search(half.error, std::regex("thread (3[2-9]|[45][0-9]|6[0-3]):")))
        << half.error;
    EXPECT_EQ(run("probe_waits_for_grid_ahead", settings, kFloats, true).error, "");
    EXPECT_EQ(run("probe_half_waits_for_grid_ahead", settings).error, "");
  }
}

// ---- what is right runs, and gives its result -------------------------------------------------

void expect_output(const char* probe, int count, float (*expected)(int)) {
  for (const emulator::Settings& settings : many_settings()) {
    const Outcome outcome = run(probe, settings);
    ASSERT_EQ(outcome.error, "");
    for (int i = 0; i < count; ++i) {
      ASSERT_EQ(outcome.output[static_cast<size_t>(i)], expected(i)) << probe << ", element " << i;
    }
  }
}

TEST(EmulatorRuns, Barriers) {
  expect_output("probe_reverse", 64, [](int i) { return static_cast<float>(63 - i); });
  expect_output("probe_swap_in_warp", 64, [](int i) { return static_cast<float>(i ^ 1); });
}

TEST(EmulatorRuns, ShufflesAndVotes) {
  expect_output("probe_shuffles", 64, [](int i) {
    const int lane = i % 32;
    const int sum = i < 32 ? 31 * 16 : 31 * 16 + 32 * 32;
    const int up = lane < 3 ? lane : lane - 3;
    const int down = lane % 8 + 3 < 8 ? lane + 3 : lane;
    return static_cast<float>(sum) + 1000.0f * static_cast<float>(up) +
           100000.0f * static_cast<float>(down) + 10000000.0f;
  });
}

TEST(EmulatorRuns, AsynchronousCopies) {
  expect_output("probe_copy", 256, [](int i) {
    const int from = 4 * (63 - i / 4) + i % 4;
    return from >= 254 ? 0.0f : static_cast<float>(from);
  });
  expect_output("probe_copy_of_nothing", 64, [](int) { return 0.0f; });
}

TEST(EmulatorRuns, CountsWavefronts) {
  emulator::Settings settings;
  settings.count_wavefronts = true;
  const Outcome outcome = run("probe_wide_loads", settings);
  ASSERT_EQ(outcome.error, "");
  ASSERT_EQ(outcome.wavefronts.size(), 2u);  // lines
  const emulator::Wavefronts dense = outcome.wavefronts.begin()->second;
  const emulator::Wavefronts strided = outcome.wavefronts.rbegin()->second;
  EXPECT_EQ(dense.instructions, 2u);
  EXPECT_EQ(dense.actual, 2u * 4);
  EXPECT_EQ(dense.ideal, 2u * 4);
  EXPECT_EQ(strided.actual, 2u * 32);
  EXPECT_EQ(strided.ideal, 2u * 4);
}

}  // namespace
}  // namespace myblas::test
