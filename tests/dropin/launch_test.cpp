// SPDX-License-Identifier: BSD-3-Clause
// Whole programs: each way that a cuBLAS program comes to the drop-in, and each way that the
// drop-in comes to the real library. A product that was served shows by its result: the fake
// cuBLAS computes nothing and leaves C at -1.
#include "launch.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

namespace dropin_test {
namespace {

const char* const kServed = "sgemm=0 c=23,34,31,46";
const char* const kNotServed = "sgemm=0 c=-1,-1,-1,-1";

void expect_served_by_dropin(const Outcome& outcome, const std::string& version) {
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_TRUE(outcome.has(kServed)) << outcome.text;
  EXPECT_TRUE(outcome.has("version=" + version)) << outcome.text;
  EXPECT_TRUE(outcome.has("saxpy=0")) << outcome.text;
}

TEST(Launch, PlainProgramUsesTheRealLibrary) {
  const Outcome outcome = start("", PROBE_LINKED_13);
  EXPECT_TRUE(outcome.has(kNotServed)) << outcome.text;
}

TEST(Launch, NeutralPreloadOfLinkedPrograms) {
  expect_served_by_dropin(start(preload(DROPIN_NEUTRAL), PROBE_LINKED_13), "130107");
  expect_served_by_dropin(start(preload(DROPIN_NEUTRAL), PROBE_LINKED_12), "120107");
}

TEST(Launch, SameSonamePreloadOfLinkedPrograms) {
  // The loader takes the preloaded library for the needed one; the real one is found through the
  // program's own RUNPATH.
  expect_served_by_dropin(start(preload(DROPIN_13), PROBE_LINKED_13), "130107");
  expect_served_by_dropin(start(preload(DROPIN_12), PROBE_LINKED_12), "120107");
}

TEST(Launch, SameSonamePreloadOfDlopenUsers) {
  const std::string environment = preload(DROPIN_13) + " MYBLAS_CUBLAS=" FAKE_CUBLAS_13;
  expect_served_by_dropin(start(environment, PROBE_DLOPEN " libcublas.so.13"), "130107");
}

TEST(Launch, LibraryPath) {
  const std::string directory = directory_of(DROPIN_13);
  const std::string fake = directory_of(FAKE_CUBLAS_13);
  // The real library further back on the same path: the drop-in passes itself and finds it.
  const std::string path = "LD_LIBRARY_PATH=" + directory + ":" + fake;
  for (const char* name : {"libcublas.so.13", "libcublas.so"}) {
    expect_served_by_dropin(start(path, std::string(PROBE_DLOPEN " ") + name), "130107");
  }
}

TEST(Launch, TheDevelopmentNameTakesWhicheverMajorThereIs) {
  const std::string directory = directory_of(DROPIN_13);
  const std::string open = PROBE_DLOPEN " libcublas.so";
  for (const char* fake : {FAKE_CUBLAS_12, FAKE_CUBLAS_13}) {
    const std::string version = fake == std::string(FAKE_CUBLAS_12) ? "120107" : "130107";
    const std::string path = "LD_LIBRARY_PATH=" + directory + ":" + directory_of(fake);
    expect_served_by_dropin(start(path, open), version);
    // As a myblas-run around it adds: the file of that name is then a third copy.
    expect_served_by_dropin(start(path + " " + preload(DROPIN_13 ":" DROPIN_12), open), version);
  }
}

TEST(Launch, LinkedWithTheDropinAlone) {
  const Outcome outcome = start("MYBLAS_CUBLAS=off", PROBE_LINKED_DROPIN);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_TRUE(outcome.has(kServed)) << outcome.text;
  EXPECT_TRUE(outcome.has("version=130100")) << outcome.text;
  EXPECT_TRUE(outcome.has("saxpy=15")) << outcome.text;
}

TEST(Launch, NamedLibraryWinsAndADirectoryWillDo) {
  expect_served_by_dropin(start("MYBLAS_CUBLAS=" FAKE_CUBLAS_12, PROBE_LINKED_DROPIN), "120107");
  expect_served_by_dropin(
      start("MYBLAS_CUBLAS=" + directory_of(FAKE_CUBLAS_13), PROBE_LINKED_DROPIN), "130107");
}

TEST(Launch, ItselfAndOtherMajorsAreRefused) {
  // Named wrongly, it says so, and the search goes on to the copy that is mapped.
  for (const char* wrong : {DROPIN_13, DROPIN_NEUTRAL, DROPIN_12, FAKE_CUBLAS_12, "/nowhere.so"}) {
    const Outcome outcome =
        start(preload(DROPIN_13) + " MYBLAS_CUBLAS=" + std::string(wrong), PROBE_LINKED_13);
    expect_served_by_dropin(outcome, "130107");
    EXPECT_TRUE(outcome.has("is not a cuBLAS that this library can use")) << outcome.text;
  }
}

TEST(Launch, AToolkitIsFound) {
  char root[] = "/tmp/myblas_toolkit_XXXXXX";
  ASSERT_NE(mkdtemp(root), nullptr);
  const std::string lib = std::string(root) + "/lib64";
  ASSERT_EQ(mkdir(lib.c_str(), 0755), 0);
  const std::string link = lib + "/libcublas.so.13";
  ASSERT_EQ(symlink(FAKE_CUBLAS_13, link.c_str()), 0);
  expect_served_by_dropin(start(std::string("CUDA_HOME=") + root, PROBE_LINKED_DROPIN), "130107");
  unlink(link.c_str());
  rmdir(lib.c_str());
  rmdir(root);
}

TEST(Launch, TheLibraryBesideAMappedLtIsTaken) {
  // Only cublasLt is mapped, as when a program uses nothing else: its pair is taken, although a
  // toolkit is named.
  char root[] = "/tmp/myblas_pair_XXXXXX";
  ASSERT_NE(mkdtemp(root), nullptr);
  const std::string cublas = std::string(root) + "/libcublas.so.12";
  const std::string lt = std::string(root) + "/libcublasLt.so.12";
  ASSERT_EQ(symlink(FAKE_CUBLAS_12, cublas.c_str()), 0);
  ASSERT_EQ(symlink(FAKE_CUDA, lt.c_str()), 0);  // any library will do
  expect_served_by_dropin(start(preload(lt), PROBE_LINKED_DROPIN), "120107");
  unlink(cublas.c_str());
  unlink(lt.c_str());
  rmdir(root);
}

TEST(Launch, DevicePointersNeverReachTheCpuBackend) {
  // This fake does not say that it takes host pointers: it is like a real cuBLAS.
  const Outcome outcome = start(
      preload(DROPIN_13) + " MYBLAS_LOG=1 MYBLAS_CUBLAS=" FAKE_CUBLAS_DEVICE, PROBE_LINKED_13);
  EXPECT_TRUE(outcome.has(kNotServed)) << outcome.text;
  EXPECT_TRUE(outcome.has("every call of this handle is forwarded")) << outcome.text;
}

TEST(Launch, WithoutAGpuACublasThatNobodyNamedIsLetGo) {
  // Found, but good for nothing here: the program computes on the CPU, as on a machine without it.
  char root[] = "/tmp/myblas_no_gpu_XXXXXX";
  ASSERT_NE(mkdtemp(root), nullptr);
  const std::string link = std::string(root) + "/libcublas.so.13";
  ASSERT_EQ(symlink(FAKE_CUBLAS_DEVICE, link.c_str()), 0);
  const Outcome outcome =
      start(std::string("MYBLAS_LOG=1 LD_LIBRARY_PATH=") + root, PROBE_LINKED_DROPIN);
  EXPECT_TRUE(outcome.has(kServed)) << outcome.text;
  EXPECT_TRUE(outcome.has("version=130100")) << outcome.text;
  EXPECT_TRUE(outcome.has("standalone, no cuBLAS behind the drop-in")) << outcome.text;
  unlink(link.c_str());
  rmdir(root);
}

TEST(Launch, BesideAGpuACublasIsKeptWhateverMyblasCanUse) {
  // A driver with a device, which this libmyblas has no backend for or is told nonsense about:
  // the caller's pointers are device pointers.
  char root[] = "/tmp/myblas_keep_XXXXXX";
  ASSERT_NE(mkdtemp(root), nullptr);
  const std::string link = std::string(root) + "/libcublas.so.13";
  ASSERT_EQ(symlink(FAKE_CUBLAS_DEVICE, link.c_str()), 0);
  const std::string path = preload(FAKE_CUDA) + " LD_LIBRARY_PATH=" + root;
  for (const char* variables : {"MYBLAS_BACKEND=auto MYBLAS_TARGET=sm_1", "MYBLAS_BACKEND=gpu"}) {
    const Outcome outcome = start(path + " " + variables + " MYBLAS_LOG=1", PROBE_LINKED_DROPIN);
    EXPECT_TRUE(outcome.has(kNotServed)) << outcome.text;
    EXPECT_TRUE(outcome.has("version=130107")) << outcome.text;
    EXPECT_FALSE(outcome.has("standalone")) << outcome.text;
  }
  unlink(link.c_str());
  rmdir(root);
}

TEST(Launch, AVersionCheckDoesNotInitializeCuda) {
  char root[] = "/tmp/myblas_init_XXXXXX";
  ASSERT_NE(mkdtemp(root), nullptr);
  const std::string link = std::string(root) + "/libcublas.so.13";
  ASSERT_EQ(symlink(FAKE_CUBLAS_DEVICE, link.c_str()), 0);
  const Outcome outcome =
      start("PROBE_ONLY=version MYBLAS_BACKEND=auto FAKE_CUDA_SAYS_INIT=1 LD_LIBRARY_PATH=" +
                std::string(root) + " " + preload(FAKE_CUDA),
            PROBE_LINKED_DROPIN);
  EXPECT_TRUE(outcome.has("version=130107")) << outcome.text;
  EXPECT_FALSE(outcome.has("cuInit was called")) << outcome.text;
  unlink(link.c_str());
  rmdir(root);
}

TEST(Launch, Log) {
  const Outcome outcome = start(preload(DROPIN_NEUTRAL) + " MYBLAS_LOG=1", PROBE_LINKED_13);
  expect_served_by_dropin(outcome, "130107");
  EXPECT_TRUE(outcome.has("myblas: cublasSaxpy_v2 -> forwarded (not a matrix product)"))
      << outcome.text;
  EXPECT_FALSE(outcome.has("cublasSgemm_v2 -> forwarded")) << outcome.text;
  EXPECT_TRUE(outcome.has("myblas: what is not served goes to " FAKE_CUBLAS_13)) << outcome.text;
}

TEST(Launch, Report) {
  const Outcome outcome = start(preload(DROPIN_NEUTRAL) + " MYBLAS_REPORT=1", PROBE_LINKED_13);
  expect_served_by_dropin(outcome, "130107");
  EXPECT_TRUE(outcome.has("myblas report")) << outcome.text;
  EXPECT_TRUE(outcome.has("NN 2x2x2")) << outcome.text;
  EXPECT_TRUE(outcome.has("openblas")) << outcome.text;
  EXPECT_TRUE(outcome.has("forwarded (not a matrix product)")) << outcome.text;
}

TEST(Launch, ReportTimesTheGpu) {
  const Outcome outcome =
      start(preload(DROPIN_NEUTRAL) + " MYBLAS_REPORT=1 LD_LIBRARY_PATH=" + directory_of(FAKE_CUDA),
            PROBE_LINKED_13);
  expect_served_by_dropin(outcome, "130107");
  EXPECT_TRUE(outcome.has("1.500 100.0%  openblas")) << outcome.text;
}

TEST(Launch, AForkedChildReportsItsOwnCallsAlone) {
  const auto count = [](const Outcome& outcome, const std::string& part) {
    int found = 0;
    for (size_t at = 0; (at = outcome.text.find(part, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  const std::string environment = preload(DROPIN_NEUTRAL) + " MYBLAS_REPORT=1 PROBE_FORK=";
  Outcome outcome = start(environment + "quiet", PROBE_LINKED_13);
  EXPECT_EQ(count(outcome, "myblas report"), 1) << outcome.text;
  EXPECT_EQ(count(outcome, "NN 2x2x2"), 1) << outcome.text;
  outcome = start(environment + "call", PROBE_LINKED_13);
  EXPECT_EQ(count(outcome, "myblas report"), 2) << outcome.text;
  EXPECT_EQ(count(outcome, "NN 2x2x2"), 1) << outcome.text;
  EXPECT_EQ(count(outcome, "cublasSaxpy_v2"), 2) << outcome.text;
}

TEST(Launch, AForwardedCallIsTimedOnItsOwnStream) {
  // No shadow: only the real library knows the stream.
  const Outcome outcome =
      start(preload(DROPIN_13) +
                " MYBLAS_REPORT=1 PROBE_STREAM=1 MYBLAS_CUBLAS=" FAKE_CUBLAS_DEVICE
                " FAKE_CUDA_REFUSES_THE_NULL_STREAM=1 "
                "LD_LIBRARY_PATH=" +
                directory_of(FAKE_CUDA),
            PROBE_LINKED_13);
  EXPECT_TRUE(outcome.has(kNotServed)) << outcome.text;
  EXPECT_TRUE(outcome.has("1.500 100.0%  forwarded (")) << outcome.text;
}

TEST(Run, LinkedProgramGetsTheNeutralLibrary) {
  const Outcome outcome = start("", MYBLAS_RUN " --report " PROBE_LINKED_12);
  expect_served_by_dropin(outcome, "120107");
  EXPECT_TRUE(outcome.has("myblas report")) << outcome.text;
}

TEST(Run, DlopenUserGetsTheSameSoname) {
  expect_served_by_dropin(
      start("", MYBLAS_RUN " --cublas " FAKE_CUBLAS_13 " " PROBE_DLOPEN " libcublas.so.13"),
      "130107");
  expect_served_by_dropin(
      start("", MYBLAS_RUN " --cublas " FAKE_CUBLAS_12 " " PROBE_DLOPEN " libcublas.so.12"),
      "120107");
}

TEST(Run, AProgramWhoseLibraryNeedsCublasGetsItsVersion) {
  // Whatever version the tool finds or is told.
  for (const char* environment : {"", "MYBLAS_CUBLAS_FOUND=/nowhere.so", "CUDA_HOME=/nowhere"}) {
    expect_served_by_dropin(start(environment, MYBLAS_RUN " " PROBE_THROUGH_LIBRARY_12), "120107");
    expect_served_by_dropin(start(environment, MYBLAS_RUN " " PROBE_THROUGH_LIBRARY_13), "130107");
  }
}

TEST(Run, TheUsersLibraryStaysAndTheGuessComesAfterTheProgramsOwn) {
  const std::string show =
      MYBLAS_RUN " sh -c 'echo named=$MYBLAS_CUBLAS found=$MYBLAS_CUBLAS_FOUND'";
  const std::string guess = "LD_LIBRARY_PATH=" + directory_of(FAKE_CUBLAS_13);
  Outcome outcome = start("MYBLAS_CUBLAS=" FAKE_CUBLAS_12 " " + guess, show);
  EXPECT_TRUE(outcome.has("named=" FAKE_CUBLAS_12 " found=\n")) << outcome.text;
  outcome = start("HOME= VIRTUAL_ENV= CONDA_PREFIX= " + guess, show);
  EXPECT_TRUE(outcome.has("named= found=/")) << outcome.text;
  // Where nothing else leads to a library, and in silence where it leads nowhere.
  expect_served_by_dropin(start("MYBLAS_CUBLAS_FOUND=" FAKE_CUBLAS_12, PROBE_LINKED_DROPIN),
                          "120107");
  expect_served_by_dropin(
      start("MYBLAS_CUBLAS_FOUND=" FAKE_CUBLAS_12 " " + guess, PROBE_LINKED_DROPIN), "130107");
  outcome = start("MYBLAS_CUBLAS_FOUND=/nowhere.so " + guess, PROBE_LINKED_DROPIN);
  expect_served_by_dropin(outcome, "130107");
  EXPECT_FALSE(outcome.has("nowhere")) << outcome.text;
}

TEST(Run, APathThatLdPreloadCannotTakeIsRefused) {
  char root[] = "/tmp/myblas run_XXXXXX";
  ASSERT_NE(mkdtemp(root), nullptr);
  const Outcome outcome =
      start("", "sh -c 'cd \"" + std::string(root) +
                    "\" && mkdir bin lib && cp " MYBLAS_RUN
                    " bin && touch lib/libmyblas_cublas.so.1 && bin/myblas-run true; code=$?; "
                    "rm -r bin lib; exit $code'");
  EXPECT_EQ(outcome.exit_code, 127) << outcome.text;
  EXPECT_TRUE(outcome.has("a space or a colon")) << outcome.text;
  rmdir(root);
}

TEST(Run, AProgramLinkedWithTheDropinNeedsNoPreload) {
  const Outcome outcome = start("", MYBLAS_RUN " --cublas off --report " PROBE_LINKED_DROPIN);
  EXPECT_TRUE(outcome.has("version=130100")) << outcome.text;
  EXPECT_TRUE(outcome.has("NN 2x2x2")) << outcome.text;
}

TEST(Run, ScriptsAndArgumentsPassThrough) {
  const Outcome outcome =
      start("", MYBLAS_RUN " --cublas " FAKE_CUBLAS_13 " sh -c 'echo got \"$1\"; exit 7' - 'a b'");
  EXPECT_TRUE(outcome.has("got a b")) << outcome.text;
  EXPECT_EQ(outcome.exit_code, 7);
  EXPECT_EQ(start("", MYBLAS_RUN).exit_code, 2);
  EXPECT_EQ(start("", MYBLAS_RUN " /nowhere/program").exit_code, 127);
}

}  // namespace
}  // namespace dropin_test
