// SPDX-License-Identifier: BSD-3-Clause
// The handles that serve cublasLtMatmul: whose they are, and in which state.
#include <atomic>
#include <set>
#include <thread>

#include "lt_libraries.h"

namespace dropin_test {
namespace {

using LtThreads = Lt;

TEST_F(LtThreads, TheHandleHasTheStateOfTheCall) {
  LtProduct product(lt_);
  product.workspace = address(0x3000);
  product.workspace_bytes = 4096;
  product.set(product.operation, 2, int32_t{1});
  product.set(product.operation, 15, int32_t{16});
  expect_served(product);
  EXPECT_EQ(ours().state.is_shadow, 1);
  EXPECT_EQ(ours().state.stream, product.stream);
  EXPECT_EQ(ours().state.workspace, product.workspace);
  EXPECT_EQ(ours().state.workspace_bytes, 4096u);
  EXPECT_EQ(ours().state.pointer_mode, 1);
  EXPECT_EQ(ours().state.sm_count, 16);
  // The next call's, whatever the last one left.
  LtProduct plain(lt_);
  plain.stream = address(0x5800);
  expect_served(plain);
  EXPECT_EQ(ours().state.stream, plain.stream);
  EXPECT_EQ(ours().state.has_workspace, 1) << "none was not said";
  EXPECT_EQ(ours().state.workspace, nullptr);
  EXPECT_EQ(ours().state.pointer_mode, 0);
  EXPECT_EQ(ours().state.sm_count, 0);
  // An address that ours does not take: as with none.
  plain.workspace = address(0x3001);
  plain.workspace_bytes = 4096;
  expect_served(plain);
  EXPECT_EQ(ours().state.workspace, nullptr);
  find<void(int)>(myblas_, "fake_myblas_set_sm_count_status")(7);
  expect_forwarded(product, "a number of SMs that myblas does not take");
}

TEST_F(LtThreads, EachThreadHasAHandleOfItsOwnAndLeavesItToTheNext) {
  LtProduct product(lt_);
  expect_served(product);
  std::set<void*> handles = {ours().handle};
  std::atomic<int> failures{0};
  std::atomic<int> waiting{0};
  void* seen[8] = {};
  const auto multiply = [&](int i, bool at_once) {
    LtProduct own(lt_);
    own.stream = address(0x5700 + 256 * static_cast<uintptr_t>(i));
    failures += own.call(matmul_) != 0;
    // All at a time, so that none gets another's.
    ++waiting;
    while (at_once && waiting.load() < 8) std::this_thread::yield();
    for (int round = 0; round < 1000; ++round) {
      own.set(own.d_layout, 4, int64_t{7 + round % 50});
      failures += own.call(matmul_) != 0;
      failures += ours().state.stream != own.stream;
      failures += ours().product.ldc != 7 + round % 50;
    }
    seen[i] = ours().handle;
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back(multiply, i, true);
  for (std::thread& thread : threads) thread.join();
  for (void* handle : seen) handles.insert(handle);
  EXPECT_EQ(failures.load(), 0);
  EXPECT_EQ(handles.size(), 9u);
  const int live = find<int()>(myblas_, "fake_myblas_live_handles")();
  for (int i = 0; i < 20; ++i) std::thread(multiply, i % 8, false).join();
  EXPECT_EQ(find<int()>(myblas_, "fake_myblas_live_handles")(), live);
}

TEST_F(LtThreads, EachContextHasAHandle) {
  LtProduct product(lt_);
  expect_served(product);
  void* const first = ours().handle;
  use_context(2);
  expect_served(product);
  EXPECT_NE(ours().handle, first);
  use_context(1);
  expect_served(product);
  EXPECT_EQ(ours().handle, first);
  use_context(0);
  expect_forwarded(product, "no current CUDA context");
  // In a capture nothing is made, and later it is.
  use_context(3);
  product.stream = address(0xca9);
  expect_forwarded(product, "a graph capture before the thread's first product");
  product.stream = nullptr;
  expect_served(product);
  product.stream = address(0xca9);
  expect_served(product);
  // Where none can be made, that is found out once.
  use_context(4);
  find<void(int)>(myblas_, "fake_myblas_set_create_status")(8);
  product.stream = nullptr;
  expect_forwarded(product, "MYBLAS_STATUS_FAKE");
  find<void(int)>(myblas_, "fake_myblas_set_create_status")(0);
  expect_forwarded(product, "MYBLAS_STATUS_FAKE");
  use_context(5);
  find<void(int)>(myblas_, "fake_myblas_set_gpu_usable")(0);
  expect_forwarded(product, "myblas has no GPU backend here");
  find<void(int)>(myblas_, "fake_myblas_set_gpu_usable")(1);
}

}  // namespace
}  // namespace dropin_test
