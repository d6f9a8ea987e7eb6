// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/openblas_library.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "cpu/openblas_backend.h"

namespace myblas::cpu {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(OpenBlasLibrary, MissingFileSaysWhatWasTriedAndWhatToInstall) {
  const OpenBlasLoad load = load_openblas({"/nonexistent/libopenblas.so", "no_such_library.so.0"});
  EXPECT_FALSE(load.loaded);
  EXPECT_TRUE(contains(load.error, "/nonexistent/libopenblas.so")) << load.error;
  EXPECT_TRUE(contains(load.error, "no_such_library.so.0")) << load.error;
  EXPECT_TRUE(contains(load.error, "libopenblas0")) << load.error;
  EXPECT_TRUE(contains(load.error, "MYBLAS_OPENBLAS")) << load.error;
}

TEST(OpenBlasLibrary, LibraryWithoutGemmIsRefused) {
  const OpenBlasLoad load = load_openblas({"libc.so.6"});
  EXPECT_FALSE(load.loaded);
  EXPECT_TRUE(contains(load.error, "cblas_")) << load.error;
}

TEST(OpenBlasLibrary, LaterCandidateIsTaken) {
  std::vector<std::string> candidates = openblas_candidates();
  if (!load_openblas(candidates).loaded) GTEST_SKIP() << "no OpenBLAS on this machine";
  candidates.insert(candidates.begin(), "/nonexistent/libopenblas.so");
  const OpenBlasLoad load = load_openblas(candidates);
  ASSERT_TRUE(load.loaded) << load.error;
  EXPECT_NE(load.functions.sgemm, nullptr);
  EXPECT_TRUE(contains(load.description, "thread")) << load.description;
  EXPECT_TRUE(load.error.empty());
}

// In a process of its own, since OpenBLAS is opened once.
TEST(OpenBlasLibraryDeathTest, BackendWithoutOpenBlasRefuses) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto open_with_wrong_path = [] {
    setenv("MYBLAS_OPENBLAS", "/nonexistent/libopenblas.so", 1);
    const bool opened = open();
    GemmProblem problem;
    const bool refused = gemm(problem) == Status::kNotSupported;
    const bool explained = contains(unavailable_reason(), "/nonexistent/libopenblas.so");
    std::exit(!opened && refused && explained && std::string(description()).empty() ? 0 : 1);
  };
  EXPECT_EXIT(open_with_wrong_path(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace myblas::cpu
