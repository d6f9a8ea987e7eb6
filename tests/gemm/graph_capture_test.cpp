// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemm/graph_capture_test.cpp: products captured into CUDA graphs.
//
// Host scalars are frozen at capture, device scalars read at each replay; a capture with a
// workspace makes no memory node in any capture mode, which is also the proof that a call neither
// allocates nor synchronises.
//==============================================================================
#include "support/captured_graph.h"
#include "support/cuda_driver.h"
#include "support/gemm_case.h"
#include "support/gemm_fixture.h"

namespace myblas::test {
namespace {

class GraphCaptureTest : public GpuGemmTest {
 protected:
  static GemmCase make_case(const char* combo, const char* entry, bool device_scalars) {
    GemmCase gemm;
    gemm.combo = find_combo(combo);
    gemm.entry = find_entry(entry);
    gemm.m = 70;
    gemm.n = 45;
    gemm.k = 130;
    gemm.op_a = MYBLAS_OP_T;
    gemm.alpha = {2, 0};
    gemm.device_scalars = device_scalars;
    if (gemm.entry->batch != BatchKind::kNone) gemm.batch = 3;
    return gemm;
  }
};

constexpr CuCaptureMode kModes[] = {kCaptureGlobal, kCaptureThreadLocal, kCaptureRelaxed};

TEST_F(GraphCaptureTest, EveryTypeInEveryModeReplays) {
  Handle own;
  Stream stream(device(), false);
  ASSERT_EQ(myblasSetStream(own.get(), stream.get()), MYBLAS_STATUS_SUCCESS);
  constexpr size_t kWorkspaceBytes = size_t{32} << 20;
  const DeviceMemory workspace(device(), kWorkspaceBytes);
  ASSERT_EQ(myblasSetWorkspace(own.get(), workspace.data(), kWorkspaceBytes),
            MYBLAS_STATUS_SUCCESS);
  for (const TypeCombo& combo : type_combos()) {
    for (const char* entry :
         {"myblasGemmEx", "myblasGemmStridedBatchedEx_64", "myblasGemmBatchedEx"}) {
      const CuCaptureMode mode = kModes[(&combo - type_combos().data()) % 3];
      for (const bool device_scalars : {false, true}) {
        PreparedGemm prepared(device(), make_case(combo.name, entry, device_scalars));
        myblasSetPointerMode(
            own.get(), device_scalars ? MYBLAS_POINTER_MODE_DEVICE : MYBLAS_POINTER_MODE_HOST);
        MYBLAS_TEST_CUDA(cuStreamBeginCapture, stream.get(), mode);
        const myblasStatus_t status = prepared.launch(own.get());
        const CapturedGraph graph(stream.get());
        ASSERT_EQ(status, MYBLAS_STATUS_SUCCESS) << to_line(prepared.gemm());
        const std::vector<int> types = graph.node_types();
        EXPECT_GE(types.size(), 1u);
        for (const int type : types) {
          EXPECT_NE(type, kNodeMemAlloc) << to_line(prepared.gemm());
          EXPECT_NE(type, kNodeMemFree) << to_line(prepared.gemm());
        }
        for (int replay = 0; replay < 100; ++replay) graph.replay(stream.get());
        stream.synchronize();
        EXPECT_TRUE(prepared.check()) << to_line(prepared.gemm());
        count_cases(1);
      }
    }
  }
}

// As PyTorch does ahead of each call: a setter that looks at the stream must not end the capture.
TEST_F(GraphCaptureTest, TheStreamMayBeSetWithinACapture) {
  for (const CuCaptureMode mode : kModes) {
    for (const bool known : {false, true}) {
      Handle own;
      Stream stream(device(), false);
      if (known) {
        ASSERT_EQ(myblasSetStream(own.get(), stream.get()), MYBLAS_STATUS_SUCCESS);
      }
      for (const char* combo : {"f32_f32_32F", "bf16_bf16_32F"}) {
        GemmCase gemm = make_case(combo, "myblasGemmEx", false);
        gemm.k = 4096;  // in parts, which meet in scratch memory
        PreparedGemm prepared(device(), gemm);
        MYBLAS_TEST_CUDA(cuStreamBeginCapture, stream.get(), mode);
        EXPECT_EQ(myblasSetStream(own.get(), stream.get()), MYBLAS_STATUS_SUCCESS);
        const myblasStatus_t status = prepared.launch(own.get());
        EXPECT_EQ(myblasSetStream(own.get(), stream.get()), MYBLAS_STATUS_SUCCESS);
        const CapturedGraph graph(stream.get());
        ASSERT_EQ(status, MYBLAS_STATUS_SUCCESS) << to_line(gemm);
        for (int replay = 0; replay < 3; ++replay) graph.replay(stream.get());
        stream.synchronize();
        EXPECT_TRUE(prepared.check()) << to_line(gemm);
        // And behind it, as it is set.
        prepared.reset();
        ASSERT_EQ(prepared.launch(own.get()), MYBLAS_STATUS_SUCCESS);
        stream.synchronize();
        EXPECT_TRUE(prepared.check()) << to_line(gemm);
        count_cases(1);
      }
    }
  }
}

// Whose sums of divided k a small workspace does not hold: a graph with memory nodes could be no
// child of another.
TEST_F(GraphCaptureTest, SmallWorkspacesMakeNoMemoryNodes) {
  Handle own;
  Stream stream(device(), false);
  ASSERT_EQ(myblasSetStream(own.get(), stream.get()), MYBLAS_STATUS_SUCCESS);
  constexpr size_t kMost = size_t{4} << 20;
  const DeviceMemory workspace(device(), kMost);
  for (const size_t bytes : {size_t{0}, size_t{256}, size_t{16} << 10, size_t{128} << 10, kMost}) {
    ASSERT_EQ(myblasSetWorkspace(own.get(), bytes > 0 ? workspace.data() : nullptr, bytes),
              MYBLAS_STATUS_SUCCESS);
    for (const char* combo : {"f32_f32_32F", "bf16_bf16_32F", "f64_f64_64F", "cf32_cf32_32F"}) {
      GemmCase gemm = make_case(combo, "myblasGemmEx", false);
      gemm.m = 256;
      gemm.n = 512;
      gemm.k = 4096;
      PreparedGemm prepared(device(), gemm);
      MYBLAS_TEST_CUDA(cuStreamBeginCapture, stream.get(), kCaptureThreadLocal);
      const myblasStatus_t status = prepared.launch(own.get());
      const CapturedGraph graph(stream.get());
      ASSERT_EQ(status, MYBLAS_STATUS_SUCCESS) << to_line(prepared.gemm());
      for (const int type : graph.node_types()) {
        EXPECT_NE(type, kNodeMemAlloc) << bytes << ' ' << to_line(prepared.gemm());
      }
      for (int replay = 0; replay < 3; ++replay) graph.replay(stream.get());
      stream.synchronize();
      EXPECT_TRUE(prepared.check()) << bytes << ' ' << to_line(prepared.gemm());
      count_cases(1);
    }
  }
}

TEST_F(GraphCaptureTest, DeviceAlphaIsReadAtEachReplay) {
  Handle own;
  Stream stream(device(), false);
  ASSERT_EQ(myblasSetStream(own.get(), stream.get()), MYBLAS_STATUS_SUCCESS);
  ASSERT_EQ(myblasSetPointerMode(own.get(), MYBLAS_POINTER_MODE_DEVICE), MYBLAS_STATUS_SUCCESS);
  for (const CuCaptureMode mode : kModes) {
    for (const char* combo : {"f32_f32_32F", "f64_f64_64F", "f16_f16_16F", "cf32_cf32_32F"}) {
      GemmCase gemm = make_case(combo, "myblasGemmEx", true);
      PreparedGemm captured(device(), gemm);
      MYBLAS_TEST_CUDA(cuStreamBeginCapture, stream.get(), mode);
      const myblasStatus_t status = captured.launch(own.get());
      const CapturedGraph graph(stream.get());
      ASSERT_EQ(status, MYBLAS_STATUS_SUCCESS);
      for (const double alpha : {0.0, 1.0, -1.0, 0.5, 2.0}) {
        alignas(16) unsigned char bytes[16];
        store(gemm.combo->scale, bytes, {alpha, 0});
        device().copy_in(captured.arena().device_address(captured.slot_alpha()), bytes,
                         element_bytes(gemm.combo->scale));
        graph.replay(stream.get());
        stream.synchronize();
        captured.arena().download();
        const std::vector<uint8_t> replayed = captured.output();
        // The same product with that alpha, uncaptured, on the data of the captured one.
        PreparedGemm plain(device(), gemm);
        device().copy_in(plain.arena().device_address(plain.slot_alpha()), bytes,
                         element_bytes(gemm.combo->scale));
        ASSERT_EQ(plain.launch(own.get()), MYBLAS_STATUS_SUCCESS);
        plain.arena().download();
        EXPECT_TRUE(replayed == plain.output()) << combo << " alpha " << alpha;
        count_cases(1);
      }
    }
  }
}

// A captured call must not see the host scalar that its stack frame held.
TEST_F(GraphCaptureTest, HostScalarsAreFrozen) {
  Handle own;
  Stream stream(device(), true);
  ASSERT_EQ(myblasSetStream(own.get(), stream.get()), MYBLAS_STATUS_SUCCESS);
  GemmCase gemm = make_case("f32_f32_32F", "myblasSgemm", false);
  gemm.alpha = {-1, 0};
  PreparedGemm prepared(device(), gemm);
  MYBLAS_TEST_CUDA(cuStreamBeginCapture, stream.get(), kCaptureThreadLocal);
  const myblasStatus_t status = prepared.launch(own.get());
  const CapturedGraph graph(stream.get());
  ASSERT_EQ(status, MYBLAS_STATUS_SUCCESS);
  for (int replay = 0; replay < 3; ++replay) {
    prepared.reset();
    graph.replay(stream.get());
    stream.synchronize();
    EXPECT_TRUE(prepared.check());
    count_cases(1);
  }
}

// One graph of all types, replayed as a whole.
TEST_F(GraphCaptureTest, ManyCallsInOneGraph) {
  Handle own;
  Stream stream(device(), false);
  ASSERT_EQ(myblasSetStream(own.get(), stream.get()), MYBLAS_STATUS_SUCCESS);
  std::vector<std::unique_ptr<PreparedGemm>> members;
  for (const TypeCombo& combo : type_combos()) {
    members.push_back(
        std::make_unique<PreparedGemm>(device(), make_case(combo.name, "myblasGemmEx", false)));
  }
  MYBLAS_TEST_CUDA(cuStreamBeginCapture, stream.get(), kCaptureGlobal);
  std::vector<myblasStatus_t> statuses;
  for (const auto& member : members) statuses.push_back(member->launch(own.get()));
  const CapturedGraph graph(stream.get());
  for (int replay = 0; replay < 10; ++replay) graph.replay(stream.get());
  stream.synchronize();
  for (size_t i = 0; i < members.size(); ++i) {
    EXPECT_EQ(statuses[i], MYBLAS_STATUS_SUCCESS);
    EXPECT_TRUE(members[i]->check()) << to_line(members[i]->gemm());
    count_cases(1);
  }
}

}  // namespace
}  // namespace myblas::test
