// SPDX-License-Identifier: BSD-3-Clause
// The drop-in's own logic, between a fake cuBLAS and a fake myblas: who is called, with what, and
// in which state.
#include <atomic>
#include <cstdlib>
#include <thread>

#include "dropin_libraries.h"

namespace dropin_test {
namespace {

constexpr int kSuccess = 0, kInvalidValue = 7, kExecutionFailed = 13, kInternalError = 14,
              kNotSupported = 15;

using Sgemm = int(void*, int, int, int, int, int, const float*, const float*, int, const float*,
                  int, const float*, float*, int);
using Dgemm = int(void*, int, int, int, int, int, const double*, const double*, int, const double*,
                  int, const double*, double*, int);
using GemmEx = int(void*, int, int, int, int, int, const void*, const void*, int, int, const void*,
                   int, int, const void*, void*, int, int, int, int);

class State : public ::testing::Test {
 protected:
  void SetUp() override {
    // By SONAME, the loader takes this one for the drop-in's libmyblas.so.1.
    myblas_ = open_library(FAKE_MYBLAS, RTLD_NOW | RTLD_GLOBAL);
    // Global, and before the fake: what the fake calls by name comes to the drop-in.
    dropin_ = open_library(DROPIN_13, RTLD_NOW | RTLD_GLOBAL);
    cublas_ = open_library(FAKE_CUBLAS_DEVICE);
    ASSERT_TRUE(myblas_ != nullptr && cublas_ != nullptr && dropin_ != nullptr);
    cublas_call_ = find<RecordedCall*()>(cublas_, "fake_cublas_call")();
    myblas_call_ = find<RecordedCall*()>(myblas_, "fake_myblas_call")();
    cublas_result_ = find<RecordedResult*()>(cublas_, "fake_cublas_result")();
    myblas_result_ = find<RecordedResult*()>(myblas_, "fake_myblas_result")();
    *cublas_result_ = {};
    *myblas_result_ = {};
    find<void(int)>(myblas_, "fake_myblas_set_create_status")(0);
    find<void(const char*)>(myblas_, "fake_myblas_set_target")("sm_90");
    cublas_names_ = read_names(NAMES_13);
    myblas_names_ = read_names(NAMES_MYBLAS);
    ASSERT_EQ(create(&handle_), kSuccess);
    shadow_ = find<void*()>(myblas_, "fake_myblas_last_handle")();
    forget_calls();
  }

  void TearDown() override {
    if (handle_ != nullptr) destroy(handle_);
    EXPECT_EQ(find<int()>(myblas_, "fake_myblas_live_handles")(), 0);
    EXPECT_EQ(find<int()>(cublas_, "fake_cublas_live_handles")(), 0);
  }

  int create(void** handle) { return find<int(void**)>(dropin_, "cublasCreate_v2")(handle); }
  int destroy(void* handle) { return find<int(void*)>(dropin_, "cublasDestroy_v2")(handle); }

  template <class... Args>
  int call(const char* name, Args... args) {
    return find<int(void*, Args...)>(dropin_, name)(handle_, args...);
  }

  int sgemm() {
    return find<Sgemm>(dropin_, "cublasSgemm_v2")(handle_, 0, 1, 2, 3, 4, &one_, &one_, 5, &one_, 6,
                                                  &one_, &out_, 7);
  }
  int dgemm() {
    const double one = 1;
    double out = 0;
    return find<Dgemm>(dropin_, "cublasDgemm_v2")(handle_, 0, 1, 2, 3, 4, &one, &one, 5, &one, 6,
                                                  &one, &out, 7);
  }
  int gemm_ex(int type, int compute, int algo) {
    return find<GemmEx>(dropin_, "cublasGemmEx")(handle_, 0, 0, 2, 2, 2, &one_, &one_, type, 2,
                                                 &one_, type, 2, &one_, &out_, type, 2, compute,
                                                 algo);
  }

  void forget_calls() { cublas_call_->index = myblas_call_->index = -1; }
  std::string last_cublas() const { return name_of(*cublas_call_, cublas_names_); }
  std::string last_myblas() const { return name_of(*myblas_call_, myblas_names_); }
  static std::string name_of(const RecordedCall& call, const std::vector<std::string>& names) {
    return call.index < 0 ? "none" : names[static_cast<size_t>(call.index)];
  }

