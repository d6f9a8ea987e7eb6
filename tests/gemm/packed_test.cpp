// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemm/packed_test.cpp: operands that are repacked ahead of a kernel that cannot read them: right
// in every layout and batch, and no two calls in one piece of memory, whatever streams, handles,
// threads and graphs do.
//==============================================================================
#include <array>
#include <memory>
#include <thread>

#include "support/captured_graph.h"
#include "support/gemm_case.h"
#include "support/gemm_fixture.h"

namespace myblas::test {
namespace {

struct Packed {
  const char* kernel;
  const char* combo;
};
// All layouts; two of the four, so that B is transposed on the way; one, of 4 bytes and of 1.
constexpr Packed kPacked[] = {
    {"hgemm_wgmma_bf16_bf16_128x128x64", "bf16_bf16_32F"},
    {"hgemm_wgmma_f16_f32_64x16x64", "f16_f32_32F"},
    {"gemm_wgmma_tf32_f32_64x32x32", "f32_f32_FAST_TF32"},
    {"gemm_wgmma_s8_s32_64x64x128", "s8_s32_32I"},
};

class PackedTest : public GpuGemmTest {
 protected:
  void SetUp() override {
    GpuGemmTest::SetUp();
    if (IsSkipped()) return;
    ForcedHandle forced(kPacked[0].kernel, 1);
    PreparedGemm aligned(device(), aligned_case());
    ASSERT_EQ(aligned.launch(forced.get()), MYBLAS_STATUS_SUCCESS);
    if (last_kernel() != kPacked[0].kernel) GTEST_SKIP() << "no kernel of this GPU packs operands";
    PreparedGemm prepared(device(), make_case(kPacked[0], 0));
    ASSERT_EQ(prepared.launch(forced.get()), MYBLAS_STATUS_SUCCESS);
    ASSERT_EQ(last_kernel(), kPacked[0].kernel) << "nothing is packed";
  }

  // What the first kernel reads in place.
  static GemmCase aligned_case() {
    GemmCase gemm = make_case(kPacked[0], 0);
    gemm.m = gemm.n = gemm.k = 128;
    gemm.offset_a = gemm.offset_b = gemm.pad_a = gemm.pad_b = 0;
    return gemm;
  }

