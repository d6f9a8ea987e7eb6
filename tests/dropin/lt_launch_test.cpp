// SPDX-License-Identifier: BSD-3-Clause
// Whole programs that use cublasLt: which way its product comes to the drop-in shows in the log,
// since these have no GPU. The fake cublasLt returns 0 for a product.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "launch.h"

namespace dropin_test {
namespace {

const char* const kReached = "myblas: cublasLtMatmul -> forwarded (no current CUDA context)";

// A directory with a cuBLAS and its cublasLt, as a toolkit has them.
class LtLaunch : public ::testing::Test {
 protected:
  void SetUp() override {
    char root[] = "/tmp/myblas_lt_XXXXXX";
    ASSERT_NE(mkdtemp(root), nullptr);
    pair_ = root;
    ASSERT_EQ(symlink(FAKE_CUBLAS_13, (pair_ + "/libcublas.so.13").c_str()), 0);
    ASSERT_EQ(symlink(FAKE_LT_13, (pair_ + "/libcublasLt.so.13").c_str()), 0);
  }
  void TearDown() override {
    unlink((pair_ + "/libcublas.so.13").c_str());
    unlink((pair_ + "/libcublasLt.so.13").c_str());
    rmdir(pair_.c_str());
  }

  void expect_reached(const Outcome& outcome) {
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
    EXPECT_TRUE(outcome.has(kReached)) << outcome.text;
    EXPECT_TRUE(outcome.has("create=0 matmul=0")) << outcome.text;
  }

  std::string pair_;
};

TEST_F(LtLaunch, LinkedProgramsBindByTheVersionNode) {
  const Outcome plain = start("MYBLAS_LOG=1", PROBE_LT_LINKED);
  EXPECT_EQ(plain.text, "create=0 matmul=0\n");
  for (const char* library : {DROPIN_NEUTRAL, DROPIN_13}) {
    const Outcome outcome =
        start(preload(library) + " MYBLAS_LOG=1 MYBLAS_CUBLAS=" + pair_, PROBE_LT_LINKED);
    expect_reached(outcome);
    // Its own one, not that beside the cuBLAS.
    EXPECT_TRUE(outcome.has("what is not served of cublasLt goes to " FAKE_LT_13)) << outcome.text;
  }
}

TEST_F(LtLaunch, AProgramWithCublasLtAloneIsServedToo) {
  const Outcome outcome =
      start(preload(DROPIN_NEUTRAL) + " MYBLAS_LOG=1 MYBLAS_CUBLAS=off", PROBE_LT_LINKED);
  expect_reached(outcome);
}

TEST_F(LtLaunch, TheReportHasItsShape) {
  const Outcome outcome =
      start(preload(DROPIN_NEUTRAL) + " MYBLAS_REPORT=1 MYBLAS_CUBLAS=" + pair_, PROBE_LT_LINKED);
  EXPECT_TRUE(outcome.has("cublasLtMatmul ")) << outcome.text;
  EXPECT_TRUE(outcome.has("f32->f32 f32")) << outcome.text;
  EXPECT_TRUE(outcome.has("NN 2x3x4")) << outcome.text;
}

TEST_F(LtLaunch, DlopenUsersGetTheSameSoname) {
  const std::string open = PROBE_LT_DLOPEN " libcublasLt.so.13";
  for (const std::string& libraries :
       {std::string(DROPIN_LT_13), std::string(DROPIN_13 ":" DROPIN_LT_13)}) {
    const Outcome outcome =
        start(preload(libraries) + " MYBLAS_LOG=1 MYBLAS_CUBLAS=" + pair_, open);
    expect_reached(outcome);
    EXPECT_TRUE(outcome.has("what is not served of cublasLt goes to " + pair_)) << outcome.text;
    EXPECT_FALSE(outcome.has("cublasLtMatmulDescCreate")) << outcome.text;
  }
  expect_reached(start(
      "LD_LIBRARY_PATH=" + directory_of(DROPIN_LT_13) + " MYBLAS_LOG=1 " + "MYBLAS_CUBLAS=" + pair_,
      open));
}

TEST_F(LtLaunch, NobodyIsThere) {
  const Outcome outcome = start(preload(DROPIN_LT_13) + " MYBLAS_LOG=1 MYBLAS_CUBLAS=off",
                                PROBE_LT_DLOPEN " libcublasLt.so.13");
  EXPECT_TRUE(outcome.has("create=15 matmul=15")) << outcome.text;
}

TEST_F(LtLaunch, ACublasOfALaterReleaseFindsWhatOursLacks) {
  // And asks our cublasLt for its version while we ask it for its own.
  const std::string libraries = preload(DROPIN_13 ":" DROPIN_LT_13);
  const std::string named = " MYBLAS_CUBLAS=" FAKE_LATER;
  Outcome outcome = start(libraries + named, PROBE_DLOPEN " libcublas.so.13");
  EXPECT_TRUE(outcome.has("sgemm=0 c=23,34,31,46")) << outcome.text;
  EXPECT_TRUE(outcome.has("version=130107")) << outcome.text;
  outcome = start(libraries + named + " MYBLAS_LOG=1", PROBE_LT_DLOPEN " libcublasLt.so.13");
  expect_reached(outcome);
}

TEST_F(LtLaunch, RunAddsItWhereItHasAllNames) {
  const std::string show = " sh -c 'echo preload=$LD_PRELOAD'";
  Outcome outcome = start("", MYBLAS_RUN " --cublas " + pair_ + show);
  EXPECT_TRUE(outcome.has("myblas/libcublas.so.12:")) << outcome.text;
  EXPECT_TRUE(outcome.has("myblas/libcublasLt.so.13:")) << outcome.text;
  outcome = start("", MYBLAS_RUN " --cublas " FAKE_LATER + show);
  EXPECT_TRUE(outcome.has("myblas/libcublas.so.13:")) << outcome.text;
  EXPECT_FALSE(outcome.has("libcublasLt.so.13")) << outcome.text;
  EXPECT_TRUE(outcome.has("libcublasLt.so.12")) << outcome.text;
  expect_reached(start("MYBLAS_LOG=1",
                       MYBLAS_RUN " --cublas " + pair_ + " " PROBE_LT_DLOPEN " libcublasLt.so.13"));
}

}  // namespace
}  // namespace dropin_test
