// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemm/divided_k_test.cpp: k divided among blocks (MYBLAS_KERNEL=name@parts): right for any number
// of parts, and no two launches in one piece of scratch memory, whatever streams, threads and
// graphs do.
//==============================================================================
#include <thread>

#include "support/captured_graph.h"
#include "support/gemm_case.h"
#include "support/gemm_fixture.h"

namespace myblas::test {
namespace {

struct Divided {
  const char* kernel;
  const char* combo;
};
// One of each family that divides k.
constexpr Divided kDivided[] = {
    {"sgemm_cp_async_64x64x16", "f32_f32_32F"},
    {"hgemm_wgmma_bf16_bf16_64x64x64", "bf16_bf16_32F"},
};

class DividedKTest : public GpuGemmTest {
 protected:
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

TEST_F(DividedKTest, AnyNumberOfParts) {
  for (const Divided& divided : kDivided) {
    for (const int parts : {1, 2, 3, 8, 9, 17}) {
      ForcedHandle forced(divided.kernel, parts);
      for (const int64_t k : {1088, 2000}) {
        GemmCase gemm = make_case(divided.combo, k);
        gemm.op_a = parts % 2 == 0 ? MYBLAS_OP_T : MYBLAS_OP_N;
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

// More streams than pieces, all at once, through one handle.
TEST_F(DividedKTest, ManyStreamsOfOneHandle) {
  constexpr int kStreams = 20;
  for (const Divided& divided : kDivided) {
    ForcedHandle forced(divided.kernel, 9);
    std::vector<std::unique_ptr<Stream>> streams;
    std::vector<std::unique_ptr<PreparedGemm>> products;
    for (uint64_t i = 0; i < kStreams; ++i) {
      streams.push_back(std::make_unique<Stream>(device(), false));
      products.push_back(
          std::make_unique<PreparedGemm>(device(), make_case(divided.combo, 1600, i + 1)));
    }
    for (int round = 0; round < 4; ++round) {
      for (size_t i = 0; i < kStreams; ++i) products[i]->reset();
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
}

// The per-thread default stream is another in each thread, under one name: k stays whole.
TEST_F(DividedKTest, PerThreadStreams) {
  constexpr int kThreads = 6;
  const auto per_thread = reinterpret_cast<myblasStream_t>(uintptr_t{2});
  for (const Divided& divided : kDivided) {
    std::vector<std::unique_ptr<ForcedHandle>> handles;
    std::vector<std::unique_ptr<PreparedGemm>> products;
    for (uint64_t i = 0; i < kThreads; ++i) {
      handles.push_back(std::make_unique<ForcedHandle>(divided.kernel, 9));
      GemmCase gemm = make_case(divided.combo, 1600, i + 1);
      gemm.beta = {0, 0};  // the last of many runs is as good as the first
      products.push_back(std::make_unique<PreparedGemm>(device(), gemm));
    }
    std::vector<int> failures(kThreads, 0);
    std::vector<std::thread> threads;
    for (size_t i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] {
        device().bind_thread();
        myblasSetStream(handles[i]->get(), per_thread);
        for (int run = 0; run < 20; ++run) {
          failures[i] += products[i]->launch(handles[i]->get()) != MYBLAS_STATUS_SUCCESS;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    device().synchronize();
    for (size_t i = 0; i < kThreads; ++i) {
      EXPECT_EQ(failures[i], 0);
      EXPECT_TRUE(products[i]->check()) << to_line(products[i]->gemm());
      count_cases(1);
    }
  }
}

// Two graphs of one capture stream, replayed beside each other and beside plain calls.
TEST_F(DividedKTest, GraphsReplayedAtTheSameTime) {
  constexpr int kGraphs = 3;
  constexpr size_t kWorkspaceBytes = size_t{16} << 20;
  for (const Divided& divided : kDivided) {
    for (const bool own_workspaces : {false, true}) {
      ForcedHandle forced(divided.kernel, 9);
      Stream capturing(device(), false);
      std::vector<std::unique_ptr<Stream>> streams;
      std::vector<std::unique_ptr<PreparedGemm>> products;
      std::vector<std::unique_ptr<CapturedGraph>> graphs;
      std::vector<DeviceMemory> workspaces;
      PreparedGemm plain(device(), make_case(divided.combo, 1600, 99));
      for (uint64_t i = 0; i < kGraphs; ++i) {
        streams.push_back(std::make_unique<Stream>(device(), false));
        products.push_back(
            std::make_unique<PreparedGemm>(device(), make_case(divided.combo, 1600, i + 1)));
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
        if (own_workspaces) {
          EXPECT_EQ(graphs.back()->node_types().size(), 1u);
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
