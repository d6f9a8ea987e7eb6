// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemm/every_row_test.cpp: every row of the device's own table, forced, in every layout,
// with operands and a C that are aligned and that are not. Random products are given a fraction of
// the rows; emulated ones are given all, without the hardware.
//==============================================================================
#include <cctype>
#include <set>
#include <string>

#include "support/gemm_case.h"
#include "support/gemm_fixture.h"

namespace myblas::test {
namespace {

// As the tables have them (src/dispatch/tables).
struct Row {
  const char *name, *ab, *c, *sum, *needs;
};
constexpr Row kRows[] = {
#define ROW(name, ab, c, sum, trans, needs, ...) {#name, #ab, #c, #sum, #needs},
#include "dispatch/tables/sm100.inc"
#include "dispatch/tables/sm120.inc"
#include "dispatch/tables/sm75.inc"
#include "dispatch/tables/sm80.inc"
#include "dispatch/tables/sm86.inc"
#include "dispatch/tables/sm89.inc"
#include "dispatch/tables/sm90.inc"
#undef ROW
};

// kBF16 -> bf16
std::string lowered(const char* type) {
  std::string name = type + 1;
  for (char& letter : name) letter = static_cast<char>(std::tolower(letter));
  return name;
}

const TypeCombo* combo_of(const Row& row) {
  std::string compute = "32F";
  const std::string sum = row.sum, needs = row.needs;
  if (sum == "kF64") compute = "64F";
  if (sum == "kS32") compute = "32I";
  if (needs == "kFastTF32") compute = "FAST_TF32";
  return find_combo(lowered(row.ab) + "_" + lowered(row.c) + "_" + compute);
}

struct Size {
  int64_t m, n, k;
};
// Of many tiles; of few columns, few rows, and a small k.
constexpr Size kSizes[] = {
    {272, 208, 160}, {301, 133, 97}, {333, 1, 300}, {3, 270, 301}, {150, 70, 5}};

class EveryRowTest : public GpuGemmTest {};

TEST_F(EveryRowTest, InEveryLayout) {
  std::set<std::string> seen;
  int served = 0;
  for (const Row& row : kRows) {
    if (!seen.insert(row.name).second) continue;
    const TypeCombo* combo = combo_of(row);
    ASSERT_NE(combo, nullptr) << row.name;
    const ForcedHandle forced(row.name, 1);
    int64_t cases = 0;
    for (int layout = 0; layout < 4; ++layout) {
      for (const Size& size : kSizes) {
        for (const int64_t shift : {0, 1}) {
          GemmCase gemm;
          gemm.entry = find_entry("myblasGemmEx");
          gemm.combo = combo;
          gemm.op_a = layout % 2 == 0 ? MYBLAS_OP_N : MYBLAS_OP_T;
          gemm.op_b = layout / 2 == 0 ? MYBLAS_OP_N : MYBLAS_OP_T;
          gemm.m = size.m;
          gemm.n = size.n;
          gemm.k = size.k;
          gemm.pad_a = gemm.pad_c = shift;
          gemm.pad_b = 2 * shift;
          gemm.offset_a = gemm.offset_b = gemm.offset_c = shift;
          gemm.alpha = {2, 0};
          gemm.beta = {shift == 0 ? 0.0 : -1.0, 0};
          gemm.seed = static_cast<uint64_t>(size.m + layout);
          PreparedGemm prepared(device(), gemm);
          ASSERT_EQ(prepared.launch(forced.get()), MYBLAS_STATUS_SUCCESS) << to_line(gemm);
          // What the row does not take, another serves.
          if (last_kernel() != row.name) continue;
          EXPECT_TRUE(prepared.check()) << row.name << ' ' << to_line(gemm);
          ++cases;
        }
      }
    }
    served += cases > 0 ? 1 : 0;
    count_cases(cases);
  }
  RecordProperty("rows", served);
}

}  // namespace
}  // namespace myblas::test
