// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/openblas_backend.h"

#include <cstring>

#include "cpu/blocked_gemm.h"
#include "cpu/convert.h"
#include "cpu/openblas_library.h"

namespace myblas::cpu {
namespace {

// On this backend every pointer is a host pointer, so a scalar in "device memory" can be read.
template <class T>
T load(const Scalar& scalar) {
  Scalar here = scalar;
  if (scalar.on_device) {
    std::memcpy(here.host, scalar.device, element_bytes(scalar.type));
    here.on_device = false;
  }
  const WideScalar value = widen(here);
  if constexpr (kIsComplex<T>) {
    using Part = typename T::value_type;
    return T(static_cast<Part>(value.re), static_cast<Part>(value.im));
  } else {
    return static_cast<T>(value.re);
  }
}

template <class Acc, class Out>
Status scale_batch(const GemmProblem& p, Acc beta) {
  for (int64_t index = 0; index < p.batch_count; ++index) {
    void* c = p.batch_kind == BatchKind::kPointers ? static_cast<void* const*>(p.c.base)[index]
                                                   : operands(p, index).c;
    scale(p.m, p.n, beta, static_cast<Out*>(c), p.c.ld);
  }
  return Status::kSuccess;
}

// NOTE: A and B may be null where they are not read, also as arrays of pointers.
template <class T>
bool reads_inputs(const GemmProblem& p, T alpha) {
  return alpha != T(0) && p.k > 0;
}

template <class T>
Status gemm_direct(const OpenBlas& blas, const GemmProblem& p) {
  const T alpha = load<T>(p.alpha);
  const T beta = load<T>(p.beta);
  if (!reads_inputs(p, alpha)) return scale_batch<T, T>(p, beta);
  if (fits_direct(p)) return direct_gemm<T>(blas, p, alpha, beta);
  return converted_gemm<T, T, T>(blas, p, alpha, beta);
}

template <class In, class Acc, class Out>
Status gemm_converted(const OpenBlas& blas, const GemmProblem& p) {
  const Acc alpha = load<Acc>(p.alpha);
  const Acc beta = load<Acc>(p.beta);
  if (!reads_inputs(p, alpha)) return scale_batch<Acc, Out>(p, beta);
  return converted_gemm<In, Acc, Out>(blas, p, alpha, beta);
}

Status gemm_integer(const OpenBlas& blas, const GemmProblem& p) {
  const int32_t alpha = load<int32_t>(p.alpha);
  const int32_t beta = load<int32_t>(p.beta);
  if (!reads_inputs(p, alpha)) return scale_batch<int32_t, int32_t>(p, beta);
  return integer_gemm(blas, p, alpha, beta);
}

}  // namespace

bool open() { return openblas().loaded; }

const char* unavailable_reason() { return openblas().error.c_str(); }

const char* description() { return openblas().description.c_str(); }

Status gemm(const GemmProblem& p) {
  if (!openblas().loaded) return Status::kNotSupported;
  if (p.m == 0 || p.n == 0 || p.batch_count == 0) return Status::kSuccess;
  const OpenBlas& blas = openblas().functions;
  const auto types = [&p](DataType ab, DataType c) { return p.ab_type == ab && p.c_type == c; };

  using enum DataType;
  if (types(kF32, kF32)) return gemm_direct<float>(blas, p);
  if (types(kF64, kF64)) return gemm_direct<double>(blas, p);
  if (types(kCF32, kCF32)) return gemm_direct<CF32>(blas, p);
  if (types(kCF64, kCF64)) return gemm_direct<CF64>(blas, p);
  if (types(kF16, kF16)) return gemm_converted<F16, float, F16>(blas, p);
  if (types(kBF16, kBF16)) return gemm_converted<BF16, float, BF16>(blas, p);
  if (types(kF16, kF32)) return gemm_converted<F16, float, float>(blas, p);
  if (types(kBF16, kF32)) return gemm_converted<BF16, float, float>(blas, p);
  if (types(kS8, kF32)) return gemm_converted<int8_t, float, float>(blas, p);
  if (types(kCS8, kCF32)) return gemm_converted<CS8, CF32, CF32>(blas, p);
  if (types(kS8, kS32)) return gemm_integer(blas, p);
  return Status::kNotSupported;
}

}  // namespace myblas::cpu
