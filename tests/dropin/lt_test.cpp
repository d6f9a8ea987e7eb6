// SPDX-License-Identifier: BSD-3-Clause
// cublasLtMatmul between a fake cublasLt and a fake myblas: what is served, with which product,
// and what goes on, untouched.
#include <functional>

#include "lt_libraries.h"

namespace dropin_test {
namespace {

TEST_F(Lt, AServedCallHasTheProductOfItsDescriptors) {
  LtProduct product(lt_);
  expect_served(product);  // the process's first says where the others go
  expect_served(product);
  const myblasDropinMatmul_t& seen = ours().product;
  EXPECT_EQ(seen.transa, MYBLAS_OP_T);
  EXPECT_EQ(seen.transb, MYBLAS_OP_N);
  EXPECT_EQ(seen.m, 2);
  EXPECT_EQ(seen.n, 3);
  EXPECT_EQ(seen.k, 4);
  EXPECT_EQ(seen.batch_count, 1);
  EXPECT_EQ(seen.compute, MYBLAS_COMPUTE_32F);
  EXPECT_EQ(seen.alpha, product.alpha);
  EXPECT_EQ(seen.a, product.a);
  EXPECT_EQ(seen.a_type, MYBLAS_R_32F);
  EXPECT_EQ(seen.lda, 8);
  EXPECT_EQ(seen.b, product.b);
  EXPECT_EQ(seen.b_type, MYBLAS_R_32F);
  EXPECT_EQ(seen.ldb, 5);
  EXPECT_EQ(seen.beta, product.beta);
  EXPECT_EQ(seen.c, product.d);
  EXPECT_EQ(seen.c_type, MYBLAS_R_32F);
  EXPECT_EQ(seen.ldc, 7);
  EXPECT_EQ(seen.bias, nullptr);
  EXPECT_EQ(seen.activation, MYBLAS_DROPIN_IDENTITY);
  EXPECT_EQ(log_line(), "") << "libmyblas itself logs what it serves";
}

TEST_F(Lt, BatchesAndTypesAreThoseOfTheLayouts) {
  LtProduct product(lt_);
  product.set_of_layouts(0, int32_t{14});  // bf16
  product.set_of_layouts(5, int32_t{6});
  product.set(product.a_layout, 6, int64_t{100});
  product.set(product.b_layout, 6, int64_t{0});  // the same B for all
  product.set(product.d_layout, 6, int64_t{300});
  expect_served(product);
  const myblasDropinMatmul_t& seen = ours().product;
  EXPECT_EQ(seen.a_type, MYBLAS_R_16BF);
  EXPECT_EQ(seen.b_type, MYBLAS_R_16BF);
  EXPECT_EQ(seen.c_type, MYBLAS_R_16BF);
  EXPECT_EQ(seen.batch_count, 6);
  EXPECT_EQ(seen.stride_a, 100);
  EXPECT_EQ(seen.stride_b, 0);
  EXPECT_EQ(seen.stride_c, 300);
}

// By rows it is the transposed one by columns; of D, so is the product.
TEST_F(Lt, MatricesMayLieByRows) {
  struct Case {
    bool a, b, d;  // by rows
    myblasOperation_t transa, transb;
  };
  const auto kN = MYBLAS_OP_N, kT = MYBLAS_OP_T;
  for (const Case& c : {Case{true, false, false, kN, kN}, Case{false, true, false, kT, kT},
                        Case{true, true, false, kN, kT}, Case{false, false, true, kT, kN},
                        Case{true, false, true, kT, kT}, Case{false, true, true, kN, kN},
                        Case{true, true, true, kN, kT}}) {
    LtProduct product(lt_);
    const bool rows[] = {c.a, c.b, c.d, c.d};
    for (int i = 0; i < 4; ++i) product.set(product.layouts[i], 1, int32_t{rows[i]});
    product.set(product.operation, 7, 2u);
    expect_served(product);
    const myblasDropinMatmul_t& seen = ours().product;
    EXPECT_EQ(seen.transa, c.transa) << c.a << c.b << c.d;
    EXPECT_EQ(seen.transb, c.transb) << c.a << c.b << c.d;
    EXPECT_EQ(seen.m, c.d ? 3 : 2);
    EXPECT_EQ(seen.n, c.d ? 2 : 3);
    EXPECT_EQ(seen.k, 4);
    EXPECT_EQ(seen.a, c.d ? product.b : product.a);
    EXPECT_EQ(seen.b, c.d ? product.a : product.b);
    EXPECT_EQ(seen.lda, c.d ? 5 : 8);
    EXPECT_EQ(seen.ldb, c.d ? 8 : 5);
    EXPECT_EQ(seen.c, product.d);
    EXPECT_EQ(seen.ldc, 7);
    EXPECT_EQ(seen.activation, MYBLAS_DROPIN_RELU);
    product.add_bias(4, address(0xb1a500));
    if (c.d) {
      expect_forwarded(product, "a bias on a D by rows");
    } else {
      expect_served(product);
    }
  }
  // Of a conjugated one by rows only the transposition falls away.
  LtProduct product(lt_);
  product.set(product.a_layout, 1, int32_t{1});
  product.set(product.operation, 3, int32_t{2});
  expect_served(product);
  EXPECT_EQ(ours().product.transa, MYBLAS_OP_N);
  const float complex_zero[2] = {0, 0};
  product.beta = complex_zero;
  product.set_of_layouts(0, int32_t{4});
  product.set(product.operation, 1, int32_t{4});
  expect_forwarded(product, "a conjugated matrix that is not transposed");
}

TEST_F(Lt, EpiloguesAreActivationAndBias) {
  struct Case {
    uint32_t epilogue;
    myblasDropinActivation_t activation;
    bool has_bias;
  };
  for (const Case& c : {Case{1, MYBLAS_DROPIN_IDENTITY, false}, Case{2, MYBLAS_DROPIN_RELU, false},
                        Case{32, MYBLAS_DROPIN_GELU, false}, Case{4, MYBLAS_DROPIN_IDENTITY, true},
                        Case{6, MYBLAS_DROPIN_RELU, true}, Case{36, MYBLAS_DROPIN_GELU, true}}) {
    LtProduct product(lt_);
    product.add_bias(c.epilogue, address(0xb1a500));
    product.set(product.operation, 10, int64_t{64});
    expect_served(product);
    EXPECT_EQ(ours().product.activation, c.activation) << c.epilogue;
    EXPECT_EQ(ours().product.bias, c.has_bias ? address(0xb1a500) : nullptr) << c.epilogue;
    EXPECT_EQ(ours().product.stride_bias, c.has_bias ? 64 : 0) << c.epilogue;
    product.set(product.operation, 8, address(0xb1a600));  // another bias the next time
    expect_served(product);
    EXPECT_EQ(ours().product.bias, c.has_bias ? address(0xb1a600) : nullptr) << c.epilogue;
    product.set(product.operation, 26, int32_t{0});  // D's type, by name
    expect_served(product);
  }
}

TEST_F(Lt, CIsReadWhereBetaIsNotZero) {
  LtProduct product(lt_);
  product.c = nullptr;
  product.set(product.c_layout, 2, uint64_t{99});
  expect_served(product);  // beta is zero: C is nothing
  const float minus_zero = -0.0f;
  product.beta = &minus_zero;
  expect_served(product);
  product.beta = &product.float_one;
  expect_forwarded(product, "C is not D");
  product.c = product.d;
  expect_forwarded(product, "C is not as D");
  product.set(product.c_layout, 2, uint64_t{2});
  expect_served(product);
  // On the device, nobody knows beta.
  product.set(product.operation, 2, int32_t{1});
  product.beta = address(0xbe7a);
  expect_served(product);
  EXPECT_EQ(ours().product.beta, address(0xbe7a));
  product.c = nullptr;
  expect_forwarded(product, "C is not D");
}

TEST_F(Lt, BetaIsOfTheScaleType) {
  struct Case {
    int32_t data, compute, scale;
    const char* bytes_of_zero;
    const char* bytes_of_one;
  };
  static const Case kCases[] = {
      {2, 64, 2, "\x00\x80", "\x01\x00"},                    // fp16: -0, and the least
      {1, 70, 1, "\0\0\0\0\0\0\0\x80", "\1\0\0\0\0\0\0\0"},  // fp64
      {4, 68, 4, "\0\0\0\x80\0\0\0\0", "\0\0\0\0\0\0\x80\x3f"},
      {5, 70, 5, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80", "\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0"},
  };
  for (const Case& c : kCases) {
    LtProduct product(lt_);
    product.set_of_layouts(0, c.data);
    product.set(product.operation, 0, c.compute);
    product.set(product.operation, 1, c.scale);
    product.c = nullptr;
    product.beta = c.bytes_of_zero;
    expect_served(product);
    product.beta = c.bytes_of_one;
    expect_forwarded(product, "C is not D");
  }
  LtProduct product(lt_);  // integers
  product.set_of_layouts(0, int32_t{3});
  for (void* layout : {product.c_layout, product.d_layout}) product.set(layout, 0, int32_t{10});
  product.set(product.operation, 0, int32_t{72});
  product.set(product.operation, 1, int32_t{10});
  product.c = nullptr;
  expect_served(product);
  EXPECT_EQ(ours().product.a_type, MYBLAS_R_8I);
  EXPECT_EQ(ours().product.c_type, MYBLAS_R_32I);
}

struct ForwardCase {
  const char* reason;
  std::function<void(LtProduct&)> change;
};

TEST_F(Lt, WhatIsNotCertainIsForwarded) {
  const char* const epilogue = "an epilogue that myblas does not serve";
  const char* const attribute = "an attribute that myblas does not serve";
  const char* const sizes = "sizes that do not fit";
  const char* const scale = "alpha and beta of another type than the compute type's";
  const char* const null = "an argument that is NULL";
  std::vector<ForwardCase> cases = {
      {"a bias that is NULL", [](LtProduct& p) { p.add_bias(4, nullptr); }},
      {"a bias of another type than D",
       [](LtProduct& p) {
         p.add_bias(4, address(0xb1a500));
         p.set(p.operation, 26, int32_t{2});
       }},
      {attribute, [](LtProduct& p) { p.set(p.operation, 5, int32_t{1}); }},    // C transposed
      {attribute, [](LtProduct& p) { p.set(p.operation, 6, int32_t{0}); }},    // a triangle
      {attribute, [](LtProduct& p) { p.set(p.operation, 16, int32_t{1}); }},   // nobody says
      {attribute, [](LtProduct& p) { p.set(p.operation, 17, address(64)); }},  // a scale of A
      {attribute, [](LtProduct& p) { p.set(p.operation, 21, address(64)); }},  // the largest of D
      {"an operation that is not N, T or C",
       [](LtProduct& p) { p.set(p.operation, 3, int32_t{3}); }},
      {attribute, [](LtProduct& p) { p.set(p.operation, 27, int32_t{1}); }},  // CUDA 12: in parts
      {attribute, [](LtProduct& p) { p.set(p.operation, 28, int32_t{1}); }},
      {attribute, [](LtProduct& p) { p.set(p.operation, 38, address(64)); }},  // emulation
      {attribute, [](LtProduct& p) { p.set(p.operation, 39, int64_t{1}); }},
      {attribute, [](LtProduct& p) { p.set(p.operation, 41, int32_t{8}); }},
      {"a vector for alpha or beta", [](LtProduct& p) { p.set(p.operation, 2, int32_t{2}); }},
      {"a vector for alpha or beta", [](LtProduct& p) { p.set(p.operation, 2, int32_t{4}); }},
      {scale, [](LtProduct& p) { p.set(p.operation, 1, int32_t{1}); }},
      {scale, [](LtProduct& p) { p.set(p.operation, 0, int32_t{70}); }},
      {scale, [](LtProduct& p) { p.set(p.operation, 0, int32_t{12345}); }},
      {scale, [](LtProduct& p) { p.set_of_layouts(0, int32_t{4}); }},  // complex
      {sizes, [](LtProduct& p) { p.set(p.a_layout, 2, uint64_t{5}); }},
      {sizes, [](LtProduct& p) { p.set(p.a_layout, 3, uint64_t{5}); }},
      {sizes, [](LtProduct& p) { p.set(p.b_layout, 3, uint64_t{5}); }},
      {sizes, [](LtProduct& p) { p.set(p.operation, 4, int32_t{1}); }},
      {sizes, [](LtProduct& p) { p.set(p.d_layout, 5, int32_t{2}); }},
      {sizes, [](LtProduct& p) { p.set(p.a_layout, 5, int32_t{2}); }},
      {sizes, [](LtProduct& p) { p.set_of_layouts(5, int32_t{0}); }},
      {sizes,
       [](LtProduct& p) {
         p.set(p.a_layout, 3, uint64_t{0});
         p.set(p.d_layout, 2, uint64_t{0});
       }},
      {null, [](LtProduct& p) { p.handle = nullptr; }},
      {null, [](LtProduct& p) { p.alpha = nullptr; }},
      {null, [](LtProduct& p) { p.beta = nullptr; }},
      {null, [](LtProduct& p) { p.a = nullptr; }},
      {null, [](LtProduct& p) { p.b = nullptr; }},
      {null, [](LtProduct& p) { p.d = nullptr; }},
      {null, [](LtProduct& p) { p.a_layout = nullptr; }},
      {null, [](LtProduct& p) { p.b_layout = nullptr; }},
      {null, [](LtProduct& p) { p.c_layout = nullptr; }},
      {null, [](LtProduct& p) { p.d_layout = nullptr; }},
  };
  for (const uint32_t value : {0u, 3u, 5u, 33u, 34u, 130u, 134u, 136u, 160u, 164u, 256u, 512u}) {
    cases.push_back({epilogue, [value](LtProduct& p) { p.set(p.operation, 7, value); }});
  }
  for (int i : {0, 1, 3}) {  // A, B, D
    cases.push_back({"a matrix that is stored neither by columns nor by rows",
                     [i](LtProduct& p) { p.set(p.layouts[i], 1, int32_t{2}); }});
    cases.push_back(
        {"a batch by pointers", [i](LtProduct& p) { p.set(p.layouts[i], 8, uint32_t{1}); }});
    cases.push_back(
        {"complex numbers in planes", [i](LtProduct& p) { p.set(p.layouts[i], 7, int64_t{64}); }});
  }
  for (const ForwardCase& c : cases) {
    LtProduct product(lt_);
    c.change(product);
    expect_forwarded(product, c.reason);
    EXPECT_EQ(ours().calls, 0) << c.reason;
  }
  LtProduct product(lt_);
  void* const operation = product.operation;
  product.operation = nullptr;
  expect_forwarded(product, null);
  product.operation = operation;
  expect_served(product);
}

TEST_F(Lt, AQuietForwardedCallHasItsArgumentsToo) {
  set_log(false);
  LtProduct product(lt_);
  product.set(product.operation, 7, 512u);
  forget();
  EXPECT_EQ(product.call(matmul_), 42);
  EXPECT_EQ(argument(0), reinterpret_cast<int64_t>(product.handle));
  EXPECT_EQ(argument(15), reinterpret_cast<int64_t>(product.stream));
}

TEST_F(Lt, StatusDecidesWhoHasTheLastWord) {
  LtProduct product(lt_);
  for (const int status : {1, 7, 8, 15}) {
    find<void(int)>(myblas_, "fake_myblas_set_matmul_status")(status);
    expect_forwarded(product, "lda = 3 < max(1, m) = 5");
    EXPECT_EQ(ours().calls, 1);
  }
  for (const int status : {3, 13, 14}) {
    find<void(int)>(myblas_, "fake_myblas_set_matmul_status")(status);
    forget();
    EXPECT_EQ(product.call(matmul_), status);
    EXPECT_EQ(real_call_->index, -1);
  }
}

TEST_F(Lt, AChangedDescriptorIsNoticed) {
  LtProduct product(lt_);
  expect_served(product);
  const struct {
    int attribute;
    int64_t value;
  } kChanges[] = {{4, 100}, {6, 64}};
  for (const auto& change : kChanges) product.set(product.d_layout, change.attribute, change.value);
  expect_served(product);
  EXPECT_EQ(ours().product.ldc, 100);
  EXPECT_EQ(ours().product.stride_c, 64);
  product.set(product.a_layout, 0, int32_t{2});
  expect_served(product);
  EXPECT_EQ(ours().product.a_type, MYBLAS_R_16F);
  product.set(product.d_layout, 3, uint64_t{6});
  product.set(product.b_layout, 3, uint64_t{6});
  expect_served(product);
  EXPECT_EQ(ours().product.n, 6);
  product.set(product.d_layout, 1, int32_t{2});
  expect_forwarded(product, "a matrix that is stored neither by columns nor by rows");
}

TEST_F(Lt, AKnownLayoutIsNotReadAgain) {
  auto* reads = find<int()>(lt_, "fake_lt_layout_reads");
  LtProduct product(lt_);
  product.set(product.d_layout, 4, int64_t{4711});
  expect_served(product);
  const int first = reads();
  LtProduct same(lt_);
  same.set(same.d_layout, 4, int64_t{4711});
  expect_served(same);
  EXPECT_EQ(reads(), first);
  EXPECT_EQ(ours().product.ldc, 4711);
}

// In a process of its own, with MYBLAS_LT=0.
TEST_F(Lt, SwitchedOff) {
  LtProduct product(lt_);
  expect_forwarded(product, "MYBLAS_LT=0");
}

// In a process of its own, with FAKE_LT_INDIRECT: the same bytes may stand for something else.
TEST_F(Lt, ALayoutThatPointsElsewhereIsReadEachTime) {
  auto* reads = find<int()>(lt_, "fake_lt_layout_reads");
  LtProduct product(lt_);
  expect_served(product);
  const int first = reads();
  product.set(product.d_layout, 4, int64_t{100});
  expect_served(product);
  EXPECT_GT(reads(), first);
  EXPECT_EQ(ours().product.ldc, 100);
}

// In a process of its own, with the variables of both types: fp32's is followed.
TEST_F(Lt, EmulationInTheEnvironmentForwardsItsType) {
  LtProduct product(lt_);
  expect_served(product);
  product.set(product.operation, 0, int32_t{70});  // compute type, then that of alpha and beta
  product.set(product.operation, 1, int32_t{1});
  product.set_of_layouts(0, int32_t{1});
  expect_forwarded(product, "fp64 emulation is set");
}

}  // namespace
}  // namespace dropin_test
