// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemm/state_test.cpp: handles, getters and setters, status texts.
//==============================================================================
#include <bit>
#include <cstring>
#include <set>

#include "support/entry_points.h"
#include "support/gemm_fixture.h"

namespace myblas::test {
namespace {

constexpr auto kSuccess = MYBLAS_STATUS_SUCCESS;
constexpr auto kInvalid = MYBLAS_STATUS_INVALID_VALUE;
constexpr auto kNotInitialized = MYBLAS_STATUS_NOT_INITIALIZED;

// An enum value as a C program may pass it, in range or not.
template <class Enum>
Enum raw(int value) {
  return std::bit_cast<Enum>(value);
}

class StateTest : public GemmTest {
 protected:
  // One check of the table.
  void expect(myblasStatus_t got, myblasStatus_t status, const char* call) {
    EXPECT_EQ(got, status) << call;
    count_cases(1);
  }
};

#define CHECK_STATUS(call, status) expect(call, status, #call)

TEST_F(StateTest, Defaults) {
  Handle fresh;
  myblasStream_t stream = reinterpret_cast<myblasStream_t>(1);
  CHECK_STATUS(myblasGetStream(fresh.get(), &stream), kSuccess);
  EXPECT_EQ(stream, nullptr);
  myblasPointerMode_t pointer_mode = MYBLAS_POINTER_MODE_DEVICE;
  CHECK_STATUS(myblasGetPointerMode(fresh.get(), &pointer_mode), kSuccess);
  EXPECT_EQ(pointer_mode, MYBLAS_POINTER_MODE_HOST);
  myblasMath_t math = MYBLAS_PEDANTIC_MATH;
  CHECK_STATUS(myblasGetMathMode(fresh.get(), &math), kSuccess);
  EXPECT_EQ(math, MYBLAS_DEFAULT_MATH);
  myblasAtomicsMode_t atomics = MYBLAS_ATOMICS_ALLOWED;
  CHECK_STATUS(myblasGetAtomicsMode(fresh.get(), &atomics), kSuccess);
  EXPECT_EQ(atomics, MYBLAS_ATOMICS_NOT_ALLOWED);
  int target = -1;
  CHECK_STATUS(myblasGetSmCountTarget(fresh.get(), &target), kSuccess);
  EXPECT_EQ(target, 0);
}

TEST_F(StateTest, NullHandleComesFirst) {
  int number = 0;
  myblasStream_t stream = nullptr;
  CHECK_STATUS(myblasCreate(nullptr), kInvalid);
  CHECK_STATUS(myblasDestroy(nullptr), kNotInitialized);
  CHECK_STATUS(myblasSetStream(nullptr, nullptr), kNotInitialized);
  CHECK_STATUS(myblasGetStream(nullptr, &stream), kNotInitialized);
  CHECK_STATUS(myblasGetStream(nullptr, nullptr), kNotInitialized);
  CHECK_STATUS(myblasSetWorkspace(nullptr, nullptr, 0), kNotInitialized);
  CHECK_STATUS(myblasSetPointerMode(nullptr, MYBLAS_POINTER_MODE_HOST), kNotInitialized);
  CHECK_STATUS(myblasSetPointerMode(nullptr, raw<myblasPointerMode_t>(9)), kNotInitialized);
  CHECK_STATUS(myblasGetPointerMode(nullptr, nullptr), kNotInitialized);
  CHECK_STATUS(myblasSetMathMode(nullptr, MYBLAS_DEFAULT_MATH), kNotInitialized);
  CHECK_STATUS(myblasGetMathMode(nullptr, nullptr), kNotInitialized);
  CHECK_STATUS(myblasSetAtomicsMode(nullptr, MYBLAS_ATOMICS_ALLOWED), kNotInitialized);
  CHECK_STATUS(myblasGetAtomicsMode(nullptr, nullptr), kNotInitialized);
  CHECK_STATUS(myblasSetSmCountTarget(nullptr, 0), kNotInitialized);
  CHECK_STATUS(myblasGetSmCountTarget(nullptr, &number), kNotInitialized);
  char name[64];
  CHECK_STATUS(myblasGetTargetName(nullptr, name, sizeof name), kNotInitialized);
  for (const EntryPoint& entry : entry_points()) {
    GemmCall nothing;  // every other argument is wrong too
    for (const TypeCombo& combo : type_combos()) {
      if (entry.serves(combo)) nothing.combo = &combo;
    }
    nothing.m = -1;
    expect(entry.call(nullptr, nothing), kNotInitialized, entry.name);
  }
  CHECK_STATUS(myblasSgemmGroupedBatched(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                         nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                         nullptr, nullptr, -1, nullptr),
               kNotInitialized);
}

TEST_F(StateTest, NullResultsAreInvalid) {
  Handle fresh;
  CHECK_STATUS(myblasGetStream(fresh.get(), nullptr), kInvalid);
  CHECK_STATUS(myblasGetPointerMode(fresh.get(), nullptr), kInvalid);
  CHECK_STATUS(myblasGetMathMode(fresh.get(), nullptr), kInvalid);
  CHECK_STATUS(myblasGetAtomicsMode(fresh.get(), nullptr), kInvalid);
  CHECK_STATUS(myblasGetSmCountTarget(fresh.get(), nullptr), kInvalid);
  CHECK_STATUS(myblasGetVersion(fresh.get(), nullptr), kInvalid);
  CHECK_STATUS(myblasGetVersion(nullptr, nullptr), kInvalid);
  CHECK_STATUS(myblasGetProperty(MYBLAS_MAJOR_VERSION, nullptr), kInvalid);
}

TEST_F(StateTest, SettersReadBackAndRefuse) {
  Handle fresh;
  for (const myblasPointerMode_t mode : {MYBLAS_POINTER_MODE_DEVICE, MYBLAS_POINTER_MODE_HOST}) {
    myblasPointerMode_t got{};
    CHECK_STATUS(myblasSetPointerMode(fresh.get(), mode), kSuccess);
    CHECK_STATUS(myblasGetPointerMode(fresh.get(), &got), kSuccess);
    EXPECT_EQ(got, mode);
  }
  for (const int wrong : {-1, 2}) {
    CHECK_STATUS(myblasSetPointerMode(fresh.get(), raw<myblasPointerMode_t>(wrong)), kInvalid);
    CHECK_STATUS(myblasSetAtomicsMode(fresh.get(), raw<myblasAtomicsMode_t>(wrong)), kInvalid);
  }
  for (const myblasAtomicsMode_t mode : {MYBLAS_ATOMICS_ALLOWED, MYBLAS_ATOMICS_NOT_ALLOWED}) {
    myblasAtomicsMode_t got{};
    CHECK_STATUS(myblasSetAtomicsMode(fresh.get(), mode), kSuccess);
    CHECK_STATUS(myblasGetAtomicsMode(fresh.get(), &got), kSuccess);
    EXPECT_EQ(got, mode);
  }
  for (const int mode : {0, 1, 2, 3, 4, 8}) {
    for (const int flag : {0, 16}) {
      myblasMath_t got{};
      CHECK_STATUS(myblasSetMathMode(fresh.get(), raw<myblasMath_t>(mode | flag)), kSuccess);
      CHECK_STATUS(myblasGetMathMode(fresh.get(), &got), kSuccess);
      EXPECT_EQ(static_cast<int>(got), mode | flag);
    }
  }
  // cuBLAS takes every value of five bits, those without a name too.
  for (const int wrong : {-1, 32, 64}) {
    myblasMath_t got{};
    CHECK_STATUS(myblasSetMathMode(fresh.get(), raw<myblasMath_t>(wrong)), kInvalid);
    CHECK_STATUS(myblasGetMathMode(fresh.get(), &got), kSuccess);
    EXPECT_EQ(static_cast<int>(got), 8 | 16) << "a refused value must change nothing";
  }
  CHECK_STATUS(myblasSetSmCountTarget(fresh.get(), -1), kInvalid);
  if (device().is_gpu()) {
    CHECK_STATUS(myblasSetSmCountTarget(fresh.get(), 1 << 20), kInvalid);
  }
  CHECK_STATUS(myblasSetSmCountTarget(fresh.get(), 1), kSuccess);
  int target = 0;
  CHECK_STATUS(myblasGetSmCountTarget(fresh.get(), &target), kSuccess);
  EXPECT_EQ(target, 1);
  CHECK_STATUS(myblasSetSmCountTarget(fresh.get(), 0), kSuccess);
}

TEST_F(StateTest, StreamsAndWorkspaces) {
  Handle fresh;
  Stream stream(device(), false);
  myblasStream_t got = nullptr;
  CHECK_STATUS(myblasSetStream(fresh.get(), stream.get()), kSuccess);
  CHECK_STATUS(myblasGetStream(fresh.get(), &got), kSuccess);
  EXPECT_EQ(got, stream.get());
  DeviceMemory memory(device(), 65536 + 512);
  const auto aligned = (reinterpret_cast<size_t>(memory.data()) + 255) / 256 * 256;
  auto* workspace = reinterpret_cast<uint8_t*>(aligned);
  CHECK_STATUS(myblasSetWorkspace(fresh.get(), workspace, 65536), kSuccess);
  CHECK_STATUS(myblasSetWorkspace(fresh.get(), workspace, 1), kSuccess);
  CHECK_STATUS(myblasSetWorkspace(fresh.get(), workspace, 0), kSuccess);
  CHECK_STATUS(myblasSetWorkspace(fresh.get(), nullptr, 0), kSuccess);
  for (const int misalignment : {1, 16, 128, 255}) {
    CHECK_STATUS(myblasSetWorkspace(fresh.get(), workspace + misalignment, 4096), kInvalid);
  }
  // SetStream takes the handle's own workspace back: the caller's may go.
  CHECK_STATUS(myblasSetWorkspace(fresh.get(), workspace, 65536), kSuccess);
  CHECK_STATUS(myblasSetStream(fresh.get(), nullptr), kSuccess);
  CHECK_STATUS(myblasGetStream(fresh.get(), &got), kSuccess);
  EXPECT_EQ(got, nullptr);
}

TEST_F(StateTest, Versions) {
  int version = 0, part = 0;
  CHECK_STATUS(myblasGetVersion(nullptr, &version), kSuccess);
  EXPECT_EQ(version, MYBLAS_VERSION);
  CHECK_STATUS(myblasGetVersion(handle(), &version), kSuccess);
  EXPECT_EQ(version, MYBLAS_VERSION);
  CHECK_STATUS(myblasGetProperty(MYBLAS_MAJOR_VERSION, &part), kSuccess);
  EXPECT_EQ(part, MYBLAS_VER_MAJOR);
  CHECK_STATUS(myblasGetProperty(MYBLAS_MINOR_VERSION, &part), kSuccess);
  EXPECT_EQ(part, MYBLAS_VER_MINOR);
  CHECK_STATUS(myblasGetProperty(MYBLAS_PATCH_LEVEL, &part), kSuccess);
  EXPECT_EQ(part, MYBLAS_VER_PATCH);
  CHECK_STATUS(myblasGetProperty(raw<myblasPropertyType_t>(3), &part), kInvalid);
  CHECK_STATUS(myblasGetProperty(raw<myblasPropertyType_t>(-1), &part), kInvalid);
}

TEST_F(StateTest, StatusTexts) {
  std::set<std::string> sentences;
  for (const auto& [status, name] :
       {std::pair(0, "MYBLAS_STATUS_SUCCESS"), std::pair(1, "MYBLAS_STATUS_NOT_INITIALIZED"),
        std::pair(3, "MYBLAS_STATUS_ALLOC_FAILED"), std::pair(7, "MYBLAS_STATUS_INVALID_VALUE"),
        std::pair(8, "MYBLAS_STATUS_ARCH_MISMATCH"), std::pair(11, "MYBLAS_STATUS_MAPPING_ERROR"),
        std::pair(13, "MYBLAS_STATUS_EXECUTION_FAILED"),
        std::pair(14, "MYBLAS_STATUS_INTERNAL_ERROR"), std::pair(15, "MYBLAS_STATUS_NOT_SUPPORTED"),
        std::pair(16, "MYBLAS_STATUS_LICENSE_ERROR")}) {
    EXPECT_STREQ(myblasGetStatusName(raw<myblasStatus_t>(status)), name);
    const char* sentence = myblasGetStatusString(raw<myblasStatus_t>(status));
    ASSERT_NE(sentence, nullptr);
    EXPECT_GT(std::strlen(sentence), 4u);
    sentences.insert(sentence);
    count_cases(1);
  }
  EXPECT_EQ(sentences.size(), 10u);
  for (const int unknown : {2, 17, -1, 1000}) {
    EXPECT_NE(myblasGetStatusName(raw<myblasStatus_t>(unknown)), nullptr);
    EXPECT_NE(myblasGetStatusString(raw<myblasStatus_t>(unknown)), nullptr);
    count_cases(1);
  }
}

TEST_F(StateTest, HandlesGiveTheirMemoryBack) {
  { Handle first; }  // what the process loads once, it may keep
  const size_t before = device().free_bytes();
  for (int i = 0; i < 40; ++i) {
    Handle one, another;
    count_cases(1);
  }
  EXPECT_GE(device().free_bytes() + (size_t{8} << 20), before);
}

TEST_F(StateTest, HandlesAreIndependent) {
  Handle first, second;
  CHECK_STATUS(myblasSetPointerMode(first.get(), MYBLAS_POINTER_MODE_DEVICE), kSuccess);
  myblasPointerMode_t mode = MYBLAS_POINTER_MODE_DEVICE;
  CHECK_STATUS(myblasGetPointerMode(second.get(), &mode), kSuccess);
  EXPECT_EQ(mode, MYBLAS_POINTER_MODE_HOST);
}

}  // namespace
}  // namespace myblas::test
