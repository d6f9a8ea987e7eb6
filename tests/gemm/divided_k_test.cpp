// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemm/divided_k_test.cpp: k divided among blocks (MYBLAS_KERNEL=name@parts, or name@even): right
// for any number of parts, and no two launches in one piece of scratch memory, whatever streams,
// threads and graphs do.
//==============================================================================
#include <algorithm>
#include <string>

#include "gemm/concurrent_calls.h"

namespace myblas::test {
namespace {

struct Divided {
  const char* kernel;
  const char* combo;
  // wgmma's do not.
  bool deals() const { return std::string(kernel).find("wgmma") == std::string::npos; }
};
// One of each family that divides k.
constexpr Divided kDivided[] = {
    {"sgemm_closed_64x64x16", "f32_f32_32F"},
    {"sgemm_cp_async_64x64x16", "f32_f32_32F"},
    {"sgemm_registers_64x64x16", "f32_f32_32F"},
    {"turing_f16_any_f16_64x64x32", "f16_f16_32F"},
    {"ampere_bf16_any_bf16_64x64x64", "bf16_bf16_32F"},
    // Its blocks stay on their SMs.
    {"ampere_bf16_bf16_128x256x64", "bf16_bf16_32F"},
    {"ampere_f64_sm90_f64_64x64x16", "f64_f64_64F"},
    {"hgemm_wgmma_bf16_bf16_64x64x64", "bf16_bf16_32F"},
    // C is one tile: up to 8 parts are the blocks of a cluster.
    {"hgemm_wgmma_bf16_bf16_128x128x64", "bf16_bf16_32F"},
};
const std::string kDivisions[] = {"9", "even"};

class DividedKTest : public ConcurrentCallsTest {
 protected:
  void SetUp() override {
    GpuGemmTest::SetUp();
    if (IsSkipped()) return;
    for (const Divided& divided : kDivided) {
      ForcedHandle forced(divided.kernel, 2);
      PreparedGemm probe(device(), make_case(divided.combo, 1088));
      ASSERT_EQ(probe.launch(forced.get()), MYBLAS_STATUS_SUCCESS);
      if (last_kernel() == divided.kernel) served_.push_back(divided);
    }
    ASSERT_TRUE(std::ranges::any_of(served_, &Divided::deals));
  }
  // What this GPU's table has.
  std::vector<Divided> served_;

  // Dealt, the same bits each time.
  void run_often(const char* kernel, const GemmCase& gemm) {
    ForcedHandle forced(kernel, "even");
    PreparedGemm prepared(device(), gemm);
    std::vector<uint8_t> first;
    for (int run = 0; run < 10; ++run) {
      if (run > 0) prepared.reset();
      ASSERT_EQ(prepared.launch(forced.get()), MYBLAS_STATUS_SUCCESS);
      EXPECT_EQ(last_kernel(), kernel);
      if (run == 0) {
        EXPECT_TRUE(prepared.check()) << to_line(gemm);
      }
      prepared.arena().download();
      const std::vector<uint8_t> bits = prepared.output();
      if (run == 0) first = bits;
      EXPECT_TRUE(bits == first) << "run " << run << ": " << to_line(gemm);
    }
    count_cases(1);
  }

  static GemmCase make_case(const char* combo, int64_t k, uint64_t seed = 1) {
    return scaled_case(combo, 96, 80, k, seed);
  }
  static std::vector<GemmCase> make_cases(const char* combo, size_t count) {
    std::vector<GemmCase> cases;
    while (cases.size() < count) cases.push_back(make_case(combo, 1600, cases.size() + 1));
    return cases;
  }
};

TEST_F(DividedKTest, AnyNumberOfParts) {
  for (const Divided& divided : served_) {
    for (const std::string parts : {"1", "2", "3", "8", "9", "17", "even"}) {
      ForcedHandle forced(divided.kernel, parts);
      for (const int64_t k : {1088, 2000}) {
        GemmCase gemm = make_case(divided.combo, k);
        gemm.op_a = parts.size() % 2 == 0 ? MYBLAS_OP_T : MYBLAS_OP_N;
        PreparedGemm prepared(device(), gemm);
        // Twice: the counters must be as the first call found them.
        for (int run = 0; run < 2; ++run) {
          if (run > 0) prepared.reset();
          ASSERT_EQ(prepared.launch(forced.get()), MYBLAS_STATUS_SUCCESS);
          EXPECT_EQ(last_kernel(), divided.kernel);
          EXPECT_TRUE(prepared.check()) << parts << " parts: " << to_line(gemm);
          count_cases(1);
        }
      }
    }
  }
}

// Shares of one, two and more tiles, cut within them: tiles fill one round of blocks and a part of
// another. Real data: whoever is second of two, the bits are the same.
TEST_F(DividedKTest, DealtTilesAreTheSameEveryTime) {
  struct Shape {
    int64_t m, n, k, batch;
  };
  for (const Divided& divided : served_) {
    if (!divided.deals()) continue;
    for (const Shape& shape : {Shape{1600, 1504, 264, 1},
                               {3000, 2904, 264, 1},
                               {304, 296, 1104, 3},
                               {64, 64, 9000, 1},
                               {200, 1600, 1000, 1}}) {
      GemmCase gemm = scaled_case(divided.combo, shape.m, shape.n, shape.k, 7);
      gemm.data = DataKind::kReal;
      if (shape.batch > 1) {
        gemm.batch = shape.batch;
        gemm.entry = entries_for(*gemm.combo, BatchKind::kStrided).at(0);
      }
      run_often(divided.kernel, gemm);
    }
  }
}

// More streams than pieces, all at once, through one handle.
TEST_F(DividedKTest, ManyStreamsOfOneHandle) {
  for (const Divided& divided : served_) {
    for (const std::string& division : kDivisions) {
      ForcedHandle forced(divided.kernel, division);
      run_on_streams(forced.get(), make_cases(divided.combo, 20), 4);
    }
  }
}

// The per-thread default stream is another in each thread, under one name: k stays whole.
TEST_F(DividedKTest, PerThreadStreams) {
  for (const Divided& divided : served_) {
    std::vector<ForcedHandle> handles;
    std::vector<ThreadOfCalls> threads;
    for (const GemmCase& gemm : make_cases(divided.combo, 6)) {
      handles.emplace_back(divided.kernel, kDivisions[handles.size() % 2]);
      threads.push_back({handles.back().get(), gemm});
    }
    run_in_threads(threads, per_thread_stream(), 20);
  }
}

TEST_F(DividedKTest, GraphsReplayedAtTheSameTime) {
  for (const Divided& divided : served_) {
    for (const std::string& division : kDivisions) {
      ForcedHandle forced(divided.kernel, division);
      replay_graphs(forced.get(), make_cases(divided.combo, 3), make_case(divided.combo, 1600, 99),
                    {divided.kernel, 1, 1, size_t{64} << 20});
    }
  }
}

}  // namespace
}  // namespace myblas::test
