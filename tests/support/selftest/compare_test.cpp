// SPDX-License-Identifier: BSD-3-Clause
// The comparators must fail where they should: a suite is worth no more than they are.
#include "support/compare.h"

#include <cmath>
#include <limits>
#include <vector>

namespace myblas::test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

struct Pair {
  double got, expected;
  bool equal;            // under same()
  bool equal_with_sign;  // under same(..., kCompared)
};

class SameTest : public testing::TestWithParam<Pair> {};

TEST_P(SameTest, Verdict) {
  const Pair& pair = GetParam();
  EXPECT_EQ(same(pair.got, pair.expected), pair.equal);
  EXPECT_EQ(same(pair.got, pair.expected, ZeroSign::kCompared), pair.equal_with_sign);
  EXPECT_EQ(same(Value{0.0, pair.got}, Value{0.0, pair.expected}), pair.equal);
  EXPECT_EQ(same(Value{pair.got, 1.0}, Value{pair.expected, 2.0}), false);
}

INSTANTIATE_TEST_SUITE_P(
    Pairs, SameTest,
    testing::Values(Pair{1, 1, true, true}, Pair{1, 2, false, false}, Pair{-1, 1, false, false},
                    Pair{kNaN, 1, false, false}, Pair{1, kNaN, false, false},
                    Pair{kNaN, 0, false, false}, Pair{0, kNaN, false, false},
                    Pair{kNaN, kNaN, true, true}, Pair{-kNaN, kNaN, true, true},
                    Pair{kNaN, kInf, false, false}, Pair{kInf, kNaN, false, false},
                    Pair{kInf, kInf, true, true}, Pair{-kInf, -kInf, true, true},
                    Pair{kInf, -kInf, false, false}, Pair{-kInf, kInf, false, false},
                    Pair{kInf, std::numeric_limits<double>::max(), false, false},
                    Pair{std::numeric_limits<double>::max(), kInf, false, false},
                    Pair{0.0, -0.0, true, false}, Pair{-0.0, 0.0, true, false},
                    Pair{-0.0, -0.0, true, true}, Pair{0.0, 0x1p-1074, false, false},
                    Pair{0x1p-1074, 0.0, false, false}, Pair{1, 1 + 0x1p-52, false, false}));

struct Tolerance {
  double got, expected, tolerance;
  bool close;
};

class CloseTest : public testing::TestWithParam<Tolerance> {};

TEST_P(CloseTest, Verdict) {
  const Tolerance& x = GetParam();
  EXPECT_EQ(close(x.got, x.expected, x.tolerance), x.close);
  EXPECT_EQ(close(Value{0.0, x.got}, Value{0.0, x.expected}, x.tolerance), x.close);
  EXPECT_EQ(close(Value{x.got, 0.0}, Value{x.expected, 0.0}, x.tolerance), x.close);
}

INSTANTIATE_TEST_SUITE_P(
    Pairs, CloseTest,
    testing::Values(Tolerance{1, 1, 0, true}, Tolerance{1.5, 1, 0.5, true},
                    Tolerance{1.5 + 0x1p-52, 1, 0.5, false}, Tolerance{0.5, 1, 0.5, true},
                    Tolerance{0.5 - 0x1p-53, 1, 0.5, false}, Tolerance{kNaN, 1, 0.5, false},
                    Tolerance{kNaN, 1, 1e300, false}, Tolerance{1, kNaN, 0.5, false},
                    Tolerance{kNaN, kNaN, 0.5, true}, Tolerance{kInf, 1, 1e300, false},
                    Tolerance{1, kInf, 0.5, false}, Tolerance{kInf, kInf, 0.5, true},
                    Tolerance{-kInf, kInf, 0.5, false}, Tolerance{1, 1, kNaN, false},
                    Tolerance{1, 1, kInf, false}, Tolerance{1, 1, -1, false},
                    Tolerance{kNaN, kNaN, kNaN, false}, Tolerance{-0.0, 0.0, 0, true}));

// A 5 x 3 batch of 2 with gaps, each element its own number.
class MatchesTest : public testing::Test {
 protected:
  MatchesTest() : bytes_(layout_.bytes(), 0xFF) {
    for (int64_t index = 0; index < layout_.batch; ++index) {
      for (int64_t j = 0; j < layout_.cols; ++j) {
        for (int64_t i = 0; i < layout_.rows; ++i) put(i, j, index, number(i, j, index));
      }
    }
  }
  static double number(int64_t i, int64_t j, int64_t index) {
    return static_cast<double>(1 + i + 10 * j + 100 * index);
  }
  void put(int64_t i, int64_t j, int64_t index, double x) {
    store(layout_.type, bytes_.data() + layout_.byte(i, j, index), {x, 0});
  }
  testing::AssertionResult exact() const {
    return matches(bytes_.data(), layout_, [](int64_t i, int64_t j, int64_t index) -> Expected {
      return {{number(i, j, index), 0.0}, 0.0};
    });
  }
  testing::AssertionResult bounded() const {
    return matches(bytes_.data(), layout_, [](int64_t i, int64_t j, int64_t index) -> Expected {
      return {{number(i, j, index), 0.0}, 0.25};
    });
  }
  const Layout layout_{MYBLAS_R_32F, 5, 3, 7, 2, 25};
  std::vector<uint8_t> bytes_;
};

