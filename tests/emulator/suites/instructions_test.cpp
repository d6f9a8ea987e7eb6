// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// suites/instructions_test.cpp: each warp instruction against its definition, all lanes and
// registers, on random integers (instruction_kernels.cu).
//==============================================================================
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <string>

#include "emulator/small_floats.h"
#include "kernels/common/gemm_args.h"
#include "runtime/emulator.h"
#include "support/random.h"

namespace myblas::test {
namespace {

struct Instruction {
  const char* kernel;
  int m, n, k;
  int range;  // of the integers
};
constexpr Instruction kInstructions[] = {
    {"instruction_m16n8k8_f16", 16, 8, 8, 100},    {"instruction_m16n8k16_f16", 16, 8, 16, 100},
    {"instruction_m16n8k16_bf16", 16, 8, 16, 100}, {"instruction_m16n8k8_tf32", 16, 8, 8, 500},
    {"instruction_m16n8k32_s8", 16, 8, 32, 127},   {"instruction_m8n8k4_f64", 8, 8, 4, 1000},
    {"instruction_m16n8k16_f64", 16, 8, 16, 500},  {"instruction_ldmatrix", 16, 8, 16, 100},
};

class FloatMatrix {
 public:
  FloatMatrix(int rows, int cols, int range, uint64_t seed)
      : cols_(cols),
        data_(static_cast<float*>(
            emulator::allocate(sizeof(float) * static_cast<size_t>(rows * cols)))) {
    for (int i = 0; i < rows * cols; ++i) {
      data_[i] =
          static_cast<float>(integer_value(mix(seed + static_cast<uint64_t>(i)), range, false).re);
    }
  }
  ~FloatMatrix() { emulator::release(data_); }
  FloatMatrix(const FloatMatrix&) = delete;
  FloatMatrix& operator=(const FloatMatrix&) = delete;
  float* data() { return data_; }
  float operator()(int row, int col) const { return data_[row * cols_ + col]; }

 private:
  int cols_;
  float* data_;
};

std::string launch(const char* name, FloatMatrix& a, FloatMatrix& b, FloatMatrix& c,
                   unsigned threads, uint64_t seed) {
  static const bool loaded = [] {
    emulator::load_module(MYBLAS_INSTRUCTION_MODULE);
    return true;
  }();
  (void)loaded;
  GemmArgs args{};
  args.a.base = a.data();
  args.b.base = b.data();
  args.c = c.data();
  emulator::Settings settings;
  settings.seed = seed;
  emulator::configure(settings);
  void* kernel = emulator::find_kernel(name);
  if (kernel == nullptr) return "no such kernel";
  emulator::launch(kernel, 1, 1, threads, 0, &args);
  return emulator::take_result().error;
}

class EmulatorInstructions : public testing::TestWithParam<Instruction> {};

TEST_P(EmulatorInstructions, AreTheProduct) {
  const Instruction& x = GetParam();
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    FloatMatrix a(x.m, x.k, x.range, mix(seed)), b(x.k, x.n, x.range, mix(seed + 1000));
    FloatMatrix c(x.m, x.n, 1000, mix(seed + 2000)), result(x.m, x.n, 1000, mix(seed + 2000));
    ASSERT_EQ(launch(x.kernel, a, b, result, 32, seed), "");
    for (int i = 0; i < x.m; ++i) {
      for (int j = 0; j < x.n; ++j) {
        double sum = c(i, j);
        for (int p = 0; p < x.k; ++p) sum += static_cast<double>(a(i, p)) * b(p, j);
        ASSERT_EQ(result(i, j), static_cast<float>(sum))
            << "seed " << seed << ", " << i << ", " << j;
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Warp, EmulatorInstructions, testing::ValuesIn(kInstructions),
                         [](const auto& one) { return one.param.kernel; });

TEST(EmulatorInstructions, MatricesAreStored) {
  FloatMatrix a(16, 16, 100, 1), b(16, 8, 100, 2), c(16, 16, 1, 3);
  ASSERT_EQ(launch("instruction_stmatrix", a, b, c, 32, 1), "");
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 16; ++j) {
      const float turned = a(i / 8 * 8 + j % 8, j / 8 * 8 + i % 8);
      EXPECT_EQ(c(i, j), a(i, j) + 2.0f * turned) << i << ", " << j;
    }
  }
}

TEST(EmulatorInstructions, NamedBarrierJoinsTwoWarps) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    FloatMatrix a(1, 32, 100, 1), b(1, 1, 1, 2), c(1, 32, 1, 3);
    ASSERT_EQ(launch("instruction_named_barrier", a, b, c, 64, seed), "");
    for (int i = 0; i < 32; ++i) EXPECT_EQ(c(0, i), a(0, 31 - i));
  }
}

// The conversions of small_floats.h against those of tests/support: every 16-bit value, and floats
// round each of them.
TEST(EmulatorInstructions, SmallFloatsConvert) {
  const auto same_number = [](double x, double y) {
    return x == y || (std::isnan(x) && std::isnan(y));
  };
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    const double as_half = half_to_double(half), as_bfloat16 = bfloat16_to_double(half);
    ASSERT_TRUE(same_number(emulator::half_to_float(half), as_half)) << bits;
    ASSERT_TRUE(same_number(emulator::bfloat16_to_float(half), as_bfloat16)) << bits;
    for (const uint32_t below : {0x0000u, 0x0fffu, 0x1000u, 0x1001u, 0x7fffu, 0x8000u, 0x8001u}) {
      const auto value = std::bit_cast<float>(bits << 16 | below);
      ASSERT_TRUE(same_number(half_to_double(emulator::half_from_float(value)),
                              half_to_double(half_from_double(value))))
          << value;
      ASSERT_TRUE(same_number(bfloat16_to_double(emulator::bfloat16_from_float(value)),
                              bfloat16_to_double(bfloat16_from_double(value))))
          << value;
    }
  }
}

}  // namespace
}  // namespace myblas::test
