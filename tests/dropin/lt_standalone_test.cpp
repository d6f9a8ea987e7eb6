// SPDX-License-Identifier: BSD-3-Clause
// A program that is linked with cublasLt, without a cuBLAS behind the drop-in: its own handles
// reach the real cublasLt, and ours, of cublasCreate, never do.
#include "lt_libraries.h"

namespace dropin_test {
namespace {

TEST(LtStandalone, OurHandlesAreKeptFromTheRealLibrary) {
  void* const lt = open_library(FAKE_LT_13);
  void* const dropin = open_library(DROPIN_13);
  ASSERT_TRUE(lt != nullptr && dropin != nullptr);
  auto* const matmul = find<LtMatmul>(dropin, "cublasLtMatmul");
  RecordedCall* const call = find<RecordedCall*()>(lt, "fake_lt_call")();
  find<RecordedResult*()>(lt, "fake_lt_result")()->general = 42;
  void* handle = nullptr;
  ASSERT_EQ(find<int(void**)>(dropin, "cublasCreate_v2")(&handle), 0);

  LtProduct product(lt);
  product.handle = handle;
  call->index = -1;
  EXPECT_EQ(product.call(matmul), 15);
  EXPECT_EQ(call->index, -1);
  int genuine = 0;
  product.handle = &genuine;
  EXPECT_EQ(product.call(matmul), 42);
  product.handle = nullptr;
  EXPECT_EQ(product.call(matmul), 42);
  EXPECT_EQ(find<int(void*)>(dropin, "cublasDestroy_v2")(handle), 0);
}

}  // namespace
}  // namespace dropin_test
