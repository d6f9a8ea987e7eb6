// SPDX-License-Identifier: BSD-3-Clause
#include "shape_list.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
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

std::set<std::string> files_of(const char* folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

TEST(ShapeList, ReadsTheInstalledLists) {
  const std::set<std::string> lists = files_of(INSTALLED_SHAPES_FOLDER);
  EXPECT_EQ(lists, files_of(SHAPES_FOLDER)) << "a list that bench/CMakeLists.txt does not install";
  for (const std::string& list : lists) {
    std::ifstream file(std::string(INSTALLED_SHAPES_FOLDER) + "/" + list);
    const std::vector<Case> cases = read_shape_list(file, list);
    EXPECT_GE(cases.size(), 25u) << list;
    std::set<std::string> names;
    for (const Case& one : cases) {
      EXPECT_TRUE(names.insert(one.name).second) << one.name << " stands twice in " << list;
    }
  }
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

TEST(ShapeList, GroupsByTheNameBeforeTheFirstUnderscore) {
  const auto cases = parse("square-large_f32_nn f32 NN 1 1 1 1\nalone f32 NN 1 1 1 1\n");
  EXPECT_EQ(group_of(cases[0]), "square-large");
  EXPECT_EQ(group_of(cases[1]), "alone");
}

RandomShapes random_shapes(int count, uint64_t seed) {
  RandomShapes shapes;
  shapes.count = count;
  shapes.seed = seed;
  return shapes;
}

TEST(ShapeList, RandomListsRepeatAndAreLegal) {
  const auto first = random_cases(random_shapes(500, 7)),
             again = random_cases(random_shapes(500, 7)),
             other = random_cases(random_shapes(500, 8));
  ASSERT_EQ(first.size(), 500u);
  int different = 0;
  for (size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].m, again[i].m);
    EXPECT_EQ(first[i].op.name, again[i].op.name);
    EXPECT_GE(std::min({first[i].m, first[i].n, first[i].k, first[i].batch}), 1);
    EXPECT_LE(std::max({first[i].m, first[i].n, first[i].k}), 16384);
    EXPECT_TRUE(first[i].batch == 1 || first[i].op.batching != Batching::kNone);
    EXPECT_LE(work_flop(first[i]), 2e12);
    EXPECT_LE(least_bytes(first[i]), 1e9);
    if (first[i].m != other[i].m) ++different;
  }
  EXPECT_GT(different, 250);
}

TEST(ShapeList, AThirdOfRandomShapesIsOddAndHalfOfThosePadded) {
  int odd = 0, padded = 0;
  for (const Case& one : random_cases(random_shapes(3000, 3))) {
    const bool has_pads = one.lda_pad + one.ldb_pad + one.ldc_pad + one.offset > 0;
    if (has_pads) ++padded;
    if (std::max({one.m, one.n, one.k}) < 32) continue;  // small sizes are what they are
    if (one.m % 2 == 1 && one.n % 2 == 1 && one.k % 2 == 1) ++odd;
    for (const int size : {one.m, one.n, one.k}) {
      EXPECT_TRUE(size < 32 || size % 2 == 1 || size % 16 == 0) << size;
    }
  }
  EXPECT_NEAR(odd, 1000, 100);
  EXPECT_NEAR(padded, 500, 80);
}

TEST(ShapeList, RandomListsKeepToTheirOpsAndSizes) {
  RandomShapes shapes = random_shapes(200, 5);
  shapes.ops = {"bf16", "pb_f32"};
  shapes.sizes = {100, 300};
  int strided = 0;
  for (const Case& one : random_cases(shapes)) {
    const bool is_bf16 = one.op.ab_type == MYBLAS_R_16BF;
    EXPECT_TRUE(is_bf16 || one.op.name == "pb_f32") << one.op.name;
    EXPECT_EQ(group_of(one), is_bf16 ? "random-bf16" : "random-f32");
    EXPECT_GE(std::min({one.m, one.n, one.k}), 100);
    EXPECT_LE(std::max({one.m, one.n, one.k}), 300);
    if (one.op.batching == Batching::kStrided) ++strided;
  }
  EXPECT_GT(strided, 5);
  shapes.ops = {"bf17"};
  EXPECT_THROW(random_cases(shapes), ShapeListError);
  shapes = random_shapes(1, 1);
  shapes.sizes = {16, 8};
  EXPECT_THROW(random_cases(shapes), ShapeListError);
  shapes.sizes = {16384, 16384};
  shapes.ops = {"f32"};
  EXPECT_THROW(random_cases(shapes), ShapeListError);
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