TEST_F(MatchesTest, AllRight) {
  EXPECT_TRUE(exact());
  EXPECT_TRUE(bounded());
}

TEST_F(MatchesTest, OneWrongElementAnywhereIsSeen) {
  for (const int64_t index : {0, 1}) {
    for (const int64_t j : {0, 1, 2}) {
      for (const int64_t i : {0, 2, 4}) {
        for (const double wrong : {number(i, j, index) + 0.5, kNaN, kInf, -number(i, j, index)}) {
          put(i, j, index, wrong);
          EXPECT_FALSE(exact()) << i << ' ' << j << ' ' << index << ' ' << wrong;
          EXPECT_FALSE(bounded()) << i << ' ' << j << ' ' << index << ' ' << wrong;
        }
        put(i, j, index, number(i, j, index));
      }
    }
  }
  EXPECT_TRUE(exact());
}

TEST_F(MatchesTest, OneUnitInTheLastPlaceIsSeen) {
  put(4, 2, 1, std::nextafter(static_cast<float>(number(4, 2, 1)), 1e9f));
  EXPECT_FALSE(exact());
  EXPECT_TRUE(bounded());
}

TEST_F(MatchesTest, OutputNeverWrittenIsSeen) {
  std::fill(bytes_.begin(), bytes_.end(), uint8_t{0xFF});
  EXPECT_FALSE(exact());
  EXPECT_FALSE(bounded());
}

TEST_F(MatchesTest, TransposedOutputIsSeen) {
  put(0, 1, 0, number(1, 0, 0));
  put(1, 0, 0, number(0, 1, 0));
  EXPECT_FALSE(exact());
}

TEST_F(MatchesTest, SwappedMatricesAreSeen) {
  put(0, 0, 0, number(0, 0, 1));
  put(0, 0, 1, number(0, 0, 0));
  EXPECT_FALSE(exact());
}

TEST_F(MatchesTest, GapsAreNotTheComparatorsConcern) {
  bytes_[layout_.byte(4, 0) + 4] = 0;  // the arena's guards see this
  EXPECT_TRUE(exact());
}

TEST_F(MatchesTest, MessageNamesFirstLastAndCount) {
  put(1, 0, 0, -1);
  put(4, 2, 1, -2);
  const std::string message = exact().message();
  EXPECT_NE(message.find("2 of 30"), std::string::npos) << message;
  EXPECT_NE(message.find("C(1,0) of matrix 0"), std::string::npos) << message;
  EXPECT_NE(message.find("C(4,2) of matrix 1"), std::string::npos) << message;
}

TEST(MatchesEmptyTest, EmptyMatrixIsRight) {
  const auto never = [](int64_t, int64_t, int64_t) -> Expected { return {{kNaN, 0}, kNaN}; };
  EXPECT_TRUE(matches(nullptr, Layout{MYBLAS_R_32F, 0, 3, 1, 1, 0}, never));
  EXPECT_TRUE(matches(nullptr, Layout{MYBLAS_R_32F, 3, 0, 3, 1, 0}, never));
  EXPECT_TRUE(matches(nullptr, Layout{MYBLAS_R_32F, 3, 3, 3, 0, 9}, never));
}

TEST(MatchesComplexTest, ImaginaryPartIsCompared) {
  const Layout layout{MYBLAS_C_32F, 1, 1, 1, 1, 0};
  std::vector<uint8_t> bytes(layout.bytes());
  store(layout.type, bytes.data(), {3, 4});
  const auto expect = [](Value value) {
    return [value](int64_t, int64_t, int64_t) -> Expected { return {value, 0.0}; };
  };
  EXPECT_TRUE(matches(bytes.data(), layout, expect({3, 4})));
  EXPECT_FALSE(matches(bytes.data(), layout, expect({3, -4})));
  EXPECT_FALSE(matches(bytes.data(), layout, expect({4, 3})));
}

TEST(MatchesRoundingTest, ExpectedIsRoundedToTheOutputType) {
  const Layout layout{MYBLAS_R_16F, 1, 1, 1, 1, 0};
  std::vector<uint8_t> bytes(layout.bytes());
  const auto expect = [](double value) {
    return [value](int64_t, int64_t, int64_t) -> Expected { return {{value, 0}, 0.0}; };
  };
  store(layout.type, bytes.data(), {2048, 0});
  EXPECT_TRUE(matches(bytes.data(), layout, expect(2049)));  // a tie, to even
  EXPECT_FALSE(matches(bytes.data(), layout, expect(2051)));
  store(layout.type, bytes.data(), {kInf, 0});
  EXPECT_TRUE(matches(bytes.data(), layout, expect(70000)));
  EXPECT_FALSE(matches(bytes.data(), layout, expect(65504)));
}

}  // namespace
}  // namespace myblas::test
