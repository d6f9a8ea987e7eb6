// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemm/summed_test.cpp: parts of k as products of their own, which a pass adds up
// (MYBLAS_KERNEL=name@parts+sum): right for every type of C, the same bits every time, and no two
// calls in one piece of scratch memory, whatever streams, threads and graphs do.
//==============================================================================
#include <memory>
#include <thread>

#include "support/captured_graph.h"
#include "support/gemm_case.h"
#include "support/gemm_fixture.h"

namespace myblas::test {
namespace {

struct Summed {
  const char* kernel;  // of the type of the sums
  const char* combo;
};
constexpr Summed kSummed[] = {
    {"hgemm_wgmma_bf16_f32_64x64x64", "bf16_bf16_32F"},
    {"hgemm_wgmma_bf16_f32_pair_128x128x64", "bf16_f32_32F"},
    {"hgemm_wgmma_f16_f32_128x64x64", "f16_f16_16F"},
    {"gemm_wgmma_tf32_f32_64x32x32", "f32_f32_FAST_TF32"},
    {"sgemm_cp_async_64x64x16", "f32_f32_32F"},
    {"gemm_reference_f64_f64_64x64x16", "f64_f64_64F"},
};
constexpr int kParts[] = {2, 5, 10};

class SummedTest : public GpuGemmTest {
 protected:
  void SetUp() override {
    GpuGemmTest::SetUp();
    if (IsSkipped()) return;
    ForcedHandle forced(kSummed[4].kernel, 2, true);
    PreparedGemm prepared(device(), make_case(kSummed[4].combo, 1600));
    ASSERT_EQ(prepared.launch(forced.get()), MYBLAS_STATUS_SUCCESS);
    if (last_kernel() != name_of(kSummed[4], 2)) {
      GTEST_SKIP() << "no kernel of this GPU adds up parts of k";
    }
  }

  static std::string name_of(const Summed& summed, int parts) {
    return std::string(summed.kernel) + "@" + std::to_string(parts) + "+sum";
  }