  void expect_served(const char* name) {
    EXPECT_EQ(last_myblas(), name);
    EXPECT_EQ(last_cublas(), "none");
    forget_calls();
  }
  void expect_forwarded(const char* name) {
    EXPECT_EQ(last_cublas(), name);
    forget_calls();
  }

  void *myblas_ = nullptr, *cublas_ = nullptr, *dropin_ = nullptr;
  RecordedCall *cublas_call_ = nullptr, *myblas_call_ = nullptr;
  RecordedResult *cublas_result_ = nullptr, *myblas_result_ = nullptr;
  std::vector<std::string> cublas_names_, myblas_names_;
  void *handle_ = nullptr, *shadow_ = nullptr;
  float one_ = 1, out_ = 0;
};

TEST_F(State, TheCallerHoldsTheRealHandle) {
  EXPECT_NE(handle_, shadow_);
  EXPECT_EQ(find<int()>(cublas_, "fake_cublas_live_handles")(), 1);
  EXPECT_EQ(find<int()>(myblas_, "fake_myblas_live_handles")(), 1);
  EXPECT_EQ(*static_cast<int*>(shadow_), 1) << "not marked as a shadow";
}

TEST_F(State, AProductIsServedOnTheShadow) {
  EXPECT_EQ(sgemm(), kSuccess);
  EXPECT_EQ(myblas_call_->general[0], reinterpret_cast<int64_t>(shadow_));
  EXPECT_EQ(static_cast<int>(myblas_call_->general[2]), 1);
  EXPECT_EQ(static_cast<int>(myblas_call_->general[3]), 2);
  expect_served("myblasSgemm");
}

TEST_F(State, EveryServedNameReachesItsTwin) {
  for (const std::string& name : read_names(SERVED_NAMES)) {
    auto* function = find<int(void*, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                              int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                              int64_t, int64_t, int64_t, int64_t, int64_t, int64_t)>(dropin_, name);
    EXPECT_EQ(function(handle_, 0, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0), 0);
    std::string ours = "myblas" + name.substr(6);
    const size_t suffix = ours.find("_v2");
    if (suffix != std::string::npos) ours.erase(suffix, 3);
    expect_served(ours.c_str());
    // Refused by ours: the real function of the same name.
    myblas_result_->general = kInvalidValue;
    cublas_result_->general = 42;
    const int status =
        function(handle_, 0, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0);
    if (name != "cublasSgemmStridedBatched") {  // the fake does something else there
      EXPECT_EQ(status, 42) << name;
      expect_forwarded(name.c_str());
    }
    myblas_result_->general = cublas_result_->general = 0;
    forget_calls();
  }
}

TEST_F(State, StatusDecidesWhoHasTheLastWord) {
  cublas_result_->general = 42;
  for (const int status : {1, kInvalidValue, 8, kNotSupported}) {
    myblas_result_->general = status;
    EXPECT_EQ(sgemm(), 42) << status;
    expect_forwarded("cublasSgemm_v2");
  }
  for (const int status : {kSuccess, 3, kExecutionFailed, kInternalError}) {
    myblas_result_->general = status;
    EXPECT_EQ(sgemm(), status);
    expect_served("myblasSgemm");
  }
}

TEST_F(State, SettersReachBoth) {
  void* const stream = reinterpret_cast<void*>(0x1234500);
  EXPECT_EQ(call("cublasSetStream_v2", stream), kSuccess);
  EXPECT_EQ(last_myblas(), "myblasSetStream");
  EXPECT_EQ(myblas_call_->general[0], reinterpret_cast<int64_t>(shadow_));
  EXPECT_EQ(myblas_call_->general[1], reinterpret_cast<int64_t>(stream));
  void* read_back = nullptr;
  EXPECT_EQ(call("cublasGetStream_v2", &read_back), kSuccess);
  EXPECT_EQ(read_back, stream);

  void* const workspace = reinterpret_cast<void*>(0x10000);
  EXPECT_EQ(call("cublasSetWorkspace_v2", workspace, size_t{4096}), kSuccess);
  EXPECT_EQ(last_myblas(), "myblasSetWorkspace");
  EXPECT_EQ(myblas_call_->general[1], 0x10000);
  EXPECT_EQ(myblas_call_->general[2], 4096);

  EXPECT_EQ(call("cublasSetPointerMode_v2", 1), kSuccess);
  EXPECT_EQ(last_myblas(), "myblasSetPointerMode");
  EXPECT_EQ(call("cublasSetMathMode", 19), kSuccess);
  EXPECT_EQ(last_myblas(), "myblasSetMathMode");
  EXPECT_EQ(static_cast<int>(myblas_call_->general[1]), 19);
  EXPECT_EQ(call("cublasSetAtomicsMode", 1), kSuccess);
  EXPECT_EQ(last_myblas(), "myblasSetAtomicsMode");
  EXPECT_EQ(call("cublasSetSmCountTarget", 16), kSuccess);
  EXPECT_EQ(last_myblas(), "myblasSetSmCountTarget");
}

TEST_F(State, WhatTheRealLibraryRejectsDoesNotReachTheShadow) {
  EXPECT_EQ(call("cublasSetWorkspace_v2", reinterpret_cast<void*>(0x10001), size_t{1}),
            kInvalidValue);
  EXPECT_EQ(call("cublasSetMathMode", 99), kInvalidValue);
  EXPECT_EQ(call("cublasSetPointerMode_v2", -1), kInvalidValue);
  EXPECT_EQ(last_myblas(), "none");
  EXPECT_EQ(sgemm(), kSuccess);
  expect_served("myblasSgemm");
}

TEST_F(State, AStateThatTheShadowRefusesForwardsUntilItIsReplaced) {
  myblas_result_->general = kInvalidValue;
  EXPECT_EQ(call("cublasSetMathMode", 35), kSuccess) << "the real status counts";
  myblas_result_->general = 0;
  forget_calls();
  sgemm();
  expect_forwarded("cublasSgemm_v2");
  call("cublasSetMathMode", 0);
  forget_calls();
  sgemm();
  expect_served("myblasSgemm");
}

TEST_F(State, SetStreamTakesTheWorkspaceBack) {
  myblas_result_->general = kInvalidValue;
  call("cublasSetWorkspace_v2", reinterpret_cast<void*>(0x10000), size_t{4096});
  myblas_result_->general = 0;
  forget_calls();
  sgemm();
  expect_forwarded("cublasSgemm_v2");
  call("cublasSetStream_v2", static_cast<void*>(nullptr));
  forget_calls();
  sgemm();
  expect_served("myblasSgemm");
}

TEST_F(State, EmulationSettingsForwardTheirTypes) {
  call("cublasSetFixedPointEmulationMantissaControl", 1);
  forget_calls();
  dgemm();
  expect_forwarded("cublasDgemm_v2");
  sgemm();
  expect_served("myblasSgemm");
  gemm_ex(1, 70, -1);
  expect_forwarded("cublasGemmEx");
  gemm_ex(2, 68, -1);
  expect_served("myblasGemmEx");
  call("cublasSetFixedPointEmulationMantissaControl", 0);
  call("cublasSetEmulationStrategy", 2);
  forget_calls();
  sgemm();
  expect_served("myblasSgemm");  // of fp32 ours is by what is quicker
  dgemm();
  expect_forwarded("cublasDgemm_v2");
  gemm_ex(2, 68, -1);
  expect_served("myblasGemmEx");
  call("cublasSetEmulationStrategy", 0);
  forget_calls();
  sgemm();
  expect_served("myblasSgemm");
}

TEST_F(State, MathModesThatEmulateForwardDoubles) {
  constexpr int kFp32 = 4,
                kFp64 = 8;  // CUBLAS_FP32_EMULATED_BF16X9_MATH, _FP64_EMULATED_FIXEDPOINT_
  for (const int mode : {kFp64, kFp32 | kFp64}) {
    call("cublasSetMathMode", mode);
    forget_calls();
    dgemm();
    expect_forwarded("cublasDgemm_v2");
    sgemm();
    expect_served("myblasSgemm");
  }
  for (const int mode : {kFp32, 0}) {
    call("cublasSetMathMode", mode);
    forget_calls();
    dgemm();
    expect_served("myblasDgemm");
  }
}

TEST_F(State, EmulationEnvironmentIsReadAtCreate) {
  setenv("CUBLAS_EMULATE_SINGLE_PRECISION", "1", 1);
  setenv("CUBLAS_EMULATE_DOUBLE_PRECISION", "1", 1);
  void* first = handle_;
  ASSERT_EQ(create(&handle_), kSuccess);
  unsetenv("CUBLAS_EMULATE_SINGLE_PRECISION");
  unsetenv("CUBLAS_EMULATE_DOUBLE_PRECISION");
  forget_calls();
  sgemm();
  expect_served("myblasSgemm");  // which knows what it has for that
  dgemm();
  expect_forwarded("cublasDgemm_v2");
  destroy(handle_);
  handle_ = first;
}

TEST_F(State, AutotuningIsForwarded) {
  gemm_ex(0, 68, 999);
  expect_forwarded("cublasGemmEx");
  gemm_ex(0, 68, 99);
  expect_served("myblasGemmEx");
}

TEST_F(State, AnUnknownHandleIsForwarded) {
  void* own = handle_;
  ASSERT_EQ(find<int(void**)>(cublas_, "cublasCreate_v2")(&handle_), kSuccess);
  cublas_result_->general = 42;
  EXPECT_EQ(sgemm(), 42);
  EXPECT_EQ(last_myblas(), "none");
  expect_forwarded("cublasSgemm_v2");
  EXPECT_EQ(call("cublasSetStream_v2", static_cast<void*>(nullptr)), kSuccess);
  EXPECT_EQ(last_myblas(), "none");
  find<int(void*)>(cublas_, "cublasDestroy_v2")(handle_);
  handle_ = own;
}

TEST_F(State, ACallFromInsideTheRealLibraryGoesBackToIt) {
  using Strided = int(void*, int, int, int, int, int, const float*, const float*, int, long long,
                      const float*, int, long long, const float*, float*, int, long long, int);
  auto* strided = find<Strided>(dropin_, "cublasSgemmStridedBatched");
  cublas_result_->general = 0;
  myblas_result_->general = kNotSupported;
  EXPECT_EQ(strided(handle_, 0, 0, 1, 1, 1, &one_, &one_, 1, 0, &one_, 1, 0, &one_, &out_, 1, 0, 2),
            kSuccess);
  EXPECT_EQ(last_myblas(), "myblasSgemmStridedBatched") << "and not the products inside";
  expect_forwarded("cublasSgemm_v2");
  // The same call outside is ours.
  myblas_result_->general = 0;
  sgemm();
  expect_served("myblasSgemm");
}

TEST_F(State, ADestroyedHandleIsForgotten) {
  void* dead = handle_;
  EXPECT_EQ(destroy(handle_), kSuccess);
  EXPECT_EQ(find<int()>(myblas_, "fake_myblas_live_handles")(), 0);
  handle_ = dead;
  sgemm();
  expect_forwarded("cublasSgemm_v2");
  handle_ = nullptr;
}

TEST_F(State, AHandleDestroyedBehindOurBackLeavesNoStaleShadow) {
  // Destroyed by the real library itself, and its address given out again.
  find<void(void*)>(cublas_, "fake_cublas_recycle")(handle_);
  const void* address = handle_;
  ASSERT_EQ(create(&handle_), kSuccess);
  ASSERT_EQ(handle_, address);
  EXPECT_EQ(find<int()>(myblas_, "fake_myblas_live_handles")(), 1) << "the old shadow is destroyed";
  shadow_ = find<void*()>(myblas_, "fake_myblas_last_handle")();
  sgemm();
  EXPECT_EQ(myblas_call_->general[0], reinterpret_cast<int64_t>(shadow_));
  destroy(handle_);
  forget_calls();
  sgemm();
  expect_forwarded("cublasSgemm_v2");
  handle_ = nullptr;
}

TEST_F(State, WithoutAShadowEverythingIsForwarded) {
  void* first = handle_;
  find<void(int)>(myblas_, "fake_myblas_set_create_status")(1);
  ASSERT_EQ(create(&handle_), kSuccess) << "the caller's handle must not suffer";
  sgemm();
  expect_forwarded("cublasSgemm_v2");
  destroy(handle_);
  // The CPU backend behind a cuBLAS with device pointers.
  find<void(int)>(myblas_, "fake_myblas_set_create_status")(0);
  find<void(const char*)>(myblas_, "fake_myblas_set_target")("cpu");
  ASSERT_EQ(create(&handle_), kSuccess);
  EXPECT_EQ(find<int()>(myblas_, "fake_myblas_live_handles")(), 1) << "of the first handle alone";
  sgemm();
  expect_forwarded("cublasSgemm_v2");
  destroy(handle_);
  handle_ = first;
}

TEST_F(State, ForwardingIsLoggedWithItsReason) {
  const auto line = [&] {
    return std::string(find<const char*()>(myblas_, "fake_myblas_last_line")());
  };
  auto* clear = find<void()>(myblas_, "fake_myblas_clear_line");
  auto* saxpy = find<int(void*, int)>(dropin_, "cublasSaxpy_v2");
  clear();
  saxpy(handle_, 1);
  EXPECT_EQ(line(), "") << "the log is off";
  find<void(int)>(myblas_, "fake_myblas_set_log")(1);
  call("cublasLoggerConfigure");  // anything that makes the drop-in look again
  clear();
  saxpy(handle_, 1);
  EXPECT_EQ(line(), "myblas: cublasSaxpy_v2 -> forwarded (not a matrix product)");
  EXPECT_EQ(last_cublas(), "cublasSaxpy_v2");
  clear();
  sgemm();
  EXPECT_EQ(line(), "") << "libmyblas itself logs what it serves";
  myblas_result_->general = kInvalidValue;
  sgemm();
  EXPECT_EQ(line(), "myblas: cublasSgemm_v2 -> forwarded (lda = 3 < max(1, m) = 5)");
  find<void(int)>(myblas_, "fake_myblas_set_log")(0);
  call("cublasLoggerConfigure");
  clear();
  saxpy(handle_, 1);
  EXPECT_EQ(line(), "");
}

TEST_F(State, TheLogGoesOffAgainWhereItWentOn) {
  using Configure = int(int, int, int, const char*);
  auto* configure = find<Configure>(dropin_, "cublasLoggerConfigure");
  configure(0, 0, 0, nullptr);  // whatever the tests before have left
  forget_calls();
  configure(0, 0, 0, nullptr);
  EXPECT_EQ(last_myblas(), "none") << "off already";
  for (const char* file : {static_cast<const char*>(nullptr), "log.txt"}) {
    configure(1, 0, 1, file);
    EXPECT_EQ(last_myblas(), "myblasLoggerConfigure");
    EXPECT_EQ(static_cast<int>(myblas_call_->general[0]), 1);
    EXPECT_EQ(static_cast<int>(myblas_call_->general[1]), 0);
    EXPECT_EQ(static_cast<int>(myblas_call_->general[2]), 1);
    EXPECT_EQ(myblas_call_->general[3], reinterpret_cast<int64_t>(file)) << "both write the file";
    forget_calls();
    configure(0, 0, 0, file);
    EXPECT_EQ(last_myblas(), "myblasLoggerConfigure");
    EXPECT_EQ(static_cast<int>(myblas_call_->general[0]), 0);
    forget_calls();
  }
}

TEST_F(State, SixteenThreadsCreateUseAndDestroy) {
  std::vector<std::thread> threads;
  std::atomic<int> failures{0};
  auto* create_handle = find<int(void**)>(dropin_, "cublasCreate_v2");
  auto* destroy_handle = find<int(void*)>(dropin_, "cublasDestroy_v2");
  auto* set_stream = find<int(void*, void*)>(dropin_, "cublasSetStream_v2");
  auto* get_stream = find<int(void*, void**)>(dropin_, "cublasGetStream_v2");
  auto* dgemm_entry = find<Dgemm>(dropin_, "cublasDgemm_v2");
  for (int i = 0; i < 16; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 300; ++round) {
        void* handles[4];
        for (void*& handle : handles) failures += create_handle(&handle) != 0;
        for (void* handle : handles) {
          void* const stream = reinterpret_cast<void*>(static_cast<intptr_t>(256 * (i + 1)));
          void* seen = nullptr;
          failures += set_stream(handle, stream) != 0;
          failures += get_stream(handle, &seen) != 0 || seen != stream;
          failures += dgemm_entry(handle, 0, 0, 1, 1, 1, nullptr, nullptr, 1, nullptr, 1, nullptr,
                                  nullptr, 1) != 0;
        }
        for (void* handle : handles) failures += destroy_handle(handle) != 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures.load(), 0);
  EXPECT_EQ(last_cublas(), "none") << "every product found its shadow";
}

}  // namespace
}  // namespace dropin_test
