// SPDX-License-Identifier: BSD-3-Clause
// Forwarded names reach the real library with their arguments untouched, through the resolving
// stub (first call) and through the slot (second call).
#include "dropin_libraries.h"

namespace dropin_test {
namespace {

struct FloatComplex {
  float x, y;
};
struct DoubleComplex {
  double x, y;
};

class Forward : public ::testing::Test {
 protected:
  void SetUp() override {
    fake_ = open_library(FAKE_CUBLAS_13);
    dropin_ = open_library(DROPIN_13);
    ASSERT_NE(fake_, nullptr);
    ASSERT_NE(dropin_, nullptr);
    call_ = find<const RecordedCall*()>(fake_, "fake_cublas_call")();
    result_ = find<RecordedResult*()>(fake_, "fake_cublas_result")();
    *result_ = {};
    names_ = read_names(NAMES_13);
  }

  int64_t index_of(const std::string& name) const {
    for (size_t i = 0; i < names_.size(); ++i) {
      if (names_[i] == name) return static_cast<int64_t>(i);
    }
    return -1;
  }

  void* fake_ = nullptr;
  void* dropin_ = nullptr;
  const RecordedCall* call_ = nullptr;
  RecordedResult* result_ = nullptr;
  std::vector<std::string> names_;
};

// More integers than registers hold, and every vector register.
using Wide = int64_t(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, double, double, double,
                     double, double, double, double, double, int64_t, int64_t, int64_t, int64_t,
                     int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                     int64_t, int64_t, double, double);

#if defined(__x86_64__)
constexpr int kGeneralRegisters = 6;
#else
constexpr int kGeneralRegisters = 8;
#endif

void expect_wide_arguments(const RecordedCall& call, const std::string& name) {
  // Integers 1 to 20 in the general registers and then on the stack; 101 to 108 in the vector
  // registers; 109 and 110 last on the stack.
  for (int i = 0; i < kGeneralRegisters; ++i) EXPECT_EQ(call.general[i], i + 1) << name;
  for (int i = 0; i < 8; ++i) EXPECT_EQ(call.vector[i][0], 101.0 + i) << name;
  const int on_stack = 20 - kGeneralRegisters;
  for (int i = 0; i < on_stack; ++i) {
    EXPECT_EQ(call.stack[i], kGeneralRegisters + 1 + i) << name;
  }
  double last[2];
  __builtin_memcpy(last, &call.stack[on_stack], sizeof last);
  EXPECT_EQ(last[0], 109.0) << name;
  EXPECT_EQ(last[1], 110.0) << name;
}

// Names that the fake implements in C or the drop-in implements itself are not stubs here.
bool is_stub_on_both_sides(const std::string& name) {
  static const std::vector<std::string> own = read_names(OWN_NAMES);
  for (const std::string& own_name : own) {
    if (own_name == name) return false;
  }
  static const std::vector<std::string> in_c = {"cublasGetStream_v2", "cublasGetMathMode",
                                                "cublasGetProperty", "cublasGetVersion_v2"};
  for (const std::string& name_in_c : in_c) {
    if (name_in_c == name) return false;
  }
  return true;
}

TEST_F(Forward, EveryNameKeepsAllArguments) {
  ASSERT_EQ(names_.size(), 756u);
  int stubs = 0;
  for (int pass = 0; pass < 2; ++pass) {
    for (const std::string& name : names_) {
      if (!is_stub_on_both_sides(name)) continue;
      ++stubs;
      auto* function = find<Wide>(dropin_, name);
      ASSERT_NE(function, nullptr);
      result_->general = 4711 + pass;
      const int64_t result = function(1, 2, 3, 4, 5, 6, 101, 102, 103, 104, 105, 106, 107, 108, 7,
                                      8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 109, 110);
      EXPECT_EQ(result, 4711 + pass) << name;
      EXPECT_EQ(call_->index, index_of(name)) << name;
      expect_wide_arguments(*call_, name);
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(stubs, 2 * 600);
}

TEST_F(Forward, ComplexByValue) {
  // The v1 ABI: scalars by value. A float pair travels in one vector register, a double pair in
  // two.
  auto* caxpy = find<void(int, FloatComplex, const void*, int, void*, int)>(dropin_, "cublasCaxpy");
  auto* zscal = find<void(int, DoubleComplex, void*, int)>(dropin_, "cublasZscal");
  for (int pass = 0; pass < 2; ++pass) {
    caxpy(5, {1.5f, -2.5f}, nullptr, 1, nullptr, 2);
    EXPECT_EQ(call_->index, index_of("cublasCaxpy"));
#if defined(__x86_64__)
    FloatComplex pair;
    __builtin_memcpy(&pair, &call_->vector[0][0], sizeof pair);
    EXPECT_EQ(pair.x, 1.5f);
    EXPECT_EQ(pair.y, -2.5f);
#else
    float x, y;
    __builtin_memcpy(&x, &call_->vector[0][0], sizeof x);
    __builtin_memcpy(&y, &call_->vector[1][0], sizeof y);
    EXPECT_EQ(x, 1.5f);
    EXPECT_EQ(y, -2.5f);
#endif
    zscal(7, {3.25, -4.75}, nullptr, 1);
    EXPECT_EQ(call_->index, index_of("cublasZscal"));
    EXPECT_EQ(call_->vector[0][0], 3.25);
    EXPECT_EQ(call_->vector[1][0], -4.75);
  }
}

TEST_F(Forward, FullVectorRegisters) {
  using Vector = double __attribute__((vector_size(16)));
  auto* function = find<int(Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector)>(
      dropin_, "cublasXtCherk");
  for (int pass = 0; pass < 2; ++pass) {
    function(Vector{0, 10}, Vector{1, 11}, Vector{2, 12}, Vector{3, 13}, Vector{4, 14},
             Vector{5, 15}, Vector{6, 16}, Vector{7, 17});
    for (int i = 0; i < 8; ++i) {
      EXPECT_EQ(call_->vector[i][0], i);
      EXPECT_EQ(call_->vector[i][1], i + 10);
    }
  }
}

TEST_F(Forward, ResultsComeBack) {
  result_->vector[0] = 2.5;
  result_->second_vector[0] = -3.5;
  auto* ddot = find<double(int, const void*, int, const void*, int)>(dropin_, "cublasDdot");
  EXPECT_EQ(ddot(1, nullptr, 1, nullptr, 1), 2.5);
  auto* zdotc =
      find<DoubleComplex(int, const void*, int, const void*, int)>(dropin_, "cublasZdotc");
  const DoubleComplex sum = zdotc(1, nullptr, 1, nullptr, 1);
  EXPECT_EQ(sum.x, 2.5);
  EXPECT_EQ(sum.y, -3.5);
}

TEST_F(Forward, TheRealVersionIsReported) {
  int version = 0;
  EXPECT_EQ(find<int(void*, int*)>(dropin_, "cublasGetVersion_v2")(nullptr, &version), 0);
  EXPECT_EQ(version, 130107);
  int patch = 0;
  EXPECT_EQ(find<int(int, int*)>(dropin_, "cublasGetProperty")(2, &patch), 0);
  EXPECT_EQ(patch, 7);
}

TEST_F(Forward, NullHandleGoesToTheRealLibrary) {
  EXPECT_EQ(find<int(void*, void*)>(dropin_, "cublasSetStream_v2")(nullptr, nullptr), 1);
  result_->general = 1;
  using Sgemm = int(void*, int, int, int, int, int, const float*, const float*, int, const float*,
                    int, const float*, float*, int);
  EXPECT_EQ(find<Sgemm>(dropin_, "cublasSgemm_v2")(nullptr, 0, 0, 1, 1, 1, nullptr, nullptr, 1,
                                                   nullptr, 1, nullptr, nullptr, 1),
            1);
  EXPECT_EQ(call_->index, index_of("cublasSgemm_v2"));
}

}  // namespace
}  // namespace dropin_test
