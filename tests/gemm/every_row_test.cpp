// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemm/every_row_test.cpp: every row of the handle's table, forced, in every layout, with operands
// and a C that are aligned and that are not, in batches, with a divided k and with a bias. Random
// products are given a fraction of the rows; emulated ones are given all, without the hardware.
//
// MYBLAS_TARGET=sm_NN: the rows of that table which run on this GPU. MYBLAS_TEST_ROWS: those alone
// whose names contain it.
//==============================================================================
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <span>
#include <string>
#include <string_view>

#include "support/gemm_case.h"
#include "support/gemm_fixture.h"

namespace myblas::test {
namespace {

// As the tables have them (src/dispatch/tables).
struct Row {
  const char *name, *ab, *c, *sum, *needs;
};
#define ROW(name, ab, c, sum, trans, needs, ...) {#name, #ab, #c, #sum, #needs},
constexpr Row kSm75[] = {
#include "dispatch/tables/sm75.inc"
};
constexpr Row kSm80[] = {
#include "dispatch/tables/sm80.inc"
};
constexpr Row kSm86[] = {
#include "dispatch/tables/sm86.inc"
};
constexpr Row kSm89[] = {
#include "dispatch/tables/sm89.inc"
};
constexpr Row kSm90[] = {
#include "dispatch/tables/sm90.inc"
};
constexpr Row kSm100[] = {
#include "dispatch/tables/sm100.inc"
};
constexpr Row kSm120[] = {
#include "dispatch/tables/sm120.inc"
};
#undef ROW

struct Table {
  const char* target;
  std::span<const Row> rows;
};
constexpr Table kTables[] = {{"sm_75", kSm75},  {"sm_80", kSm80}, {"sm_86", kSm86},
                             {"sm_89", kSm89},  {"sm_90", kSm90}, {"sm_100", kSm100},
                             {"sm_120", kSm120}};

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
  if (needs == "kFastBF16x9") compute = "16BFX9";
  if (needs == "kFastF16Sums") compute = "16F";
  return find_combo(lowered(row.ab) + "_" + lowered(row.c) + "_" + compute);
}

struct Size {
  int64_t m, n, k;
};
// Of many tiles; of few columns, few rows, and a small k.
constexpr Size kSizes[] = {
    {272, 208, 160}, {301, 133, 97}, {333, 1, 300}, {3, 270, 301}, {150, 70, 5}};
constexpr int kSizeCount = std::size(kSizes);
// Few enough that blocks which walk tiles have several.
constexpr int kSms = 4;

class EveryRowTest : public GpuGemmTest {
 protected:
  // number: 0 to 2 * kSizeCount - 1, which together bring aligned and unaligned operands and, with
  // either, an aligned and an unaligned C, read and not.
  static GemmCase make_case(const Row& row, int layout, int number) {
    const int index = number % kSizeCount;
    const bool aligned = number < kSizeCount;
    const Size& size = kSizes[index];
    GemmCase gemm;
    gemm.combo = combo_of(row);
    gemm.entry = find_entry("myblasGemmEx");
    const auto transposed = number % 2 == 0 ? MYBLAS_OP_T : MYBLAS_OP_C;
    gemm.op_a = layout % 2 == 0 ? MYBLAS_OP_N : transposed;
    gemm.op_b = layout / 2 == 0 ? MYBLAS_OP_N : transposed;
    gemm.m = size.m;
    gemm.n = size.n;
    gemm.k = size.k;
    const auto to_16 = [](int64_t rows) { return (16 - rows % 16) % 16; };
    gemm.pad_a = aligned ? to_16(gemm.op_a == MYBLAS_OP_N ? gemm.m : gemm.k) : 1;
    gemm.pad_b = aligned ? to_16(gemm.op_b == MYBLAS_OP_N ? gemm.k : gemm.n) : 2;
    gemm.offset_a = gemm.offset_b = aligned ? 0 : 1;
    const int turn = index + layout;
    gemm.pad_c = turn / 2 % 2 == 0 ? to_16(gemm.m) : 1;
    gemm.offset_c = turn / 2 % 2;
    gemm.alpha = {2, 0};
    gemm.beta = {turn % 2 == 0 ? 0.0 : -1.0, 0};
    gemm.device_scalars = index == 2;
    const bool by_pointers = std::string_view(row.name).find("_pointers_") != std::string::npos;
    if (by_pointers || index >= 3) {
      gemm.entry = find_entry(by_pointers || index == 4 ? "myblasGemmBatchedEx"
                                                        : "myblasGemmStridedBatchedEx");
      gemm.batch = 13;
    }
    gemm.seed = static_cast<uint64_t>(size.m + layout);
    return gemm;
  }

  // Where the row may have one.
  static void add_epilogue(const Row& row, GemmCase* gemm) {
    const std::string ab = lowered(row.ab);
    const bool is_real = ab == "f16" || ab == "bf16" || ab == "f32" || ab == "f64";
    if (!is_real || gemm->entry->batch == BatchKind::kPointers) return;
    gemm->entry = find_entry("myblasDropinMatmul");
    gemm->bias = true;
    if (gemm->device_scalars || gemm->beta.re != 0) return;
    gemm->activation = MYBLAS_DROPIN_RELU;
  }
};

TEST_F(EveryRowTest, InEveryLayout) {
  const std::string target = target_of(handle());
  const auto* const table =
      std::ranges::find_if(kTables, [&](const Table& one) { return target == one.target; });
  ASSERT_NE(table, std::end(kTables)) << target;
  const bool is_own = std::getenv("MYBLAS_TARGET") == nullptr;
  const char* const some = std::getenv("MYBLAS_TEST_ROWS");
  int served = 0;
  for (const Row& row : table->rows) {
    if (some != nullptr && std::string_view(row.name).find(some) == std::string_view::npos) {
      continue;
    }
    ASSERT_NE(combo_of(row), nullptr) << row.name;
    int64_t cases = 0;
    for (const int parts : {1, 3}) {
      const ForcedHandle forced(row.name, parts);
      ASSERT_EQ(myblasSetSmCountTarget(forced.get(), kSms), MYBLAS_STATUS_SUCCESS);
      for (int layout = 0; layout < 4; ++layout) {
        for (int number = 0; number < (parts == 1 ? 2 * kSizeCount : 1); ++number) {
          GemmCase gemm = make_case(row, layout, number);
          if (number == layout) add_epilogue(row, &gemm);
          PreparedGemm prepared(device(), gemm);
          if (gemm.device_scalars) {
            myblasSetPointerMode(forced.get(), MYBLAS_POINTER_MODE_DEVICE);
          }
          const myblasStatus_t status = prepared.launch(forced.get());
          myblasSetPointerMode(forced.get(), MYBLAS_POINTER_MODE_HOST);
          ASSERT_EQ(status, MYBLAS_STATUS_SUCCESS) << to_line(gemm);
          // What the row does not take, another serves.
          if (last_kernel() != row.name) continue;
          EXPECT_TRUE(prepared.check()) << row.name << '@' << parts << ' ' << to_line(gemm);
          ++cases;
        }
      }
    }
    if (is_own) {
      EXPECT_GT(cases, 0) << row.name << " serves nothing";
    }
    served += cases > 0 ? 1 : 0;
    count_cases(cases);
  }
  RecordProperty("rows", served);
  std::printf("%s: %d of %zu rows\n", target.c_str(), served, table->rows.size());
}

}  // namespace
}  // namespace myblas::test
