// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemm/summed_test.cpp: parts of k as products of their own, which a pass adds up
// (MYBLAS_KERNEL=name@parts+sum): right for every type of C, the same bits every time, and no two
// calls in one piece of scratch memory, whatever streams, threads and graphs do.
//==============================================================================
#include "gemm/concurrent_calls.h"

namespace myblas::test {
namespace {

struct Summed {
  const char* kernel;  // of the type of the sums
  const char* combo;
};
constexpr Summed kSummed[] = {
    {"hgemm_wgmma_bf16_f32_64x64x64", "bf16_bf16_32F"},
    {"hgemm_wgmma_bf16_f32_pair_128x128x64", "bf16_f32_32F"},
    {"hgemm_wgmma_f16_f32_128x64x64", "f16_f16_16F"},
    {"gemm_wgmma_tf32_f32_64x32x32", "f32_f32_FAST_TF32"},
    {"sgemm_closed_64x64x16", "f32_f32_32F"},
    {"gemm_reference_f64_f64_64x64x16", "f64_f64_64F"},
    {"cgemm_cp_async_32x32x16", "cf32_cf32_32F"},
    {"ampere_c64_sm90_c64_32x32x16", "cf64_cf64_64F"},
};
constexpr int kParts[] = {2, 5, 10};

class SummedTest : public ConcurrentCallsTest {
 protected:
  void SetUp() override {
    GpuGemmTest::SetUp();
    need_table_of("sm_90");
  }

  static std::string name_of(const Summed& summed, int parts) {
    return std::string(summed.kernel) + "@" + std::to_string(parts) + "+sum";
  }

