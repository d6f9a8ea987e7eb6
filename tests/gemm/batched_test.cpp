// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemm/batched_test.cpp: strided and pointer batches: strides, counts past the grid limits.
//==============================================================================
#include "support/gemm_case.h"
#include "support/gemm_fixture.h"

namespace myblas::test {
namespace {

class BatchedTest : public GemmTest {
 protected:
  void run(const GemmCase& gemm) {
    EXPECT_TRUE(run_case(device(), handle(), gemm));
    count_cases(1);
  }
};

constexpr const char* kTypes[] = {"f32_f32_32F", "f64_f64_64F",   "cf32_cf32_32F", "cf64_cf64_64F",
                                  "f16_f16_16F", "bf16_bf16_32F", "s8_s32_32I",    "f16_f32_32F"};

TEST_F(BatchedTest, EveryKindOfStride) {
  for (const char* type : kTypes) {
    const TypeCombo& combo = *find_combo(type);
    for (const BatchKind kind : {BatchKind::kStrided, BatchKind::kPointers}) {
      for (const EntryPoint* entry : entries_for(combo, kind)) {
        for (const Stride a :
             {Stride::kTight, Stride::kPadded, Stride::kBroadcast, Stride::kNegative}) {
          for (const Stride b :
               {Stride::kTight, Stride::kPadded, Stride::kBroadcast, Stride::kNegative}) {
            for (const Stride c : {Stride::kTight, Stride::kPadded, Stride::kNegative}) {
              GemmCase gemm;
              gemm.entry = entry;
              gemm.combo = &combo;
              gemm.m = 18;
              gemm.n = 5;
              gemm.k = 7;
              gemm.batch = 4;
              gemm.op_a = MYBLAS_OP_T;
              gemm.beta = {-1, 0};
              gemm.stride_a = a;
              gemm.stride_b = b;
              gemm.stride_c = c;
              run(gemm);
            }
          }
        }
      }
    }
  }
}

// 65,535 is the largest grid.y and grid.z.
TEST_F(BatchedTest, CountsAtTheGridLimits) {
  for (const char* type : {"f32_f32_32F", "f16_f16_32F", "cf64_cf64_64F", "s8_s32_32I"}) {
    const TypeCombo& combo = *find_combo(type);
    for (const BatchKind kind : {BatchKind::kStrided, BatchKind::kPointers}) {
      const std::vector<const EntryPoint*> entries = entries_for(combo, kind);
      for (const int64_t batch : {0, 1, 65535, 65536, 65537, 131070}) {
        GemmCase gemm;
        gemm.entry = entries[static_cast<size_t>(batch) % entries.size()];
        gemm.combo = &combo;
        gemm.m = 3;
        gemm.n = 2;
        gemm.k = 2;
        gemm.batch = batch;
        gemm.beta = {1, 0};
        gemm.stride_b = Stride::kBroadcast;
        run(gemm);
      }
    }
  }
}

// 65,535 blocks of the narrowest tile that a kernel may have in the other two dimensions.
TEST_F(BatchedTest, LongAndFlatProducts) {
  const EntryPoint& entry = *find_entry("myblasGemmEx");
  for (const char* type : {"f32_f32_32F", "f16_f16_32F"}) {
    for (const bool tall : {true, false}) {
      GemmCase gemm;
      gemm.entry = &entry;
      gemm.combo = find_combo(type);
      const int64_t length = device().is_gpu() ? 16 * 65535 + 17 : 65537;
      gemm.m = tall ? length : 2;
      gemm.n = tall ? 2 : length;
      gemm.k = 2;
      gemm.beta = {1, 0};
      run(gemm);
    }
  }
}

TEST_F(BatchedTest, DeviceScalarsServeTheWholeBatch) {
  for (const char* type : kTypes) {
    const TypeCombo& combo = *find_combo(type);
    for (const EntryPoint* entry : entries_for(combo)) {
      if (entry->batch == BatchKind::kNone) continue;
      for (const double alpha : {0.0, 2.0}) {
        for (const double beta : {0.0, 1.0, -1.0}) {
          GemmCase gemm;
          gemm.entry = entry;
          gemm.combo = &combo;
          gemm.m = 9;
          gemm.n = 17;
          gemm.k = 33;
          gemm.batch = 5;
          gemm.device_scalars = true;
          gemm.alpha = {alpha, 0};
          gemm.beta = {beta, 0};
          run(gemm);
        }
      }
    }
  }
}

}  // namespace
}  // namespace myblas::test
