// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/common/gemm_problem.h"

#include <cstring>

namespace myblas {
namespace {

template <class T>
T read(const unsigned char* bytes, size_t index = 0) {
  T value;
  std::memcpy(&value, bytes + index * sizeof(T), sizeof(T));
  return value;
}

double half_to_double(uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1f;
  const int mantissa = bits & 0x3ff;
  const double sign = (bits & 0x8000) ? -1.0 : 1.0;
  if (exponent == 0) return sign * mantissa * 0x1p-24;
  if (exponent == 31) return mantissa ? __builtin_nan("") : sign * __builtin_inf();
  return sign * __builtin_ldexp(1024 + mantissa, exponent - 25);
}

}  // namespace

WideScalar widen(const Scalar& scalar) {
  switch (scalar.type) {
    case DataType::kF16: return {half_to_double(read<uint16_t>(scalar.host)), 0.0};
    case DataType::kF32: return {read<float>(scalar.host), 0.0};
    case DataType::kF64: return {read<double>(scalar.host), 0.0};
    case DataType::kS32: return {static_cast<double>(read<int32_t>(scalar.host)), 0.0};
    case DataType::kCF32: return {read<float>(scalar.host, 0), read<float>(scalar.host, 1)};
    case DataType::kCF64: return {read<double>(scalar.host, 0), read<double>(scalar.host, 1)};
    case DataType::kBF16:
    case DataType::kS8:
    case DataType::kCS8: break;  // no routine takes these as scalars
  }
  return {};
}

bool is_host_zero(const Scalar& scalar) {
  if (scalar.on_device) return false;
  const WideScalar value = widen(scalar);
  return value.re == 0.0 && value.im == 0.0;
}

bool is_host_one(const Scalar& scalar) {
  if (scalar.on_device) return false;
  const WideScalar value = widen(scalar);
  return value.re == 1.0 && value.im == 0.0;
}

bool keeps_c(const GemmProblem& p) {
  return (p.k == 0 || is_host_zero(p.alpha)) && is_host_one(p.beta) && !p.epilogue.any();
}

const char* name(DataType type) {
  switch (type) {
    case DataType::kF16: return "f16";
    case DataType::kBF16: return "bf16";
    case DataType::kF32: return "f32";
    case DataType::kF64: return "f64";
    case DataType::kS8: return "s8";
    case DataType::kS32: return "s32";
    case DataType::kCS8: return "c8";
    case DataType::kCF32: return "c32";
    case DataType::kCF64: return "c64";
  }
  return "?";
}

}  // namespace myblas
