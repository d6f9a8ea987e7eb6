// SPDX-License-Identifier: BSD-3-Clause
// gemm/main.cpp: the suites and how many cases each must run, at least, on either backend.
#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "support/gemm_fixture.h"

namespace {

myblas::test::SuiteMinimum kMinimums[] = {
    // suite                     CPU         GPU
    {"Types/GridTest", 39 * 17496, 39 * 17496},
    {"RandomTest", 300, 2000},
    {"EntryPointsTest", 1700, 1700},
    {"EpilogueTest", 500, 1100},
    {"Types/SpecialValuesTest", 7500, 7500},
    {"PrecisionTest", 500, 500},
    {"BatchedTest", 3000, 3000},
    {"GroupedTest", 500, 500},
    {"GemvTest", 2800, 2800},
    {"StateTest", 200, 200},
    {"LoggerTest", 5, 5},
    {"ThreadsTest", 1800, 2500},
    {"DeterminismTest", 1400, 1400},
    {"IntrospectionTest", 480, 480},
    {"GraphCaptureTest", -1, 300},
    {"DividedKTest", -1, 90},
    {"PackedTest", -1, 900},
    {"SummedTest", -1, 100},
    {"TermsTest", -1, 200},
    {"TmaRowsTest", -1, 36},
    {"DevicesTest", -1, 280},
    {"EveryRowTest", -1, 1000},
    {"LargeCheckerTest", 5, 5},
    {"Cases/LargeOffsetsTest", -1, 36},
};

}  // namespace

int main(int argc, char** argv) {
  // Who asks for fewer random cases (a sanitizer run), or for one again, gets what was asked for.
  const char* asked = std::getenv("MYBLAS_TEST_RANDOM");
  if (std::getenv("MYBLAS_TEST_REPLAY") != nullptr) asked = "1";
  for (auto& minimum : kMinimums) {
    if (asked == nullptr || std::string_view(minimum.suite) != "RandomTest") continue;
    minimum.cpu = std::min<int64_t>(minimum.cpu, std::atoll(asked));
    minimum.gpu = std::min<int64_t>(minimum.gpu, std::atoll(asked));
  }
  return myblas::test::run_suites(argc, argv, kMinimums);
}
