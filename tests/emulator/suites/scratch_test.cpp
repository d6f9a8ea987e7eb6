// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// suites/scratch_test.cpp: calls that do not get the memory that their choice wants are served with
// what there is: k is divided less often, or not at all. A capture with a workspace asks for none.
//==============================================================================
#include "api/scratch.h"

#include <gtest/gtest.h>

#include "api/run_gemm.h"
#include "suites/emulated_case.h"

namespace myblas::test {
namespace {

// One tile of C, whose sums are a slot; k in 8 parts as long as there are 8 slots.
constexpr const char* kRow = "sgemm_cp_async_64x64x16";
constexpr int kParts = 8;
constexpr size_t kSlotBytes = size_t{64} * 64 * 4, kCounterBytes = kParts * sizeof(uint32_t);

class EmulatorScratch : public testing::Test {
 protected:
  void SetUp() override {
    load_all_kernels();
    if (emulator::find_kernel(kRow) == nullptr) GTEST_SKIP() << "not in this build";
    handle_ = std::make_unique<RowHandle>(find_row(kRow), std::vector{std::to_string(kParts)});
  }
  void TearDown() override {
    emulator::pretend_to_capture(false);
    emulator::refuse_memory(false);
  }

  // In how many parts k was; 0 where the result is wrong or another row's.
  int parts_of_a_call() {
    GemmCase gemm;
    gemm.combo = find_combo("f32_f32_32F");
    gemm.entry = find_entry("myblasSgemm");
    gemm.m = gemm.n = 64;
    gemm.k = 256;
    gemm.op_b = MYBLAS_OP_T;
    gemm.alpha = {2.0, 0.0};
    gemm.beta = {-1.0, 0.0};
    const testing::AssertionResult right = handle_->run(gemm, settings_of(1));
    EXPECT_TRUE(right);
    return right && handle_->served() ? last_plan().parts : 0;
  }
  int parts_within(DeviceMemory& workspace, size_t bytes) {
    EXPECT_EQ(myblasSetWorkspace(handle_->get(), workspace.data(), bytes), MYBLAS_STATUS_SUCCESS);
    return parts_of_a_call();
  }

