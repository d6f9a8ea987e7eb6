// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemm/entry_points_test.cpp: every routine, every row of the type table it takes.
//==============================================================================
#include "support/gemm_case.h"
#include "support/gemm_fixture.h"

namespace myblas::test {
namespace {

class EntryPointsTest : public GemmTest {
 protected:
  static GemmCase base(const EntryPoint& entry, const TypeCombo& combo) {
    GemmCase gemm;
    gemm.entry = &entry;
    gemm.combo = &combo;
    gemm.m = 37;
    gemm.n = 29;
    gemm.k = 23;
    gemm.op_a = MYBLAS_OP_C;
    gemm.pad_b = 3;
    gemm.pad_c = 1;
    gemm.alpha = {-1, is_complex(combo.scale) ? 1.0 : 0.0};
    gemm.beta = {2, 0};
    if (entry.batch != BatchKind::kNone) gemm.batch = 3;
    return gemm;
  }
};

TEST_F(EntryPointsTest, EachIsExactWithHostAndDeviceScalars) {
  for (const TypeCombo& combo : type_combos()) {
    for (const EntryPoint* entry : entries_for(combo)) {
      for (const bool device_scalars : {false, true}) {
        GemmCase gemm = base(*entry, combo);
        gemm.device_scalars = device_scalars;
        gemm.offset_a = device_scalars ? 1 : 0;
        EXPECT_TRUE(run_case(device(), handle(), gemm));
        gemm.alpha = {0, 0};
        EXPECT_TRUE(run_case(device(), handle(), gemm));
        gemm.alpha = {1, 0};
        gemm.beta = {0, 0};
        EXPECT_TRUE(run_case(device(), handle(), gemm));
        count_cases(3);
      }
    }
  }
}

// Real data, whose sum depends on its order: only the same computation gives the same bits.
TEST_F(EntryPointsTest, TwinsGiveTheSameBits) {
  const std::span<const EntryPoint> entries = entry_points();
  for (size_t i = 0; i + 1 < entries.size(); i += 2) {
    ASSERT_EQ(std::string(entries[i].name) + "_64", entries[i + 1].name);
    for (const TypeCombo& combo : type_combos()) {
      if (!entries[i].serves(combo)) continue;
      GemmCase gemm = base(entries[i], combo);
      gemm.data = DataKind::kReal;
      gemm.k = 301;
      PreparedGemm prepared(device(), gemm);
      ASSERT_EQ(prepared.launch(handle()), MYBLAS_STATUS_SUCCESS);
      ASSERT_TRUE(prepared.check()) << to_line(gemm);
      PreparedGemm again(device(), gemm);
      ASSERT_EQ(again.launch(handle(), entries[i + 1]), MYBLAS_STATUS_SUCCESS);
      prepared.arena().download();
      again.arena().download();
      EXPECT_TRUE(prepared.output() == again.output()) << entries[i].name << ' ' << combo.name;
      count_cases(1);
    }
  }
}

// A product's result is another product's alpha, in stream order and without a synchronisation.
TEST_F(EntryPointsTest, DeviceScalarsAreReadWhenTheKernelRuns) {
  for (const char* type : {"f32_f32_32F", "f64_f64_64F", "cf32_cf32_32F", "cf64_cf64_64F"}) {
    const TypeCombo& combo = *find_combo(type);
    const EntryPoint& entry = *find_entry("myblasGemmEx");
    GemmCase gemm = base(entry, combo);
    gemm.device_scalars = true;
    gemm.alpha = {3, 0};
    PreparedGemm second(device(), gemm);
    const Value stale{-8, 0};
    store(combo.scale, second.arena().host(second.slot_alpha()), stale);
    second.upload();

    // 1 x 1: 3 = 3 * 1
    alignas(16) unsigned char one[16], zero[16], three[16];
    store(combo.scale, one, {1, 0});
    store(combo.scale, zero, {0, 0});
    store(combo.scale, three, {3, 0});
    DeviceMemory ones(device(), 16);
    device().copy_in(ones.data(), one, element_bytes(combo.ab));
    GemmCall first;
    first.combo = &combo;
    first.m = first.n = first.k = 1;
    first.a = first.b = ones.data();
    first.alpha = three;
    first.beta = zero;
    first.c = second.arena().device_address(second.slot_alpha());
    ASSERT_EQ(entry.call(handle(), first), MYBLAS_STATUS_SUCCESS);
    ASSERT_EQ(myblasSetPointerMode(handle(), MYBLAS_POINTER_MODE_DEVICE), MYBLAS_STATUS_SUCCESS);
    EXPECT_EQ(second.launch(handle()), MYBLAS_STATUS_SUCCESS);
    ASSERT_EQ(myblasSetPointerMode(handle(), MYBLAS_POINTER_MODE_HOST), MYBLAS_STATUS_SUCCESS);
    // The scalar was written on purpose.
    const Layout scalar{combo.scale, 1, 1, 1};
    device().synchronize();
    const testing::AssertionResult right = second.check_allowing(second.slot_alpha(), scalar);
    EXPECT_TRUE(right) << type;
    count_cases(1);
  }
}

// Every algorithm number is accepted and changes nothing.
TEST_F(EntryPointsTest, AlgorithmNumbersHaveNoEffect) {
  for (const int algo : {-1, 0, 5, 23, 99, 100, 115, 999}) {
    GemmCase gemm = base(*find_entry("myblasGemmEx"), *find_combo("f16_f16_32F"));
    PreparedGemm prepared(device(), gemm);
    EXPECT_EQ(
        prepared.launch(handle(), *find_entry("myblasGemmEx"), static_cast<myblasGemmAlgo_t>(algo)),
        MYBLAS_STATUS_SUCCESS);
    EXPECT_TRUE(prepared.check()) << algo;
    count_cases(1);
  }
}

}  // namespace
}  // namespace myblas::test
