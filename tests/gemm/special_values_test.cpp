// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemm/special_values_test.cpp: NaN, infinities, zeros, subnormals and overflow.
//
// What must not be read may hold NaN or not exist; what is read propagates as in IEEE arithmetic,
// to its row or column and no further. Host and device scalars.
//==============================================================================
#include <cmath>
#include <limits>
#include <ostream>

#include "support/gemm_case.h"
#include "support/gemm_fixture.h"

namespace myblas::test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

struct SpecialParam {
  const char* combo;
  bool device_scalars;
};

void PrintTo(const SpecialParam& param, std::ostream* out) {
  *out << param.combo << (param.device_scalars ? ", device scalars" : ", host scalars");
}

class SpecialValuesTest : public GemmTest, public testing::WithParamInterface<SpecialParam> {
 protected:
  static GemmCase base(int64_t m, int64_t n, int64_t k) {
    GemmCase gemm;
    gemm.combo = find_combo(GetParam().combo);
    gemm.entry = find_entry("myblasGemmEx");
    gemm.device_scalars = GetParam().device_scalars;
    gemm.m = m;
    gemm.n = n;
    gemm.k = k;
    gemm.pad_a = gemm.pad_c = 1;
    gemm.op_b = MYBLAS_OP_T;
    return gemm;
  }
  static const TypeCombo& combo() { return *find_combo(GetParam().combo); }
  static bool real() { return !is_complex(combo().c); }
  static bool floating_inputs() { return !is_integer(combo().ab); }

  static void poison_inputs(PreparedGemm& gemm) {
    std::memset(gemm.arena().host(gemm.slot_a()), 0xFF, gemm.layout_a().bytes());
    std::memset(gemm.arena().host(gemm.slot_b()), 0xFF, gemm.layout_b().bytes());
    gemm.upload();
  }
  static void fill_output(PreparedGemm& gemm, Value value) {
    const Layout& layout = gemm.layout_c();
    for (int64_t j = 0; j < layout.cols; ++j) {
      for (int64_t i = 0; i < layout.rows; ++i) {
        store(layout.type, gemm.arena().host(gemm.slot_c(), layout, i, j), value);
      }
    }
    gemm.take_initial_output();
    gemm.upload();
  }
  void launch(PreparedGemm& gemm) {
    const bool on_device = gemm.gemm().device_scalars;
    if (on_device) myblasSetPointerMode(handle(), MYBLAS_POINTER_MODE_DEVICE);
    const myblasStatus_t status = gemm.launch(handle());
    if (on_device) myblasSetPointerMode(handle(), MYBLAS_POINTER_MODE_HOST);
    EXPECT_EQ(status, MYBLAS_STATUS_SUCCESS) << to_line(gemm.gemm());
    count_cases(1);
  }
  void launch_and_check(PreparedGemm& gemm) {
    launch(gemm);
    EXPECT_TRUE(gemm.check()) << to_line(gemm.gemm());
  }
};

constexpr int64_t kEdges[][3] = {{1, 1, 1}, {7, 5, 3}, {64, 64, 32}, {67, 35, 41}, {130, 129, 65}};

TEST_P(SpecialValuesTest, BetaZeroHidesC) {
  for (const auto& [m, n, k] : kEdges) {
    for (const double beta : {0.0, -0.0}) {
      if (is_integer(combo().scale) && std::signbit(beta)) continue;
      GemmCase gemm = base(m, n, k);
      gemm.beta = {beta, 0};
      gemm.alpha = {2, 0};
      for (const double c : {kNaN, kInf, -kInf}) {
        PreparedGemm prepared(device(), gemm);
        if (!is_integer(combo().c)) fill_output(prepared, {c, real() ? 0.0 : c});
        launch_and_check(prepared);
      }
    }
  }
}

