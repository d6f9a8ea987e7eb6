// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// suites/pack_cases.h: the pass that repacks operands, by itself: every element of what it writes
// against what lies in the source.
//==============================================================================
#pragma once

#include <string>
#include <vector>

#include "dispatch/packing.h"
#include "runtime/emulator.h"

namespace myblas::test {

enum class PackAlpha { kHost, kDevice, kDeviceZero };

struct PackCase {
  GemmProblem problem;  // sizes, ops, ld, strides; bases and alpha come with the run
  Packing packing;
  int64_t offset_a = 0, offset_b = 0;  // elements from an aligned address
  PackAlpha alpha = PackAlpha::kHost;
};

// Cases for one of kPackKernels, drawn from the seed.
std::vector<PackCase> pack_cases(const std::string& kernel, uint64_t seed, int count);

// What is wrong, or nothing.
std::string run_pack(const std::string& kernel, const PackCase& one,
                     const emulator::Settings& settings,
                     std::map<std::string, emulator::Wavefronts>* wavefronts = nullptr);

// The same for columns past 2^31 elements, copied and transposed.
std::string run_far_pack(const std::string& kernel);

// Of a sample that shows every planted fault.
std::string first_pack_failure(const std::string& kernel);

}  // namespace myblas::test
