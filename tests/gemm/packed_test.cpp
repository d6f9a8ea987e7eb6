// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemm/packed_test.cpp: operands that are repacked ahead of a kernel that cannot read them: right
// in every layout and batch, and no two calls in one piece of memory, whatever streams, handles,
// threads and graphs do.
//==============================================================================
#include <array>
#include <memory>

#include "gemm/concurrent_calls.h"

namespace myblas::test {
namespace {

struct Packed {
  const char* kernel;
  const char* combo;
};
// All layouts; two of the four, so that B is transposed on the way; one, of 4 bytes, of 1 and of 8;
// and operands that are split.
constexpr Packed kPacked[] = {
    {"hgemm_wgmma_bf16_bf16_128x128x64", "bf16_bf16_32F"},
    {"hgemm_wgmma_f16_f32_64x16x64", "f16_f32_32F"},
    {"gemm_wgmma_tf32_f32_64x32x32", "f32_f32_FAST_TF32"},
    {"gemm_wgmma_tf32_f32_rs_nn_64x128x32", "f32_f32_FAST_TF32"},
    {"gemm_wgmma_s8_s32_64x64x128", "s8_s32_32I"},
    {"cgemm_tma_32x32x32", "cf32_cf32_32F"},
    {"sgemm_wgmma_terms_128x96x16", "f32_f32_16BFX9"},
};

// All layouts, and one, of 4 bytes, of 1 and of 8.
constexpr Packed kPackedOfPointers[] = {
    {"hgemm_wgmma_pointers_bf16_bf16_128x128x64", "bf16_bf16_32F"},
    {"gemm_wgmma_pointers_tf32_f32_64x64x32", "f32_f32_FAST_TF32"},
    {"gemm_wgmma_pointers_s8_s32_64x64x128", "s8_s32_32I"},
    {"dgemm_tma_pointers_64x64x16", "f64_f64_64F"},
};

class PackedTest : public ConcurrentCallsTest {
 protected:
  void SetUp() override {
    GpuGemmTest::SetUp();
    need_table_of("sm_90");
  }

