// SPDX-License-Identifier: BSD-3-Clause
// No real cuBLAS (MYBLAS_CUBLAS=off): our own handle on the CPU backend, products served, other
// names refused.
#include <cstring>
#include <map>
#include <vector>

#include "dropin_libraries.h"

namespace dropin_test {
namespace {

constexpr int kSuccess = 0, kNotInitialized = 1, kInvalidValue = 7, kNotSupported = 15;

class Standalone : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    dropin_ = open_library(GetParam());
    ASSERT_NE(dropin_, nullptr);
    const int status = find<int(void**)>(dropin_, "cublasCreate_v2")(&handle_);
    ASSERT_EQ(status, kSuccess) << "is OpenBLAS installed?";
  }
  void TearDown() override {
    if (handle_ != nullptr) {
      EXPECT_EQ(find<int(void*)>(dropin_, "cublasDestroy_v2")(handle_), kSuccess);
    }
  }

  void* dropin_ = nullptr;
  void* handle_ = nullptr;
};

TEST_P(Standalone, Sgemm) {
  // C = 2 A B + 3 C with A 2x3 and B 3x2, by hand.
  const float a[] = {1, 2, 3, 4, 5, 6};
  const float b[] = {1, 0, 2, 0, 1, 3};
  float c[] = {1, 1, 1, 1};
  const float alpha = 2, beta = 3;
  using Sgemm = int(void*, int, int, int, int, int, const float*, const float*, int, const float*,
                    int, const float*, float*, int);
  ASSERT_EQ(find<Sgemm>(dropin_, "cublasSgemm_v2")(handle_, 0, 0, 2, 2, 3, &alpha, a, 2, b, 3,
                                                   &beta, c, 2),
            kSuccess);
  EXPECT_EQ(c[0], 2 * (1 * 1 + 5 * 2) + 3);
  EXPECT_EQ(c[1], 2 * (2 * 1 + 6 * 2) + 3);
  EXPECT_EQ(c[2], 2 * (3 * 1 + 5 * 3) + 3);
  EXPECT_EQ(c[3], 2 * (4 * 1 + 6 * 3) + 3);
  EXPECT_EQ(find<Sgemm>(dropin_, "cublasSgemm_v2")(handle_, 0, 0, 2, 2, 3, &alpha, a, 1, b, 3,
                                                   &beta, c, 2),
            kInvalidValue)
      << "lda < m";
}

TEST_P(Standalone, StateIsKept) {
  void* const stream = reinterpret_cast<void*>(0x100);
  void* seen = nullptr;
  EXPECT_EQ(find<int(void*, void*)>(dropin_, "cublasSetStream_v2")(handle_, stream), kSuccess);
  EXPECT_EQ(find<int(void*, void**)>(dropin_, "cublasGetStream_v2")(handle_, &seen), kSuccess);
  EXPECT_EQ(seen, stream);
  int mode = -1;
  EXPECT_EQ(find<int(void*, int)>(dropin_, "cublasSetMathMode")(handle_, 19), kSuccess);
  EXPECT_EQ(find<int(void*, int*)>(dropin_, "cublasGetMathMode")(handle_, &mode), kSuccess);
  EXPECT_EQ(mode, 19);
  EXPECT_EQ(find<int(void*, int)>(dropin_, "cublasSetMathMode")(nullptr, 0), kNotInitialized);
}

TEST_P(Standalone, UnservedNamesAreNotSupported) {
  for (const char* name : {"cublasSaxpy_v2", "cublasXtCreate", "cublasUint8gemmBias", "cublasInit",
                           "cublasDtrsm_v2_64"}) {
    EXPECT_EQ(find<int(void*)>(dropin_, name)(handle_), kNotSupported) << name;
  }
}

