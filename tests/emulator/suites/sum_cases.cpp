// SPDX-License-Identifier: BSD-3-Clause
#include "suites/sum_cases.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>

#include "kernels/sum/launch_sum.h"
#include "suites/emulated_case.h"
#include "suites/emulated_memory.h"
#include "support/elements.h"
#include "support/random.h"

namespace myblas::test {
namespace {

// Of kSumKernels, in their order.
struct TypesOfKernel {
  DataType c, sums;
  myblasDataType_t c_stored, sums_stored, scalar_stored;
};
constexpr TypesOfKernel kTypes[] = {
    {DataType::kF16, DataType::kF32, MYBLAS_R_16F, MYBLAS_R_32F, MYBLAS_R_32F},
    {DataType::kBF16, DataType::kF32, MYBLAS_R_16BF, MYBLAS_R_32F, MYBLAS_R_32F},
    {DataType::kF32, DataType::kF32, MYBLAS_R_32F, MYBLAS_R_32F, MYBLAS_R_32F},
    {DataType::kF64, DataType::kF64, MYBLAS_R_64F, MYBLAS_R_64F, MYBLAS_R_64F},
    {DataType::kCF32, DataType::kCF32, MYBLAS_C_32F, MYBLAS_C_32F, MYBLAS_C_32F},
    {DataType::kCF64, DataType::kCF64, MYBLAS_C_64F, MYBLAS_C_64F, MYBLAS_C_64F},
};
constexpr double kScalar = -2.0, kImaginary = 3.0;  // where it is not 0
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

bool is_zero(SumScalar scalar) {
  return scalar == SumScalar::kZero || scalar == SumScalar::kDeviceZero;
}

Scalar scalar_of(SumScalar one, const TypesOfKernel& types, void* device) {
  const bool complex = is_complex(types.sums), half = one == SumScalar::kDeviceHalf;
  Value value{kScalar, complex && !half ? kImaginary : 0.0};
  if (is_zero(one)) value = {};
  Scalar scalar;
  scalar.type = half ? DataType::kF16 : types.sums;
  scalar.on_device = one != SumScalar::kZero && one != SumScalar::kHost;
  scalar.device = device;
  store(half ? MYBLAS_R_16F : types.scalar_stored, scalar.on_device ? device : scalar.host, value);
  return scalar;
}

double bias_of(int64_t row) { return static_cast<double>(row % 5) - 2.0; }

}  // namespace

std::vector<SumCase> sum_cases(uint64_t seed, int count) {
  Random random(mix(seed));
  std::vector<SumCase> cases;
  for (int i = 0; i < count; ++i) {
    SumCase one;
    one.m = random.pick(
        {int64_t{1}, 2 + random.below(6), 62 + random.below(5), 4 * random.below(40) + 4});
    one.n = random.pick({int64_t{1}, 2 + random.below(5), 30 + random.below(5)});
    one.parts = random.pick(
        {int64_t{2}, int64_t{3}, int64_t{8}, 9 + random.below(8), 17 + random.below(240)});
    one.pad_c = random.chance(0.4) ? 0 : random.below(9);
    one.offset_c = random.chance(0.5) ? 0 : random.below(5);
    one.sm_count = random.pick({1, 2, 132});
    one.beta = random.pick({SumScalar::kZero, SumScalar::kHost, SumScalar::kDevice,
                            SumScalar::kDeviceHalf, SumScalar::kDeviceZero});
    one.alpha = random.chance(0.2)
                    ? random.pick({SumScalar::kZero, SumScalar::kDeviceZero})
                    : random.pick({SumScalar::kHost, SumScalar::kDevice, SumScalar::kDeviceHalf});
    // Many parts a thread, also of runs that the end of a column cuts.
    if (i == 0)
      one = {6, 300, 40, one.pad_c, one.offset_c, 1, SumScalar::kHost, one.beta, false, false};
    one.bias = i % 3 == 1;
    one.relu = i % 4 == 2 && one.beta == SumScalar::kZero;
    cases.push_back(one);
  }
  return cases;
}

std::string run_sum(const std::string& kernel, const SumCase& one,
                    const emulator::Settings& settings) {
  const auto index = static_cast<size_t>(std::ranges::find(kSumKernels, kernel) - kSumKernels);
  const TypesOfKernel& types = kTypes[index];
  const bool complex = is_complex(types.sums);
  const auto sum_bytes = static_cast<int64_t>(myblas::element_bytes(types.sums));
  const auto c_bytes = static_cast<int64_t>(myblas::element_bytes(types.c));
  const int64_t run = 16 / sum_bytes;

  GemmProblem p;
  p.c_type = types.c;
  p.m = one.m;
  p.n = one.n;
  p.c.ld = one.m + one.pad_c;
  GemmProblem divided = p;
  divided.c_type = types.sums;
  divided.batch_count = one.parts;
  divided.c.ld = (one.m + run - 1) / run * run;
  divided.c.stride = divided.c.ld * one.n;

  Random random(mix(settings.seed));
  Memory alpha(16), beta(16), sums(static_cast<size_t>(divided.c.stride * one.parts * sum_bytes));
  Memory c(static_cast<size_t>(((one.n - 1) * p.c.ld + one.m) * c_bytes),
           static_cast<size_t>(one.offset_c * c_bytes));
  Memory bias(static_cast<size_t>(one.m * c_bytes));
  for (int64_t row = 0; row < one.m; ++row) {
    store(types.c_stored, bias.data() + row * c_bytes, {bias_of(row), 0.0});
  }
  const bool has_bias = one.bias && !complex, has_relu = one.relu && !complex;
  p.epilogue.bias = has_bias ? bias.data() : nullptr;
  p.epilogue.activation = has_relu ? Activation::kRelu : Activation::kIdentity;
  p.c.base = c.data();
  divided.c.base = sums.data();
  p.alpha = scalar_of(one.alpha, types, alpha.data());
  p.beta = scalar_of(one.beta, types, beta.data());
  const bool has_product = !is_zero(one.alpha), reads_c = !is_zero(one.beta);
  const double beta_im = complex && one.beta != SumScalar::kDeviceHalf ? kImaginary : 0.0;
  const auto c_at = [&](int64_t row, int64_t column) {
    return c.data() + (row + column * p.c.ld) * c_bytes;
  };
  const auto small = [&](int64_t count) {
    const auto value = [&] {
      return static_cast<double>(random.below(count)) - static_cast<double>(count / 2);
    };
    const double re = value();
    return Value{re, complex ? value() : 0.0};
  };
  std::vector<Value> expected;
  for (int64_t column = 0; column < one.n; ++column) {
    for (int64_t row = 0; row < one.m; ++row) {
      const Value before = small(9);
      store(types.c_stored, c_at(row, column), reads_c ? before : Value{kNan, kNan});
      Value sum;
      if (reads_c) {  // -0 among them
        sum.re = kScalar * before.re;
        if (complex) {
          sum = {kScalar * before.re - beta_im * before.im,
                 kScalar * before.im + beta_im * before.re};
        }
      }
      for (int64_t part = 0; part < one.parts; ++part) {
        const Value value = has_product ? small(3) : Value{};
        if (has_product) sum = {sum.re + value.re, sum.im + value.im};
        store(types.sums_stored,
              sums.data() + (row + column * divided.c.ld + part * divided.c.stride) * sum_bytes,
              value);
      }
      if (has_bias) sum.re += bias_of(row);
      if (has_relu && sum.re < 0) sum.re = 0.0;
      expected.push_back(sum);
    }
  }

  emulator::configure(settings);
  launch_sum(
      {p, divided, {emulator::find_kernel(kernel.c_str()), nullptr, nullptr, true}, one.sm_count});
  const std::string error = emulator::take_result().error;
  if (!error.empty()) return error;
  for (int64_t i = 0; i < one.m * one.n; ++i) {
    const int64_t row = i % one.m, column = i / one.m;
    const Value stands = load(types.c_stored, c_at(row, column));
    const Value right = expected[static_cast<size_t>(i)];
    const bool same_sign = complex || std::signbit(stands.re) == std::signbit(right.re);
    if (stands.re == right.re && stands.im == right.im && same_sign) continue;
    std::ostringstream text;
    text << "row " << row << ", column " << column << " is wrong";
    return text.str();
  }
  return "";
}

std::string first_sum_failure(const std::string& kernel) {
  uint64_t seed = 1;
  for (const SumCase& one : sum_cases(1, 150)) {
    seed = mix(seed);
    std::string wrong = run_sum(kernel, one, settings_of(seed));
    if (!wrong.empty()) return wrong;
  }
  return "";
}

}  // namespace myblas::test
