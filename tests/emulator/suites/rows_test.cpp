// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// suites/rows_test.cpp: every row of every table over the boundary shapes of its tile.
//
//   MYBLAS_EMULATOR_SEED    another sample (default 1)
//   MYBLAS_EMULATOR_ROUNDS  cases a shape
//   MYBLAS_TEST_REPLAY, MYBLAS_KERNEL, MYBLAS_EMULATOR_SMS   one case of one row: EmulatorReplay
//==============================================================================
#include <cstdlib>
#include <functional>
#include <set>
#include <string_view>
#include <utility>

#include "kernels/common/tile_neighbours.h"
#include "kernels/gemv/outer_shape.h"
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
  auto cases = boundary_cases(*GetParam().row, seed, rounds);
  const size_t share = share_of_cases(*GetParam().row);
  // Each row others: together they run all.
  const size_t first = std::hash<std::string_view>{}(GetParam().row->name);
  if (share > 1) cases = sample(cases, cases.size() / share, first);
  for (const GemmCase& gemm : cases_past_middle(*GetParam().row, seed)) cases.push_back(gemm);
  for (const GemmCase& gemm : cases_past_warps(*GetParam().row, seed)) cases.push_back(gemm);
  for (const GemmCase& gemm : epilogue_cases(*GetParam().row, seed)) cases.push_back(gemm);
  for (const GemmCase& gemm : cases) {
    settings = mix(settings);
    const auto result = handle.run(gemm, settings_of(settings));
    EXPECT_TRUE(result);
    served += handle.served();
    if (!result && ++wrong == 3) break;
  }
  // Of a row of two layouts half are refused, and some for their alignment.
  EXPECT_GT(served, cases.size() / 4) << "hardly any case reached the row";
}

// One tile of C.
GemmCase tile_of_real_data(const KernelRow& row) {
  GemmCase gemm;
  gemm.combo = combos_of(row).front();
  gemm.entry =
      entries_for(*gemm.combo, row.by_pointers ? BatchKind::kPointers : BatchKind::kNone).at(0);
  gemm.batch = row.by_pointers ? 2 : 1;
  gemm.data = DataKind::kReal;
  gemm.m = row.tile_m;
  gemm.n = row.tile_n;
  return gemm;
}

// Within the bounds that a GPU's results have to meet.
TEST_P(EmulatorRows, RealData) {
  load_all_kernels();
  RowHandle handle(GetParam());
  const KernelRow& row = handle.row();
  GemmCase gemm = tile_of_real_data(row);
  gemm.op_a = (row.trans & (kTN | kTT)) != 0 ? MYBLAS_OP_T : MYBLAS_OP_N;
  gemm.op_b = (row.trans & (gemm.op_a == MYBLAS_OP_T ? kTN : kNN)) != 0 ? MYBLAS_OP_N : MYBLAS_OP_T;
  gemm.k = 2 * row.tile_k + 1;
  gemm.beta = {2, 0};
  align_columns(&gemm);
  EXPECT_TRUE(handle.run(gemm, settings_of(1)));
  EXPECT_TRUE(handle.served());
}

INSTANTIATE_TEST_SUITE_P(Tables, EmulatorRows, testing::ValuesIn(all_rows()), row_name);

// Integers of few bits are TF32 as they are; of real data an operand that is cut off instead of
// rounded differs by up to twice as much. With one k nothing averages that out.
class EmulatorRowsOfTf32 : public testing::TestWithParam<TableRow> {};

TEST_P(EmulatorRowsOfTf32, RoundTheirOperands) {
  load_all_kernels();
  RowHandle handle(GetParam());
  const KernelRow& row = handle.row();
  GemmCase gemm = tile_of_real_data(row);
  for (const auto& [trans, op_a, op_b] : {std::tuple{kNN, MYBLAS_OP_N, MYBLAS_OP_N},
                                          {kNT, MYBLAS_OP_N, MYBLAS_OP_T},
                                          {kTN, MYBLAS_OP_T, MYBLAS_OP_N},
                                          {kTT, MYBLAS_OP_T, MYBLAS_OP_T}}) {
    if ((row.trans & trans) == 0) continue;
    gemm.op_a = op_a;
    gemm.op_b = op_b;
    for (const int64_t k : {1, row.tile_k + 1}) {
      gemm.k = k;
      align_columns(&gemm);
      EXPECT_TRUE(handle.run(gemm, settings_of(1)));
      EXPECT_TRUE(handle.served());
    }
  }
}

std::vector<TableRow> rows_of_tf32() {
  std::vector<TableRow> rows = all_rows();
  std::erase_if(rows, [](const TableRow& row) { return row.row->needs_fast != kFastTF32; });
  return rows;
}

INSTANTIATE_TEST_SUITE_P(Tables, EmulatorRowsOfTf32, testing::ValuesIn(rows_of_tf32()), row_name);

class EmulatorRowsOfPointers : public testing::TestWithParam<TableRow> {};

TEST_P(EmulatorRowsOfPointers, FindMatricesWhereverTheyBegin) {
  load_all_kernels();
  RowHandle handle(GetParam());
  for (const GemmCase& gemm : pointer_cases(handle.row())) {
    EXPECT_TRUE(handle.run(gemm, settings_of(1)));
    EXPECT_TRUE(handle.served());
  }
}

std::vector<TableRow> rows_by_pointers() {
  std::vector<TableRow> rows = all_rows();
  std::erase_if(rows, [](const TableRow& row) { return !row.row->by_pointers; });
  return rows;
}

INSTANTIATE_TEST_SUITE_P(Tables, EmulatorRowsOfPointers, testing::ValuesIn(rows_by_pointers()),
                         row_name);

