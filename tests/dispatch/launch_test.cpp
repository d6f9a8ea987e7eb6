// SPDX-License-Identifier: BSD-3-Clause
// kernels/common/launch.h, launch_tma.h: what a launch asks for beside its grid, and in which
// order.
#include "kernels/common/launch.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/common/launch_tma.h"
#include "kernels/common/tile_neighbours.h"
#include "synthetic_gpus.h"

namespace myblas::testing {
namespace {

constexpr size_t kOfSm = 228 * 1024, kReserved = 1024, kOfBlock = 32 * 1024;
constexpr int kSms = 132;

// Blocks that an SM has shared memory for, of a launch of so many, whose row asks for `of_row`.
size_t blocks_that_fit(int64_t blocks, int blocks_per_sm, bool early_start = true,
                       size_t of_row = kOfBlock, bool behind_pass = false) {
  const GemmProblem problem =
      plain_problem(DataType::kF32, DataType::kF32, Compute::kF32, 64, 64, 64);
  LaunchRequest request{};
  request.problem = &problem;
  request.tile_m = request.tile_n = 64;
  request.tile_k = 16;
  request.threads = 128;
  request.blocks_per_sm = blocks_per_sm;
  request.smem_bytes = of_row;
  request.sm_count = kSms;
  request.early_start = early_start;
  request.smem_per_sm = kOfSm;
  request.behind_pass = behind_pass;
  const size_t bytes = even_smem_bytes(request, blocks);
  EXPECT_GE(bytes, of_row);
  EXPECT_LE(bytes, std::max(of_row, kOfSm / 2)) << "more than the kernels opt into";
  return kOfSm / (bytes + kReserved);
}

TEST(EvenSharedMemory, GivesAnSmRoomForItsShareOfBlocks) {
  EXPECT_EQ(blocks_that_fit(256, 3), 2u);           // two on nearly all
  EXPECT_EQ(blocks_that_fit(2 * kSms, 3), 2u);      // and on all
  EXPECT_EQ(blocks_that_fit(2 * kSms + 1, 4), 3u);  // three on one
  EXPECT_EQ(blocks_that_fit(kSms, 1), 1u);          // a row that wants an SM for itself
}

TEST(EvenSharedMemory, IsAskedForByRowsWithoutAnyOfTheirOwn) {
  EXPECT_EQ(blocks_that_fit(256, 3, true, 0), 2u);
  EXPECT_EQ(blocks_that_fit(kSms, 1, true, 0), 1u);
  EXPECT_EQ(blocks_that_fit(100, 3, true, 0), kOfSm / kReserved);  // beside those ahead
}

TEST(EvenSharedMemory, IsTheRowsWhereBlocksSpreadByThemselves) {
  constexpr size_t kFit = kOfSm / (kOfBlock + kReserved);
  EXPECT_EQ(blocks_that_fit(100, 4), kFit);           // beside as many of the grid ahead
  EXPECT_EQ(blocks_that_fit(4 * kSms + 1, 4), kFit);  // more than run at once
  EXPECT_EQ(blocks_that_fit(256, 3, false), kFit);    // behind the grid ahead
}

TEST(EvenSharedMemory, CountsOnNoPlaceBesideAPass) {
  EXPECT_EQ(blocks_that_fit(117, 2, true, kOfBlock, true), 1u);
  EXPECT_EQ(blocks_that_fit(300, 5, true, kOfBlock, true), 3u);
}

// 576^3 in tiles of 64 x 32 and three parts, of which an SM holds five.
TEST(EvenSharedMemory, IsLeftAsCacheWhereSmsAreToBeFullAndItIsWanted) {
  LaunchRequest request{};
  request.blocks_per_sm = 4;
  request.smem_bytes = kOfBlock;
  request.sm_count = kSms;
  request.early_start = true;
  request.smem_per_sm = kOfSm;
  EXPECT_EQ(tiled_smem_bytes(request, 486, true), kOfBlock);
  EXPECT_EQ(kOfSm / (tiled_smem_bytes(request, 486, false) + kReserved), 4u);
  EXPECT_EQ(tiled_smem_bytes(request, 300, true), tiled_smem_bytes(request, 300, false));
}

constexpr TmaLaunch kTile256x128{256, 128, 1, 1, 1, 64, 128};

uint32_t band(int64_t m, int64_t n, int64_t k, TmaLaunch launch = kTile256x128) {
  return band_of(plain_problem(DataType::kBF16, DataType::kBF16, Compute::kF32, m, n, k), launch,
                 kSms);
}

TEST(EvenBlocks, AreAsManyAsHaveTwoTilesEachWhereTheseGoRoundTwice) {
  EXPECT_EQ(even_blocks_of_sm(3, 4, 128), 4);  // one round: what has no tile is not launched
  EXPECT_EQ(even_blocks_of_sm(4, 4, 128), 4);
  EXPECT_EQ(even_blocks_of_sm(5, 4, 128), 3);
  EXPECT_EQ(even_blocks_of_sm(6, 4, 128), 3);
  EXPECT_EQ(even_blocks_of_sm(8, 4, 128), 4);
  EXPECT_EQ(even_blocks_of_sm(9, 4, 128), 4);  // more rounds level out
}

TEST(EvenBlocks, OfTwoWarpsComeInPairs) {
  EXPECT_EQ(even_blocks_of_sm(9, 8, 64), 6);
  EXPECT_EQ(even_blocks_of_sm(12, 8, 64), 6);
  EXPECT_EQ(even_blocks_of_sm(15, 8, 64), 8);
  EXPECT_EQ(even_blocks_of_sm(9, 5, 64), 5);  // of a GPU with less shared memory: not more than fit
}

// Blocks of an SM, and those that its shared memory holds, of so many tiles of 64 x 64 an SM.
struct Spread {
  int64_t of_sm;
  size_t that_fit;
  bool operator==(const Spread&) const = default;
};
Spread spread_of(int64_t tiles_of_sm, int most, int threads, bool is_part_of_k = false) {
  GemmProblem problem = plain_problem(DataType::kF32, DataType::kF32, Compute::kF32, 64, 64, 64);
  problem.batch_count = tiles_of_sm * kSms;
  LaunchRequest request{};
  request.problem = &problem;
  request.tile_m = request.tile_n = 64;
  request.threads = threads;
  request.blocks_per_sm = most;
  request.smem_bytes = kOfSm / static_cast<size_t>(most) - kReserved;
  request.sm_count = kSms;
  request.early_start = true;
  request.smem_per_sm = kOfSm;
  request.is_part_of_k = is_part_of_k;
  const SpreadGrid grid = spread_grid(request);
  EXPECT_EQ(grid.blocks % kSms, 0);
  return {grid.blocks / kSms, kOfSm / (grid.smem_bytes + kReserved)};
}

TEST(SpreadGrid, HasNoMoreBlocksThanHaveTwoTilesEachWhereTheseGoRoundTwice) {
  EXPECT_EQ(spread_of(4, 4, 128), (Spread{4, 4}));
  EXPECT_EQ(spread_of(5, 4, 128), (Spread{3, 3}));
  EXPECT_EQ(spread_of(6, 4, 128), (Spread{3, 3}));
  EXPECT_EQ(spread_of(8, 4, 128), (Spread{4, 4}));
  EXPECT_EQ(spread_of(9, 4, 128), (Spread{4, 4}));
  EXPECT_EQ(spread_of(11, 8, 64), (Spread{6, 6}));
  EXPECT_EQ(spread_of(12, 8, 64), (Spread{6, 6}));
  EXPECT_EQ(spread_of(17, 8, 64), (Spread{8, 8}));
}

TEST(SpreadGrid, CountsOnNoPlaceBesideThePassThatAddsUpParts) {
  EXPECT_EQ(spread_of(2, 4, 128), (Spread{2, 4}));  // beside as many of the grid ahead
  EXPECT_EQ(spread_of(2, 4, 128, true), (Spread{2, 2}));
  EXPECT_EQ(spread_of(3, 6, 64, true), (Spread{3, 3}));
}

GemmProblem bf16_problem(int64_t m, int64_t n, int64_t k) {
  return plain_problem(DataType::kBF16, DataType::kBF16, Compute::kF32, m, n, k);
}

TEST(TileBands, MakeASquareOfWhatRunsAtOnce) {
  EXPECT_EQ(band(8192, 8192, 8192), 16u);  // 132 tiles: 16 along n, of 8 along m
  EXPECT_EQ(band(8192, 2176, 8192), 9u);   // 17 along n, in two bands
  EXPECT_EQ(band(8192, 128, 8192), 1u);
  EXPECT_EQ(band(128, 8192, 8192, {128, 128, 4, 1, 1, 64, 128}), 11u);  // fours: 512 x 128
}

// An H100 and an H200 hold 30 clusters of four or 15 of eight on 132 SMs; a PCIe H100 has 114.
TEST(ClusterGrid, HoldsTwoFoursWhereTheyShareA) {
  TmaLaunch four{64, 64, 4, 1, 1, 64, 128};
  four.may_run_together = true;
  const auto expect = [&](int64_t n, int64_t k, int sms, uint32_t work, uint32_t clusters,
                          int blocks) {
    const ClusterGrid grid = cluster_grid(bf16_problem(512, n, k), four, sms, work);
    EXPECT_EQ(grid.clusters, clusters) << n << " " << k << " " << sms << " " << work;
    EXPECT_EQ(grid.blocks, blocks) << n << " " << k << " " << sms << " " << work;
  };
  expect(65, 1024, 132, 100, 15, 8);
  expect(65, 1024, 132, 25, 13, 8);  // the last with one four
  expect(65, 1024, 114, 100, 12, 8);
  expect(64, 1024, 132, 100, 30, 4);  // one tile along n: nothing to share
  expect(65, 1023, 132, 100, 30, 4);
  expect(65, 1024, 8, 100, 1, 4);  // no eight is sure to fit
  expect(65, 1024, 2, 100, 1, 4);
}
TEST(ClusterGrid, HoldsPairsAndSingleBlocksOnAllSms) {
  const GemmProblem p = bf16_problem(1280, 1280, 4096);
  EXPECT_EQ(cluster_grid(p, {128, 128, 1, 2, 1, 64, 128}, kSms, 100).clusters, 66U);
  const ClusterGrid singles = cluster_grid(p, {64, 64, 1, 1, 2, 64, 128}, kSms, 1000);
  EXPECT_EQ(singles.clusters, 264U);
  EXPECT_EQ(singles.blocks, 1);
}

TEST(ClusterGrid, HoldsPairsTogetherWhereAllRunAtOnceForLong) {
  TmaLaunch pair{128, 64, 1, 2, 1, 64, 128};
  const auto blocks = [&](int64_t m, int64_t n, int64_t k, uint32_t work, int64_t batch = 1) {
    GemmProblem p = bf16_problem(m, n, k);
    p.batch_count = batch;
    return cluster_grid(p, pair, kSms, work).blocks;
  };
  EXPECT_EQ(blocks(896, 1024, 4096, 56), 2) << "a kernel that does not know which pair it is of";
  pair.may_run_together = true;
  EXPECT_EQ(blocks(896, 1024, 4096, 56), 4);
  EXPECT_EQ(blocks(1024, 1024, 4096, 64), 2);  // 30 fours are no place for 64 pairs
  EXPECT_EQ(blocks(896, 1024, 1985, 56), 4);   // 32 k-tiles
  EXPECT_EQ(blocks(896, 1024, 1984, 56), 2);   // 31
  EXPECT_EQ(blocks(128, 1024, 4096, 16), 4);   // two parts, of 32 k-tiles each
  EXPECT_EQ(blocks(128, 1024, 4096, 24), 2);   // three
  EXPECT_EQ(blocks(896, 512, 4096, 56, 2), 2);
}

Neighbours beside(int64_t m, int64_t n, int tile_m, int tile_n, int64_t k_tiles = 64, int parts = 1,
                  int sms = kSms) {
  return neighbours_of({m, n, tile_m, tile_n, parts, k_tiles}, sms);
}
std::pair<int, int> shape_of(const Neighbours& of) { return {of.m, of.n}; }

// Where an H200 took what they take without and with them (of 64 x 128 with a quick producer, which
// no kernel has yet: docs/adr/0047).
TEST(Neighbours, AreThoseThatAskForTheLeast) {
  using Shape = std::pair<int, int>;
  EXPECT_EQ(shape_of(beside(1024, 1024, 128, 64)), (Shape{2, 1}));  // 16.8 us, 14.8
  EXPECT_EQ(shape_of(beside(1024, 1024, 64, 128)), (Shape{1, 2}));  // 18.4, 15.4
  EXPECT_EQ(shape_of(beside(896, 1024, 64, 128)), (Shape{2, 4}));   // 21.6, 16.1
  EXPECT_EQ(shape_of(beside(896, 1024, 128, 64)), (Shape{1, 4}));   // 19.1, 16.2
  EXPECT_EQ(shape_of(beside(4096, 256, 128, 64)), (Shape{1, 2}));   // 18.9, 17.3
  EXPECT_EQ(shape_of(beside(8192, 64, 128, 64)), (Shape{1, 1}));    // nothing to share along n
  EXPECT_EQ(shape_of(beside(5120, 160, 128, 64)), (Shape{1, 1}));   // 22.8; by 4 x 1 24.7
}
TEST(Neighbours, RunAtOnceAndForLong) {
  EXPECT_GT(beside(1024, 1024, 128, 64, 16).blocks(), 1);
  EXPECT_EQ(beside(1024, 1024, 128, 64, 15).blocks(), 1);
  EXPECT_EQ(beside(896, 1024, 64, 128, 32).blocks(), 8);
  EXPECT_EQ(beside(896, 1024, 64, 128, 31).blocks(), 2);
  EXPECT_EQ(beside(1024, 1024, 128, 64, 64, 2).blocks(), 1);  // two parts: 256 blocks
  EXPECT_EQ(beside(1024, 1024, 128, 64, 64, 1, 120).blocks(), 1);
  const Neighbours few = beside(64, 64, 64, 64, 64, 1, 2);
  EXPECT_EQ(few.blocks(), 1);
  EXPECT_EQ(few.asked, 1.0F);
}
TEST(Neighbours, SayWhatIsAskedForStill) {
  EXPECT_NEAR(beside(1024, 1024, 128, 64).asked, 0.85, 0.01);
  EXPECT_NEAR(beside(896, 1024, 64, 128).asked, 0.64, 0.02);
}

TEST(TileBands, AreColumnsWhereAllPairsAlongNRunAtOnce) {
  constexpr TmaLaunch kAlongN{96, 64, 1, 2, 1, 64, 64}, kAlongM{64, 96, 2, 1, 1, 64, 64};
  EXPECT_EQ(band(1024, 512, 4096, kAlongN), 1u);  // 44 pairs, of 66 that run at once
  EXPECT_EQ(band(1632, 512, 4096, kAlongN), 4u);  // 68
  GemmProblem two = plain_problem(DataType::kBF16, DataType::kBF16, Compute::kF32, 1024, 512, 4096);
  two.batch_count = 2;
  EXPECT_EQ(band_of(two, kAlongN, kSms), 4u);  // 88
  EXPECT_EQ(band(1024, 480, 4096, kAlongM), 5u) << "they ask for A in the other order";
}

TEST(TileBands, AreColumnsWhereKIsShort) {
  EXPECT_EQ(band(2048, 2048, 64), 1u);
  EXPECT_EQ(band(2048, 2048, 256), 1u);
  EXPECT_EQ(band(2048, 2048, 257), 16u);
  EXPECT_EQ(band(2048, 2048, 16), 16u);
  EXPECT_EQ(band(100000, 2048, 64), 16u) << "L2 may not hold A";
}

}  // namespace
}  // namespace myblas::testing
