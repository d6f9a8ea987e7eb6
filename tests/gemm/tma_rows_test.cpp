// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemm/tma_rows_test.cpp: a row of each kind of kernel whose blocks walk tiles by TMA, forced, with
// many tiles a block: random products are seldom large enough to be given these rows, or to bring a
// block to its third tile.
//==============================================================================
#include <string>
#include <string_view>
#include <vector>

#include "kernels/common/tma_shape.h"
#include "support/gemm_case.h"
#include "support/gemm_fixture.h"

namespace myblas::test {
namespace {

struct Row {
  const char* kernel;
  const char* combo;
  myblasOperation_t op_a = MYBLAS_OP_T, op_b = MYBLAS_OP_N;  // both along k
};
constexpr Row kRows[] = {
    {"hgemm_wgmma_bf16_bf16_pair_256x128x64", "bf16_bf16_32F"},
    {"hgemm_wgmma_bf16_bf16_pair_224x128x64", "bf16_bf16_32F", MYBLAS_OP_T, MYBLAS_OP_T},
    {"hgemm_wgmma_f16_f16_pair_128x176x64", "f16_f16_32F", MYBLAS_OP_N, MYBLAS_OP_N},
    {"hgemm_wgmma_bf16_bf16_160x128x64", "bf16_bf16_32F"},
    {"hgemm_wgmma_f16_f32_128x144x64", "f16_f32_32F"},
    {"hgemm_wgmma_bf16_bf16_pingpong_pair_192x128x64", "bf16_bf16_32F"},
    {"hgemm_wgmma_f16_f16_pingpong_pair_128x192x64", "f16_f16_32F"},
    {"hgemm_wgmma_bf16_f32_pingpong_pair_128x192x64", "bf16_f32_32F"},
    {"hgemm_wgmma_f16_f32_pingpong_pair_192x128x64", "f16_f32_32F"},
    {"hgemm_wgmma_bf16_bf16_quad_64x64x64", "bf16_bf16_32F"},
    {"hgemm_wgmma_bf16_bf16_80x64x64", "bf16_bf16_32F"},
    {"hgemm_wgmma_f16_f16_pair_112x64x64", "f16_f16_32F", MYBLAS_OP_T, MYBLAS_OP_T},
    {"hgemm_wgmma_bf16_bf16_pair_96x64x64", "bf16_bf16_32F"},
    {"hgemm_wgmma_f16_f16_pair_128x80x64", "f16_f16_32F", MYBLAS_OP_N, MYBLAS_OP_N},
    {"hgemm_wgmma_bf16_bf16_192x96x64", "bf16_bf16_32F"},
    {"hgemm_wgmma_bf16_bf16_pair_128x224x64", "bf16_bf16_32F"},
    {"hgemm_wgmma_f16_f16_quad_128x96x64", "f16_f16_32F", MYBLAS_OP_N, MYBLAS_OP_N},
    {"gemm_wgmma_tf32_f32_pair_256x128x32", "f32_f32_FAST_TF32"},
    {"gemm_wgmma_tf32_f32_rs_tt_pair_256x128x32", "f32_f32_FAST_TF32", MYBLAS_OP_T, MYBLAS_OP_T},
    {"gemm_wgmma_tf32_f32_rs_nn_pair_128x256x32", "f32_f32_FAST_TF32", MYBLAS_OP_N, MYBLAS_OP_N},
    {"gemm_wgmma_tf32_f32_rs_nn_128x128x32", "f32_f32_FAST_TF32", MYBLAS_OP_N, MYBLAS_OP_N},
    {"gemm_wgmma_tf32_f32_64x16x32", "f32_f32_FAST_TF32"},
    {"gemm_wgmma_tf32_f32_rs_nn_64x16x32", "f32_f32_FAST_TF32", MYBLAS_OP_N, MYBLAS_OP_N},
    {"sgemm_wgmma_terms_pair_192x128x16", "f32_f32_16BFX9"},
    {"sgemm_wgmma_terms_pair_128x128x16", "f32_f32_16BFX9"},
    {"gemm_wgmma_s8_s32_256x128x128", "s8_s32_32I"},
    {"gemm_wgmma_s8_f32_128x128x128", "s8_f32_32F"},
    {"sgemm_batch_tma_64x64x16", "f32_f32_32F", MYBLAS_OP_N, MYBLAS_OP_T},
    {"sgemm_batch_tma_nn_32x32x32", "f32_f32_32F", MYBLAS_OP_N, MYBLAS_OP_N},
    {"sgemm_batch_tma_tn_32x96x16", "f32_f32_32F"},
    {"dgemm_tma_128x128x16", "f64_f64_64F"},
    {"dgemm_tma_128x64x16", "f64_f64_64F"},
    {"dgemm_tma_64x64x16", "f64_f64_64F"},
    {"dgemm_tma_32x32x16", "f64_f64_64F"},
    {"blackwell_bf16_bf16_128x256x64", "bf16_bf16_32F"},
    {"blackwell_f16_f32_128x128x64", "f16_f32_32F"},
};

// Of batches of pointers.
constexpr Row kPointerRows[] = {
    {"hgemm_wgmma_pointers_bf16_bf16_pair_256x128x64", "bf16_bf16_32F"},
    {"hgemm_wgmma_pointers_bf16_f32_pair_128x256x64", "bf16_f32_32F"},
    {"hgemm_wgmma_pointers_f16_f16_128x128x64", "f16_f16_32F"},
    {"hgemm_wgmma_pointers_bf16_bf16_pingpong_pair_192x128x64", "bf16_bf16_32F"},
    {"hgemm_wgmma_pointers_f16_f16_pingpong_pair_128x192x64", "f16_f16_32F"},
    {"hgemm_wgmma_pointers_f16_f32_64x64x64", "f16_f32_32F"},
    {"hgemm_wgmma_pointers_bf16_bf16_64x16x64", "bf16_bf16_32F"},
    {"gemm_wgmma_pointers_tf32_f32_pair_256x128x32", "f32_f32_FAST_TF32"},
    {"gemm_wgmma_pointers_tf32_f32_rs_nn_64x64x32", "f32_f32_FAST_TF32", MYBLAS_OP_N, MYBLAS_OP_N},
    {"gemm_wgmma_pointers_tf32_f32_rs_tt_128x128x32", "f32_f32_FAST_TF32", MYBLAS_OP_T,
     MYBLAS_OP_T},
    {"gemm_wgmma_pointers_s8_s32_128x128x128", "s8_s32_32I"},
    {"gemm_wgmma_pointers_s8_f32_64x64x128", "s8_f32_32F"},
    {"sgemm_batch_tma_pointers_64x64x32", "f32_f32_32F", MYBLAS_OP_N, MYBLAS_OP_T},
    {"sgemm_batch_tma_pointers_nn_64x64x16", "f32_f32_32F", MYBLAS_OP_N, MYBLAS_OP_N},
    {"sgemm_batch_tma_pointers_tn_64x64x16", "f32_f32_32F"},
    {"sgemm_batch_tma_pointers_32x32x32", "f32_f32_32F", MYBLAS_OP_N, MYBLAS_OP_T},
    {"sgemm_batch_tma_pointers_nn_32x32x32", "f32_f32_32F", MYBLAS_OP_N, MYBLAS_OP_N},
    {"sgemm_batch_tma_pointers_tn_32x32x32", "f32_f32_32F"},
    {"dgemm_tma_pointers_128x128x16", "f64_f64_64F"},
    {"blackwell_bf16_bf16_pointers_128x128x64", "bf16_bf16_32F"},
    {"blackwell_f16_f16_pointers_64x64x64", "f16_f16_32F"},
};

class TmaRowsTest : public GpuGemmTest {
 protected:
  static constexpr int kSms = 4;

