// SPDX-License-Identifier: BSD-3-Clause
// Every type combination, transposition and a grid of sizes and scalars, exact.
#include <gtest/gtest.h>

#include "cpu/openblas_backend.h"
#include "cpu_oracle.h"

namespace myblas::cpu::test {
namespace {

template <class In_, class Scalar_, class Out_>
struct Types {
  using In = In_;
  using ScalarType = Scalar_;
  using Out = Out_;
};

template <class T>
class CpuGemm : public testing::Test {
 protected:
  using Prod = Product<typename T::In, typename T::ScalarType, typename T::Out>;

  void SetUp() override {
    if (!open()) GTEST_SKIP() << unavailable_reason();
  }
  static auto scalars() {
    using S = typename T::ScalarType;
    std::vector<S> values{narrow<S>(0), narrow<S>(1), narrow<S>(-3)};
    if constexpr (kIsComplex<S>) values.push_back(S(2, -1));
    return values;
  }
};

using AllTypes =
    testing::Types<Types<float, float, float>, Types<double, double, double>,
                   Types<CF32, CF32, CF32>, Types<CF64, CF64, CF64>, Types<F16, F16, F16>,
                   Types<F16, float, F16>, Types<BF16, float, BF16>, Types<F16, float, float>,
                   Types<BF16, float, float>, Types<int8_t, float, float>,
                   Types<int8_t, int32_t, int32_t>, Types<CS8, CF32, CF32>>;
TYPED_TEST_SUITE(CpuGemm, AllTypes);

constexpr Op kOps[] = {Op::kN, Op::kT, Op::kC};
constexpr int64_t kSizes[] = {0, 1, 2, 3, 5, 9};

TYPED_TEST(CpuGemm, SmallGrid) {
  for (const Op op_a : kOps)
    for (const Op op_b : kOps)
      for (const int64_t m : kSizes)
        for (const int64_t n : kSizes)
          for (const int64_t k : kSizes)
            for (const auto alpha : this->scalars())
              for (const auto beta : this->scalars()) {
                typename TestFixture::Prod product({op_a, op_b, m, n, k}, alpha, beta);
                product.check(gemm);
                if (this->HasFatalFailure()) return;
              }
}

TYPED_TEST(CpuGemm, MediumSizes) {
  using S = typename TypeParam::ScalarType;
  for (const Op op_a : kOps)
    for (const Op op_b : kOps) {
      typename TestFixture::Prod first({op_a, op_b, 67, 45, 131}, narrow<S>(1), narrow<S>(0));
      first.check(gemm);
      typename TestFixture::Prod second({op_a, op_b, 130, 1, 259}, narrow<S>(-2), narrow<S>(1), 0);
      second.check(gemm);
      typename TestFixture::Prod third({op_a, op_b, 1, 97, 64}, narrow<S>(2), narrow<S>(-1), 5);
      third.check(gemm);
    }
}

// Scalars in "device" memory are host pointers on this backend.
TYPED_TEST(CpuGemm, ScalarsByPointer) {
  using S = typename TypeParam::ScalarType;
  typename TestFixture::Prod product({Op::kN, Op::kT, 7, 5, 6}, narrow<S>(3), narrow<S>(-1));
  const S alpha = narrow<S>(3);
  const S beta = narrow<S>(-1);
  product.check([&](GemmProblem problem) {
    problem.alpha = {TypeOf<S>::value, true, &alpha, {}};
    problem.beta = {TypeOf<S>::value, true, &beta, {}};
    return gemm(problem);
  });
}

TYPED_TEST(CpuGemm, StridedAndPointerBatches) {
  using S = typename TypeParam::ScalarType;
  using In = typename TypeParam::In;
  using Out = typename TypeParam::Out;
  constexpr int64_t kCount = 5;
  for (const BatchKind kind : {BatchKind::kStrided, BatchKind::kPointers}) {
    const Shape shape{Op::kT, Op::kN, 6, 4, 7};
    Host<In> a(7, 6 * kCount, 1), b(7, 4, 2);  // B is shared: stride 0
    Host<Out> c(6, 4 * kCount, 3);
    std::mt19937 random(7);
    a.fill(random, 3);
    b.fill(random, 3);
    c.fill(random, 3);
    Host<Out> want = c;
    std::vector<const void*> a_pointers, b_pointers;
    std::vector<void*> c_pointers;
    for (int64_t i = 0; i < kCount; ++i) {
      a_pointers.push_back(&a.at(0, 6 * i));
      b_pointers.push_back(b.data());
      c_pointers.push_back(&c.at(0, 4 * i));
      for (int64_t row = 0; row < 6; ++row)
        for (int64_t col = 0; col < 4; ++col) {
          Wide sum = 0;
          for (int64_t k = 0; k < 7; ++k) sum += wide(a.at(k, 6 * i + row)) * wide(b.at(k, col));
          Out& element = want.at(row, 4 * i + col);
          element = narrow<Out>(Wide(2) * sum + wide(element));
        }
    }
    typename TestFixture::Prod model(shape, narrow<S>(2), narrow<S>(1));
    GemmProblem problem = model.problem;
    problem.batch_count = kCount;
    problem.batch_kind = kind;
    const bool pointers = kind == BatchKind::kPointers;
    problem.a = {pointers ? static_cast<const void*>(a_pointers.data()) : a.data(), a.ld, 6 * a.ld};
    problem.b = {pointers ? static_cast<const void*>(b_pointers.data()) : b.data(), b.ld, 0};
    problem.c = {pointers ? static_cast<const void*>(c_pointers.data()) : c.data(), c.ld, 4 * c.ld};
    ASSERT_EQ(gemm(problem), Status::kSuccess);
    for (size_t i = 0; i < want.elems.size(); ++i) {
      ASSERT_TRUE(equal(c.elems[i], want.elems[i])) << i;
    }
  }
}

}  // namespace
}  // namespace myblas::cpu::test
