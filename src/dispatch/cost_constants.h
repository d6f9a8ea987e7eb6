// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// dispatch/cost_constants.h: the constants of the predictions (dispatch/cost.h), in microseconds,
// bytes and clocks, each with the products that it is from. For the cost model alone; those of
// warps' tiles are in cost_warps.cpp.
//
// Fitted to timings on an H200 and an H100 (tests/dispatch/*_timings.csv), those of wgmma and fp32
// to all files at once since (docs/adr/0053), so that a product named here is where a constant
// comes from, not what its value follows from; on other chips they order rows, no more.
//==============================================================================
#pragma once

namespace myblas {

// A kernel behind another in a graph, from the end of that one, where its operands come from DRAM:
// a wgmma tile (2.06 us), less the latency of its first k-tile and its round. What is small and
// still in L2 takes less in all (kWarmUs; 0.95 us seen).
inline constexpr double kLaunchUs = 1.0;

// A round of blocks: what passes from its start to the first product and from the last product to
// the next round, where nothing else runs. By skeleton: TMA fills the ring while a block still
// stores; tiles through registers wait twice. From products of one tile and of many with little k
// (4096 x 4096 x 4 in fp32, 64 of 1024 x 1024 x 128 in bf16, the random list).
inline constexpr double kRoundUsWgmma = 0.34;
inline constexpr double kRoundUsMma = 3.6;
inline constexpr double kRoundUsMmaRegisters = 4.8;
inline constexpr double kRoundUsMmaTf32 = 1.4;       // 64 x 128 x 128 by 384
inline constexpr double kRoundUsMmaUnaligned = 8.0;  // batches of 100^3 in 16 bits
// fp64, and beside it so much for a tile of 64 x 64; by TMA once. This and what else is named F64:
// fitted to 221 products, complex too (tests/dispatch/h200_fp64_timings.csv), and these four, with
// kLoneShareF64 and percents, anew with 80 that were odd, small or of a long k
// (h200_kinds_timings.csv).
inline constexpr double kRoundUsMmaF64 = 1.35;
inline constexpr double kRoundUsOfTileF64 = 1.09;
inline constexpr double kUsualTile = 4096.0;
inline constexpr double kRoundUsPlain = 2.68;
// Of that, and of its stores, what a round behind the first takes. This and what else is named
// Plain: fitted to 342 products of fp32, 175 of them new and many short (h200_short_timings.csv),
// and to what the lists had lost by a first fit (docs/adr/0034).
inline constexpr double kLaterRounds = 0.57;
inline constexpr double kLaterRoundsF64 = 0.79;  // but where C leaves from registers
inline constexpr double kRoundUsReference = 1.42;
inline constexpr double kRoundUsResident = 1.0;  // once: 64 x 64 x 64 by 100 and by 10000
// And where elements lie anywhere: 1665 x 32 x 50 NT.
inline constexpr double kResidentPiecesUs = 0.8;
inline constexpr double kRoundUsResidentPlain = 0.67;  // of fp32: 384^3 TN as three products

// Blocks that stay, on the tensor cores, in 16 bits: what an SM takes for a tile beside its
// k-tiles, to find the next one and to store this one. Batches of 25 x 5 x 27 to 129^3.
inline constexpr double kTileUsResidentMma = 0.17;
// The same of fp32, of one block: others multiply meanwhile. 4096 x 4096 x 32, 2000 x 2000 x 32.
inline constexpr double kTileUsResidentPlain = 0.43;
// The same of fp32 where C is not in runs of 16 bytes: its tiles go through shared memory, so many
// elements a clock. 333 x 333 x 128 and 577 x 577 x 64.
inline constexpr double kResidentStoresPerClock = 2.68;
// Of a k-tile that ends early they multiply what there is, in steps of so many k; this share of it
// takes as long all the same. Batches of 8^3 to 100^3.
inline constexpr double kResidentStepK = 8.0;
inline constexpr double kResidentOfKTile = 0.4;
// Of fp32, with an operand along k: 64^3 by 500 and 128^3 by 200, NT beside the others.
inline constexpr double kResidentRateAlongK = 0.97;
// For each of the tiles that share an operand's lines: 60000 x 32 x 64, 100000 x 32 x 32, 120000 x
// 24 x 24 (an H100: 17 to 35 us for 14 to 16), 16 x 131072 x 128.
inline constexpr double kSameLinesUs = 0.0025;
// The same where TMA feeds fp32 (simt/simt_batch_tma.cuh). Once; then for each tile, and each of
// its elements; and for a k-tile of a warp, of each of the four schedulers. 1,700 plans of
// fp32.txt, fp32_sizes.txt, models.txt and unseen.txt, predicted within 5 % (root mean square).
inline constexpr double kRoundUsWalk = 1.12;
inline constexpr double kTileUsWalk = 0.026;
inline constexpr double kElementUsWalk = 4.4e-5;
inline constexpr double kKTileClocksWalk = 98.0;
// Where C is added to: its first tile on its way, and each element (updates.txt).
inline constexpr double kReadUsWalk = 1.5;
inline constexpr double kReadElementUsWalk = 6.2e-5;
// Where runs of a lane are no runs of C: 1023 x 1023 x 64, 2047 x 2047 x 32 NT.
inline constexpr double kScatteredElementUsWalk = 0.0001;
// What a block of four warps, and of two, reaches alone of what all do; more of them reach the rest
// with this power of their number. And what an SM takes from L2.
inline constexpr double kLoneShareWalk = 0.74;
inline constexpr double kLoneShareWalkHalf = 0.374;
inline constexpr double kOthersPowerWalk = 0.306;
// Of the places that a last round, behind two and more, leaves empty on the average SM, what the
// SMs that have most of it fill: 900 x 4000 x 400 in 32 x 32 (27.5 tiles an SM by 8 blocks) 93 to
// 101 us.
inline constexpr double kUnevenWalk = 0.2;
inline constexpr double kL2BytesPerClockWalk = 36.0;
// Where TMA feeds them: what each round of tiles behind the first takes. Of fp64 as it was fitted
// first, and taken for the blackwell family's 16 bits.
inline constexpr double kTileUsMmaByTma = 0.7;
inline constexpr double kTileUsTmaF64 = 0.35;
inline constexpr double kTileUsDirectF64 = 0.26;  // whose C leaves from registers

// What one SM stores of the tiles of a round: the same cases. All SMs at once: 1.7 TB/s.
inline constexpr double kStoreBytesPerClock = 6.5;
inline constexpr double kStoreBytesPerClockPlain = 12.0;  // 6000 x 6000 x 192 and 20000 x 128 x 128
inline constexpr double kStoreBytesPerClockF64 = 23.0;
inline constexpr double kStoreBytesPerClockDirectF64 = 53.5;
inline constexpr double kUnalignedStoreF64 = 3.14;    // times as long: 5639 x 2077 x 7
inline constexpr double kUnalignedStoreTmaF64 = 2.2;  // by way of shared memory: 8191 x 8191 x 128
inline constexpr double kStoreBytesPerClockTma = 22.0;
// Of sums that wait in L2 for the pass that adds them up: 256 x 512 x 32768 NT in bf16 as 16
// products in tiles of 128 x 128 23.4 us, as 8 in tiles of 128 x 64 20.5.
inline constexpr double kStoreBytesPerClockOfSums = 14.7;
// Of the time for a piece of 64 x 64, what others of 64 rows take too: 2048 x 2048 x 64 by 64 in
// tiles of 256 x 160, whose pieces have 16 columns (337 us; 216 in others).
inline constexpr double kSameOfPieces = 0.74;
// Of wider ones: a guess, between no gain and that of narrow ones.
inline constexpr double kSameOfWidePieces = 0.4;
// What C that is added to by way of the ring takes of a consumer, beside what storing it takes.
// This and what else is named Added, and kRead*Walk: fitted to 92 products with a beta of -1
// (h200_added_timings.csv, docs/adr/0055).
inline constexpr double kAddedByWgmma = 0.45;
inline constexpr double kAddedByWgmmaF32 = 1.9;  // has no room in the ring under the products
// The same of threads, of fp32 and of complex fp32: and so much more of a block that is alone.
inline constexpr double kAddedPlain = 1.04;
inline constexpr double kAddedPlainAlone = 0.96;
inline constexpr double kAddedComplex = 0.09;
inline constexpr double kAddedComplexAlone = 2.67;

// What TMA may not store, threads do (docs/adr/0050): elements a clock, by the instructions that
// the four warps of a consumer take, and bytes, of all consumers at most. Of the time for a piece
// of 64 x 64 in 16 bits others take this share too; and tiles whose boxes have 64 bytes of m, or
// 32, so much longer.
inline constexpr double kThreadStoresPerClock = 1.8;
inline constexpr double kThreadStoreBytesPerClock = 7.2;
inline constexpr double kThreadStoresSameOfPieces = 0.2;
inline constexpr double kThreadStoresOfHalfBox = 1.15;
inline constexpr double kThreadStoresOfQuarterBox = 1.41;
// Of tiles of 192 x 224 and 256 x 160, which lack the registers: 2951 x 9021 x 9, 110 us.
inline constexpr double kThreadStoresPerClockOfLargest = 1.25;
// Of consumers that take turns: 1500 x 1500 x 64 by 80 in tiles of 128 x 192, 250 us; and where
// columns of C are odd: 4475 x 1131 x 9 by 76, 744 us.
inline constexpr double kThreadStoresPerClockInTurns = 3.4;
inline constexpr double kThreadStoresPerClockInTurnsOdd = 2.3;

// A block alone on an SM that holds more of them waits where they would have covered for each
// other: each further block that the row wants costs the plain pipes this much of the time of its
// products; on mma.sync's tensor cores and fed by TMA a block alone reaches a fixed share. From
// products of fewer tiles than SMs: 512^3, 768 x 768 x 32768. The plain pipes' by fp32 and complex
// fp32; the reference rows were not fitted anew.
inline constexpr double kLoneWait = 0.085;
inline constexpr double kLoneWaitResident = 0.2;    // of blocks that stay: 192^3 by 40, 512 x 768^2
inline constexpr double kLoneHalf = 0.55;           // of that, where it has two warps: 320^3 TN
inline constexpr double kLoneRatePlainTma = 0.63;   // of the pipe's: 3072^3, 64 x 8192 x 4096
inline constexpr double kLoneRateLongTiles = 0.76;  // 1024 x 2048 x 512 in tiles of 128 x 128
inline constexpr double kLoneShareSliced = 1.0;     // 512^3 to 704^3, 416^3 TN
inline constexpr double kLoneShareMma = 0.75;
inline constexpr double kLoneShareF64 = 0.76;
// Of the time that a block lacks for being alone, what those of the round ahead cover.
inline constexpr double kTailCovered = 0.5;
inline constexpr double kTailCoveredPlainTma = 0.034;  // 3072^3 in tiles of 128 x 64

// Plain kernels copy an element at a time where rows are not contiguous and aligned: issue slots of
// a lane for each beyond what 16-byte copies take (or what a closed row's percent has of its own
// copies of single rows), of what an SM has.
inline constexpr double kSlotsOfSingle = 6.93;
inline constexpr double kSlotsPerClock = 128.0;

// wgmma on all SMs meets the power limit; with work for some of them the clock holds (256 x 256 x
// 131072 in 1 to 16 parts).
inline constexpr double kUnlimitedClock = 1.06;

// Time for one k-tile to come from DRAM. A block's ring of stages brings its k-tiles no sooner than
// one ring in that time.
inline constexpr double kTileLatencyUs = 0.78;

// What one SM takes from L2, and each where all do. wgmma's SMs are slower under load than the
// boost clock by which this counts, and L2 is not (docs/adr/0029).
inline constexpr double kL2BytesPerClockOfSm = 72.0;
inline constexpr double kL2BytesPerClockShared = 50.0;
inline constexpr double kL2BytesPerClockOfSmWgmma = 97.0;
inline constexpr double kL2BytesPerClockSharedWgmma = 66.0;  // 2560 x 448 x 6912
// Of what fours that run two to a cluster both ask for (by_eight).
inline constexpr double kAskedByEight = 0.6;
// Of what one wave of wgmma's blocks saves L2 as clusters of neighbours (kernels/common/
// tile_neighbours.h), so much is saved of its products and loads: of tiles up to 128 x 64, whose
// loads take longest, and of others (kLargeNeighbours). And of pairs of such tiles that run two to
// a cluster (units_in_cluster), as it is. From 394 plans of 16 bits and 63, beside what they take
// alone; the 100 of them that do not divide k say 0.20 and 0.05 of neighbours.
inline constexpr int kLargeNeighbours = 128 * 64;  // m n of a tile, exclusive
inline constexpr double kSavedByNeighbours[] = {0.21, 0.09};
inline constexpr double kSavedByTwoPairs[] = {0.07, 0.02};
// The same of parts of k that follow a pass, by the order of their blocks (asked_in_order):
// h200_neighbours_timings.csv, h200_deep_timings.csv and h200_turns_timings.csv.
inline constexpr double kSavedBehindPass[] = {0.3, 0.1};
// A byte of a TMA row that lies across two lines of 128 bytes, as it does where columns begin
// within them and are no part of one, or matrices and parts of k do, costs this much of one that
// does not (1000^3 in bf16: 9.5 us for 5.9 of 1024^3; 160 x 1504 x 15808 TN as eight products).
inline constexpr double kAcrossLines = 2.2;
// Where they begin at sectors of 32 bytes: 1632 x 400 x 5104 TN takes 19.5 us in pairs of 112 x 64,
// 26 by the price above.
inline constexpr double kAcrossLinesBySectors = 1.6;
// Where tiles alone do, of an operand along m or n: 768 x 768 x 32768 NT in tiles of 128 x 112.
inline constexpr double kAcrossLinesByTiles = 1.5;
// A byte that cp.async copies by 16, of lines of k that begin within a sector of 32: 337 x 2235 x
// 902 TN in fp64 takes 54.7 us in 32 x 64, with a k of 904 35.5; NN and TT in between.
inline constexpr double kAcrossSectors = 2.3;

// What a product of few bytes takes less, for L2 has them still: streams, outer products and tiny
// ones, and tiles. Up to so many bytes, and then less and less over so many doublings. The random
// list (tests/dispatch/h200_random_timings.csv), in which operands go round more than L2 holds
// where they are not small.
inline constexpr double kWarmBytes = 20900.0;
inline constexpr double kWarmOctaves = 7.8;
inline constexpr double kWarmUs = 0.65;
inline constexpr double kWarmUsOfTiles = 0.25;

// Of what runs beside the longest of math, loads and DRAM, this share is not hidden by it.
inline constexpr double kUnhidden = 0.1;
inline constexpr double kUnhiddenWgmma = 0.123;
// And of what L2 is asked for again beside a stream from DRAM (6144 x 128 x 4096 in 96 x 64: 12 us
// each, 18.8 together; in pairs, which ask for half of A, 15.9).
inline constexpr double kUnhiddenAgain = 0.21;

// DRAM bandwidth that a kernel reaches of what the data sheet says (4096 x 8 ... 64 x 14336).
inline constexpr double kDramShareF64 = 0.96;
inline constexpr double kDramShare = 0.92;

// The same by TMA, and what one SM takes of it, in tiles of 64 rows and in taller ones: layers of 1
// to 8 tokens on an H100, 3584 x 96 x 18944, 9216 x 32 x 3072.
inline constexpr double kDramShareTma = 0.94;
inline constexpr double kDramBytesPerClockOfSm = 25.9;
inline constexpr double kDramBytesPerClockOfTall = 20.1;
// Blocks of a last round that is not full begin while others still load: the share of their time
// that they have the SMs' rate alone.
inline constexpr double kRestAlone = 0.86;
// Four blocks that share an operand take more each, and a GPC of them so much: tiles of 64 x 32 in
// layers of one token reach 64 KB a us each in 40 blocks, 35 in 64 to 80, where some GPCs have a
// cluster more than others. They are spread as if there were a GPC for each 22 SMs, for grids
// follow each other and clusters go where there is room.
inline constexpr double kDramBytesPerClockOfFour = 35.0;
inline constexpr double kDramBytesPerClockOfGpc = 364.0;
inline constexpr double kSmsOfGpcInFours = 22.0;
inline constexpr double kFoursOfGpc = 4.0;  // at most: it has 18 SMs

// A byte written to DRAM costs this much of a byte read (H200: 2.6 against 4.3 TB/s).
inline constexpr double kWriteWeight = 1.65;
// Where tiles of C that stream behind each other are most of it (8192 x 8192 x 16 in fp32 by blocks
// that stay).
inline constexpr double kWriteWeightStreamed = 1.35;
// By TMA, in whole lines. Of tiles whose sides are not multiples of 128 DRAM takes C slower where
// they do not divide it, and of clusters a little (64 of 2048 x 2048 x 128 in bf16 on an H100:
// tiles of 256 x 128 237 us, in pairs 248; 192 x 128 275, as ping-pong 270). Not so below
// kShortKLeast (4096 x 8192 x 8: by turns 1.12 of cuBLAS's speed, 256 x 128 by columns 0.95), where
// single blocks take longest.
inline constexpr double kWriteWeightTma = 1.19;
inline constexpr double kWriteWeightClusters = 1.29;
inline constexpr double kWriteWeightUneven = 1.3;
inline constexpr double kWriteWeightTmaOfShortest = 1.62;
// The same of C that does not stay in L2, where its columns begin within a sector of 32 bytes, and
// where tiles end within 64 bytes, which DRAM takes at once (docs/adr/0042).
inline constexpr double kWriteCutSectors = 1.35;
inline constexpr double kWriteCutTiles = 1.64;

// TMA: clocks for a row of a box that lies outside of the matrix, where boxes are whole
// (knows_edges): of wgmma in turns, in the largest tiles and by pointers, and of fp64. From tiles
// that had such boxes: 4096 x 16 x 4096 in 64 and 128 by 64, 8128 x 160 x 15008 in 128 by 128; fp64
// TN 50000 x 1 x 300.
inline constexpr double kOutsideRowClocks = 8.0;
// And for one inside, where there are such: 5120 x 320 x 13824 in tiles of 128 x 128, 2304 x 80 x
// 9216 in those of 64 x 32.
inline constexpr double kInsideRowClocks = 0.5;

// Where parts of k meet: an arrival once a round and level, and sums on their way to L2 and back,
// of one block at a time. Squares of 512 and 1024 in 1 to 16 parts, the random list.
inline constexpr double kMeetingUs = 1.32;
// Where parts end together, the last arrival's way to L2 and back is not under other products. 1024
// x 512 x 4096, 768 x 197 x 3072 and 3072 x 1 x 8192 in bf16.
inline constexpr double kLastMeetingUsF64 = 0.69;  // 4096 x 6 to 20 x 4096 in four parts
inline constexpr double kLastMeetingUsWgmma = 0.67;
inline constexpr double kLastMeetingUsStream = 0.14;
inline constexpr double kSlotBytesPerClock = 31.4;
// Of fp32 sums that a pass brings together too (576^3 NT as three products: 20.1 us predicted
// without it, 16.2 measured).
inline constexpr double kSlotBytesPerClockPlain = 25.1;

// The same where the parts are a cluster's: its barriers, and what one block reads of another's
// shared memory.
inline constexpr double kClusterSumUs = 0.85;
inline constexpr double kClusterBytesPerClock = 28.0;
inline constexpr double kWideClusterUs = 0.6;  // of more than two, besides

// Where k-tiles are dealt: what shares take beside their k-tiles and one meeting. fp32 1024^3 to
// 1536^3.
inline constexpr double kDealingUs = 2.4;
// Of k-tiles of 32 without totals, less than nothing: starts and stores of the second tile, which
// are counted in full, lie under the other block's products. 1280^3 to 2048^3.
inline constexpr double kDealingUsLongTiles = -3.0;
// Of mma.sync's kernels the products take so many times as long where rounds of whole tiles come
// ahead of the shares: blocks that end a round late still have a whole share before them, which
// tiles of the next round would have been spared. fp64 2304^3 to 3584^3.
inline constexpr double kDealtBehindRounds = 1.04;
// Of L2, what serves operands that many shares read at another k each.
inline constexpr double kDealtL2Share = 0.5;

// What a streaming kernel takes from its start to its first loads and from the last ones to its
// end, where it keeps DRAM busy and where it waits for its own loads; what each further tile of the
// same block does, and each block of an SM: many of little work are no work for these kernels.
// Layers of a token, and products of microseconds of all kinds (docs/adr/0041).
inline constexpr double kStreamStartUs = 1.0;
inline constexpr double kStreamFirstUs = 0.98;
inline constexpr double kStreamTileUs = 1.95;
inline constexpr double kStreamBlockUs = 0.234;
// A step of k: its loads, of the last one at least this share, and each product of a thread, in
// fp32; in other types so many times as long.
inline constexpr double kStreamStepUs = 0.52;
inline constexpr double kStreamWarmStepUs = 0.195;
inline constexpr double kStreamLastStep = 0.65;
inline constexpr double kStreamProductUs = 0.00392;
inline constexpr double kStreamProductF64 = 2.13;
inline constexpr double kStreamProductHalves = 1.12;
inline constexpr double kStreamProductComplex = 2.96;
// Once a tile: each of its sums, where warps bring theirs together (gemv_axpy); and the pointers of
// a batch, which are loaded ahead of what they point to.
inline constexpr double kStreamSumUs = 0.00214;
inline constexpr double kPointersUs = 0.51;
// What the loads of an SM that are on their way at a time bring, of one block or several (2304 x 1
// x 9216 in bf16: 144 blocks 19.7 us, 128 of 2048 x 1 x 8192 13.1).
inline constexpr double kStreamBytesPerClockOfSm = 22.0;
// Lanes of dot products whose row C does not have repeat its last one, and ask DRAM for nothing: of
// a tile's rows that C has, the share from which those of an SM ask for as much (fp64 4 x 1 x
// 1500000 TN: 30.8 us in tiles of 16 rows, 15.2 in those of 4).
inline constexpr double kStreamFillOfAll = 0.67;
// What several blocks of an SM bring together, where they stream one operand once: their number to
// this power times as much (fp64 2500 x 2500 TN: 157 blocks 14.0 us; 5000 x 5000 NN, 158: 50.2).
inline constexpr double kStreamTogether = 0.189;
// Where blocks follow each other and the last step of k is not a whole one, by the square of the
// share of loads that it lacks (bf16: 17920 x 1 x 1536, a step and a half, 24.5 us; 16384 x 1 x
// 2048 24.2).
inline constexpr double kStreamRagged = 1.76;
// Twice as many columns as the tile has, which go over the large operand again in L2, take so much
// of the time longer (4096 x 1 and 2 x 4096 in bf16: 12.9 and 14.9 us).
inline constexpr double kStreamAgainF64 = 0.0545;
inline constexpr double kStreamAgain = 0.11;

// Dot products that a whole block sums, of few rows: each block, and where more than run at once
// follow each other (10 x 1 x 500000 TN in complex fp32: 480 blocks 19.1 us, 250 of more rows 13.3;
// not understood).
inline constexpr double kFewRowsBlockUs = 0.003;
inline constexpr double kFewRowsInTurns = 1.4;

// Rows that threads sum (gemv_tall): from a start to the first loads and from the last ones to the
// end, where it waits for its own loads and where it keeps DRAM busy; each row of a thread, each
// further tile of the same block, more where it comes from DRAM, each block of an SM; clocks of an
// SM for each line of the cache that a warp's load takes; each product of a thread, in fp32.
inline constexpr double kTallFirstUs = 0.198;
inline constexpr double kTallStartUs = 0.42;
inline constexpr double kTallTileUs = 0.06;
inline constexpr double kTallColdTileUs = 0.33;
inline constexpr double kTallRowUs = 0.025;
inline constexpr double kTallBlockUs = 0.145;
inline constexpr double kTallLineClocks = 1.93;
inline constexpr double kTallProductUs = 0.003;
inline constexpr double kTallShareOfFma = 0.5;  // of the plain pipe

// An outer product's start and end that nothing hides, and each further k-tile. Then what an SM
// takes from one block to the next: by the block, by the tile of C that it writes, by a k of its
// products, complex ones so many times as long, and by an element that it fetches. 4096 x 4096 x 4
// to 32 in fp32, the random list.
inline constexpr double kOuterStartUs = 0.5;
inline constexpr double kOuterKTileUs = 0.17;
inline constexpr double kOuterBlockUs = 0.39;
inline constexpr double kOuterStoreUs = 0.18;
inline constexpr double kOuterStepUs = 0.079;
inline constexpr double kOuterComplex = 4.1;
inline constexpr double kOuterFetchUs = 0.0003;
inline constexpr double kOuterInStretches =
    2.51;                                      // C of 16 bits and unaligned: 10 x 1232 x 4 by 82
inline constexpr double kOuterTogether = 0.6;  // of a block's time, those behind the first: 8192^2
inline constexpr double kOuterShareOfFma = 0.37;  // of the plain pipe, complex: 0.24 to 0.42
// Of the products' time what C's way to DRAM does not hide, whose bytes cost as much as those that
// are read: fp32 8192 x 8192 x 1, 10000 x 10000 x 2, 6000 x 6000 x 4, 4096 x 8192 x 8.
inline constexpr double kOuterUnhidden = 0.35;
// In 16 bits and complex types they write slower (4224 x 368 x 2 by 118 in bf16 158 us, in tiles of
// wgmma 100; 1171 x 75 x 1 by 123 in complex fp32 54).
inline constexpr double kOuterWriteWeight = 2.0;

// FMA of a streaming kernel, of the plain pipe's: operands in runs of 16 bytes; an element a load;
// and those with a cache line for each lane. 1024^3 and 4096^3, forced, and then docs/adr/0041's.
inline constexpr double kDotShareOfRunsF64 = 0.19;  // of any number of sums; complex too
inline constexpr double kDotShareOfRuns = 0.304;
inline constexpr double kDotShareOfRunsFew = 0.285;  // fewer sums a block: 384^3, 320^3, 256^3
inline constexpr int kDotFewSums = 512;
inline constexpr double kDotLoneShare = 0.613;  // of any of these: a block alone on its SM, 256^3
inline constexpr double kDotShareOfElements = 0.206;
inline constexpr double kDotShareOfHalves = 0.16;  // of this and the next, of 16 bits
// Of these where eight lanes sum a long row, half a sector a load (50000 x 1 x 1002, 3001 in bf16).
inline constexpr double kDotShareOfEightLanes = 0.7;
inline constexpr double kDotShareOfLines = 0.0853;

// The loads of a step take so much longer where each element of the small operand lies in a line of
// its own (2 x 192 x 384 NN to 23 x 48 x 2800 NN).
inline constexpr double kApartStep = 1.29;

// The pass that repacks operands ahead of a product: its launch and latencies, and what it reaches
// of the DRAM bandwidth that the data sheet says, in bytes read and written, copied or transposed.
// From unaligned products of 257^3 to 8192^3 in bf16 beside aligned ones, predicted within a fifth;
// the launch anew with h200_kinds_timings.csv.
inline constexpr double kPackLaunchUs = 1.8;
inline constexpr double kPackShare = 0.69;
// Of fp32 that FFMA multiplies, and so many times as long: with its products behind it.
inline constexpr double kPackLaunchUsPlain = 2.1;
inline constexpr double kPackPlain = 1.07;
// The pass that splits fp32 into terms (2115 plans of 84 products).
inline constexpr double kPackShareOfTerms = 0.75;

// The pass that adds up the parts of k behind a product: its launch and latencies, and what it
// reaches of the DRAM bandwidth that the data sheet says, though most of it stays in L2. 10240 x 8
// x 8192 and 1024 x 512 x 4096 in bf16.
inline constexpr double kSumLaunchUs = 1.25;
inline constexpr double kSumShare = 0.8;
// More of wgmma's products that it adds up: layers of 1 to 384 tokens on an H200 (2304 x 320 x 9216
// in three parts 32 us, in fours of 64 x 128 29).
inline constexpr double kSumsUsWgmma = 0.85;
// More of products that wait for the pass ahead (wait_for_pass_ahead).
inline constexpr double kLateStartUs = 0.3;

// It is taken where the prediction with it is below this share of the best without, and by so many
// microseconds. Kernels of the plain pipes, but for walks_in_fp32, have to fill this share of all
// places for their blocks: a block alone on an SM is slower than predicted (fp32 1024^3 as 2
// products: 104 for 66 us).
inline constexpr double kSumWorth = 0.99;
inline constexpr double kSumWorthUs = 0.15;
inline constexpr double kSumFull = 0.5;
// By pipe (Pipe): such products are taken as if they were predicted so many times as long (8192 x 8
// x 8192 TN in fp32, 777^3 in fp64: slower than predicted, and than others). Parts of a
// stream's k had better be products than meet (4096 x 1 x 4096 NN in fp32: 24.9 us, in parts 28.1).
inline constexpr double kSumDoubt[] = {0.99, 1.11, 1.0, 1.05};
// Of sums of columns that go over their operand once.
inline constexpr double kSumDoubtOfColumns = 1.02;
// Of streams whose operands are so many times L2: parts that meet are slower than predicted there
// (fp64 9000 x 1 x 9000 NN 153 us in parts that meet, 147 in products; 25 such ones lost 3.5 %).
inline constexpr double kSumLargeOfL2 = 2.0;
inline constexpr double kSumDoubtOfLarge = 0.99;

}  // namespace myblas