  void SetUp() override {
    GpuGemmTest::SetUp();
    if (IsSkipped()) return;
    const bool is_sm_90 = target_of(handle()) == "sm_90";
    for (const Row& row : kRows) {
      const bool is_served = serves(row, make_case(row, 64, 64, 64));
      if (is_served) served_.push_back(row);
      const bool is_needed = is_sm_90 && !std::string(row.kernel).starts_with("blackwell_");
      EXPECT_TRUE(is_served || !is_needed) << row.kernel;
    }
    // A driver may refuse the map that these need.
    for (const Row& row : kPointerRows) {
      if (serves(row, of_pointers(make_case(row, 64, 64, 64)))) of_pointers_.push_back(row);
    }
    if (served_.empty() && !is_sm_90) GTEST_SKIP() << "skipped, needs a table with kernels on TMA";
  }
  std::vector<Row> served_, of_pointers_;  // what this GPU's table has

  static bool serves(const Row& row, const GemmCase& gemm) {
    ForcedHandle forced(row.kernel, 1);
    PreparedGemm probe(device(), gemm);
    EXPECT_EQ(probe.launch(forced.get()), MYBLAS_STATUS_SUCCESS);
    return last_kernel() == row.kernel;
  }

  static GemmCase of_pointers(GemmCase gemm) {
    gemm.entry = find_entry("myblasGemmBatchedEx");
    gemm.batch = 13;
    return gemm;
  }