TEST_P(SpecialValuesTest, AlphaZeroReadsNeitherAnorB) {
  for (const auto& [m, n, k] : kEdges) {
    for (const double alpha : {0.0, -0.0}) {
      for (const double beta : {0.0, 1.0, 2.0}) {
        for (const bool null_inputs : {false, true}) {
          GemmCase gemm = base(m, n, k);
          gemm.alpha = {alpha, 0};
          gemm.beta = {beta, 0};
          PreparedGemm prepared(device(), gemm);
          poison_inputs(prepared);
          if (null_inputs) prepared.pass_null_inputs();
          launch_and_check(prepared);
        }
      }
    }
  }
}

TEST_P(SpecialValuesTest, NoDepthScalesC) {
  for (const auto& [m, n, unused] : kEdges) {
    for (const double beta : {0.0, 1.0, 2.0}) {
      for (const double alpha : {1.0, 0.0}) {
        GemmCase gemm = base(m, n, 0);
        gemm.alpha = {alpha, 0};
        gemm.beta = {beta, 0};
        PreparedGemm prepared(device(), gemm);
        launch_and_check(prepared);
        PreparedGemm without_inputs(device(), gemm);
        without_inputs.pass_null_inputs();
        launch_and_check(without_inputs);
      }
    }
  }
}

TEST_P(SpecialValuesTest, AlphaZeroBetaOneWritesNothing) {
  GemmCase gemm = base(67, 35, 41);
  gemm.alpha = {0, 0};
  gemm.beta = {1, 0};
  PreparedGemm prepared(device(), gemm);
  const Layout& layout = prepared.layout_c();
  if (!is_integer(combo().c)) {
    store(layout.type, prepared.arena().host(prepared.slot_c(), layout, 0, 0), {kNaN, kNaN});
    store(layout.type, prepared.arena().host(prepared.slot_c(), layout, 66, 34), {-kInf, kInf});
    store(layout.type, prepared.arena().host(prepared.slot_c(), layout, 3, 3), {-0.0, -0.0});
  }
  // A NaN's payload need not survive a kernel, which is what device scalars launch.
  const bool bytes_must_stay = !gemm.device_scalars;
  if (bytes_must_stay) std::memset(prepared.arena().host(prepared.slot_c(), layout, 5, 5), 0xFF, 1);
  prepared.take_initial_output();
  prepared.upload();
  const std::vector<uint8_t> before = prepared.output();
  launch(prepared);
  prepared.arena().download();
  if (bytes_must_stay) {
    EXPECT_TRUE(prepared.output() == before);
  } else if (real()) {
    EXPECT_TRUE(prepared.check());
  }
}

TEST_P(SpecialValuesTest, OneNaNHitsItsRowOrColumnOnly) {
  if (!floating_inputs()) return;  // integer inputs hold no NaN
  for (const bool in_a : {true, false}) {
    for (const int64_t outer : {0, 31, 66}) {
      for (const int64_t depth : {0, 20, 40}) {
        for (const double special : {kNaN, kInf, -kInf}) {
          if (!real() && !std::isnan(special)) continue;  // Inf * (x + 0i) has no agreed value
          GemmCase gemm = base(67, 67, 41);
          gemm.beta = {1, 0};
          gemm.alpha = {-1, 0};
          PreparedGemm prepared(device(), gemm);
          const SlotId slot = in_a ? prepared.slot_a() : prepared.slot_b();
          const Layout& layout = in_a ? prepared.layout_a() : prepared.layout_b();
          // A is m x k; B is stored transposed: both have the outer index first.
          store(layout.type, prepared.arena().host(slot, layout, outer, depth), {special, 0});
          prepared.upload();
          launch_and_check(prepared);
        }
      }
    }
  }
}

TEST_P(SpecialValuesTest, ScalarsPropagate) {
  if (is_integer(combo().scale)) return;  // integer scalars hold no NaN
  const double values[] = {0.0, 1.0, -1.0, 0.5, kNaN, kInf, -kInf};
  for (const double alpha : values) {
    for (const double beta : values) {
      if (!real() && (std::isinf(alpha) || std::isinf(beta))) continue;
      for (const int64_t k : {0, 1, 33}) {
        GemmCase gemm = base(19, 9, k);
        gemm.alpha = {alpha, 0};
        gemm.beta = {beta, 0};
        PreparedGemm prepared(device(), gemm);
        launch_and_check(prepared);
      }
    }
  }
}

