// SPDX-License-Identifier: BSD-3-Clause
// The guards must fire: each way to write or damage what is not an output is done here.
#include "support/arena.h"

namespace myblas::test {
namespace {

class ArenaTest : public testing::Test {
 protected:
  ArenaTest() : device_(make_cpu_device()), arena_(*device_) {
    input_ = arena_.add("A", layout_, 3);
    output_ = arena_.add("C", layout_);
    arena_.place();
    for (int64_t j = 0; j < layout_.cols; ++j) {
      for (int64_t i = 0; i < layout_.rows; ++i) {
        store(layout_.type, arena_.host(input_, layout_, i, j), {1.0, 0});
      }
    }
    arena_.upload();
  }
  // What a run does: the device's bytes change, then come back.
  testing::AssertionResult verdict() {
    arena_.download();
    arena_.release_output(output_, layout_);
    return arena_.unchanged_elsewhere();
  }
  uint8_t* output() const { return arena_.device_address(output_); }
  uint8_t* input() const { return arena_.device_address(input_); }

  const Layout layout_{MYBLAS_R_32F, 3, 4, 5};
  std::unique_ptr<Device> device_;
  Arena arena_;
  SlotId input_, output_;
};

TEST_F(ArenaTest, NothingChanged) { EXPECT_TRUE(verdict()); }

TEST_F(ArenaTest, OutputElementsMayChange) {
  for (int64_t j = 0; j < layout_.cols; ++j) {
    for (int64_t i = 0; i < layout_.rows; ++i) {
      store(layout_.type, output() + layout_.byte(i, j), {5.0, 0});
    }
  }
  EXPECT_TRUE(verdict());
}

TEST_F(ArenaTest, GapWriteIsSeen) {
  output()[layout_.byte(2, 0) + 4] = 0;
  const testing::AssertionResult result = verdict();
  EXPECT_FALSE(result);
  EXPECT_NE(std::string(result.message()).find("byte 12 of C"), std::string::npos)
      << result.message();
}

TEST_F(ArenaTest, WriteAfterTheLastElementIsSeen) {
  output()[layout_.bytes()] = 7;
  const testing::AssertionResult result = verdict();
  EXPECT_FALSE(result);
  EXPECT_NE(std::string(result.message()).find("0 bytes after C, expected 0xFF, found 0x07"),
            std::string::npos)
      << result.message();
}

TEST_F(ArenaTest, WriteBeforeTheFirstElementIsSeen) {
  output()[-1] = 7;
  const testing::AssertionResult result = verdict();
  EXPECT_FALSE(result);
  EXPECT_NE(std::string(result.message()).find("1 bytes before C"), std::string::npos)
      << result.message();
}

TEST_F(ArenaTest, FarWritesAreSeen) {
  output()[layout_.bytes() + 8000] = 7;
  EXPECT_FALSE(verdict());
}

TEST_F(ArenaTest, FarWriteBeforeIsSeen) {
  input()[-8000] = 7;
  EXPECT_FALSE(verdict());
}

TEST_F(ArenaTest, ChangedInputIsSeen) {
  input()[layout_.byte(1, 1)] ^= 1;
  const testing::AssertionResult result = verdict();
  EXPECT_FALSE(result);
  EXPECT_NE(std::string(result.message()).find("1 bytes changed"), std::string::npos);
  EXPECT_NE(std::string(result.message()).find("of A"), std::string::npos);
}

TEST_F(ArenaTest, UnwrittenBytesAreNaN) {
  EXPECT_NE(load(MYBLAS_R_32F, output()).re, load(MYBLAS_R_32F, output()).re);
  EXPECT_NE(load(MYBLAS_R_64F, output() - 16).re, load(MYBLAS_R_64F, output() - 16).re);
  EXPECT_NE(load(MYBLAS_R_16F, output() - 2).re, load(MYBLAS_R_16F, output() - 2).re);
  EXPECT_NE(load(MYBLAS_R_16BF, output() - 2).re, load(MYBLAS_R_16BF, output() - 2).re);
}

TEST_F(ArenaTest, SlotsBeginWhereAskedFor) {
  EXPECT_EQ(reinterpret_cast<size_t>(output()) % 256, 0u);
  EXPECT_EQ(reinterpret_cast<size_t>(input()) % 256, 12u);
}

TEST(LayoutTest, OffsetsOfEveryKindOfStride) {
  const Layout padded{MYBLAS_R_64F, 3, 2, 4, 3, 10};
  EXPECT_EQ(padded.slot_elements(), 27);
  EXPECT_EQ(padded.element(2, 1, 2), 26);
  const Layout negative{MYBLAS_R_64F, 3, 2, 4, 3, -10};
  EXPECT_EQ(negative.slot_elements(), 27);
  EXPECT_EQ(negative.element(0, 0, 0), 20);
  EXPECT_EQ(negative.element(0, 0, 2), 0);
  const Layout broadcast{MYBLAS_R_64F, 3, 2, 4, 3, 0};
  EXPECT_EQ(broadcast.slot_elements(), 7);
  EXPECT_EQ(broadcast.element(2, 1, 2), 6);
  EXPECT_EQ((Layout{MYBLAS_R_64F, 0, 2, 1, 3, 10}.slot_elements()), 0);
}

}  // namespace
}  // namespace myblas::test
