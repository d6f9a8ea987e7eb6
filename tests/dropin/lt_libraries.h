// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// dropin/lt_libraries.h: cublasLtMatmul between a fake cublasLt and a fake myblas: a
// call, each attribute of which can be changed before it is made, and who got it.
//==============================================================================
#pragma once

#include "dropin_libraries.h"
#include "fake_lt_records.h"

namespace dropin_test {

using LtMatmul = int(void*, void*, const void*, const void*, void*, const void*, void*, const void*,
                     const void*, void*, void*, void*, const void*, void*, size_t, void*);

inline void* address(uintptr_t value) { return reinterpret_cast<void*>(value); }

// D = alpha * A' * B + beta * C in fp32: m = 2, n = 3, k = 4.
class LtProduct {
 public:
  explicit LtProduct(void* lt) : lt_(lt) {
    find<int(void**, int, int)>(lt_, "cublasLtMatmulDescCreate")(&operation, 68, 0);
    set(operation, 3, int32_t{1});  // A transposed
    fill(a_layout, 4, 2, 8);
    fill(b_layout, 4, 3, 5);
    fill(d_layout, 2, 3, 7);
    fill(c_layout, 2, 3, 7);
  }
  ~LtProduct() { find<int(void*)>(lt_, "cublasLtMatmulDescDestroy")(operation); }
  LtProduct(const LtProduct&) = delete;
  LtProduct& operator=(const LtProduct&) = delete;

  template <class T>
  void set(void* descriptor, int attribute, T value) {
    const char* name = descriptor == operation ? "cublasLtMatmulDescSetAttribute"
                                               : "cublasLtMatrixLayoutSetAttribute";
    auto* function = find<int(void*, int, const void*, size_t)>(lt_, name);
    EXPECT_EQ(function(descriptor, attribute, &value, sizeof value), 0) << attribute;
  }
  template <class T>
  void set_of_layouts(int attribute, T value) {
    for (void* layout : {a_layout, b_layout, c_layout, d_layout}) set(layout, attribute, value);
  }
  void add_bias(uint32_t epilogue, void* bias) {
    set(operation, 7, epilogue);
    set(operation, 8, bias);
  }

  int call(LtMatmul* function) const {
    return function(handle, operation, alpha, a, a_layout, b, b_layout, beta, c, c_layout, d,
                    d_layout, address(0xa190), workspace, workspace_bytes, stream);
  }

  void* operation = nullptr;
  uint64_t layouts[4][8] = {};
  void *a_layout = layouts[0], *b_layout = layouts[1], *c_layout = layouts[2],
       *d_layout = layouts[3];
  const float float_one = 1, float_zero = 0;
  void* handle = address(0x4a4d1e);
  const void *alpha = &float_one, *beta = &float_zero;
  const void *a = address(0xa000), *b = address(0xb000), *c = address(0xd000);
  void* d = address(0xd000);
  void* workspace = nullptr;
  size_t workspace_bytes = 0;
  void* stream = address(0x5700);

 private:
  void fill(void* layout, uint64_t rows, uint64_t columns, int64_t ld) {
    find<int(void*, size_t, int, uint64_t, uint64_t, int64_t)>(
        lt_, "cublasLtMatrixLayoutInit_internal")(layout, sizeof layouts[0], 0, rows, columns, ld);
  }

  void* lt_;
};

class Lt : public ::testing::Test {
 protected:
  void SetUp() override {
    // By SONAME, the loader takes these for those that the drop-in wants.
    myblas_ = open_library(FAKE_MYBLAS_LT, RTLD_NOW | RTLD_GLOBAL);
    cuda_ = open_library(FAKE_CUDA, RTLD_NOW | RTLD_GLOBAL);
    lt_ = open_library(FAKE_LT_13);
    dropin_ = open_library(DROPIN_13);
    ASSERT_TRUE(myblas_ != nullptr && cuda_ != nullptr && lt_ != nullptr && dropin_ != nullptr);
    matmul_ = find<LtMatmul>(dropin_, "cublasLtMatmul");
    real_call_ = find<RecordedCall*()>(lt_, "fake_lt_call")();
    real_result_ = find<RecordedResult*()>(lt_, "fake_lt_result")();
    *real_result_ = {};
    real_result_->general = 42;
    find<void(int)>(myblas_, "fake_myblas_set_matmul_status")(0);
    find<void(int)>(myblas_, "fake_myblas_set_sm_count_status")(0);
    find<void(int)>(myblas_, "fake_myblas_set_create_status")(0);
    set_log(true);
    use_context(1);
    forget();
  }

  void use_context(uint64_t id) { find<void(uint64_t)>(cuda_, "fake_cuda_use_context")(id); }
  void set_log(bool on) {
    find<void(int)>(myblas_, "fake_myblas_set_log")(on ? 1 : 0);
    // Makes the drop-in look again.
    find<int(int, int, int, const char*)>(dropin_, "cublasLoggerConfigure")(0, 0, 0, nullptr);
  }
  RecordedMatmul& ours() { return *find<RecordedMatmul*()>(myblas_, "fake_myblas_matmul")(); }
  std::string log_line() { return find<const char*()>(myblas_, "fake_myblas_last_line")(); }
  void forget() {
    ours() = {};
    *real_call_ = {};
    real_call_->index = -1;
    find<void()>(myblas_, "fake_myblas_clear_line")();
  }

  // The i-th that reached the real function.
  int64_t argument(size_t i) const {
#if defined(__x86_64__)
    constexpr size_t kRegisters = 6;
#else
    constexpr size_t kRegisters = 8;
#endif
    return i < kRegisters ? real_call_->general[i] : real_call_->stack[i - kRegisters];
  }

  void expect_served(const LtProduct& product) {
    forget();
    EXPECT_EQ(product.call(matmul_), 0);
    EXPECT_EQ(ours().calls, 1);
    EXPECT_EQ(real_call_->index, -1);
  }
  // With its arguments as they were, and the reason in the log.
  void expect_forwarded(const LtProduct& product, const std::string& reason) {
    forget();
    EXPECT_EQ(product.call(matmul_), 42);
    const std::vector<std::string> names = read_names(NAMES_LT_13);
    ASSERT_GE(real_call_->index, 0) << reason;
    EXPECT_EQ(names[static_cast<size_t>(real_call_->index)], "cublasLtMatmul");
    EXPECT_EQ(log_line(), "myblas: cublasLtMatmul -> forwarded (" + reason + ")");
    const std::vector<const void*> arguments = {
        product.handle, product.operation, product.alpha,   product.a,        product.a_layout,
        product.b,      product.b_layout,  product.beta,    product.c,        product.c_layout,
        product.d,      product.d_layout,  address(0xa190), product.workspace};
    for (size_t i = 0; i < arguments.size(); ++i) {
      EXPECT_EQ(argument(i), reinterpret_cast<int64_t>(arguments[i]))
          << reason << ", argument " << i;
    }
    EXPECT_EQ(argument(14), static_cast<int64_t>(product.workspace_bytes));
    EXPECT_EQ(argument(15), reinterpret_cast<int64_t>(product.stream));
  }

  void *myblas_ = nullptr, *cuda_ = nullptr, *lt_ = nullptr, *dropin_ = nullptr;
  LtMatmul* matmul_ = nullptr;
  RecordedCall* real_call_ = nullptr;
  RecordedResult* real_result_ = nullptr;
};

}  // namespace dropin_test
