// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// suites/sum_cases.h: the pass that adds up parts of k, by itself, on sums of small integers.
//==============================================================================
#pragma once

#include <string>
#include <vector>

#include "runtime/emulator.h"

namespace myblas::test {

// A scalar's value and where it lives.
enum class SumScalar { kZero, kHost, kDevice, kDeviceHalf, kDeviceZero };

struct SumCase {
  int64_t m, n, parts;
  int64_t pad_c, offset_c;  // elements: of ld, from an aligned address
  int sm_count;
  SumScalar alpha, beta;
  bool bias, relu;
};

// Cases for one of kSumKernels, drawn from the seed.
std::vector<SumCase> sum_cases(uint64_t seed, int count);

// What is wrong, or nothing.
std::string run_sum(const std::string& kernel, const SumCase& one,
                    const emulator::Settings& settings);

// Of a sample that shows every planted fault.
std::string first_sum_failure(const std::string& kernel);

}  // namespace myblas::test
