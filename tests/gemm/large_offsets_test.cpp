// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemm/large_offsets_test.cpp: offsets past 2^31 and 2^32 bytes and elements, on a GPU.
//
// In each of A, B and C: by the size of the matrix, by the leading dimension alone, by the stride
// of the batch and by its count; and m or n past 2^31. Up to about 26 GB; a case for which the
// GPU has not the memory says so.
//==============================================================================
#include "gemm/large_case.h"
#include "support/gemm_fixture.h"

namespace myblas::test {
namespace {

constexpr auto N = MYBLAS_OP_N, T = MYBLAS_OP_T;
constexpr const char *kS8 = "s8_s32_32I", *kF16 = "f16_f16_32F", *kF32 = "f32_f32_32F";
constexpr int64_t k2e28 = int64_t{1} << 28, k2e30 = int64_t{1} << 30, k2e31 = int64_t{1} << 31,
                  k2e32 = int64_t{1} << 32;
constexpr LargeOperand kTight{};
constexpr LargeOperand ld(int64_t elements) { return {elements, 0}; }
constexpr LargeOperand stride(int64_t elements) { return {0, elements}; }

// clang-format off
const std::vector<LargeCase> kCases{
    // name                          type  ops       m          n          k    batch  A                  B                  C                  _64
    {"a_bytes_2e31_by_size",         kF32, N, N, 32771,         3,     16411,     1,  kTight,            kTight,            kTight,            false},
    {"a_elements_2e31_by_size",      kF16, N, N, 65537,         3,     32803,     1,  kTight,            kTight,            kTight,            false},
    {"a_elements_2e31_transposed",   kF16, T, N, 32803,         3,     65537,     1,  kTight,            kTight,            kTight,            false},
    {"a_elements_2e32_by_size",      kS8,  N, N, 65537,         3,     65551,     1,  kTight,            kTight,            kTight,            false},
    {"a_bytes_2e32_by_ld",           kF32, N, N, 5,             3,         5,     1,  ld(k2e28 + 3),     kTight,            kTight,            false},
    {"a_elements_2e31_by_ld",        kF16, T, N, 3,             5,         4,     1,  ld(k2e30 + 7),     kTight,            kTight,            false},
    {"a_elements_2e32_by_ld",        kS8,  N, N, 5,             3,         4,     1,  ld(k2e31 - 1),     kTight,            kTight,            false},
    {"a_ld_past_2e31",               kS8,  N, T, 5,             3,         3,     1,  ld(k2e31 + 5),     kTight,            kTight,            true},
    {"a_elements_2e31_by_stride",    kF16, N, N, 17,            9,         5,     3,  stride(k2e30 + 3), kTight,            kTight,            false},
    {"a_elements_2e32_by_stride",    kS8,  N, N, 17,            9,         5,     3,  stride(k2e32 + 7), kTight,            kTight,            false},
    {"a_elements_2e31_by_count",     kF16, N, N, 181,           1,       182, 65537,  stride(181 * 182), kTight,            kTight,            false},
    {"b_bytes_2e31_by_size",         kF32, N, N, 3,         32771,     16411,     1,  kTight,            kTight,            kTight,            false},
    {"b_elements_2e31_by_size",      kF16, N, N, 3,         65537,     32803,     1,  kTight,            kTight,            kTight,            false},
    {"b_elements_2e31_transposed",   kF16, N, T, 3,         65537,     32803,     1,  kTight,            kTight,            kTight,            false},
    {"b_elements_2e32_by_size",      kS8,  N, N, 3,         65537,     65551,     1,  kTight,            kTight,            kTight,            false},
    {"b_bytes_2e32_by_ld",           kF32, N, N, 3,             5,         5,     1,  kTight,            ld(k2e28 + 3),     kTight,            false},
    {"b_elements_2e31_by_ld",        kF16, N, T, 5,             4,         3,     1,  kTight,            ld(k2e30 + 7),     kTight,            false},
    {"b_elements_2e32_by_ld",        kS8,  N, N, 5,             4,         3,     1,  kTight,            ld(k2e31 - 1),     kTight,            false},
    {"b_ld_past_2e31",               kS8,  T, N, 5,             3,         3,     1,  kTight,            ld(k2e31 + 5),     kTight,            true},
    {"b_elements_2e31_by_stride",    kF16, N, N, 9,            17,         5,     3,  kTight,            stride(k2e30 + 3), kTight,            false},
    {"b_elements_2e32_by_stride",    kS8,  N, N, 9,            17,         5,     3,  kTight,            stride(k2e32 + 7), kTight,            false},
    {"b_elements_2e31_by_count",     kF16, N, N, 1,           182,       181, 65537,  kTight,            stride(181 * 182), kTight,            false},
    {"c_bytes_2e31_by_size",         kF32, N, N, 32771,     16411,         3,     1,  kTight,            kTight,            kTight,            false},
    {"c_elements_2e31_by_size",      kF16, N, T, 65537,     32803,         3,     1,  kTight,            kTight,            kTight,            false},
    {"c_elements_2e32_by_size",      kF16, T, N, 65537,     65551,         2,     1,  kTight,            kTight,            kTight,            false},
    {"c_bytes_2e32_by_ld",           kF32, N, N, 5,             5,         3,     1,  kTight,            kTight,            ld(k2e28 + 3),     false},
    {"c_elements_2e31_by_ld",        kF16, N, N, 5,             3,         3,     1,  kTight,            kTight,            ld(k2e30 + 7),     false},
    {"c_elements_2e32_by_ld",        kF16, N, N, 5,             4,         3,     1,  kTight,            kTight,            ld(k2e31 - 1),     false},
    {"c_ld_past_2e31",               kF16, N, N, 5,             3,         3,     1,  kTight,            kTight,            ld(k2e31 + 5),     true},
    {"c_elements_2e31_by_stride",    kF16, N, N, 17,            9,         5,     3,  kTight,            kTight,            stride(k2e30 + 3), false},
    {"c_elements_2e32_by_stride",    kF16, N, N, 17,            9,         5,     3,  kTight,            kTight,            stride(k2e32 + 7), false},
    {"c_elements_2e31_by_count",     kF16, N, N, 181,         182,         2, 65537,  kTight,            kTight,            kTight,            false},
    {"m_past_2e31",                  kF16, N, N, k2e31 + 1,     1,         1,     1,  kTight,            kTight,            kTight,            true},
    {"m_past_2e31_transposed",       kS8,  T, N, k2e31 + 1,     1,         1,     1,  kTight,            kTight,            kTight,            true},
    {"n_past_2e31",                  kF16, N, N, 1,     k2e31 + 1,         1,     1,  kTight,            kTight,            kTight,            true},
    {"n_past_2e31_transposed",       kS8,  N, T, 1,     k2e31 + 1,         1,     1,  kTight,            kTight,            kTight,            true},
};
// clang-format on

class LargeOffsetsTest : public GpuGemmTest, public testing::WithParamInterface<LargeCase> {};

TEST_P(LargeOffsetsTest, SamplesAreExact) {
  LargeGemm gemm(device(), GetParam());
  const size_t available = device().free_bytes(), needed = gemm.bytes() + (size_t{1} << 30);
  if (available < needed) {
    GTEST_SKIP() << "skipped, needs " << (needed >> 20) << " MiB of GPU memory, free are "
                 << (available >> 20);
  }
  EXPECT_TRUE(gemm.run(handle())) << GetParam().name;
  count_cases(1);
}

INSTANTIATE_TEST_SUITE_P(Cases, LargeOffsetsTest, testing::ValuesIn(kCases),
                         [](const testing::TestParamInfo<LargeCase>& param) {
                           return std::string(param.param.name);
                         });

// The checker itself, at sizes that any backend holds.
class LargeCheckerTest : public GemmTest {};

TEST_F(LargeCheckerTest, AcceptsRightResults) {
  for (const LargeCase& small :
       {LargeCase{"size", kF32, N, T, 300, 70, 90, 1, kTight, kTight, kTight, true},
        LargeCase{"gaps", kF16, T, N, 30, 17, 4, 1, ld(31), ld(50), ld(44), false},
        LargeCase{"strides", kS8, N, N, 17, 9, 5, 3, stride(100), kTight, stride(400), false},
        LargeCase{"count", kF16, N, N, 9, 8, 33, 50, stride(9 * 33), kTight, kTight, true},
        LargeCase{"row", kF16, N, N, 1, 70001, 1, 1, kTight, kTight, kTight, true}}) {
    EXPECT_TRUE(LargeGemm(device(), small).run(handle())) << small.name;
    count_cases(1);
  }
}

}  // namespace
}  // namespace myblas::test