  static GemmCase make_case(const char* combo, int64_t k, uint64_t seed = 1) {
    return scaled_case(combo, 96, 80, k, seed);
  }
  static std::vector<GemmCase> make_cases(const char* combo, size_t count) {
    std::vector<GemmCase> cases;
    while (cases.size() < count) cases.push_back(make_case(combo, 1600, cases.size() + 1));
    return cases;
  }
};

TEST_F(SummedTest, EveryTypeLayoutAndAlignment) {
  for (const Summed& summed : kSummed) {
    for (const int parts : kParts) {
      ForcedHandle forced(summed.kernel, parts, true);
      for (uint64_t seed = 0; seed < 24; ++seed) {
        GemmCase gemm = make_case(summed.combo, 1600, seed + 1);
        gemm.op_a = seed % 2 == 0 ? MYBLAS_OP_N : MYBLAS_OP_T;
        gemm.op_b = seed / 2 % 2 == 0 ? MYBLAS_OP_N : MYBLAS_OP_T;
        gemm.m = seed % 3 == 0 ? 141 : 96;
        gemm.pad_c = static_cast<int64_t>(seed % 5);
        gemm.offset_c = static_cast<int64_t>(seed / 4 % 3);
        gemm.device_scalars = seed % 4 == 1;
        if (seed % 6 == 5) gemm.alpha = {0, 0};
        if (seed % 7 == 3) gemm.beta = {0, 0};
        EXPECT_TRUE(run_case(device(), forced.get(), gemm));
        EXPECT_EQ(last_kernel(), name_of(summed, parts)) << to_line(gemm);
        count_cases(1);
      }
    }
  }
}

// Parts of another length than the last one, by rows that stream: k of the others are whole runs.
TEST_F(SummedTest, TheLastPartIsShorter) {
  constexpr Summed kStreams[] = {
      {"gemv_axpy_f32_f32_128x1x64", "f32_f32_32F"},
      {"gemv_axpy_f64_f64_64x1x64", "f64_f64_64F"},
      {"gemv_axpy_c64_c64_32x1x64", "cf64_cf64_64F"},
      {"gemv_axpy_bf16_f32_256x1x64", "bf16_bf16_32F"},
      {"gemv_dot_f32_f32_16x1x512", "f32_f32_32F"},
      {"gemv_dot_c32_c32_16x1x256", "cf32_cf32_32F"},
      {"gemv_dot_f16_f32_16x1x1024", "f16_f16_32F"},
  };
  for (const Summed& summed : kStreams) {
    const bool sums_columns = std::string_view(summed.kernel).find("axpy") != std::string::npos;
    for (const int parts : {3, 7, 9, 11}) {
      ForcedHandle forced(summed.kernel, parts, true);
      for (uint64_t seed = 0; seed < 12; ++seed) {
        GemmCase gemm = make_case(summed.combo, seed % 2 == 0 ? 1601 : 997, seed + 1);
        gemm.op_a = sums_columns ? MYBLAS_OP_N : MYBLAS_OP_T;
        gemm.op_b = seed / 2 % 2 == 0 ? MYBLAS_OP_N : MYBLAS_OP_T;
        gemm.m = seed % 3 == 0 ? 141 : 512;
        gemm.n = seed % 5 == 4 ? 2 : 1;
        gemm.pad_a = static_cast<int64_t>(seed % 4);
        gemm.device_scalars = seed % 4 == 1;
        if (seed % 6 == 5) gemm.alpha = {0, 0};
        if (seed % 4 == 3) gemm.beta = {0, 0};
        EXPECT_TRUE(run_case(device(), forced.get(), gemm));
        EXPECT_EQ(last_kernel(), name_of(summed, parts)) << to_line(gemm);
        count_cases(1);
      }
    }
  }
}

TEST_F(SummedTest, TheSameBitsEveryTime) {
  for (const Summed& summed : kSummed) {
    ForcedHandle forced(summed.kernel, 10, true);
    GemmCase gemm = make_case(summed.combo, 1600);
    gemm.data = DataKind::kReal;
    gemm.op_a = MYBLAS_OP_T;
    gemm.beta = {0, 0};
    PreparedGemm prepared(device(), gemm);
    std::vector<uint8_t> first;
    for (int run = 0; run < 50; ++run) {
      prepared.reset();
      ASSERT_EQ(prepared.launch(forced.get()), MYBLAS_STATUS_SUCCESS);
      device().synchronize();
      prepared.arena().download();
      if (run == 0) first = prepared.output();
      ASSERT_EQ(prepared.output(), first) << to_line(gemm);
    }
    count_cases(1);
  }
}

// Handles and threads on one stream, some with passes and some with sums that meet in the launch:
// one's launches may not come between another's.
TEST_F(SummedTest, ThreadsOnOneStream) {
  const Stream stream(device(), false);
  std::vector<ForcedHandle> handles;
  std::vector<ThreadOfCalls> threads;
  for (size_t i = 0; i < 4; ++i) {
    const bool sums = i != 3;
    const Summed& summed = kSummed[sums ? 2 * i : 4];
    handles.emplace_back(summed.kernel, 10, sums);
    threads.push_back({handles.back().get(), make_case(summed.combo, 1600, i + 1)});
  }
  run_in_threads(threads, stream.get(), 50);
}

// More streams than pieces, all at once: memory comes and goes with each call.
TEST_F(SummedTest, StreamsWithoutAPiece) {
  ForcedHandle forced(kSummed[0].kernel, 10, true);
  run_on_streams(forced.get(), make_cases(kSummed[0].combo, 12), 3);
}

// The per-thread stream is another in each thread, under one name: k stays whole there.
TEST_F(SummedTest, NothingIsSummedOnThePerThreadStream) {
  ForcedHandle forced(kSummed[4].kernel, 10, true);
  PreparedGemm prepared(device(), make_case(kSummed[4].combo, 1600));
  ASSERT_EQ(myblasSetStream(forced.get(), per_thread_stream()), MYBLAS_STATUS_SUCCESS);
  ASSERT_EQ(prepared.launch(forced.get()), MYBLAS_STATUS_SUCCESS);
  EXPECT_EQ(last_kernel().find("+sum"), std::string::npos);
  device().synchronize();
  EXPECT_TRUE(prepared.check()) << to_line(prepared.gemm());
  count_cases(1);
}

// Two kernels and no memory node, three where operands are packed.
TEST_F(SummedTest, GraphsReplayedAtTheSameTime) {
  for (const Summed& summed : kSummed) {
    ForcedHandle forced(summed.kernel, 10, true);
    replay_graphs(forced.get(), make_cases(summed.combo, 3), make_case(summed.combo, 1600, 99),
                  {name_of(summed, 10), 2, 3, size_t{16} << 20});
  }
}

}  // namespace
}  // namespace myblas::test
