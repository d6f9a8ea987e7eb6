// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemm/precision_test.cpp: data that tells one precision from another.
//
// A product of depth 1 and a product with the identity involve no sum: only an input that was
// shortened on the way (TF32, fp16) can make them differ from the exact value, rounded once.
//==============================================================================
#include <cmath>

#include "support/gemm_case.h"
#include "support/gemm_fixture.h"

namespace myblas::test {
namespace {

class PrecisionTest : public GemmTest {
 protected:
  void TearDown() override {
    if (!IsSkipped()) myblasSetMathMode(handle(), MYBLAS_DEFAULT_MATH);
  }
  static GemmCase base(const TypeCombo& combo) {
    GemmCase gemm;
    gemm.entry = find_entry("myblasGemmEx");
    gemm.combo = &combo;
    gemm.data = DataKind::kReal;
    return gemm;
  }
  // Compares with the exact value, rounded once.
  static testing::AssertionResult exact(PreparedGemm& gemm) {
    gemm.arena().download();
    const Products products =
        multiply(gather(gemm.arena().host(gemm.slot_a()), gemm.layout_a(), gemm.gemm().op_a),
                 gather(gemm.arena().host(gemm.slot_b()), gemm.layout_b(), gemm.gemm().op_b),
                 Arithmetic::kLongDouble, false);
    return matches(gemm.arena().host(gemm.slot_c()), gemm.layout_c(),
                   [&](int64_t i, int64_t j, int64_t) -> Expected {
                     return {combine(products, i, j, gemm.gemm().k, {1, 0}, {0, 0}, {}), 0.0};
                   });
  }
  static bool keeps_inputs(const TypeCombo& combo) { return input_roundoff(combo) == 0.0; }
};

TEST_F(PrecisionTest, OneTermIsRoundedOnce) {
  for (const myblasMath_t mode : {MYBLAS_DEFAULT_MATH, MYBLAS_PEDANTIC_MATH}) {
    ASSERT_EQ(myblasSetMathMode(handle(), mode), MYBLAS_STATUS_SUCCESS);
    for (const TypeCombo& combo : type_combos()) {
      if (!keeps_inputs(combo) || is_complex(combo.c)) continue;  // a complex product is a sum
      for (const auto& [m, n] : {std::pair<int64_t, int64_t>{1, 1}, {67, 130}, {256, 64}}) {
        GemmCase gemm = base(combo);
        gemm.m = m;
        gemm.n = n;
        gemm.k = 1;
        PreparedGemm prepared(device(), gemm);
        ASSERT_EQ(prepared.launch(handle()), MYBLAS_STATUS_SUCCESS);
        EXPECT_TRUE(exact(prepared)) << to_line(gemm);
        count_cases(1);
      }
    }
  }
}

TEST_F(PrecisionTest, TheIdentityChangesNothing) {
  for (const TypeCombo& combo : type_combos()) {
    if (!keeps_inputs(combo)) continue;
    for (const bool on_the_left : {true, false}) {
      for (const int64_t size : {5, 64, 131}) {
        GemmCase gemm = base(combo);
        gemm.m = on_the_left ? size : 77;
        gemm.n = on_the_left ? 77 : size;
        gemm.k = size;
        PreparedGemm prepared(device(), gemm);
        const Layout& layout = on_the_left ? prepared.layout_a() : prepared.layout_b();
        const SlotId slot = on_the_left ? prepared.slot_a() : prepared.slot_b();
        for (int64_t j = 0; j < size; ++j) {
          for (int64_t i = 0; i < size; ++i) {
            store(layout.type, prepared.arena().host(slot, layout, i, j), {i == j ? 1.0 : 0.0, 0});
          }
        }
        prepared.upload();
        ASSERT_EQ(prepared.launch(handle()), MYBLAS_STATUS_SUCCESS);
        EXPECT_TRUE(exact(prepared)) << to_line(gemm);
        count_cases(1);
      }
    }
  }
}

// Rows of A scaled from 2^-60 to 2^60: an error that is relative to the largest row, not to the
// element's own sum, shows in the small ones.
TEST_F(PrecisionTest, GradedRowsKeepTheirAccuracy) {
  for (const char* type : {"f32_f32_32F", "f32_f32_32Fp", "f32_f32_16BFX9", "f64_f64_64F",
                           "f64_f64_64Fp", "cf32_cf32_32F", "cf64_cf64_64F", "bf16_f32_32F"}) {
    for (const int64_t k : {17, 200}) {
      GemmCase gemm = base(*find_combo(type));
      gemm.m = 121;
      gemm.n = 50;
      gemm.k = k;
      PreparedGemm prepared(device(), gemm);
      const Layout& layout = prepared.layout_a();
      for (int64_t j = 0; j < layout.cols; ++j) {
        for (int64_t i = 0; i < layout.rows; ++i) {
          uint8_t* at = prepared.arena().host(prepared.slot_a(), layout, i, j);
          const Value value = load(layout.type, at);
          const int exponent = static_cast<int>(i) - 60;
          store(layout.type, at, {std::ldexp(value.re, exponent), std::ldexp(value.im, exponent)});
        }
      }
      prepared.upload();
      ASSERT_EQ(prepared.launch(handle()), MYBLAS_STATUS_SUCCESS);
      EXPECT_TRUE(prepared.check()) << to_line(gemm);
      count_cases(1);
    }
  }
}

// Small integers fit every input precision that a mode may permit.
TEST_F(PrecisionTest, EveryMathModeIsExactOnIntegers) {
  for (const int mode : {0, 1, 2, 3, 4, 8}) {
    for (const int flag : {0, 16}) {
      ASSERT_EQ(myblasSetMathMode(handle(), static_cast<myblasMath_t>(mode | flag)),
                MYBLAS_STATUS_SUCCESS);
      for (const TypeCombo& combo : type_combos()) {
        GemmCase gemm = base(combo);
        gemm.data = DataKind::kInteger;
        gemm.m = 65;
        gemm.n = 33;
        gemm.k = 100;
        gemm.beta = {1, 0};
        EXPECT_TRUE(run_case(device(), handle(), gemm)) << "math mode " << (mode | flag);
        count_cases(1);
      }
    }
  }
}

}  // namespace
}  // namespace myblas::test
