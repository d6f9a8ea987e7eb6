// SPDX-License-Identifier: BSD-3-Clause
#include "synthetic_gpus.h"

#include <cmath>
#include <cstdlib>
#include <vector>

#include "dispatch/chips.h"

namespace myblas::testing {
namespace {

int64_t log_uniform(std::mt19937_64& random, int64_t most) {
  std::uniform_real_distribution<double> exponent(0.0, std::log2(static_cast<double>(most)));
  return static_cast<int64_t>(std::exp2(exponent(random)));
}

Scalar one(DataType type) {
  Scalar scalar;
  scalar.type = type;
  const float f = 1.0f;
  const double d = 1.0;
  const int32_t i = 1;
  const uint16_t h = 0x3c00;
  const void* bytes = type == DataType::kF16   ? static_cast<const void*>(&h)
                      : type == DataType::kS32 ? static_cast<const void*>(&i)
                      : type == DataType::kF64 || type == DataType::kCF64
                          ? static_cast<const void*>(&d)
                          : static_cast<const void*>(&f);
  const size_t size = type == DataType::kF16 ? 2 : (bytes == &d ? 8 : 4);
  for (size_t at = 0; at < size; ++at)
    scalar.host[at] = static_cast<const unsigned char*>(bytes)[at];
  return scalar;
}

const void* address(uint64_t value) { return reinterpret_cast<const void*>(value); }

}  // namespace

std::span<const DeviceCaps> synthetic_gpus() {
  static const DeviceCaps gpus[] = {
      find_chip("T4")->caps,       find_chip("A100")->caps, find_chip("RTX 3090")->caps,
      find_chip("RTX 4090")->caps, find_chip("H200")->caps, find_chip("B200")->caps,
      find_chip("RTX 5090")->caps,
  };
  return gpus;
}

const DeviceCaps& synthetic_gpu(int cc) {
  for (const DeviceCaps& gpu : synthetic_gpus()) {
    if (gpu.cc == cc) return gpu;
  }
  std::abort();
}

std::span<const TypeCombination> public_types() {
  using enum DataType;
  static const TypeCombination combinations[] = {
      {kF16, kF16, Compute::kF16},  {kF16, kF16, Compute::kF32},   {kBF16, kBF16, Compute::kF32},
      {kF16, kF32, Compute::kF32},  {kBF16, kF32, Compute::kF32},  {kS8, kF32, Compute::kF32},
      {kF32, kF32, Compute::kF32},  {kS8, kS32, Compute::kS32},    {kF64, kF64, Compute::kF64},
      {kCS8, kCF32, Compute::kF32}, {kCF32, kCF32, Compute::kF32}, {kCF64, kCF64, Compute::kF64},
  };
  return combinations;
}

GemmProblem plain_problem(DataType ab, DataType c, Compute compute, int64_t m, int64_t n,
                          int64_t k) {
  GemmProblem p;
  p.ab_type = ab;
  p.c_type = c;
  p.compute = compute;
  p.m = m;
  p.n = n;
  p.k = k;
  p.a = {address(1 << 20), m, m * k};
  p.b = {address(2 << 20), k, k * n};
  p.c = {address(3 << 20), m, m * n};
  const bool wide = compute == Compute::kF64;
  DataType scale = compute == Compute::kS32 ? DataType::kS32
                   : wide                   ? DataType::kF64
                                            : DataType::kF32;
  if (compute == Compute::kF16) scale = DataType::kF16;
  if (is_complex(c)) scale = wide ? DataType::kCF64 : DataType::kCF32;
  p.alpha = one(scale);
  p.beta.type = scale;
  return p;
}

GemmProblem random_problem(std::mt19937_64& random) {
  const auto pick = [&random](auto count) {
    return static_cast<size_t>(random() % static_cast<uint64_t>(count));
  };
  const TypeCombination& types = public_types()[pick(public_types().size())];
  GemmProblem p = plain_problem(types.ab, types.c, types.compute, log_uniform(random, 1 << 20),
                                log_uniform(random, 1 << 20), log_uniform(random, 1 << 20));
  p.op_a = static_cast<Op>(pick(3));
  p.op_b = static_cast<Op>(pick(3));
  p.a.ld = (p.op_a == Op::kN ? p.m : p.k) + static_cast<int64_t>(pick(9));
  p.b.ld = (p.op_b == Op::kN ? p.k : p.n) + static_cast<int64_t>(pick(9));
  p.c.ld = p.m + static_cast<int64_t>(pick(9));
  p.batch_kind = static_cast<BatchKind>(pick(2));
  p.batch_count = pick(2) ? 1 : log_uniform(random, 1 << 17);
  p.fast_math = static_cast<uint8_t>(pick(kFastAll + 1));
  p.pedantic = pick(4) == 0;
  const auto element = static_cast<uint64_t>(element_bytes(p.ab_type));
  p.a.base = address((1 << 20) + pick(64) * element);
  p.b.base = address((2 << 20) + pick(64) * element);
  p.c.base = address((3 << 20) + pick(64) * element_bytes(p.c_type));
  p.a.stride = static_cast<int64_t>(pick(1 << 20));
  p.alpha.on_device = p.beta.on_device = pick(4) == 0;
  return p;
}

}  // namespace myblas::testing
