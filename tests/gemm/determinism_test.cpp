// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemm/determinism_test.cpp: the same call gives the same bits, whatever runs beside it, on
// whichever stream, handle and workspace. Real data, whose sum depends on its order.
//==============================================================================
#include <cstring>

#include "support/gemm_case.h"
#include "support/gemm_fixture.h"

namespace myblas::test {
namespace {

struct Shape {
  const char* combo;
  int64_t m, n, k;
};
constexpr Shape kShapes[] = {
    {"f32_f32_32F", 129, 65, 1000}, {"f32_f32_32F", 8, 8, 5000},     {"f64_f64_64F", 70, 90, 700},
    {"f16_f16_32F", 256, 128, 900}, {"bf16_bf16_32F", 16, 16, 4096}, {"cf32_cf32_32F", 60, 50, 400},
    {"cf64_cf64_64F", 33, 31, 300}, {"f16_f16_16F", 100, 100, 500},
};

class DeterminismTest : public GemmTest {
 protected:
  static GemmCase make_case(const Shape& shape) {
    GemmCase gemm;
    gemm.entry = find_entry("myblasGemmEx");
    gemm.combo = find_combo(shape.combo);
    gemm.m = shape.m;
    gemm.n = shape.n;
    gemm.k = shape.k;
    gemm.op_a = MYBLAS_OP_T;
    gemm.data = DataKind::kReal;
    return gemm;
  }
  static std::vector<uint8_t> bits(PreparedGemm& prepared) {
    prepared.arena().download();
    return prepared.output();
  }
};

TEST_F(DeterminismTest, HundredRuns) {
  for (const Shape& shape : kShapes) {
    PreparedGemm prepared(device(), make_case(shape));
    std::vector<uint8_t> first;
    std::unique_ptr<Handle> own;
    for (int run = 0; run < 100; ++run) {
      if (run % 25 == 0) own = std::make_unique<Handle>();
      if (run > 0) prepared.reset();
      ASSERT_EQ(prepared.launch(own->get()), MYBLAS_STATUS_SUCCESS);
      const std::vector<uint8_t> now = bits(prepared);
      if (run == 0) {
        first = now;
        ASSERT_TRUE(prepared.check()) << to_line(prepared.gemm());
      }
      ASSERT_TRUE(now == first) << "run " << run << ": " << to_line(prepared.gemm());
      count_cases(1);
    }
  }
}

TEST_F(DeterminismTest, WorkspaceChangesNothing) {
  DeviceMemory memory(device(), (size_t{32} << 20) + 256);
  auto* workspace =
      reinterpret_cast<void*>((reinterpret_cast<size_t>(memory.data()) + 255) / 256 * 256);
  for (const Shape& shape : kShapes) {
    Handle own;
    PreparedGemm prepared(device(), make_case(shape));
    ASSERT_EQ(prepared.launch(own.get()), MYBLAS_STATUS_SUCCESS);
    const std::vector<uint8_t> first = bits(prepared);
    for (const size_t bytes :
         {size_t{0}, size_t{1}, size_t{16} << 10, size_t{4} << 20, size_t{32} << 20}) {
      ASSERT_EQ(myblasSetWorkspace(own.get(), workspace, bytes), MYBLAS_STATUS_SUCCESS);
      PreparedGemm again(device(), make_case(shape));
      ASSERT_EQ(again.launch(own.get()), MYBLAS_STATUS_SUCCESS);
      EXPECT_TRUE(bits(again) == first) << "workspace " << bytes << ": " << to_line(again.gemm());
      count_cases(1);
    }
  }
}

// One handle whose stream changes between calls, work of all streams in flight at once.
TEST_F(DeterminismTest, ManyStreamsAgainstOne) {
  constexpr size_t kStreams = 8, kRounds = 10;
  Handle own;
  std::vector<std::unique_ptr<Stream>> streams;
  for (size_t i = 0; i < kStreams; ++i) {
    streams.push_back(std::make_unique<Stream>(device(), i % 2 == 0));
  }
  for (const Shape& shape : kShapes) {
    PreparedGemm serial(device(), make_case(shape));
    ASSERT_EQ(serial.launch(own.get()), MYBLAS_STATUS_SUCCESS);
    const std::vector<uint8_t> expected = bits(serial);
    std::vector<std::unique_ptr<PreparedGemm>> parallel;
    for (size_t i = 0; i < kStreams; ++i) {
      parallel.push_back(std::make_unique<PreparedGemm>(device(), make_case(shape)));
    }
    for (size_t round = 0; round < kRounds; ++round) {
      for (size_t i = 0; i < kStreams; ++i) {
        ASSERT_EQ(myblasSetStream(own.get(), streams[i]->get()), MYBLAS_STATUS_SUCCESS);
        ASSERT_EQ(parallel[i]->launch(own.get()), MYBLAS_STATUS_SUCCESS);
        count_cases(1);
      }
    }
    for (const std::unique_ptr<Stream>& stream : streams) stream->synchronize();
    ASSERT_EQ(myblasSetStream(own.get(), nullptr), MYBLAS_STATUS_SUCCESS);
    for (size_t i = 0; i < kStreams; ++i) {
      EXPECT_TRUE(bits(*parallel[i]) == expected)
          << "stream " << i << ": " << to_line(serial.gemm());
    }
  }
}

// A stream is destroyed while it runs, and the next one mostly has its address: their work runs
// together, and must not meet in one piece of scratch.
TEST_F(DeterminismTest, StreamsWithTheAddressOfADestroyedOne) {
  constexpr size_t kStreams = 24;
  constexpr int kLaunches = 30;
  Handle own;
  for (const Shape& shape : {Shape{"f32_f32_32F", 128, 128, 20000},
                             {"bf16_bf16_32F", 128, 64, 40000},
                             {"bf16_bf16_32F", 301, 77, 3001}}) {
    PreparedGemm serial(device(), make_case(shape));
    ASSERT_EQ(serial.launch(own.get()), MYBLAS_STATUS_SUCCESS);
    const std::vector<uint8_t> expected = bits(serial);
    std::vector<std::unique_ptr<PreparedGemm>> products;
    for (size_t i = 0; i < kStreams; ++i) {
      products.push_back(std::make_unique<PreparedGemm>(device(), make_case(shape)));
    }
    for (const auto& product : products) {
      const Stream stream(device(), false);
      ASSERT_EQ(myblasSetStream(own.get(), stream.get()), MYBLAS_STATUS_SUCCESS);
      for (int i = 0; i < kLaunches; ++i) {
        ASSERT_EQ(product->launch(own.get()), MYBLAS_STATUS_SUCCESS);
      }
      count_cases(1);
    }
    device().synchronize();
    ASSERT_EQ(myblasSetStream(own.get(), nullptr), MYBLAS_STATUS_SUCCESS);
    for (size_t i = 0; i < kStreams; ++i) {
      EXPECT_TRUE(bits(*products[i]) == expected)
          << "stream " << i << ": " << to_line(serial.gemm());
    }
  }
}

// A matrix of a batch does not depend on its place in it: the same product, three times.
TEST_F(DeterminismTest, EveryPlaceOfABatchGivesTheSameBits) {
  GemmCase gemm = make_case({"f32_f32_32F", 33, 21, 2570});
  gemm.entry = find_entry("myblasGemmStridedBatchedEx");
  gemm.batch = 3;
  gemm.stride_a = gemm.stride_b = Stride::kBroadcast;
  PreparedGemm prepared(device(), gemm);
  ASSERT_EQ(prepared.launch(handle()), MYBLAS_STATUS_SUCCESS);
  const std::vector<uint8_t> all = bits(prepared);
  const size_t matrix = all.size() / 3;
  EXPECT_EQ(std::memcmp(all.data(), all.data() + matrix, matrix), 0);
  EXPECT_EQ(std::memcmp(all.data(), all.data() + 2 * matrix, matrix), 0);
  count_cases(1);
}

// Destroy waits for what is in flight, and so does giving the handle back right after a launch.
TEST_F(DeterminismTest, DestroyWaitsForWorkInFlight) {
  for (int round = 0; round < 5; ++round) {
    Stream stream(device(), false);
    GemmCase gemm = make_case({"f32_f32_32F", 600, 500, 3000});
    gemm.data = DataKind::kInteger;
    PreparedGemm prepared(device(), gemm);
    {
      Handle own;
      ASSERT_EQ(myblasSetStream(own.get(), stream.get()), MYBLAS_STATUS_SUCCESS);
      for (int i = 0; i < 5; ++i) ASSERT_EQ(prepared.launch(own.get()), MYBLAS_STATUS_SUCCESS);
    }
    EXPECT_TRUE(prepared.check()) << to_line(gemm);
    count_cases(1);
  }
}

}  // namespace
}  // namespace myblas::test
