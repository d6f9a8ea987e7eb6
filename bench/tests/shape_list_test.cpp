// SPDX-License-Identifier: BSD-3-Clause
#include "shape_list.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace bench {
namespace {

std::vector<Case> parse(const std::string& text) {
  std::istringstream stream(text);
  return read_shape_list(stream, "list");
}

std::string error_of(const std::string& text) {
  try {
    parse(text);
  } catch (const ShapeListError& error) {
    return error.what();
  }
  return "";
}

TEST(ShapeList, ReadsPlainAndPaddedLines) {
  const auto cases = parse(
      "# a comment\n"
      "\n"
      "one bf16 TN 10 20 30 1   # behind a line\n"
      "two sb_f64 NC 1 2 3 4 5 6 7 8\n");
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[0].name, "one");
  EXPECT_EQ(cases[0].op.ab_type, MYBLAS_R_16BF);
  EXPECT_EQ(cases[0].trans_a, 'T');
  EXPECT_EQ(cases[0].trans_b, 'N');
  EXPECT_EQ(cases[0].k, 30);
  EXPECT_EQ(cases[0].offset, 0);
  EXPECT_EQ(cases[1].op.batching, Batching::kStrided);
  EXPECT_EQ(cases[1].batch, 4);
  EXPECT_EQ(cases[1].lda_pad, 5);
  EXPECT_EQ(cases[1].ldb_pad, 6);
  EXPECT_EQ(cases[1].ldc_pad, 7);
  EXPECT_EQ(cases[1].offset, 8);
}

TEST(ShapeList, ReadsThePublicList) {
  std::ifstream file(PUBLIC_SHAPES);
  ASSERT_TRUE(file) << PUBLIC_SHAPES;
  EXPECT_EQ(read_shape_list(file, PUBLIC_SHAPES).size(), 80u);
}

TEST(ShapeList, NamesTheLineOfAMalformedOne) {
  EXPECT_EQ(error_of("a f32 NN 1 1 1 1\n\nb f32 NN 1 1\n"),
            "list:3: expected 7 or 11 fields, found 5");
}

TEST(ShapeList, RefusesWhatItCannotMean) {
  const struct {
    const char* line;
    const char* complaint;
  } kLines[] = {
      {"a f32 NN 1 1 1 1 2", "expected 7 or 11 fields"},
      {"a f31 NN 1 1 1 1", "unknown OP"},
      {"a sb_sb_f32 NN 1 1 1 1", "unknown OP"},
      {"a sb_c64_3m NN 1 1 1 2", "unknown OP"},
      {"a f32 NX 1 1 1 1", "TRANS"},
      {"a f32 N 1 1 1 1", "TRANS"},
      {"a f32 NN 0 1 1 1", "M is below 1"},
      {"a f32 NN 1 -3 1 1", "N is below 1"},
      {"a f32 NN 1 1 1x 1", "K is no 32-bit integer"},
      {"a f32 NN 1 1 99999999999 1", "K is no 32-bit integer"},
      {"a f32 NN 1 1 1 0", "BATCH is below 1"},
      {"a f32 NN 1 1 1 2", "BATCH above 1"},
      {"a f32 NN 1 1 1 1 -1 0 0 0", "lda_pad is below 0"},
      {"a f32 NN 2147483647 1 1 1 1 0 0 0", "leading dimension of A needs 64 bits"},
  };
  for (const auto& [line, complaint] : kLines) {
    EXPECT_NE(error_of(line).find(complaint), std::string::npos)
        << line << " gave \"" << error_of(line) << '"';
  }
}

TEST(ShapeList, LaysOperandsOut) {
  const Case one = parse("a f32 TN 10 20 30 1 1 2 3 4\n")[0];
  const Layout a = layout_a(one), b = layout_b(one), c = layout_c(one);
  EXPECT_EQ(a.ld, 31);
  EXPECT_EQ(a.cols, 10);
  EXPECT_EQ(b.ld, 32);
  EXPECT_EQ(b.cols, 20);
  EXPECT_EQ(c.ld, 13);
  EXPECT_EQ(c.elements(1), 4 + 13 * 20);
}

TEST(ShapeList, RandomListsRepeatAndAreLegal) {
  const auto first = random_cases(500, 7), again = random_cases(500, 7),
             other = random_cases(500, 8);
  ASSERT_EQ(first.size(), 500u);
  int different = 0;
  for (size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].m, again[i].m);
    EXPECT_EQ(first[i].op.name, again[i].op.name);
    EXPECT_GE(std::min({first[i].m, first[i].n, first[i].k, first[i].batch}), 1);
    EXPECT_TRUE(first[i].batch == 1 || first[i].op.batching != Batching::kNone);
    if (first[i].m != other[i].m) ++different;
  }
  EXPECT_GT(different, 250);
}

TEST(ShapeList, ShrinksToTheLimit) {
  Case one = parse("a f32 NN 8192 64 8192 1\n")[0];
  EXPECT_TRUE(shrink_to(one, 1.0));
  EXPECT_LE(work_flop(one), 1e9);
  EXPECT_EQ(one.n, 64);
  EXPECT_FALSE(shrink_to(one, 1.0));
}

}  // namespace
}  // namespace bench
