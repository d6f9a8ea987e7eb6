// SPDX-License-Identifier: BSD-3-Clause
// Times this backend beside a direct cblas_sgemm of the same OpenBLAS: square fp32 products, and
// bf16, fp16 and int8 ones beside the fp32 product of their size. Medians, turn by turn.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

#include "cpu/convert.h"
#include "cpu/openblas_backend.h"
#include "cpu/openblas_library.h"

namespace {

using namespace myblas;
using namespace myblas::cpu;

constexpr int kRepeats = 21;

template <class Call>
double seconds(Call call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

template <class S>
Scalar scalar(DataType type, S value) {
  Scalar result;
  result.type = type;
  std::memcpy(result.host, &value, sizeof value);
  return result;
}

GemmProblem square(DataType ab, DataType c, int64_t n, const void* a, const void* b, void* out) {
  GemmProblem p;
  p.ab_type = ab;
  p.c_type = c;
  p.m = p.n = p.k = n;
  p.a = {a, n, 0};
  p.b = {b, n, 0};
  p.c = {out, n, 0};
  const bool integer = c == DataType::kS32;
  p.alpha = integer ? scalar(DataType::kS32, 1) : scalar(DataType::kF32, 1.0f);
  p.beta = integer ? scalar(DataType::kS32, 0) : scalar(DataType::kF32, 0.0f);
  return p;
}

void compare(const char* label, int64_t n, DataType ab, DataType c_type, const void* a,
             const void* b, const std::vector<float>& fp32) {
  std::vector<float> ours(fp32.size()), plain(fp32.size());
  const GemmProblem problem = square(ab, c_type, n, a, b, ours.data());
  const int size = static_cast<int>(n);
  const auto direct = [&] {
    openblas().functions.sgemm(kCblasColMajor, kCblasNoTrans, kCblasNoTrans, size, size, size, 1.0f,
                               fp32.data(), size, fp32.data(), size, 0.0f, plain.data(), size);
  };
  const auto myblas_call = [&] { gemm(problem); };
  std::vector<double> direct_times, our_times;
  direct();
  myblas_call();
  for (int i = 0; i < kRepeats; ++i) {
    direct_times.push_back(seconds(direct));
    our_times.push_back(seconds(myblas_call));
  }
  const double direct_s = median(direct_times);
  const double our_s = median(our_times);
  const double gflop = 2e-9 * static_cast<double>(n * n * n);
  std::printf("%-10s n=%5d  myblas %8.1f GFLOP/s  cblas_sgemm %8.1f GFLOP/s  ratio %.3f\n", label,
              size, gflop / our_s, gflop / direct_s, direct_s / our_s);
}

}  // namespace

int main() {
  if (!open()) {
    std::printf("%s\n", unavailable_reason());
    return 0;
  }
  std::printf("%s\n", description());
  for (const int64_t n : {512, 1024, 2048}) {
    const auto count = static_cast<size_t>(n * n);
    std::vector<float> fp32(count);
    std::mt19937 random(1);
    std::normal_distribution<float> normal;
    for (float& x : fp32) x = normal(random);
    std::vector<F16> fp16(count);
    std::vector<BF16> bf16(count);
    std::vector<int8_t> int8(count);
    for (size_t i = 0; i < count; ++i) {
      fp16[i] = to_f16(fp32[i]);
      bf16[i] = to_bf16(fp32[i]);
      int8[i] = static_cast<int8_t>(std::clamp(fp32[i] * 32.0f, -127.0f, 127.0f));
    }
    using enum DataType;
    compare("f32", n, kF32, kF32, fp32.data(), fp32.data(), fp32);
    compare("f16->f16", n, kF16, kF16, fp16.data(), fp16.data(), fp32);
    compare("f16->f32", n, kF16, kF32, fp16.data(), fp16.data(), fp32);
    compare("bf16->bf16", n, kBF16, kBF16, bf16.data(), bf16.data(), fp32);
    compare("bf16->f32", n, kBF16, kF32, bf16.data(), bf16.data(), fp32);
    compare("s8->s32", n, kS8, kS32, int8.data(), int8.data(), fp32);
  }
  return 0;
}