TEST_P(SpecialValuesTest, SubnormalsSurvive) {
  if (!floating_inputs() || !real()) return;  // tested on the real floating types
  double smallest_input = 0x1p-149, smallest_output = 0x1p-149;
  if (combo().ab == MYBLAS_R_16F) smallest_input = 0x1p-24;
  if (combo().ab == MYBLAS_R_16BF) smallest_input = 0x1p-133;
  if (combo().ab == MYBLAS_R_64F) smallest_input = smallest_output = 0x1p-1074;
  if (combo().c == MYBLAS_R_16F) smallest_output = 0x1p-24;
  if (combo().c == MYBLAS_R_16BF) smallest_output = 0x1p-133;
  struct Factors {
    double a, b;
  };
  const double normal = combo().ab == MYBLAS_R_64F ? 0x1p-500 : 0x1p-12;
  for (const Factors factors : {Factors{smallest_input, 1.0}, Factors{-1.0, smallest_input},
                                Factors{normal, smallest_output / normal}}) {
    // The product must fit C's type, its factors A's: else there is nothing to preserve.
    const double product = factors.a * factors.b;
    if (rounded(combo().ab, {factors.b, 0}).re != factors.b) continue;
    if (rounded(combo().c, {product, 0}).re != product) continue;
    GemmCase gemm = base(17, 17, 1);
    PreparedGemm prepared(device(), gemm);
    for (int64_t i = 0; i < 17; ++i) {
      store(combo().ab, prepared.arena().host(prepared.slot_a(), prepared.layout_a(), i, 0),
            {factors.a, 0});
      store(combo().ab, prepared.arena().host(prepared.slot_b(), prepared.layout_b(), i, 0),
            {factors.b, 0});
    }
    prepared.upload();
    launch_and_check(prepared);
  }
}

TEST_P(SpecialValuesTest, HalfOverflowsToInfinityAndOnlyAtTheEnd) {
  if (combo().c != MYBLAS_R_16F) return;  // fp16 results only
  struct Sum {
    double a0, a1, b0, b1, alpha;
  };
  for (const Sum& sum :
       {Sum{256, 256, 256, 256, 1}, Sum{-256, -256, 256, 256, 1}, Sum{300, -300, 300, 300, 1},
        Sum{300, 300, 300, 300, 0.25}, Sum{256, 0, 255.875, 0, 1}}) {
    GemmCase gemm = base(33, 18, 2);
    gemm.alpha = {sum.alpha, 0};
    PreparedGemm prepared(device(), gemm);
    const auto put = [&](SlotId slot, const Layout& layout, int64_t count, double first,
                         double second) {
      for (int64_t i = 0; i < count; ++i) {
        store(layout.type, prepared.arena().host(slot, layout, i, 0), {first, 0});
        store(layout.type, prepared.arena().host(slot, layout, i, 1), {second, 0});
      }
    };
    put(prepared.slot_a(), prepared.layout_a(), gemm.m, sum.a0, sum.a1);
    put(prepared.slot_b(), prepared.layout_b(), gemm.n, sum.b0, sum.b1);
    prepared.upload();
    launch_and_check(prepared);
  }
}

std::vector<SpecialParam> special_params() {
  std::vector<SpecialParam> params;
  for (const bool device_scalars : {false, true}) {
    for (const char* combo : {"f16_f16_16F", "f16_f16_32F", "f16_f32_32F", "bf16_bf16_32F",
                              "bf16_f32_32F", "f32_f32_32F", "f32_f32_32Fp", "f64_f64_64F",
                              "cf32_cf32_32F", "cf64_cf64_64F", "s8_s32_32I", "s8_f32_32F"}) {
      params.push_back({combo, device_scalars});
    }
  }
  return params;
}

INSTANTIATE_TEST_SUITE_P(Types, SpecialValuesTest, testing::ValuesIn(special_params()),
                         [](const testing::TestParamInfo<SpecialParam>& param) {
                           return std::string(param.param.combo) +
                                  (param.param.device_scalars ? "_device_scalars" : "");
                         });

}  // namespace
}  // namespace myblas::test
