// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemm/threads_test.cpp: 16 threads, with a handle each and with one between them.
//==============================================================================
#include <atomic>
#include <mutex>
#include <thread>

#include "support/gemm_case.h"
#include "support/gemm_fixture.h"

namespace myblas::test {
namespace {

constexpr int kThreads = 16;

// Collects what a thread saw wrong: gtest's assertions are for the main thread.
class Failures {
 public:
  void add(const std::string& what) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (count_++ == 0) first_ = what;
  }
  int count() const { return count_; }
  const std::string& first() const { return first_; }

 private:
  std::mutex mutex_;
  int count_ = 0;
  std::string first_;
};

class ThreadsTest : public GemmTest {
 protected:
  static GemmCase mixed_case(uint64_t seed) {
    Random random(mix(seed));
    GemmCase gemm;
    gemm.seed = seed;
    gemm.combo = &random.pick(type_combos());
    const std::vector<const EntryPoint*> entries = entries_for(*gemm.combo);
    gemm.entry = random.pick(std::span<const EntryPoint* const>(entries));
    if (gemm.entry->batch != BatchKind::kNone) gemm.batch = 3;
    gemm.m = 1 + random.below(90);
    gemm.n = 1 + random.below(90);
    gemm.k = random.below(90);
    gemm.op_a = random.pick({MYBLAS_OP_N, MYBLAS_OP_T});
    gemm.op_b = random.pick({MYBLAS_OP_N, MYBLAS_OP_T});
    gemm.beta = {random.pick({0.0, 1.0}), 0};
    return gemm;
  }

  // All threads at once: prepare a few cases, launch each many times, check.
  void run(myblasHandle_t shared) {
    const int cases = 12, repeats = device().is_gpu() ? 25 : 8;
    Failures failures;
    std::atomic<int> calls = 0;
    const auto work = [&](int thread) {
      try {
        device().bind_thread();
        std::unique_ptr<Handle> own;
        if (shared == nullptr) own = std::make_unique<Handle>();
        const myblasHandle_t handle = shared != nullptr ? shared : own->get();
        for (int i = 0; i < cases; ++i) {
          GemmCase gemm = mixed_case(static_cast<uint64_t>(thread * 1000 + i));
          PreparedGemm prepared(device(), gemm);
          for (int repeat = 0; repeat < repeats; ++repeat) {
            // With beta == 1 each call would add again: start from the same C.
            if (repeat > 0 && gemm.beta.re != 0.0) break;
            const myblasStatus_t status = prepared.launch(handle);
            ++calls;
            if (status != MYBLAS_STATUS_SUCCESS) {
              failures.add(std::string(myblasGetStatusName(status)) + ": " + to_line(gemm));
            }
          }
          const testing::AssertionResult right = prepared.check();
          if (!right) failures.add(std::string(right.message()) + ": " + to_line(gemm));
        }
      } catch (const std::exception& error) {
        failures.add(error.what());
      }
    };
    std::vector<std::thread> threads;
    for (int thread = 0; thread < kThreads; ++thread) threads.emplace_back(work, thread);
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(failures.count(), 0) << failures.first();
    count_cases(calls);
  }
};

TEST_F(ThreadsTest, AHandleEach) { run(nullptr); }

TEST_F(ThreadsTest, OneHandleForAll) { run(handle()); }

TEST_F(ThreadsTest, HandlesMadeAndDestroyedAtOnce) {
  Failures failures;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&failures] {
      try {
        device().bind_thread();
        for (int i = 0; i < 4; ++i) {
          Handle own;
          const testing::AssertionResult right = run_case(device(), own.get(), mixed_case(77));
          if (!right) failures.add(right.message());
        }
      } catch (const std::exception& error) {
        failures.add(error.what());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures.count(), 0) << failures.first();
  count_cases(kThreads * 4);
}

}  // namespace
}  // namespace myblas::test
