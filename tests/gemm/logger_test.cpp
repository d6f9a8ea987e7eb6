// SPDX-License-Identifier: BSD-3-Clause
// gemm/logger_test.cpp: where log lines go, and what they name.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <sstream>

#include "support/gemm_case.h"
#include "support/gemm_fixture.h"

namespace myblas::test {
namespace {

std::mutex lines_mutex;
std::string lines;

extern "C" void collect_line(const char* message) {
  const std::lock_guard<std::mutex> lock(lines_mutex);
  lines += message;
  lines += '\n';
}

class LoggerTest : public GemmTest {
 protected:
  void TearDown() override {
    myblasSetLoggerCallback(nullptr);
    myblasLoggerConfigure(0, 0, 0, nullptr);
    lines.clear();
  }
  static myblasStatus_t call(int64_t m, int64_t lda) {
    float a[64] = {}, b[64] = {}, c[64] = {}, alpha = 1, beta = 0;
    return myblasSgemm_64(handle(), MYBLAS_OP_N, MYBLAS_OP_N, m, 2, 2, &alpha, a, lda, b, 2, &beta,
                          c, 8);
  }
  // A served call through memory of the device.
  static void served() {
    GemmCase gemm;
    gemm.entry = find_entry("myblasDgemm");
    gemm.combo = find_combo("f64_f64_64F");
    gemm.m = 13;
    gemm.n = 11;
    gemm.k = 7;
    EXPECT_TRUE(run_case(device(), handle(), gemm));
    count_cases(1);
  }
  static bool contains(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  }
};

TEST_F(LoggerTest, CallbackReceivesACallWithItsShape) {
  ASSERT_EQ(myblasSetLoggerCallback(collect_line), MYBLAS_STATUS_SUCCESS);
  myblasLogCallback callback = nullptr;
  ASSERT_EQ(myblasGetLoggerCallback(&callback), MYBLAS_STATUS_SUCCESS);
  EXPECT_EQ(callback, collect_line);
  EXPECT_EQ(myblasGetLoggerCallback(nullptr), MYBLAS_STATUS_INVALID_VALUE);
  served();
  EXPECT_TRUE(contains(lines, "Dgemm")) << lines;
  EXPECT_TRUE(contains(lines, "13")) << lines;
  EXPECT_TRUE(contains(lines, "11")) << lines;
}

TEST_F(LoggerTest, RejectionNamesRoutineArgumentAndValue) {
  ASSERT_EQ(myblasSetLoggerCallback(collect_line), MYBLAS_STATUS_SUCCESS);
  EXPECT_EQ(call(8, 5), MYBLAS_STATUS_INVALID_VALUE);
  EXPECT_TRUE(contains(lines, "Sgemm")) << lines;
  EXPECT_TRUE(contains(lines, "lda = 5 < max(1, m) = 8")) << lines;
  count_cases(1);
}

TEST_F(LoggerTest, FileReceivesLines) {
  const std::string path =
      testing::TempDir() + "myblas_logger_test_" + std::to_string(std::rand()) + ".log";
  ASSERT_EQ(myblasLoggerConfigure(1, 0, 0, path.c_str()), MYBLAS_STATUS_SUCCESS);
  served();
  ASSERT_EQ(myblasLoggerConfigure(0, 0, 0, nullptr), MYBLAS_STATUS_SUCCESS);
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_TRUE(contains(text.str(), "Dgemm")) << text.str();
  std::remove(path.c_str());
}

TEST_F(LoggerTest, UnwritableFileIsInvalid) {
  EXPECT_EQ(myblasLoggerConfigure(1, 0, 0, "/nonexistent-directory/log"),
            MYBLAS_STATUS_INVALID_VALUE);
  count_cases(1);
}

TEST_F(LoggerTest, OffMeansSilent) {
  ASSERT_EQ(myblasSetLoggerCallback(collect_line), MYBLAS_STATUS_SUCCESS);
  ASSERT_EQ(myblasSetLoggerCallback(nullptr), MYBLAS_STATUS_SUCCESS);
  ASSERT_EQ(myblasLoggerConfigure(0, 0, 0, nullptr), MYBLAS_STATUS_SUCCESS);
  served();
  EXPECT_EQ(lines, "");
}

}  // namespace
}  // namespace myblas::test