  // Unaligned in one of several ways.
  static GemmCase make_case(const Packed& packed, uint64_t seed, int64_t k = 157) {
    GemmCase gemm = scaled_case(packed.combo, 141, 75, k, seed + 1);
    gemm.op_a = seed % 2 == 0 ? MYBLAS_OP_N : seed / 4 % 2 == 0 ? MYBLAS_OP_T : MYBLAS_OP_C;
    gemm.op_b = seed / 2 % 2 == 0 ? MYBLAS_OP_N : seed / 8 % 2 == 0 ? MYBLAS_OP_T : MYBLAS_OP_C;
    gemm.offset_a = static_cast<int64_t>(seed % 8);
    gemm.offset_b = static_cast<int64_t>(seed / 3 % 8);
    gemm.pad_a = static_cast<int64_t>(seed % 5);
    gemm.pad_b = static_cast<int64_t>(seed % 3);
    return gemm;
  }
  static std::vector<GemmCase> make_cases(const Packed& packed, size_t count, int64_t k = 157) {
    std::vector<GemmCase> cases;
    while (cases.size() < count) cases.push_back(make_case(packed, cases.size() + 1, k));
    return cases;
  }
};

TEST_F(PackedTest, EveryLayoutAndAlignment) {
  for (const Packed& packed : kPacked) {
    for (const int parts : {1, 3}) {
      ForcedHandle forced(packed.kernel, parts);
      for (uint64_t seed = 0; seed < 64; ++seed) {
        GemmCase gemm = make_case(packed, seed);
        gemm.device_scalars = seed % 3 == 0;
        EXPECT_TRUE(run_case(device(), forced.get(), gemm));
        EXPECT_EQ(last_kernel(), packed.kernel) << to_line(gemm);
        count_cases(1);
      }
    }
  }
}

TEST_F(PackedTest, StridedBatches) {
  for (const Packed& packed : kPacked) {
    ForcedHandle forced(packed.kernel, 1);
    for (const Stride a : {Stride::kTight, Stride::kBroadcast, Stride::kNegative}) {
      for (const Stride b : {Stride::kPadded, Stride::kBroadcast}) {
        GemmCase gemm = make_case(packed, 5);
        gemm.entry = find_entry("myblasGemmStridedBatchedEx");
        gemm.batch = 5;
        gemm.stride_a = a;
        gemm.stride_b = b;
        EXPECT_TRUE(run_case(device(), forced.get(), gemm));
        EXPECT_EQ(last_kernel(), packed.kernel) << to_line(gemm);
        count_cases(1);
      }
    }
  }
}

// Columns that TMA does not take, and transposed ones; matrices begin anywhere.
TEST_F(PackedTest, BatchesOfPointers) {
  for (const Packed& packed : kPackedOfPointers) {
    ForcedHandle forced(packed.kernel, 1);
    for (uint64_t seed = 0; seed < 16; ++seed) {
      GemmCase gemm = make_case(packed, seed);
      gemm.entry = find_entry("myblasGemmBatchedEx");
      gemm.batch = 5;
      gemm.device_scalars = seed % 3 == 0;
      EXPECT_TRUE(run_case(device(), forced.get(), gemm));
      EXPECT_EQ(last_kernel(), packed.kernel) << to_line(gemm);
      count_cases(1);
    }
  }
}

// alpha == 0 must read neither operand, wherever alpha lives.
TEST_F(PackedTest, NoAlphaReadsNothing) {
  for (const Packed& packed : kPacked) {
    ForcedHandle forced(packed.kernel, 1);
    for (const bool on_device : {false, true}) {
      GemmCase gemm = make_case(packed, 3);
      gemm.alpha = {0, 0};
      gemm.device_scalars = on_device;
      PreparedGemm prepared(device(), gemm);
      if (!on_device) prepared.pass_null_inputs();
      myblasSetPointerMode(forced.get(),
                           on_device ? MYBLAS_POINTER_MODE_DEVICE : MYBLAS_POINTER_MODE_HOST);
      ASSERT_EQ(prepared.launch(forced.get()), MYBLAS_STATUS_SUCCESS);
      EXPECT_TRUE(prepared.check()) << to_line(gemm);
      EXPECT_EQ(last_kernel(), packed.kernel) << to_line(gemm);
      count_cases(1);
    }
  }
}

// Calls of all sizes in one stream, without a wait: each may overwrite what the one before it
// reads.
TEST_F(PackedTest, MemoryGrowsBetweenCallsInFlight) {
  for (const Packed& packed : kPacked) {
    ForcedHandle forced(packed.kernel, 1);
    Stream stream(device(), false);
    ASSERT_EQ(myblasSetStream(forced.get(), stream.get()), MYBLAS_STATUS_SUCCESS);
    std::vector<std::unique_ptr<PreparedGemm>> products;
    for (uint64_t i = 0; i < 8; ++i) {
      const int64_t k = std::array<int64_t, 4>{157, 3001, 1001, 9001}[i % 4];
      products.push_back(std::make_unique<PreparedGemm>(device(), make_case(packed, 3 * i + 1, k)));
    }
    for (int round = 0; round < 2; ++round) {
      for (const auto& product : products) product->reset();
      for (const auto& product : products) {
        ASSERT_EQ(product->launch(forced.get()), MYBLAS_STATUS_SUCCESS);
      }
      stream.synchronize();
      for (const auto& product : products) {
        EXPECT_TRUE(product->check()) << to_line(product->gemm());
        count_cases(1);
      }
    }
  }
}

// Two handles and threads on one stream: a pass of one may not come between the other's launches.
TEST_F(PackedTest, ThreadsOnOneStream) {
  const Stream stream(device(), false);
  std::vector<ForcedHandle> handles;
  std::vector<ThreadOfCalls> threads;
  for (size_t i = 0; i < 4; ++i) {
    handles.emplace_back(kPacked[i].kernel, i < 2 ? 1 : 2);
    const int64_t k = 157 * (1 + static_cast<int64_t>(i));
    threads.push_back({handles.back().get(), make_case(kPacked[i], i + 1, k)});
  }
  run_in_threads(threads, stream.get(), 50);
}

// More streams than pieces: memory comes and goes with each call.
TEST_F(PackedTest, StreamsWithoutAPiece) {
  ForcedHandle forced(kPacked[0].kernel, 1);
  run_on_streams(forced.get(), make_cases(kPacked[0], 12, 1001), 3);
}

// The per-thread stream is another in each thread, under one name: nothing is packed there.
TEST_F(PackedTest, NothingIsPackedOnThePerThreadStream) {
  ForcedHandle forced(kPacked[0].kernel, 1);
  PreparedGemm prepared(device(), make_case(kPacked[0], 1));
  ASSERT_EQ(myblasSetStream(forced.get(), per_thread_stream()), MYBLAS_STATUS_SUCCESS);
  ASSERT_EQ(prepared.launch(forced.get()), MYBLAS_STATUS_SUCCESS);
  EXPECT_NE(last_kernel(), kPacked[0].kernel);
  device().synchronize();
  EXPECT_TRUE(prepared.check()) << to_line(prepared.gemm());
  count_cases(1);
}

// Two kernels and no memory node.
TEST_F(PackedTest, GraphsReplayedAtTheSameTime) {
  for (const Packed& packed : kPacked) {
    for (const int parts : {1, 3}) {
      ForcedHandle forced(packed.kernel, parts);
      replay_graphs(forced.get(), make_cases(packed, 3), make_case(packed, 99),
                    {packed.kernel, 2, 2, size_t{32} << 20});
    }
  }
}

}  // namespace
}  // namespace myblas::test
