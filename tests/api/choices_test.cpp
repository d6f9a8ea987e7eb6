// SPDX-License-Identifier: BSD-3-Clause
// Handles that choose alike have the same number, and others never.
#include "api/choices.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

namespace myblas::testing {
namespace {

TEST(Choices, AreTheSameForTheSameKernelsAndPolicy) {
  const LoadedKernels kernels[2] = {};
  Policy plain, forced, divided, explained;
  std::strcpy(forced.kernel, "sgemm_tma_128x128x32");
  divided.division.parts = 4;
  explained.explain = true;
  std::set<uint64_t> numbers;
  for (const LoadedKernels& of : kernels) {
    for (const Policy& policy : {plain, forced, divided, explained}) {
      const uint64_t number = choices_of(&of, policy);
      EXPECT_NE(number, 0u);
      EXPECT_TRUE(numbers.insert(number).second) << number;
      EXPECT_EQ(choices_of(&of, policy), number);
    }
  }
}

}  // namespace
}  // namespace myblas::testing
