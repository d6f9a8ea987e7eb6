// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// suites/wavefronts_test.cpp: bank conflicts of the main loops.
//
// Over all lines of a kernel that reach shared memory through ptx/ functions, on an aligned
// product of one tile and three k-tiles. A family with such lines states its figure here.
//==============================================================================
#include <cstdio>
#include <string>

#include "suites/emulated_case.h"

namespace myblas::test {
namespace {

// Wavefronts per hundred ideal ones, for the worst transposition. The first that fits counts.
struct Figure {
  const char* family;  // how the row's name begins
  uint64_t percent;
};
constexpr Figure kFigures[] = {
    {"ampere_warp_", 0},  // from registers, and C by threads
    {"ampere_", 100},
    {"hgemm_wgmma_bf16_bf16", 100},
    {"hgemm_wgmma_f16_f16", 100},
    {"hgemm_wgmma_pointers_bf16_bf16", 100},
    {"hgemm_wgmma_pointers_f16_f16", 100},
    {"gemm_wgmma_tf32_f32_rs", 100},
    {"gemm_wgmma_pointers_tf32_f32_rs", 100},
    {"sgemm_closed", 100},
    {"sgemm_cp_async", 100},
    {"sgemm_narrow", 100},
    {"sgemm_registers", 100},
    {"sgemm_tma", 100},
    {"sgemm_batch", 100},
    {"cgemm_closed", 100},
    {"cgemm_tma", 100},
    {"cgemm_cp_async", 100},
    {"turing_", 100},
    {"blackwell_", 100},
    {"dgemm_tma", 100},
};

// 0: nothing is counted.
uint64_t figure_of(const std::string& name) {
  for (const Figure& figure : kFigures) {
    if (name.starts_with(figure.family)) return figure.percent;
  }
  return 0;
}

class EmulatorWavefronts : public testing::TestWithParam<TableRow> {};

std::string row_name(const testing::TestParamInfo<TableRow>& info) { return info.param.row->name; }

TEST_P(EmulatorWavefronts, MainLoop) {
  load_all_kernels();
  const KernelRow& row = *GetParam().row;
  bool has_lines = false;
  for (const auto op_a : {MYBLAS_OP_N, MYBLAS_OP_T}) {
    for (const auto op_b : {MYBLAS_OP_N, MYBLAS_OP_T}) {
      // The bit of TransSet.
      const int transposition = (op_a == MYBLAS_OP_N ? 0 : 2) + (op_b == MYBLAS_OP_N ? 0 : 1);
      if ((row.trans >> transposition & 1) == 0) continue;
      GemmCase gemm;
      gemm.combo = combos_of(row).front();
      gemm.entry =
          entries_for(*gemm.combo, row.by_pointers ? BatchKind::kPointers : BatchKind::kNone).at(0);
      gemm.op_a = op_a;
      gemm.op_b = op_b;
      gemm.m = row.tile_m;
      gemm.n = row.tile_n;
      gemm.k = 3 * row.tile_k;
      RowHandle handle(GetParam());
      emulator::Settings settings;
      settings.count_wavefronts = true;
      std::map<std::string, emulator::Wavefronts> lines;
      ASSERT_TRUE(handle.run(gemm, settings, &lines));
      EXPECT_TRUE(handle.served());
      emulator::Wavefronts sum;
      for (const auto& [line, wavefronts] : lines) {
        sum.actual += wavefronts.actual;
        sum.ideal += wavefronts.ideal;
        if (wavefronts.actual == wavefronts.ideal) continue;
        std::printf("%s: %llu wavefronts, ideal %llu\n", line.c_str(),
                    static_cast<unsigned long long>(wavefronts.actual),
                    static_cast<unsigned long long>(wavefronts.ideal));
      }
      if (sum.ideal != 0) {
        std::printf("%s %c%c: %llu wavefronts, ideal %llu\n", row.name, "NT"[op_a], "NT"[op_b],
                    static_cast<unsigned long long>(sum.actual),
                    static_cast<unsigned long long>(sum.ideal));
      }
      EXPECT_LE(100 * sum.actual, figure_of(row.name) * sum.ideal);
      has_lines = has_lines || sum.ideal != 0;
    }
  }
  EXPECT_EQ(has_lines, figure_of(row.name) != 0);
}

INSTANTIATE_TEST_SUITE_P(Tables, EmulatorWavefronts, testing::ValuesIn(all_rows()), row_name);

}  // namespace
}  // namespace myblas::test