TEST_P(Standalone, EmulationSettingsKeepTheirDefaults) {
  struct Setting {
    const char* name;
    int64_t default_value;
    bool is_pointer;
    bool is_in_12;
  };
  for (const Setting& setting :
       {Setting{"EmulationStrategy", 0, false, true},
        Setting{"EmulationSpecialValuesSupport", 0xffff, false, false},
        Setting{"FixedPointEmulationMantissaControl", 0, false, false},
        Setting{"FixedPointEmulationMaxMantissaBitCount", 0, false, false},
        Setting{"FixedPointEmulationMantissaBitOffset", 0, false, false},
        Setting{"FixedPointEmulationMantissaBitCountPointer", 0, true, false}}) {
    if (GetParam() == std::string(DROPIN_12) && !setting.is_in_12) continue;
    SCOPED_TRACE(setting.name);
    auto* set = find<int(void*, int64_t)>(dropin_, std::string("cublasSet") + setting.name);
    auto* get = find<int(void*, int64_t*)>(dropin_, std::string("cublasGet") + setting.name);
    EXPECT_EQ(set(handle_, setting.default_value), kSuccess);
    EXPECT_EQ(set(handle_, 1), kNotSupported);
    EXPECT_EQ(set(nullptr, setting.default_value), kNotInitialized);
    int64_t value = -1;
    EXPECT_EQ(get(handle_, &value), kSuccess);
    if (setting.is_pointer) {
      EXPECT_EQ(value, setting.default_value);
    } else {
      int number;
      std::memcpy(&number, &value, sizeof number);
      EXPECT_EQ(number, setting.default_value);
    }
    EXPECT_EQ(get(handle_, nullptr), kInvalidValue);
    EXPECT_EQ(get(nullptr, &value), kNotInitialized);
  }
}

TEST_P(Standalone, ANullHandleComesFirst) {
  for (const char* name :
       {"cublasSscal_v2", "cublasDtrsm_v2_64", "cublasSgeam", "cublasSgetrfBatched", "cublasSbdmm",
        "cublasScalEx", "cublasSrotg_v2", "cublasUint8gemmBias", "cublasGetEnvironmentMode"}) {
    auto* function = find<int(void*, int)>(dropin_, name);
    EXPECT_EQ(function(nullptr, 3), kNotInitialized) << name;
    EXPECT_EQ(function(handle_, 3), kNotSupported) << name;
  }
  for (const char* name : {"cublasXtCreate", "cublasInit", "cublasFree", "cublasSetKernelStream"}) {
    EXPECT_EQ(find<int(void*)>(dropin_, name)(nullptr), kNotSupported) << name;
  }
}

// In no header, but cuSOLVER calls it.
TEST_P(Standalone, CublasLtHasNobody) {
  auto* matmul = find<int(void*, void*)>(dropin_, "cublasLtMatmul");
  EXPECT_EQ(matmul(nullptr, nullptr), kNotInitialized);
  EXPECT_EQ(matmul(handle_, nullptr), kNotSupported);
}

TEST_P(Standalone, TheEnvironmentModeKeepsItsDefault) {
  auto* set = find<int(void*, int)>(dropin_, "cublasSetEnvironmentMode");
  EXPECT_EQ(set(handle_, 0), kSuccess);
  EXPECT_EQ(set(handle_, 1), kNotSupported);
  EXPECT_EQ(set(nullptr, 0), kNotInitialized);
}

TEST_P(Standalone, V1NamesSetTheirError) {
  auto* get_error = find<int()>(dropin_, "cublasGetError");
  EXPECT_EQ(get_error(), kSuccess);
  find<void(int, float, void*, int)>(dropin_, "cublasSscal")(3, 2.0f, nullptr, 1);
  EXPECT_EQ(get_error(), kNotSupported);
  EXPECT_EQ(get_error(), kSuccess) << "asking clears it";
  EXPECT_EQ(find<double(int, void*, int)>(dropin_, "cublasDnrm2")(3, nullptr, 1), 0.0);
  EXPECT_EQ(get_error(), kNotSupported);
  EXPECT_EQ(find<int(int, void*, int)>(dropin_, "cublasIsamax")(3, nullptr, 1), 0);
  EXPECT_EQ(get_error(), kNotSupported);
}

