// SPDX-License-Identifier: BSD-3-Clause
// gemm/main.cpp: the suites and how many cases each must run, at least, on either backend.
#include <cstdlib>

#include "support/gemm_fixture.h"

namespace {

constexpr myblas::test::SuiteMinimum kMinimums[] = {
    // suite                    CPU         GPU
    {"Types/GridTest", 39 * 17496, 39 * 17496},
    {"RandomTest", 300, 2000},
    {"EntryPointsTest", 1700, 1700},
    {"Types/SpecialValuesTest", 7000, 7000},
    {"BatchedTest", 1, 1},
    {"GroupedTest", 1, 1},
    {"StateTest", 1, 1},
    {"LoggerTest", 1, 1},
    {"ThreadsTest", 1, 1},
    {"DeterminismTest", 1, 1},
    {"IntrospectionTest", 1, 1},
    {"GraphCaptureTest", -1, 1},
};

}  // namespace

int main(int argc, char** argv) { return myblas::test::run_suites(argc, argv, kMinimums); }
