// SPDX-License-Identifier: BSD-3-Clause
#include "support/gemm_case.h"

namespace myblas::test {
namespace {

TEST(GemmCaseLineTest, RoundTrip) {
  GemmCase gemm;
  gemm.entry = find_entry("myblasGemmStridedBatchedEx_64");
  gemm.combo = find_combo("cf32_cf32_FAST_TF32");
  gemm.op_a = MYBLAS_OP_C;
  gemm.op_b = MYBLAS_OP_T;
  gemm.m = 3;
  gemm.n = 50;
  gemm.k = 7;
  gemm.pad_b = 2;
  gemm.offset_c = 5;
  gemm.batch = 4;
  gemm.stride_a = Stride::kBroadcast;
  gemm.stride_c = Stride::kNegative;
  gemm.alpha = {0.5, -1.0};
  gemm.beta = {-1.3, 0.0};
  gemm.device_scalars = true;
  gemm.data = DataKind::kReal;
  gemm.seed = 18446744073709551615u;
  const std::string line = to_line(gemm);
  const std::optional<GemmCase> parsed = parse_line(line);
  ASSERT_TRUE(parsed.has_value()) << line;
  EXPECT_EQ(to_line(*parsed), line);
  EXPECT_EQ(parsed->stride_c, Stride::kNegative);
  EXPECT_EQ(parsed->beta.re, -1.3);
  EXPECT_EQ(parsed->seed, gemm.seed);
}

TEST(GemmCaseLineTest, RejectsWhatIsNoCase) {
  EXPECT_FALSE(parse_line("").has_value());
  EXPECT_FALSE(parse_line("entry=myblasSgemm").has_value());
  EXPECT_FALSE(parse_line("nonsense").has_value());
  GemmCase gemm;
  gemm.entry = find_entry("myblasSgemm");
  gemm.combo = find_combo("f32_f32_32F");
  std::string line = to_line(gemm);
  ASSERT_TRUE(parse_line(line).has_value());
  line.replace(line.find("op=NN"), 5, "op=NX");
  EXPECT_FALSE(parse_line(line).has_value());
}

TEST(EntryPointsTest, AllFiftyRoutinesAreListed) {
  EXPECT_EQ(entry_points().size(), 50u);  // and six grouped ones in grouped_test.cpp
  for (const EntryPoint& entry : entry_points()) EXPECT_EQ(find_entry(entry.name), &entry);
  for (const TypeCombo& combo : type_combos()) EXPECT_GE(entries_for(combo).size(), 6u);
}

}  // namespace
}  // namespace myblas::test
