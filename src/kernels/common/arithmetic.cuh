// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/arithmetic.cuh: the element types of the type table and what kernels do
// with them: widen an input, multiply-add, finish alpha * sum + beta * c.
//==============================================================================
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

#include "kernels/common/gemm_args.h"

namespace myblas {

// Interleaved complex. Aligned like its parts: an array of std::complex may start at any part.
template <class Real>
struct Complex {
  Real x, y;
};

// ---- input element -> the type that sums are held in ------------------------------------------

template <class Acc, class In>
struct Widen {
  static __device__ __forceinline__ Acc from(In value, bool /*conjugate*/) {
    return static_cast<Acc>(value);
  }
};
template <>
struct Widen<float, __half> {
  static __device__ __forceinline__ float from(__half value, bool) { return __half2float(value); }
};
template <>
struct Widen<float, __nv_bfloat16> {
  static __device__ __forceinline__ float from(__nv_bfloat16 value, bool) {
    return __bfloat162float(value);
  }
};
template <class Real, class InReal>
struct Widen<Complex<Real>, Complex<InReal>> {
  static __device__ __forceinline__ Complex<Real> from(Complex<InReal> value, bool conjugate) {
    const Real y = static_cast<Real>(value.y);
    return {static_cast<Real>(value.x), conjugate ? -y : y};
  }
};

// ---- sum += a * b -----------------------------------------------------------------------------

__device__ __forceinline__ void multiply_add(float& sum, float a, float b) {
  sum = fmaf(a, b, sum);
}
__device__ __forceinline__ void multiply_add(double& sum, double a, double b) {
  sum = fma(a, b, sum);
}
// Wraps around on overflow, as the integer tensor instructions do.
__device__ __forceinline__ void multiply_add(int32_t& sum, int32_t a, int32_t b) {
  sum = static_cast<int32_t>(static_cast<uint32_t>(sum) +
                             static_cast<uint32_t>(a) * static_cast<uint32_t>(b));
}
template <class Real>
__device__ __forceinline__ void multiply_add(Complex<Real>& sum, Complex<Real> a, Complex<Real> b) {
  multiply_add(sum.x, a.x, b.x);
  multiply_add(sum.x, -a.y, b.y);
  multiply_add(sum.y, a.x, b.y);
  multiply_add(sum.y, a.y, b.x);
}

template <class T>
__device__ __forceinline__ T multiply(T a, T b) {
  return a * b;
}
__device__ __forceinline__ int32_t multiply(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) * static_cast<uint32_t>(b));
}
template <class Real>
__device__ __forceinline__ Complex<Real> multiply(Complex<Real> a, Complex<Real> b) {
  return {fma(a.x, b.x, -(a.y * b.y)), fma(a.x, b.y, a.y * b.x)};
}

// ---- scalars ----------------------------------------------------------------------------------

template <class Acc>
struct ScalarOf {
  static __device__ __forceinline__ Acc from(double re, double /*im*/) {
    return static_cast<Acc>(re);
  }
};
template <class Real>
struct ScalarOf<Complex<Real>> {
  static __device__ __forceinline__ Complex<Real> from(double re, double im) {
    return {static_cast<Real>(re), static_cast<Real>(im)};
  }
};

// alpha or beta, wherever it lives.
template <class Acc>
__device__ __forceinline__ Acc load_scalar(const ScalarArg& scalar) {
  if (scalar.device == nullptr) return ScalarOf<Acc>::from(scalar.re, scalar.im);
  if (scalar.device_is_half) {
    const float value = __half2float(*static_cast<const __half*>(scalar.device));
    return ScalarOf<Acc>::from(value, 0.0);
  }
  return *static_cast<const Acc*>(scalar.device);
}

template <class T>
__device__ __forceinline__ T sum_of_two(T a, T b) {
  return a + b;
}
template <class Real>
__device__ __forceinline__ Complex<Real> sum_of_two(Complex<Real> a, Complex<Real> b) {
  return {a.x + b.x, a.y + b.y};
}

template <class T>
__device__ __forceinline__ bool is_zero(T value) {
  return value == T(0);
}
template <class Real>
__device__ __forceinline__ bool is_zero(Complex<Real> value) {
  return value.x == Real(0) && value.y == Real(0);
}

// ---- sum -> output element --------------------------------------------------------------------

template <class Out, class Acc>
struct Narrow {
  static __device__ __forceinline__ Out from(Acc value) { return static_cast<Out>(value); }
};
template <class T>
struct Narrow<T, T> {
  static __device__ __forceinline__ T from(T value) { return value; }
};
template <>
struct Narrow<__half, float> {
  static __device__ __forceinline__ __half from(float value) { return __float2half_rn(value); }
};
template <>
struct Narrow<__nv_bfloat16, float> {
  static __device__ __forceinline__ __nv_bfloat16 from(float value) {
    return __float2bfloat16_rn(value);
  }
};

// What becomes of a sum: the scalars, and whether there is a product at all. k == 0 and alpha == 0
// leave beta * C, whatever alpha is.
template <class Acc>
struct Finish {
  Acc alpha, beta;
  bool has_product;
};

template <class Acc>
__device__ __forceinline__ Finish<Acc> load_finish(const GemmArgs& args) {
  Finish<Acc> finish{load_scalar<Acc>(args.alpha), load_scalar<Acc>(args.beta), false};
  finish.has_product = args.k > 0 && !is_zero(finish.alpha);
  return finish;
}

// alpha * sum + beta * c. NOTE: beta == 0 must not read C; it may hold NaN.
template <class Out, class Acc>
__device__ __forceinline__ Acc finished(Acc sum, const Finish<Acc>& finish, const Out* c) {
  const bool reads_c = !is_zero(finish.beta);
  Acc result{};
  if (finish.has_product) {
    result = multiply(finish.alpha, sum);
    if (reads_c) multiply_add(result, finish.beta, Widen<Acc, Out>::from(*c, false));
  } else if (reads_c) {
    result = multiply(finish.beta, Widen<Acc, Out>::from(*c, false));
  }
  return result;
}

// The same as one output element.
template <class Out, class Acc>
__device__ __forceinline__ void store_result(Out* c, Acc sum, const Finish<Acc>& finish) {
  *c = Narrow<Out, Acc>::from(finished(sum, finish, c));
}

}  // namespace myblas