  // Unaligned in one of several ways.
  static GemmCase make_case(const Packed& packed, uint64_t seed, int64_t k = 157) {
    GemmCase gemm;
    gemm.entry = find_entry("myblasGemmEx");
    gemm.combo = find_combo(packed.combo);
    gemm.op_a = seed % 2 == 0 ? MYBLAS_OP_N : MYBLAS_OP_T;
    gemm.op_b = seed / 2 % 2 == 0 ? MYBLAS_OP_N : MYBLAS_OP_T;
    gemm.m = 141;
    gemm.n = 75;
    gemm.k = k;
    gemm.offset_a = static_cast<int64_t>(seed % 8);
    gemm.offset_b = static_cast<int64_t>(seed / 3 % 8);
    gemm.pad_a = static_cast<int64_t>(seed % 5);
    gemm.pad_b = static_cast<int64_t>(seed % 3);
    gemm.alpha = {2, 0};
    gemm.beta = {-1, 0};
    gemm.seed = seed + 1;
    return gemm;
  }
};

TEST_F(PackedTest, EveryLayoutAndAlignment) {
  for (const Packed& packed : kPacked) {
    for (const int parts : {1, 3}) {
      ForcedHandle forced(packed.kernel, parts);
      for (uint64_t seed = 0; seed < 64; ++seed) {
        GemmCase gemm = make_case(packed, seed);
        gemm.device_scalars = seed % 3 == 0;
        EXPECT_TRUE(run_case(device(), forced.get(), gemm));
        EXPECT_EQ(last_kernel(), packed.kernel) << to_line(gemm);
        count_cases(1);
      }
    }
  }
}

TEST_F(PackedTest, StridedBatches) {
  for (const Packed& packed : kPacked) {
    ForcedHandle forced(packed.kernel, 1);
    for (const Stride a : {Stride::kTight, Stride::kBroadcast, Stride::kNegative}) {
      for (const Stride b : {Stride::kPadded, Stride::kBroadcast}) {
        GemmCase gemm = make_case(packed, 5);
        gemm.entry = find_entry("myblasGemmStridedBatchedEx");
        gemm.batch = 5;
        gemm.stride_a = a;
        gemm.stride_b = b;
        EXPECT_TRUE(run_case(device(), forced.get(), gemm));
        EXPECT_EQ(last_kernel(), packed.kernel) << to_line(gemm);
        count_cases(1);
      }
    }
  }
}

// alpha == 0 must read neither operand, wherever alpha lives.
TEST_F(PackedTest, NoAlphaReadsNothing) {
  for (const Packed& packed : kPacked) {
    ForcedHandle forced(packed.kernel, 1);
    for (const bool on_device : {false, true}) {
      GemmCase gemm = make_case(packed, 3);
      gemm.alpha = {0, 0};
      gemm.device_scalars = on_device;
      PreparedGemm prepared(device(), gemm);
      if (!on_device) prepared.pass_null_inputs();
      myblasSetPointerMode(forced.get(),
                           on_device ? MYBLAS_POINTER_MODE_DEVICE : MYBLAS_POINTER_MODE_HOST);
      ASSERT_EQ(prepared.launch(forced.get()), MYBLAS_STATUS_SUCCESS);
      EXPECT_TRUE(prepared.check()) << to_line(gemm);
      EXPECT_EQ(last_kernel(), packed.kernel) << to_line(gemm);
      count_cases(1);
    }
  }
}

// Calls of all sizes in one stream, without a wait: each may overwrite what the one before it
// reads.
TEST_F(PackedTest, MemoryGrowsBetweenCallsInFlight) {
  for (const Packed& packed : kPacked) {
    ForcedHandle forced(packed.kernel, 1);
    Stream stream(device(), false);
    ASSERT_EQ(myblasSetStream(forced.get(), stream.get()), MYBLAS_STATUS_SUCCESS);
    std::vector<std::unique_ptr<PreparedGemm>> products;
    for (uint64_t i = 0; i < 8; ++i) {
      const int64_t k = std::array<int64_t, 4>{157, 3001, 1001, 9001}[i % 4];
      products.push_back(std::make_unique<PreparedGemm>(device(), make_case(packed, 3 * i + 1, k)));
    }
    for (int round = 0; round < 2; ++round) {
      for (const auto& product : products) product->reset();
      for (const auto& product : products) {
        ASSERT_EQ(product->launch(forced.get()), MYBLAS_STATUS_SUCCESS);
      }
      stream.synchronize();
      for (const auto& product : products) {
        EXPECT_TRUE(product->check()) << to_line(product->gemm());
        count_cases(1);
      }
    }
  }
}

// Two handles and threads on one stream: a pass of one may not come between the other's launches.
TEST_F(PackedTest, ThreadsOnOneStream) {
  constexpr size_t kThreads = 4;
  Stream stream(device(), false);
  std::vector<std::unique_ptr<ForcedHandle>> handles;
  std::vector<std::unique_ptr<PreparedGemm>> products;
  for (size_t i = 0; i < kThreads; ++i) {
    handles.push_back(std::make_unique<ForcedHandle>(kPacked[i].kernel, i < 2 ? 1 : 2));
    ASSERT_EQ(myblasSetStream(handles[i]->get(), stream.get()), MYBLAS_STATUS_SUCCESS);
    GemmCase gemm = make_case(kPacked[i], i + 1, 157 * (1 + static_cast<int64_t>(i)));
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

// More streams than pieces: memory comes and goes with each call.
TEST_F(PackedTest, StreamsWithoutAPiece) {
  constexpr size_t kStreams = 12;
  ForcedHandle forced(kPacked[0].kernel, 1);
  std::vector<std::unique_ptr<Stream>> streams;
  std::vector<std::unique_ptr<PreparedGemm>> products;
  for (size_t i = 0; i < kStreams; ++i) {
    streams.push_back(std::make_unique<Stream>(device(), false));
    products.push_back(
        std::make_unique<PreparedGemm>(device(), make_case(kPacked[0], i + 1, 1001)));
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

// The per-thread stream is another in each thread, under one name: nothing is packed there.
TEST_F(PackedTest, NothingIsPackedOnThePerThreadStream) {
  ForcedHandle forced(kPacked[0].kernel, 1);
  PreparedGemm prepared(device(), make_case(kPacked[0], 1));
  const auto per_thread = reinterpret_cast<myblasStream_t>(uintptr_t{2});
  ASSERT_EQ(myblasSetStream(forced.get(), per_thread), MYBLAS_STATUS_SUCCESS);
  ASSERT_EQ(prepared.launch(forced.get()), MYBLAS_STATUS_SUCCESS);
  EXPECT_NE(last_kernel(), kPacked[0].kernel);
  device().synchronize();
  EXPECT_TRUE(prepared.check()) << to_line(prepared.gemm());
  count_cases(1);
}

// Graphs of one capture stream, replayed beside each other and beside plain calls: with the user's
// workspace, which leaves two kernels and no memory node, and with memory of the graph.
TEST_F(PackedTest, GraphsReplayedAtTheSameTime) {
  constexpr int kGraphs = 3;
  constexpr size_t kWorkspaceBytes = size_t{32} << 20;
  for (const Packed& packed : kPacked) {
    for (const int parts : {1, 3}) {
      for (const bool own_workspaces : {false, true}) {
        ForcedHandle forced(packed.kernel, parts);
        Stream capturing(device(), false);
        std::vector<std::unique_ptr<Stream>> streams;
        std::vector<std::unique_ptr<PreparedGemm>> products;
        std::vector<std::unique_ptr<CapturedGraph>> graphs;
        std::vector<DeviceMemory> workspaces;
        PreparedGemm plain(device(), make_case(packed, 99));
        for (uint64_t i = 0; i < kGraphs; ++i) {
          streams.push_back(std::make_unique<Stream>(device(), false));
          products.push_back(std::make_unique<PreparedGemm>(device(), make_case(packed, i + 1)));
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
          EXPECT_EQ(last_kernel(), packed.kernel);
          if (own_workspaces) {
            EXPECT_EQ(graphs.back()->node_types().size(), 2u);
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
}

}  // namespace
}  // namespace myblas::test