class EmulatorRowsInClusters : public testing::TestWithParam<TableRow> {};

// How one product's blocks run beside their neighbours, by a row of such tiles.
Neighbours neighbours_of(const KernelRow& row, const GemmCase& gemm, int sm_count) {
  const int64_t k_tiles = gemm.k / row.tile_k;
  return myblas::neighbours_of({gemm.m, gemm.n, row.tile_m, row.tile_n, 1, k_tiles}, sm_count);
}

TEST_P(EmulatorRowsInClusters, AreServed) {
  load_all_kernels();
  bool have_neighbours = GetParam().row->cluster > 1;
  for (const auto& [gemm, sm_count] : cases_in_clusters(*GetParam().row)) {
    RowHandle handle(GetParam(), {"1"}, sm_count);
    const uint64_t seeds = have_neighbours ? 2 : 1;  // a row of neighbours has more than a case
    for (uint64_t seed = 1; seed <= seeds; ++seed) EXPECT_TRUE(handle.run(gemm, settings_of(seed)));
    EXPECT_TRUE(handle.served());
    have_neighbours |= neighbours_of(handle.row(), gemm, sm_count).blocks() > 1;
  }
  EXPECT_TRUE(have_neighbours);
}

TEST(EmulatorNeighbours, LieInEveryShape) {
  load_all_kernels();
  const TableRow row = find_row("hgemm_wgmma_bf16_bf16_128x64x64");
  const auto expect = [&](int m, int n, int sm_count, int tiles_m, int tiles_n, int k_tiles) {
    const GemmCase gemm = case_of_tiles(*row.row, tiles_m, tiles_n, k_tiles);
    const Neighbours of = neighbours_of(*row.row, gemm, sm_count);
    EXPECT_EQ(std::pair(of.m, of.n), std::pair(m, n));
    RowHandle handle(row, {"1"}, sm_count);
    EXPECT_TRUE(handle.run(gemm, settings_of(1))) << m << " x " << n;
  };
  expect(2, 1, 16, 2, 4, 16);
  expect(1, 2, 16, 4, 2, 16);
  expect(1, 4, 16, 3, 4, 32);
  expect(2, 2, 64, 4, 4, 32);
  expect(2, 4, 48, 4, 8, 32);
  expect(4, 2, 32, 4, 6, 32);
}

std::vector<TableRow> rows_in_clusters() {
  std::vector<TableRow> rows = all_rows();
  std::erase_if(rows, [](const TableRow& row) {
    return cases_in_clusters(*row.row).empty() || has_bf16_twin(*row.row);
  });
  return rows;
}

INSTANTIATE_TEST_SUITE_P(Tables, EmulatorRowsInClusters, testing::ValuesIn(rows_in_clusters()),
                         row_name);

// Outer products: threads along m from all to few, as a GPU of one SM takes them.
class EmulatorRowsOfOuter : public testing::TestWithParam<TableRow> {};

TEST_P(EmulatorRowsOfOuter, TakeTilesOfEveryLength) {
  load_all_kernels();
  RowHandle handle(GetParam());
  ASSERT_EQ(myblasSetSmCountTarget(handle.get(), 1), MYBLAS_STATUS_SUCCESS);
  const KernelRow& row = handle.row();
  GemmCase gemm;
  gemm.combo = combos_of(row).front();
  gemm.entry = entries_for(*gemm.combo, BatchKind::kNone).at(0);
  std::set<int> lengths;
  for (int tile_m = kOuterLongestTile; tile_m >= 1; tile_m /= 2) {
    for (const bool whole : {true, false}) {
      gemm.m = whole ? tile_m : tile_m + 1;
      gemm.n = whole ? kOuterLongestTile / 16 : kOuterLongestTile + 1;
      gemm.k = whole ? 2 : row.tile_k + 1;
      gemm.op_a = gemm.op_b = whole ? MYBLAS_OP_N : MYBLAS_OP_T;
      gemm.beta = {whole ? 0.0 : 2.0, 0.0};
      lengths.insert(outer_shape(row.tile_m, row.tile_n, gemm.m, gemm.n, 1, 1).log2_threads_m);
      EXPECT_TRUE(handle.run(gemm, settings_of(1)));
      EXPECT_TRUE(handle.served());
    }
  }
  EXPECT_GE(lengths.size(), 6u);
}

std::vector<TableRow> rows_of_outer() {
  std::vector<TableRow> rows = all_rows();
  std::erase_if(rows, [](const TableRow& row) {
    return !std::string_view(row.row->name).starts_with("gemv_outer_");
  });
  return rows;
}

INSTANTIATE_TEST_SUITE_P(Tables, EmulatorRowsOfOuter, testing::ValuesIn(rows_of_outer()), row_name);

// One case under a debugger: docs/emulator.md.
TEST(EmulatorReplay, OneCase) {
  const char* line = std::getenv("MYBLAS_TEST_REPLAY");
  const char* kernel = std::getenv("MYBLAS_KERNEL");
  if (line == nullptr || kernel == nullptr) GTEST_SKIP() << "nothing to replay";
  const auto gemm = parse_line(line);
  ASSERT_TRUE(gemm) << line;
  load_all_kernels();
  const auto sm_count = static_cast<int>(number("MYBLAS_EMULATOR_SMS", 2));
  RowHandle handle(find_row(kernel), kParts, sm_count);
  EXPECT_TRUE(handle.run(*gemm, settings_of(number("MYBLAS_EMULATOR_SEED", 1))));
}

}  // namespace
}  // namespace myblas::test
