// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// suites/dealing_test.cpp: k-tiles dealt by the functions that kernels walk with: each one once,
// and no two tiles that a cut goes through meet in one slot.
//==============================================================================
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

#include "emulator/device.h"
#include "kernels/common/shares.cuh"

namespace myblas::test {
namespace {

struct Dealt {
  int64_t tiles, k_tiles, places;
};

// Each tile's parts as their shares see them.
struct Parts {
  std::vector<uint32_t> k_tiles;  // in the order of the shares
  std::vector<MeetingPlace> places;
};

std::vector<Parts> walk(const ShareArgs& shares, int64_t tiles) {
  std::vector<Parts> parts(static_cast<size_t>(tiles));
  for (uint32_t share = 0; share < shares.count; ++share) {
    for (uint32_t at = 0; at < share_length(shares, share);) {
      const ShareSegment segment = segment_at(shares, share, at);
      Parts& of_tile = parts.at(segment.tile);
      uint32_t before = 0;
      for (const uint32_t k_tiles : of_tile.k_tiles) before += k_tiles;
      EXPECT_EQ(segment.first_k, before);
      EXPECT_GT(segment.k_tiles, 0u);
      of_tile.k_tiles.push_back(segment.k_tiles);
      of_tile.places.push_back(meeting_of_share(shares, share, segment.tile));
      at += segment.k_tiles;
    }
  }
  return parts;
}

void check(const Dealt& dealt) {
  const ShareArgs shares = make_shares(dealt.tiles, dealt.k_tiles, dealt.places);
  ASSERT_GT(shares.count, 0u);
  ASSERT_LE(shares.count, dealt.places);
  ASSERT_EQ(shares.whole % dealt.places, 0);
  const int64_t rest = dealt.tiles - shares.whole;
  ASSERT_GT(rest, 0);
  std::set<int64_t> slots;
  for (const Parts& parts : walk(shares, rest)) {
    int64_t sum = 0;
    for (const uint32_t k_tiles : parts.k_tiles) sum += k_tiles;
    ASSERT_EQ(sum, dealt.k_tiles);
    const auto count = static_cast<int>(parts.places.size());
    for (int part = 0; part < count; ++part) {
      const MeetingPlace& place = parts.places[static_cast<size_t>(part)];
      ASSERT_EQ(place.part, part);
      ASSERT_EQ(place.parts, count);
      ASSERT_EQ(place.first_slot, parts.places[0].first_slot);
      if (count == 1) continue;
      const int64_t slot = place.first_slot + part;
      ASSERT_LT(slot, int64_t{kSlotsOfShare} * shares.count);
      ASSERT_TRUE(slots.insert(slot).second) << "slot " << slot << " twice";
    }
  }
}

TEST(EmulatorShares, CoverEachKTileOnceAndMeetInSlotsOfTheirOwn) {
  for (const Dealt& dealt : {Dealt{1, 4, 1},
                             {1, 4000, 132},
                             {2, 33, 7},
                             {131, 16, 132},
                             {132, 16, 132},
                             {133, 16, 132},
                             {144, 24, 132},
                             {263, 64, 132},
                             {264, 64, 132},
                             {1000, 5, 66},
                             {3, 1'000'000, 264}}) {
    SCOPED_TRACE(testing::Message() << dealt.tiles << " tiles of " << dealt.k_tiles
                                    << " k-tiles for " << dealt.places);
    check(dealt);
  }
  std::mt19937_64 random(1);
  const auto below = [&](uint64_t bound) { return static_cast<int64_t>(random() % bound); };
  for (int i = 0; i < 3000 && !testing::Test::HasFatalFailure(); ++i) {
    const Dealt dealt{1 + below(600), kLeastShare + below(100), 1 + below(270)};
    SCOPED_TRACE(testing::Message() << dealt.tiles << " tiles of " << dealt.k_tiles
                                    << " k-tiles for " << dealt.places);
    check(dealt);
  }
}

TEST(EmulatorShares, AreOfEqualLength) {
  const ShareArgs shares = make_shares(144, 24, 132);
  EXPECT_EQ(shares.whole, 0u);
  EXPECT_EQ(shares.count, 132u);
  EXPECT_EQ(share_length(shares, 0), 27u);  // 144 * 24 = 132 * 26 + 24
  EXPECT_EQ(share_length(shares, 23), 27u);
  EXPECT_EQ(share_length(shares, 24), 26u);
  EXPECT_EQ(make_shares(144 + 264, 24, 132).whole, 264u);
}

TEST(EmulatorShares, AreNotMadeOfWhatIsTooLittleOrTooMuch) {
  EXPECT_EQ(make_shares(8, kLeastShare - 1, 132).count, 0u);
  EXPECT_EQ(make_shares(8, 0, 132).count, 0u);
  EXPECT_EQ(make_shares(1, 8, 132).count, 2u);
  EXPECT_EQ(make_shares(200, int64_t{1} << 24, 132).count, 0u);
  EXPECT_EQ(make_shares(int64_t{1} << 31, 64, 132).count, 0u);
}

}  // namespace
}  // namespace myblas::test
