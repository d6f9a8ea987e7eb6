// SPDX-License-Identifier: BSD-3-Clause
// The edges of blocks, with blocks small enough that small matrices cross them.
#include "cpu/blocked_gemm.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "cpu/openblas_backend.h"
#include "cpu_oracle.h"

namespace myblas::cpu::test {
namespace {

constexpr BlockSizes kBlocks[] = {{4, 3, 5}, {1, 1, 1}, {7, 64, 2}, {64, 2, 16}};
constexpr int64_t kSizes[] = {1, 3, 4, 5, 8, 13};
constexpr Op kOps[] = {Op::kN, Op::kT, Op::kC};

class CpuBlocks : public testing::Test {
 protected:
  void SetUp() override {
    if (!open()) GTEST_SKIP() << unavailable_reason();
  }
};

// gemm(problem, blocks) for every block size, transposition and size around the edges.
template <class In, class S, class Out, class Gemm>
void check_edges(Gemm gemm_with_blocks) {
  for (const BlockSizes& blocks : kBlocks)
    for (const Op op_a : kOps)
      for (const Op op_b : kOps)
        for (const int64_t m : kSizes)
          for (const int64_t n : kSizes)
            for (const int64_t k : kSizes)
              for (const int beta : {0, 2}) {
                Product<In, S, Out> product({op_a, op_b, m, n, k}, narrow<S>(3), narrow<S>(beta));
                product.check([&](const GemmProblem& problem) {
                  return gemm_with_blocks(openblas().functions, problem, narrow<S>(3),
                                          narrow<S>(beta), blocks);
                });
                if (testing::Test::HasFatalFailure()) return;
              }
}

TEST_F(CpuBlocks, DirectRealAndComplex) {
  check_edges<float, float, float>(direct_gemm<float>);
  check_edges<CF64, CF64, CF64>(direct_gemm<CF64>);
}

TEST_F(CpuBlocks, ConvertedSixteenBit) {
  check_edges<F16, float, F16>(converted_gemm<F16, float, F16>);
  check_edges<BF16, float, float>(converted_gemm<BF16, float, float>);
}

TEST_F(CpuBlocks, ConvertedComplex) {
  check_edges<CS8, CF32, CF32>(converted_gemm<CS8, CF32, CF32>);
}

// The path of an ld past 32 bits copies the type itself.
TEST_F(CpuBlocks, ConvertedSameType) {
  check_edges<double, double, double>(converted_gemm<double, double, double>);
  check_edges<CF32, CF32, CF32>(converted_gemm<CF32, CF32, CF32>);
}

TEST_F(CpuBlocks, Integer) { check_edges<int8_t, int32_t, int32_t>(integer_gemm); }

// Across the edges of the blocks in use.
TEST_F(CpuBlocks, BlocksInUse) {
  Product<F16, float, float> deep({Op::kN, Op::kN, 9, 5, 2 * kConvertedBlocks.k + 1}, 1.0f, 1.0f);
  deep.check(gemm);
  Product<BF16, float, BF16> tall({Op::kT, Op::kN, kConvertedBlocks.m + 1, 2, 3}, 1.0f, 0.0f);
  tall.check(gemm);
  Product<int8_t, int32_t, int32_t> wide_c({Op::kN, Op::kT, 3, kConvertedBlocks.n + 1, 4}, 1, 2);
  wide_c.check(gemm);
}

// Blocks that no memory holds: refused before A, B or C is touched.
TEST_F(CpuBlocks, ScratchThatCannotBeHadIsAStatus) {
  constexpr int64_t kHuge = int64_t{1} << 26;
  GemmProblem problem;
  problem.m = problem.n = problem.k = kHuge;
  problem.a.ld = problem.b.ld = problem.c.ld = kHuge;
  const BlockSizes blocks{kHuge, kHuge, kHuge};
  const OpenBlas& blas = openblas().functions;
  EXPECT_EQ((converted_gemm<F16, float, F16>(blas, problem, 1.0f, 0.0f, blocks)),
            Status::kAllocFailed);
  EXPECT_EQ(integer_gemm(blas, problem, 1, 0, {kHuge, kHuge * 256, 1}), Status::kAllocFailed);
}

// Every thread has scratch of its own.
TEST_F(CpuBlocks, ManyThreads) {
  constexpr size_t kThreads = 8;
  std::vector<Product<F16, float, float>> products;
  for (size_t i = 0; i < kThreads; ++i) {
    products.emplace_back(Shape{Op::kN, Op::kT, 40 + static_cast<int64_t>(i), 33, 50}, 1.0f, 0.0f);
  }
  std::vector<std::thread> threads;
  for (auto& product : products) {
    threads.emplace_back([&product] {
      product.problem.a = product.a.matrix();
      product.problem.b = product.b.matrix();
      product.problem.c = product.c.matrix();
      for (int repeat = 0; repeat < 20; ++repeat) gemm(product.problem);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (auto& product : products) {
    product.check([](const GemmProblem&) { return Status::kSuccess; });
  }
}

TEST_F(CpuBlocks, DirectNeedsEveryLdInThirtyTwoBits) {
  constexpr int64_t kPast = (int64_t{1} << 31);
  GemmProblem problem;
  problem.m = problem.n = problem.k = 2;
  problem.a.ld = problem.b.ld = problem.c.ld = kPast - 1;
  EXPECT_TRUE(fits_direct(problem));
  for (Matrix* matrix : {&problem.a, &problem.b, &problem.c}) {
    matrix->ld = kPast;
    EXPECT_FALSE(fits_direct(problem));
    matrix->ld = 2;
  }
  problem.n = 1;  // B and C have one column
  problem.b.ld = problem.c.ld = kPast;
  EXPECT_TRUE(fits_direct(problem));
  problem.op_b = Op::kT;  // B has two again
  EXPECT_FALSE(fits_direct(problem));
}

}  // namespace
}  // namespace myblas::cpu::test
