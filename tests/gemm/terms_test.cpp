// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemm/terms_test.cpp: fp32 that is multiplied as bf16 terms is fp32 all the same: as accurate, of
// fp32's range from 2^-110 on, and with its infinities and NaN.
//==============================================================================
#include <cmath>
#include <limits>

#include "support/gemm_case.h"
#include "support/gemm_fixture.h"

namespace myblas::test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

// Three and two consumers, either side their rows; pairs.
constexpr const char* kKernels[] = {"sgemm_wgmma_terms_pair_192x128x16",
                                    "sgemm_wgmma_terms_96x128x16", "sgemm_wgmma_terms_128x64x16",
                                    "sgemm_wgmma_terms_pair_128x192x16"};

class TermsTest : public GpuGemmTest {
 protected:
  void SetUp() override {
    GpuGemmTest::SetUp();
    need_table_of("sm_90");
  }
  static GemmCase make_case(int64_t m, int64_t n, int64_t k) {
    GemmCase gemm;
    gemm.entry = find_entry("myblasGemmEx");
    gemm.combo = find_combo("f32_f32_16BFX9");
    gemm.m = m;
    gemm.n = n;
    gemm.k = k;
    return gemm;
  }
  // change(row, k, value): what becomes of each element of A, or of B.
  template <class Change>
  static void change_operand(PreparedGemm& gemm, bool of_a, Change change) {
    const SlotId slot = of_a ? gemm.slot_a() : gemm.slot_b();
    const Layout& layout = of_a ? gemm.layout_a() : gemm.layout_b();
    const bool k_first = of_a ? gemm.gemm().op_a != MYBLAS_OP_N : gemm.gemm().op_b == MYBLAS_OP_N;
    for (int64_t j = 0; j < layout.cols; ++j) {
      for (int64_t i = 0; i < layout.rows; ++i) {
        uint8_t* at = gemm.arena().host(slot, layout, i, j);
        const double value = load(layout.type, at).re;
        store(layout.type, at, {k_first ? change(j, i, value) : change(i, j, value), 0});
      }
    }
    gemm.upload();
  }
  static void launch_and_check(const char* kernel, PreparedGemm& prepared) {
    const ForcedHandle forced(kernel, 1);
    ASSERT_EQ(prepared.launch(forced.get()), MYBLAS_STATUS_SUCCESS);
    EXPECT_EQ(last_kernel(), kernel);
    EXPECT_TRUE(prepared.check()) << kernel << ": " << to_line(prepared.gemm());
    count_cases(1);
  }
  static GemmCase in_layout(GemmCase gemm, int layout) {
    gemm.op_a = layout % 2 == 0 ? MYBLAS_OP_N : MYBLAS_OP_T;
    gemm.op_b = layout / 2 == 0 ? MYBLAS_OP_N : MYBLAS_OP_T;
    return gemm;
  }
};

TEST_F(TermsTest, ErrorsAreWithinTheBoundOfFp32) {
  for (const char* kernel : kKernels) {
    for (int layout = 0; layout < 4; ++layout) {
      for (const int64_t k : {1, 17, 200, 3000}) {
        GemmCase gemm = in_layout(make_case(200, 133, k), layout);
        gemm.data = DataKind::kReal;
        gemm.beta = {k == 17 ? 0.5 : 0.0, 0};
        gemm.pad_a = layout;
        PreparedGemm prepared(device(), gemm);
        launch_and_check(kernel, prepared);
      }
    }
  }
}

// Each row has the accuracy of its own size, and so each column.
TEST_F(TermsTest, GradedRowsAndColumnsKeepTheirAccuracy) {
  for (const char* kernel : kKernels) {
    for (const bool of_a : {true, false}) {
      for (const int layout : {0, 3}) {
        GemmCase gemm = in_layout(make_case(121, 121, 100), layout);
        gemm.data = DataKind::kReal;
        PreparedGemm prepared(device(), gemm);
        change_operand(prepared, of_a, [](int64_t row, int64_t, double value) {
          return std::ldexp(value, static_cast<int>(row) - 60);
        });
        launch_and_check(kernel, prepared);
      }
    }
  }
}

// Where first terms would be rounded to infinity, and where the last bits of third terms are the
// least of bf16.
TEST_F(TermsTest, TheRangeIsThatOfFp32) {
  constexpr double kMost = std::numeric_limits<float>::max();
  for (const char* kernel : kKernels) {
    for (const double size : {kMost, 0x1.fedcbap-110}) {
      GemmCase gemm = make_case(100, 70, 16);
      gemm.op_b = MYBLAS_OP_T;
      PreparedGemm prepared(device(), gemm);
      change_operand(prepared, true, [&](int64_t row, int64_t k, double) {
        return k == row % 16 ? (row % 2 == 0 ? size : -size) : 0.0;
      });
      change_operand(prepared, false, [](int64_t column, int64_t k, double) {
        return k == column % 16 ? 1.0 : 0.5;
      });
      launch_and_check(kernel, prepared);
    }
  }
}

// To its row or column and no further. Integers of few bits are first terms alone: their others
// are zeros, which an infinity must not meet; with a bit far below, second terms of either sign.
TEST_F(TermsTest, InfinitiesAndNaNPropagate) {
  for (const char* kernel : kKernels) {
    for (const bool in_a : {true, false}) {
      for (const double scale : {1.0, 1.0 + 0x1p-10}) {
        for (const double special : {kNaN, kInf, -kInf}) {
          for (const int64_t place : {0, 40}) {
            GemmCase gemm = in_layout(make_case(100, 100, 50), in_a ? 0 : 3);
            PreparedGemm prepared(device(), gemm);
            change_operand(prepared, !in_a,
                           [&](int64_t, int64_t, double value) { return value * scale; });
            change_operand(prepared, in_a, [&](int64_t row, int64_t k, double value) {
              return row == place + 3 && k == place ? special : value;
            });
            launch_and_check(kernel, prepared);
          }
        }
      }
    }
  }
}

TEST_F(TermsTest, InfinitiesOfBothOperandsMeet) {
  for (const char* kernel : kKernels) {
    for (const double other : {kInf, -kInf, 0.0, 3.0}) {
      PreparedGemm prepared(device(), make_case(70, 90, 33));
      change_operand(prepared, true, [&](int64_t row, int64_t k, double value) {
        return row == 5 && k == 7 ? kInf : value;
      });
      change_operand(prepared, false, [&](int64_t column, int64_t k, double value) {
        return column == 11 && k == 7 ? other : value;
      });
      launch_and_check(kernel, prepared);
    }
  }
}

}  // namespace
}  // namespace myblas::test