  std::unique_ptr<RowHandle> handle_;
};

TEST_F(EmulatorScratch, ACaptureDividesKAsTheWorkspaceAllows) {
  DeviceMemory workspace(emulated_device(), kParts * kSlotBytes);
  emulator::pretend_to_capture(true);
  EXPECT_EQ(parts_within(workspace, kParts * kSlotBytes), kParts);
  emulator::refuse_memory(true);  // of the graph; counters are there since the first capture
  EXPECT_EQ(parts_within(workspace, kParts * kSlotBytes), kParts);
  EXPECT_EQ(parts_within(workspace, kParts * kSlotBytes - 1), kParts - 1);
  EXPECT_EQ(parts_within(workspace, 2 * kSlotBytes), 2);
  EXPECT_EQ(parts_within(workspace, kSlotBytes), 1);
  EXPECT_EQ(parts_within(workspace, 256), 1);
  emulator::refuse_memory(false);  // nor is it asked for
  EXPECT_EQ(parts_within(workspace, 256), 1);
  ASSERT_EQ(myblasSetStream(handle_->get(), nullptr), MYBLAS_STATUS_SUCCESS);  // forgets it
  EXPECT_EQ(parts_of_a_call(), kParts);
}

TEST_F(EmulatorScratch, CountersOfACaptureMayLieInTheWorkspace) {
  constexpr size_t kEnough = kParts * kSlotBytes + kCounterBytes;
  DeviceMemory workspace(emulated_device(), kEnough);
  std::memset(workspace.data(), 0xff, kEnough);
  emulator::pretend_to_capture(true);
  emulator::refuse_memory(true);
  EXPECT_EQ(parts_within(workspace, kEnough), kParts);
  EXPECT_EQ(parts_within(workspace, kEnough - 1), 1);
}

TEST_F(EmulatorScratch, AStreamWithoutMemoryKeepsKWhole) {
  EXPECT_EQ(parts_of_a_call(), kParts);
  emulator::refuse_memory(true);  // and so the stream has no piece
  alignas(16) char stream[16];
  ASSERT_EQ(myblasSetStream(handle_->get(), reinterpret_cast<myblasStream_t>(stream)),
            MYBLAS_STATUS_SUCCESS);
  EXPECT_EQ(parts_of_a_call(), 1);
  emulator::refuse_memory(false);  // now a call may bring its own
  EXPECT_EQ(parts_of_a_call(), kParts);
  emulator::refuse_memory(true);
  ASSERT_EQ(myblasSetStream(handle_->get(), nullptr), MYBLAS_STATUS_SUCCESS);
  EXPECT_EQ(parts_of_a_call(), kParts);
}

// What was refused once is asked for again when another stream has got memory.
TEST_F(EmulatorScratch, AStreamIsNotRefusedForGood) {
  alignas(16) char streams[2][16];
  const auto set_stream = [&](int i) {
    return myblasSetStream(handle_->get(), reinterpret_cast<myblasStream_t>(streams[i]));
  };
  emulator::refuse_memory(true);
  ASSERT_EQ(set_stream(0), MYBLAS_STATUS_SUCCESS);
  EXPECT_EQ(parts_of_a_call(), 1);
  emulator::refuse_memory(false);
  ASSERT_EQ(set_stream(0), MYBLAS_STATUS_SUCCESS);  // still refused: memory is not asked for often
  ASSERT_EQ(set_stream(1), MYBLAS_STATUS_SUCCESS);
  ASSERT_EQ(set_stream(0), MYBLAS_STATUS_SUCCESS);
  emulator::refuse_memory(true);
  EXPECT_EQ(parts_of_a_call(), kParts) << "the stream has no piece";
}

// In whatever order graphs are replayed, launches of one stream of a capture that share a workspace
// are not beside each other, and all others may be.
TEST(EmulatorScratchOfCaptures, LaunchesOfOneStreamShareCounters) {
  ScratchPool* const pool = scratch_pool(gpu::bind_current(), 4);
  ASSERT_NE(pool, nullptr);
  DeviceMemory workspaces[] = {{emulated_device(), kSlotBytes}, {emulated_device(), kSlotBytes}};
  alignas(16) char streams[2][16];
  const auto counters = [&](int stream, int64_t slots, int workspace = 0) {
    LaunchScratch launch(
        {streams[stream], nullptr, pool, nullptr, true, workspaces[workspace].data(), kSlotBytes});
    Scratch scratch;
    EXPECT_EQ(launch.open({slots, kSlotBytes, 0}, &scratch), Status::kSuccess);
    EXPECT_EQ(launch.close(), Status::kSuccess);
    return scratch.arrivals;
  };
  emulator::pretend_to_capture(true);
  const uint32_t* const first = counters(0, 100);
  EXPECT_EQ(counters(0, 8), first);
  EXPECT_NE(counters(1, 8), first);
  EXPECT_NE(counters(0, 8, 1), first);
  const uint32_t* const larger = counters(0, 1000);
  EXPECT_NE(larger, first);
  EXPECT_EQ(counters(0, 8), larger);
  emulator::pretend_to_capture(true);  // the next one
  EXPECT_NE(counters(0, 8), larger);
  emulator::pretend_to_capture(false);
}

// Which streams' launches begin early (docs/adr/0049).
class EmulatorEarlyStarts : public testing::Test {
 protected:
  static constexpr size_t kEarly = 8;

  void SetUp() override {
    emulator::pretend_to_be(90);  // a context of which nobody has a stream yet
    pool_ = scratch_pool(gpu::bind_current(), 2);
    ASSERT_NE(pool_, nullptr);
  }
  void TearDown() override { emulator::pretend_to_capture(false); }

  // As a handle asks, for which SetStream looked for the piece.
  bool may(void* stream) {
    return may_start_early(
        {stream, nullptr, pool_, scratch_of_stream(pool_, stream), false, nullptr, 0});
  }

  alignas(16) char streams_[kEarly + 1][16];
  ScratchPool* pool_ = nullptr;
};

TEST_F(EmulatorEarlyStarts, TheFirstStreamsOfAContext) {
  EXPECT_TRUE(may(nullptr));
  for (size_t i = 0; i + 1 < kEarly; ++i) EXPECT_TRUE(may(streams_[i])) << i;
  EXPECT_FALSE(may(streams_[kEarly - 1])) << "one more";
  EXPECT_TRUE(may(streams_[0]));
  EXPECT_FALSE(may(reinterpret_cast<void*>(kPerThreadStream)));
}

TEST_F(EmulatorEarlyStarts, UntilOneLiesWhereAnotherWas) {
  EXPECT_TRUE(may(streams_[0]));
  EXPECT_TRUE(may(streams_[1]));
  emulator::make_streams_anew();
  EXPECT_TRUE(may(streams_[2])) << "where none was";
  EXPECT_FALSE(may(streams_[0]));
  EXPECT_FALSE(may(streams_[1]));
  EXPECT_FALSE(may(streams_[2])) << "met early, and late from now on";
  EXPECT_FALSE(may(nullptr));
}

TEST_F(EmulatorEarlyStarts, AllOfACapture) {
  EXPECT_TRUE(may(streams_[0]));
  emulator::make_streams_anew();
  EXPECT_FALSE(may(streams_[0]));
  emulator::pretend_to_capture(true);
  EXPECT_TRUE(may(streams_[0]));
  EXPECT_TRUE(may(streams_[1]));
}

}  // namespace
}  // namespace myblas::test