TEST_P(Standalone, VersionIsThatOfTheName) {
  int version = 0;
  EXPECT_EQ(find<int(void*, int*)>(dropin_, "cublasGetVersion_v2")(nullptr, &version), kSuccess);
  const bool is_12 = GetParam() == std::string(DROPIN_12);
  EXPECT_EQ(version, is_12 ? 120900 : 130100);
  int major = 0;
  EXPECT_EQ(find<int(int, int*)>(dropin_, "cublasGetProperty")(0, &major), kSuccess);
  EXPECT_EQ(major, is_12 ? 12 : 13);
  EXPECT_EQ(find<size_t()>(dropin_, "cublasGetCudartVersion")(), is_12 ? 12090u : 13000u);
  EXPECT_EQ(find<int(int, int*)>(dropin_, "cublasGetProperty")(3, &major), kInvalidValue);
}

TEST_P(Standalone, StatusNamesAreThoseOfCublas) {
  auto* name = find<const char*(int)>(dropin_, "cublasGetStatusName");
  EXPECT_STREQ(name(7), "CUBLAS_STATUS_INVALID_VALUE");
  EXPECT_STREQ(name(5), "unrecognized status");
}

TEST_P(Standalone, StatusSentencesAreThoseOfCublas) {
  auto* sentence = find<const char*(int)>(dropin_, "cublasGetStatusString");
  const std::map<int, const char*> known = {
      {0, "success"},
      {1, "the library was not initialized"},
      {3, "the resource allocation failed"},
      {7, "an unsupported value or parameter was passed to the function"},
      {8, "the function requires an architectural feature absent from the device"},
      {11, "an access to GPU memory space failed"},
      {13, "the function failed to launch on the GPU"},
      {14, "an internal operation failed"},
      {15, "the requested functionality is not supported"},
      {16, "the license check failed"},
  };
  for (int status = -1; status < 20; ++status) {
    const auto found = known.find(status);
    EXPECT_STREQ(sentence(status), found == known.end() ? "unrecognized status" : found->second)
        << status;
  }
}

TEST_P(Standalone, MatricesAndVectorsAreCopied) {
  std::vector<float> host(12), device(20, -1.0f), back(12, -2.0f);
  for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i);
  using SetMatrix = int(int, int, int, const void*, int, void*, int);
  auto* set_matrix = find<SetMatrix>(dropin_, "cublasSetMatrix");
  EXPECT_EQ(set_matrix(3, 4, 4, host.data(), 3, device.data(), 5), kSuccess);
  EXPECT_EQ(device[5], 3.0f);
  EXPECT_EQ(device[17], 11.0f);
  EXPECT_EQ(device[3], -1.0f) << "between the columns";
  EXPECT_EQ(find<SetMatrix>(dropin_, "cublasGetMatrix")(3, 4, 4, device.data(), 5, back.data(), 3),
            kSuccess);
  EXPECT_EQ(back, host);
  EXPECT_EQ(set_matrix(3, 4, 0, host.data(), 3, device.data(), 5), kInvalidValue);
  EXPECT_EQ(set_matrix(-1, 4, 4, host.data(), 3, device.data(), 5), kInvalidValue);
  using SetVector = int(int64_t, int64_t, const void*, int64_t, void*, int64_t);
  std::vector<double> x = {1, 2, 3, 4, 5, 6}, y(3, 0.0);
  EXPECT_EQ(find<SetVector>(dropin_, "cublasSetVector_64")(3, 8, x.data(), 2, y.data(), 1),
            kSuccess);
  EXPECT_EQ(y, (std::vector<double>{1, 3, 5}));
}

INSTANTIATE_TEST_SUITE_P(Libraries, Standalone,
                         ::testing::Values(DROPIN_NEUTRAL, DROPIN_13, DROPIN_12),
                         [](const auto& parameter) {
                           return std::string(parameter.index == 0   ? "Neutral"
                                              : parameter.index == 1 ? "Cublas13"
                                                                     : "Cublas12");
                         });

}  // namespace
}  // namespace dropin_test
