// SPDX-License-Identifier: BSD-3-Clause
#include "gemm/concurrent_calls.h"

#include <memory>
#include <thread>

#include "support/captured_graph.h"

namespace myblas::test {
namespace {

using PreparedGemms = std::vector<std::unique_ptr<PreparedGemm>>;
using Streams = std::vector<std::unique_ptr<Stream>>;

PreparedGemms prepare(Device& device, std::span<const GemmCase> cases) {
  PreparedGemms products;
  for (const GemmCase& gemm : cases) {
    products.push_back(std::make_unique<PreparedGemm>(device, gemm));
  }
  return products;
}

Streams make_streams(Device& device, size_t count) {
  Streams streams;
  while (streams.size() < count) streams.push_back(std::make_unique<Stream>(device, false));
  return streams;
}

void check_all(const PreparedGemms& products) {
  for (const auto& product : products) EXPECT_TRUE(product->check()) << to_line(product->gemm());
}

}  // namespace

GemmCase ConcurrentCallsTest::scaled_case(const char* combo, int64_t m, int64_t n, int64_t k,
                                          uint64_t seed) {
  GemmCase gemm;
  gemm.entry = find_entry("myblasGemmEx");
  gemm.combo = find_combo(combo);
  gemm.m = m;
  gemm.n = n;
  gemm.k = k;
  gemm.alpha = {2, 0};
  gemm.beta = {-1, 0};
  gemm.seed = seed;
  return gemm;
}

void ConcurrentCallsTest::run_on_streams(myblasHandle_t handle, std::span<const GemmCase> cases,
                                         int rounds) {
  const Streams streams = make_streams(device(), cases.size());
  const PreparedGemms products = prepare(device(), cases);
  for (int round = 0; round < rounds; ++round) {
    for (const auto& product : products) product->reset();
    for (size_t i = 0; i < products.size(); ++i) {
      ASSERT_EQ(myblasSetStream(handle, streams[i]->get()), MYBLAS_STATUS_SUCCESS);
      ASSERT_EQ(products[i]->launch(handle), MYBLAS_STATUS_SUCCESS);
    }
    for (const auto& stream : streams) stream->synchronize();
    check_all(products);
    count_cases(static_cast<int64_t>(products.size()));
  }
}

void ConcurrentCallsTest::run_in_threads(std::span<const ThreadOfCalls> calls,
                                         myblasStream_t stream, int runs) {
  PreparedGemms products;
  for (const ThreadOfCalls& call : calls) {
    GemmCase gemm = call.gemm;
    gemm.beta = {0, 0};
    products.push_back(std::make_unique<PreparedGemm>(device(), gemm));
  }
  std::vector<int> failures(calls.size(), 0);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < calls.size(); ++i) {
    threads.emplace_back([&, i] {
      device().bind_thread();
      failures[i] += myblasSetStream(calls[i].handle, stream) != MYBLAS_STATUS_SUCCESS;
      for (int run = 0; run < runs; ++run) {
        failures[i] += products[i]->launch(calls[i].handle) != MYBLAS_STATUS_SUCCESS;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  device().synchronize();
  for (const int failed : failures) EXPECT_EQ(failed, 0);
  check_all(products);
  count_cases(static_cast<int64_t>(products.size()));
}

void ConcurrentCallsTest::replay_graphs(myblasHandle_t handle, std::span<const GemmCase> cases,
                                        const GemmCase& plain_case, const Captured& expected) {
  for (const bool own_workspaces : {false, true}) {
    Stream capturing(device(), false);
    const Streams streams = make_streams(device(), cases.size());
    const PreparedGemms products = prepare(device(), cases);
    std::vector<std::unique_ptr<CapturedGraph>> graphs;
    std::vector<DeviceMemory> workspaces;
    PreparedGemm plain(device(), plain_case);
    for (const auto& product : products) {
      ASSERT_EQ(myblasSetStream(handle, capturing.get()), MYBLAS_STATUS_SUCCESS);
      if (own_workspaces) {
        workspaces.emplace_back(device(), expected.workspace_bytes);
        ASSERT_EQ(myblasSetWorkspace(handle, workspaces.back().data(), expected.workspace_bytes),
                  MYBLAS_STATUS_SUCCESS);
      }
      MYBLAS_TEST_CUDA(cuStreamBeginCapture, capturing.get(), kCaptureThreadLocal);
      const myblasStatus_t status = product->launch(handle);
      graphs.push_back(std::make_unique<CapturedGraph>(capturing.get()));
      ASSERT_EQ(status, MYBLAS_STATUS_SUCCESS);
      EXPECT_EQ(last_kernel(), expected.kernel);
      if (own_workspaces) {
        EXPECT_GE(graphs.back()->node_types().size(), expected.least_nodes);
        EXPECT_LE(graphs.back()->node_types().size(), expected.most_nodes);
      }
    }
    for (int round = 0; round < 6; ++round) {
      for (const auto& product : products) product->reset();
      plain.reset();
      for (size_t i = 0; i < graphs.size(); ++i) graphs[i]->replay(streams[i]->get());
      ASSERT_EQ(plain.launch(handle), MYBLAS_STATUS_SUCCESS);
      for (const auto& stream : streams) stream->synchronize();
      capturing.synchronize();
      check_all(products);
      count_cases(static_cast<int64_t>(products.size()));
      EXPECT_TRUE(plain.check());
    }
  }
}

}  // namespace myblas::test