  static GemmCase make_case(const char* combo, int64_t k, uint64_t seed = 1) {
    GemmCase gemm;
    gemm.entry = find_entry("myblasGemmEx");
    gemm.combo = find_combo(combo);
    gemm.m = 96;
    gemm.n = 80;
    gemm.k = k;
    gemm.alpha = {2, 0};
    gemm.beta = {-1, 0};
    gemm.seed = seed;
    return gemm;
  }
};

TEST_F(SummedTest, EveryTypeLayoutAndAlignment) {
  for (const Summed& summed : kSummed) {
    for (const int parts : kParts) {
      ForcedHandle forced(summed.kernel, parts, true);
      for (uint64_t seed = 0; seed < 24; ++seed) {
        GemmCase gemm = make_case(summed.combo, 1600, seed + 1);
        gemm.op_a = seed % 2 == 0 ? MYBLAS_OP_N : MYBLAS_OP_T;
        gemm.op_b = seed / 2 % 2 == 0 ? MYBLAS_OP_N : MYBLAS_OP_T;
        gemm.m = seed % 3 == 0 ? 141 : 96;
        gemm.pad_c = static_cast<int64_t>(seed % 5);
        gemm.offset_c = static_cast<int64_t>(seed / 4 % 3);
        gemm.device_scalars = seed % 4 == 1;
        if (seed % 6 == 5) gemm.alpha = {0, 0};
        if (seed % 7 == 3) gemm.beta = {0, 0};
        EXPECT_TRUE(run_case(device(), forced.get(), gemm));
        EXPECT_EQ(last_kernel(), name_of(summed, parts)) << to_line(gemm);
        count_cases(1);
      }
    }
  }
}

TEST_F(SummedTest, TheSameBitsEveryTime) {
  for (const Summed& summed : kSummed) {
    ForcedHandle forced(summed.kernel, 10, true);
    GemmCase gemm = make_case(summed.combo, 1600);
    gemm.data = DataKind::kReal;
    gemm.op_a = MYBLAS_OP_T;
    gemm.beta = {0, 0};
    PreparedGemm prepared(device(), gemm);
    std::vector<uint8_t> first;
    for (int run = 0; run < 50; ++run) {
      prepared.reset();
      ASSERT_EQ(prepared.launch(forced.get()), MYBLAS_STATUS_SUCCESS);
      device().synchronize();
      prepared.arena().download();
      if (run == 0) first = prepared.output();
      ASSERT_EQ(prepared.output(), first) << to_line(gemm);
    }
    count_cases(1);
  }
}

// Handles and threads on one stream, some with passes and some with sums that meet in the launch:
// one's launches may not come between another's.
TEST_F(SummedTest, ThreadsOnOneStream) {
  constexpr size_t kThreads = 4;
  Stream stream(device(), false);
  std::vector<std::unique_ptr<ForcedHandle>> handles;
  std::vector<std::unique_ptr<PreparedGemm>> products;
  for (size_t i = 0; i < kThreads; ++i) {
    const bool sums = i != 3;
    const Summed& summed = kSummed[sums ? 2 * i : 4];
    handles.push_back(std::make_unique<ForcedHandle>(summed.kernel, 10, sums));
    ASSERT_EQ(myblasSetStream(handles[i]->get(), stream.get()), MYBLAS_STATUS_SUCCESS);
    GemmCase gemm = make_case(summed.combo, 1600, i + 1);
    gemm.beta = {0, 0};  // the last of many runs is as good as the first
    products.push_back(std::make_unique<PreparedGemm>(device(), gemm));
  }
  std::vector<int> failures(kThreads, 0);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      device().bind_thread();
      for (int run = 0; run < 50; ++run) {
        failures[i] += products[i]->launch(handles[i]->get()) != MYBLAS_STATUS_SUCCESS;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  stream.synchronize();
  for (size_t i = 0; i < kThreads; ++i) {
    EXPECT_EQ(failures[i], 0);
    EXPECT_TRUE(products[i]->check()) << to_line(products[i]->gemm());
    count_cases(1);
  }
}

// More streams than pieces, all at once: memory comes and goes with each call.
TEST_F(SummedTest, StreamsWithoutAPiece) {
  constexpr size_t kStreams = 12;
  ForcedHandle forced(kSummed[0].kernel, 10, true);
  std::vector<std::unique_ptr<Stream>> streams;
  std::vector<std::unique_ptr<PreparedGemm>> products;
  for (size_t i = 0; i < kStreams; ++i) {
    streams.push_back(std::make_unique<Stream>(device(), false));
    products.push_back(
        std::make_unique<PreparedGemm>(device(), make_case(kSummed[0].combo, 1600, i + 1)));
  }
  for (int round = 0; round < 3; ++round) {
    for (const auto& product : products) product->reset();
    for (size_t i = 0; i < kStreams; ++i) {
      ASSERT_EQ(myblasSetStream(forced.get(), streams[i]->get()), MYBLAS_STATUS_SUCCESS);
      ASSERT_EQ(products[i]->launch(forced.get()), MYBLAS_STATUS_SUCCESS);
    }
    for (const auto& stream : streams) stream->synchronize();
    for (const auto& product : products) {
      EXPECT_TRUE(product->check()) << to_line(product->gemm());
      count_cases(1);
    }
  }
}

// The per-thread stream is another in each thread, under one name: k stays whole there.
TEST_F(SummedTest, NothingIsSummedOnThePerThreadStream) {
  ForcedHandle forced(kSummed[4].kernel, 10, true);
  PreparedGemm prepared(device(), make_case(kSummed[4].combo, 1600));
  const auto per_thread = reinterpret_cast<myblasStream_t>(uintptr_t{2});
  ASSERT_EQ(myblasSetStream(forced.get(), per_thread), MYBLAS_STATUS_SUCCESS);
  ASSERT_EQ(prepared.launch(forced.get()), MYBLAS_STATUS_SUCCESS);
  EXPECT_EQ(last_kernel().find("+sum"), std::string::npos);
  device().synchronize();
  EXPECT_TRUE(prepared.check()) << to_line(prepared.gemm());
  count_cases(1);
}

// Graphs of one capture stream, replayed beside each other and beside plain calls: with the user's
// workspace, which leaves two kernels and no memory node, and with memory of the graph.
TEST_F(SummedTest, GraphsReplayedAtTheSameTime) {
  constexpr int kGraphs = 3;
  constexpr size_t kWorkspaceBytes = size_t{16} << 20;
  for (const Summed& summed : kSummed) {
    for (const bool own_workspaces : {false, true}) {
      ForcedHandle forced(summed.kernel, 10, true);
      Stream capturing(device(), false);
      std::vector<std::unique_ptr<Stream>> streams;
      std::vector<std::unique_ptr<PreparedGemm>> products;
      std::vector<std::unique_ptr<CapturedGraph>> graphs;
      std::vector<DeviceMemory> workspaces;
      PreparedGemm plain(device(), make_case(summed.combo, 1600, 99));
      for (uint64_t i = 0; i < kGraphs; ++i) {
        streams.push_back(std::make_unique<Stream>(device(), false));
        products.push_back(
            std::make_unique<PreparedGemm>(device(), make_case(summed.combo, 1600, i + 1)));
        workspaces.emplace_back(device(), kWorkspaceBytes);
        ASSERT_EQ(myblasSetStream(forced.get(), capturing.get()), MYBLAS_STATUS_SUCCESS);
        if (own_workspaces) {
          ASSERT_EQ(myblasSetWorkspace(forced.get(), workspaces.back().data(), kWorkspaceBytes),
                    MYBLAS_STATUS_SUCCESS);
        }
        MYBLAS_TEST_CUDA(cuStreamBeginCapture, capturing.get(), kCaptureThreadLocal);
        const myblasStatus_t status = products.back()->launch(forced.get());
        graphs.push_back(std::make_unique<CapturedGraph>(capturing.get()));
        ASSERT_EQ(status, MYBLAS_STATUS_SUCCESS);
        EXPECT_EQ(last_kernel(), name_of(summed, 10));
        if (own_workspaces) {
          EXPECT_GE(graphs.back()->node_types().size(), 2u);  // three where operands are packed
          EXPECT_LE(graphs.back()->node_types().size(), 3u);
        }
      }
      for (int round = 0; round < 6; ++round) {
        for (const auto& product : products) product->reset();
        plain.reset();
        for (size_t i = 0; i < kGraphs; ++i) graphs[i]->replay(streams[i]->get());
        ASSERT_EQ(plain.launch(forced.get()), MYBLAS_STATUS_SUCCESS);
        for (const auto& stream : streams) stream->synchronize();
        capturing.synchronize();
        for (const auto& product : products) {
          EXPECT_TRUE(product->check()) << to_line(product->gemm());
          count_cases(1);
        }
        EXPECT_TRUE(plain.check());
      }
    }
  }
}

}  // namespace
}  // namespace myblas::test
