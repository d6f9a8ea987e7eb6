// SPDX-License-Identifier: BSD-3-Clause
// The table of shadows: found while they live, not found before and after, whatever the other
// threads do.
#include "api/cublas/shadow.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace myblas::dropin {
namespace {

myblasHandle_t ours_of(uintptr_t value) { return reinterpret_cast<myblasHandle_t>(value); }

TEST(Shadow, FoundOnlyWhileItLives) {
  int real = 0;
  EXPECT_EQ(find_shadow(&real), nullptr);
  ASSERT_TRUE(add_shadow(&real, ours_of(42), kEmulateDouble));
  const Shadow* shadow = find_shadow(&real);
  ASSERT_NE(shadow, nullptr);
  EXPECT_EQ(shadow->ours, ours_of(42));
  EXPECT_EQ(shadow->divergence.load(), uint32_t{kEmulateDouble});
  EXPECT_EQ(remove_shadow(&real), ours_of(42));
  EXPECT_EQ(find_shadow(&real), nullptr);
  EXPECT_EQ(remove_shadow(&real), nullptr);
}

TEST(Shadow, NullAndTheTablesOwnMarksAreNoHandles) {
  EXPECT_EQ(find_shadow(nullptr), nullptr);
  int real = 0;
  ASSERT_TRUE(add_shadow(&real, ours_of(42), 0));
  remove_shadow(&real);
  EXPECT_EQ(find_shadow(reinterpret_cast<void*>(1)), nullptr);
}

TEST(Shadow, PlacesAreUsedAgain) {
  // Far more handles, one after the other, than the table has places.
  for (uintptr_t i = 0; i < 100000; ++i) {
    const auto* real = reinterpret_cast<const void*>(0x7f0000000000u + 64 * i);
    ASSERT_TRUE(add_shadow(real, ours_of(i + 1), 0)) << i;
    ASSERT_EQ(remove_shadow(real), ours_of(i + 1));
  }
}

TEST(Shadow, AFullTableRefusesAndForgetsNothing) {
  std::vector<const void*> added;
  for (uintptr_t i = 0; i < 8192; ++i) {
    const auto* real = reinterpret_cast<const void*>(0x560000000000u + 4096 * i);
    if (add_shadow(real, ours_of(i + 1), 0)) added.push_back(real);
  }
  EXPECT_GT(added.size(), 2000u);
  EXPECT_LE(added.size(), 4096u);
  for (const void* real : added) EXPECT_NE(find_shadow(real), nullptr);
  for (const void* real : added) EXPECT_NE(remove_shadow(real), nullptr);
}

TEST(Shadow, ReadersAreNotDisturbedByWriters) {
  constexpr int kThreads = 16;
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      const auto lasting = std::make_unique<int>(t);
      const myblasHandle_t mine = ours_of(static_cast<uintptr_t>(t) + 1);
      failures += !add_shadow(lasting.get(), mine, 0);
      for (int round = 0; round < 20000; ++round) {
        const auto passing = std::make_unique<int>(round);
        failures += !add_shadow(passing.get(), ours_of(1000), 0);
        const Shadow* found = find_shadow(lasting.get());
        failures += found == nullptr || found->ours != mine;
        failures += find_shadow(passing.get()) == nullptr;
        failures += remove_shadow(passing.get()) != ours_of(1000);
      }
      failures += remove_shadow(lasting.get()) != mine;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures.load(), 0);
}

}  // namespace
}  // namespace myblas::dropin