  static bool needs_aligned_c(const Row& row) {
    const std::string_view name = row.kernel;
    return name.starts_with("sgemm_batch_tma_") && name.find("64x64") != name.npos;
  }

  // Columns begin at multiples of 16 bytes.
  static GemmCase make_case(const Row& row, int64_t m, int64_t n, int64_t k) {
    GemmCase gemm;
    gemm.entry = find_entry("myblasGemmEx");
    gemm.combo = find_combo(row.combo);
    gemm.op_a = row.op_a;
    gemm.op_b = row.op_b;
    gemm.m = m;
    gemm.n = n;
    gemm.k = k;
    const auto to_16 = [](int64_t rows) { return (16 - rows % 16) % 16; };
    gemm.pad_a = to_16(row.op_a == MYBLAS_OP_N ? m : k);
    gemm.pad_b = to_16(row.op_b == MYBLAS_OP_N ? k : n);
    if (needs_aligned_c(row)) gemm.pad_c = to_16(m);
    gemm.alpha = {2, 0};
    gemm.beta = {-1, 0};
    return gemm;
  }
};

TEST_F(TmaRowsTest, ManyTilesABlock) {
  for (const Row& row : served_) {
    ForcedHandle forced(row.kernel, 1);
    ASSERT_EQ(myblasSetSmCountTarget(forced.get(), kSms), MYBLAS_STATUS_SUCCESS);
    for (const int64_t k : {int64_t{1}, int64_t{63}, int64_t{300}, int64_t{1111}}) {
      for (const int64_t size : {int64_t{200}, int64_t{777}}) {
        for (const double beta : {0.0, -1.0}) {
          GemmCase gemm = make_case(row, size + 5, size, k);
          gemm.beta = {beta, 0};
          // Columns of C that begin at multiples of 16 bytes, and do not end there.
          if (beta == 0.0) gemm.pad_c = (16 - gemm.m % 16) % 16;
          gemm.seed = static_cast<uint64_t>(size + k);
          EXPECT_TRUE(run_case(device(), forced.get(), gemm));
          EXPECT_EQ(last_kernel(), row.kernel) << to_line(gemm);
          count_cases(1);
        }
      }
    }
  }
}

// C that leaves from registers where the row can do that, of batches and of parts of k, whose last
// tiles reach over both edges; rows behind the last one, of which there are some, stay as they are.
TEST_F(TmaRowsTest, PlainC) {
  for (const Row& row : served_) {
    for (const int parts : {1, 3}) {
      ForcedHandle forced(row.kernel, parts);
      ASSERT_EQ(myblasSetSmCountTarget(forced.get(), kSms), MYBLAS_STATUS_SUCCESS);
      for (const int64_t m : {int64_t{272}, int64_t{273}, int64_t{299}}) {
        for (const double beta : {0.0, -1.0, 3.0}) {
          GemmCase gemm = make_case(row, m, 203, 400);
          gemm.entry = find_entry("myblasGemmStridedBatchedEx");
          // Matrices behind each other begin at 16 bytes if the last column ends there.
          gemm.batch = m % 16 == 0 ? 2 : 1;
          gemm.alpha = {parts == 1 ? 1.0 : 2.0, 0};
          gemm.beta = {beta, 0};
          gemm.pad_c = (16 - gemm.m % 16) % 16;
          EXPECT_TRUE(run_case(device(), forced.get(), gemm));
          EXPECT_EQ(last_kernel(), row.kernel) << to_line(gemm);
          count_cases(1);
        }
      }
    }
  }
}

// Fours of blocks run two to a cluster where k is long: on all SMs and on as few as hold
// one eight.
TEST_F(TmaRowsTest, FoursByEight) {
  for (const Row& row : served_) {
    if (std::string(row.kernel).find("_quad_") == std::string::npos) continue;
    for (const int sms : {0, 9}) {
      ForcedHandle forced(row.kernel, 1);
      ASSERT_EQ(myblasSetSmCountTarget(forced.get(), sms), MYBLAS_STATUS_SUCCESS);
      for (const int64_t m : {int64_t{100}, int64_t{3001}}) {
        for (const int64_t n : {int64_t{97}, int64_t{200}, int64_t{777}}) {
          GemmCase gemm = make_case(row, m, n, kByEightLeastK + 40);
          EXPECT_TRUE(run_case(device(), forced.get(), gemm));
          EXPECT_EQ(last_kernel(), row.kernel) << to_line(gemm);
          count_cases(1);
        }
      }
    }
  }
}

// The third dimension of TMA, and products that share an operand.
TEST_F(TmaRowsTest, StridedBatches) {
  for (const Row& row : served_) {
    ForcedHandle forced(row.kernel, 1);
    ASSERT_EQ(myblasSetSmCountTarget(forced.get(), kSms), MYBLAS_STATUS_SUCCESS);
    for (const Stride a : {Stride::kTight, Stride::kBroadcast}) {
      GemmCase gemm = make_case(row, 208, 144, 160);
      gemm.entry = find_entry("myblasGemmStridedBatchedEx");
      gemm.batch = 13;
      gemm.stride_a = a;
      EXPECT_TRUE(run_case(device(), forced.get(), gemm));
      EXPECT_EQ(last_kernel(), row.kernel) << to_line(gemm);
      count_cases(1);
    }
  }
}

// Of each operand all matrices at multiples of 16 bytes, one for all, or most of them elsewhere:
// for those threads do TMA's work, and tiles of both kinds come after each other.
TEST_F(TmaRowsTest, BatchesOfPointers) {
  struct Strides {
    Stride a, b, c;
    double beta;
  };
  constexpr Stride kAligned = Stride::kTight, kOne = Stride::kBroadcast, kOff = Stride::kPadded;
  constexpr Strides kStrides[] = {{kAligned, kAligned, kAligned, 0}, {kOne, kAligned, kAligned, -1},
                                  {kOff, kOne, kAligned, 0},         {kAligned, kOff, kOff, -1},
                                  {kAligned, kAligned, kOff, 0},     {kOff, kOff, kOff, -1}};
  for (const Row& row : of_pointers_) {
    ForcedHandle forced(row.kernel, 1);
    ASSERT_EQ(myblasSetSmCountTarget(forced.get(), kSms), MYBLAS_STATUS_SUCCESS);
    for (const Strides& strides : kStrides) {
      for (const int odd : {0, 1}) {
        GemmCase gemm = of_pointers(make_case(row, 208 + odd, 144 + odd, 160 + odd));
        gemm.stride_a = strides.a;
        gemm.stride_b = strides.b;
        gemm.stride_c = strides.c;
        gemm.beta = {strides.beta, 0};
        EXPECT_TRUE(run_case(device(), forced.get(), gemm));
        EXPECT_EQ(last_kernel(), row.kernel) << to_line(gemm);
        count_cases(1);
      }
    }
  }
}

// With alpha in device memory nobody knows ahead of the launch that it is 0, as NULL operands say.
TEST_F(TmaRowsTest, NullOperandsOfADeviceAlphaThatIsZero) {
  constexpr int kSide = 64;
  std::vector<float> values(kSide * kSide);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 101);
  constexpr float kScalars[] = {0.0f, 2.0f};
  DeviceMemory c(device(), sizeof(float) * values.size()), scalars(device(), sizeof kScalars);
  device().copy_in(scalars.data(), kScalars, sizeof kScalars);
  for (const char* row :
       {"sgemm_batch_tma_64x64x16", "sgemm_tma_64x64x32", "sgemm_closed_64x64x16"}) {
    ForcedHandle forced(row, 1);
    ASSERT_EQ(myblasSetPointerMode(forced.get(), MYBLAS_POINTER_MODE_DEVICE),
              MYBLAS_STATUS_SUCCESS);
    device().copy_in(c.data(), values.data(), sizeof(float) * values.size());
    const auto* alpha = reinterpret_cast<const float*>(scalars.data());
    ASSERT_EQ(
        myblasSgemm(forced.get(), MYBLAS_OP_N, MYBLAS_OP_T, kSide, kSide, kSide, alpha, nullptr,
                    kSide, nullptr, kSide, alpha + 1, reinterpret_cast<float*>(c.data()), kSide),
        MYBLAS_STATUS_SUCCESS);
    std::vector<float> result(values.size());
    device().copy_out(result.data(), c.data(), sizeof(float) * result.size());
    for (size_t i = 0; i < result.size(); ++i) ASSERT_EQ(result[i], 2.0f * values[i]) << row;
    count_cases(1);
  }
}

}  // namespace
}  // namespace myblas::test
