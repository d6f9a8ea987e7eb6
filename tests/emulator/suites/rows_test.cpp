// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// suites/rows_test.cpp: every row of every table over the boundary shapes of its tile.
//
//   MYBLAS_EMULATOR_SEED    another sample (default 1)
//   MYBLAS_EMULATOR_ROUNDS  cases a shape
//   MYBLAS_TEST_REPLAY, MYBLAS_KERNEL   one case of one row: EmulatorReplay
//==============================================================================
#include <cstdlib>

#include "suites/emulated_case.h"

namespace myblas::test {
namespace {

uint64_t number(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 0) : otherwise;
}

class EmulatorRows : public testing::TestWithParam<TableRow> {};

std::string row_name(const testing::TestParamInfo<TableRow>& info) { return info.param.row->name; }

TEST_P(EmulatorRows, BoundaryShapes) {
  load_all_kernels();
  const uint64_t seed = number("MYBLAS_EMULATOR_SEED", 1);
  const int rounds = static_cast<int>(number("MYBLAS_EMULATOR_ROUNDS", MYBLAS_EMULATOR_ROUNDS));
  RowHandle handle(GetParam());
  size_t served = 0, wrong = 0;
  uint64_t settings = seed;
  const auto cases = boundary_cases(*GetParam().row, seed, rounds);
  for (const GemmCase& gemm : cases) {
    settings = mix(settings);
    const auto result = handle.run(gemm, settings_of(settings));
    EXPECT_TRUE(result);
    served += handle.served();
    if (!result && ++wrong == 3) break;
  }
  EXPECT_GT(served, cases.size() / 3) << "hardly any case reached the row";
}

INSTANTIATE_TEST_SUITE_P(Tables, EmulatorRows, testing::ValuesIn(all_rows()), row_name);

// One case under a debugger: docs/emulator.md.
TEST(EmulatorReplay, OneCase) {
  const char* line = std::getenv("MYBLAS_TEST_REPLAY");
  const char* kernel = std::getenv("MYBLAS_KERNEL");
  if (line == nullptr || kernel == nullptr) GTEST_SKIP() << "nothing to replay";
  const auto gemm = parse_line(line);
  ASSERT_TRUE(gemm) << line;
  load_all_kernels();
  RowHandle handle(find_row(kernel));
  EXPECT_TRUE(handle.run(*gemm, settings_of(number("MYBLAS_EMULATOR_SEED", 1))));
}

}  // namespace
}  // namespace myblas::test
