// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/epilogue.cuh: what is done to alpha * sum + beta * C ahead of its rounding.
//
// cublasLt's epilogues: a bias for each row of C, then a function. Most products have none: the
// usual ways to C ask once and have no code for them. The bias is added ahead of beta * C or behind
// it, as it suits a kernel.
//==============================================================================
#pragma once

#include <type_traits>

#include "kernels/common/arithmetic.cuh"
#include "kernels/common/gemm_args.h"
#include "kernels/ptx/float_math.h"

namespace myblas {

// GELU by tanh: x / (1 + e^-2u), u = sqrt(2 / pi) * (x + 0.044715 x^3).
__device__ __forceinline__ float gelu(float x) {
  constexpr float kLinear = -2.30220819813f;  // -2 * sqrt(2 / pi) * log2(e)
  constexpr float kCubic = 0.044715f * kLinear;
  const float exponent = x * fmaf(kCubic, x * x, kLinear);
  return x * ptx::reciprocal_approximate(1.0f + ptx::exp2_approximate(exponent));
}

// Of the rows of one product from some row on.
template <class Out>
struct RowEpilogue {
  const Out* bias;  // of that row and those behind it; null: none
  Activation activation;

  __device__ __forceinline__ bool any() const {
    return bias != nullptr || activation != Activation::kIdentity;
  }
  __device__ __forceinline__ bool is_gelu() const { return activation == Activation::kGelu; }

  // Complex and integer results have no epilogue; the API sees to it.
  template <class Result>
  static constexpr bool kTakes = std::is_floating_point_v<Result>;

  // The biases of rows row_of(0), row_of(1), ..., as far as rows_left has them: asked for together,
  // whatever number of columns they are added to.
  template <int kRows, class Result, class RowOf>
  __device__ __forceinline__ void load(Result (&biases)[kRows], int64_t rows_left,
                                       const RowOf& row_of) const {
    if constexpr (kTakes<Result>) {
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        Out element{};
        if (bias != nullptr && row_of(r) < rows_left) element = bias[row_of(r)];
        biases[r] = Widen<Result, Out>::from(element, false);
      }
    }
  }

  // A result with its bias and, but for GELU, its activation, without a branch: what runs once a
  // tile is waited for instruction by instruction.
  template <class Result>
  __device__ __forceinline__ Result biased(Result result, Result its_bias) const {
    return ptx::max_or_nan(result + its_bias, floor<Result>());
  }

  // results[i] with the bias biases[index_of(i)], and the activation.
  template <int kCount, int kRows, class Result, class IndexOf>
  __device__ __forceinline__ void finish(Result* results, const Result (&biases)[kRows],
                                         const IndexOf& index_of) const {
    if constexpr (kTakes<Result>) {
#pragma unroll
      for (int i = 0; i < kCount; ++i) results[i] = biased(results[i], biases[index_of(i)]);
      if constexpr (std::is_same_v<Result, float>) {
        if (is_gelu()) {
#pragma unroll
          for (int i = 0; i < kCount; ++i) results[i] = gelu(results[i]);
        }
      }
    }
  }

 private:
  // No result is less.
  template <class Result>
  __device__ __forceinline__ Result floor() const {
    return activation == Activation::kRelu ? Result(0) : Result(-INFINITY);
  }
};

template <class Out>
__device__ __forceinline__ RowEpilogue<Out> epilogue_of_batch(const EpilogueArg& arg, int64_t batch,
                                                              int64_t first_row) {
  const Out* bias = static_cast<const Out*>(arg.bias);
  return {bias == nullptr ? bias : bias + batch * arg.stride + first_row, arg.activation};
}

// alpha * sums with the epilogue, ahead of beta * C: with an activation goes a beta of 0. Then
// alpha is 1, and there is a product. The rest: as above.
template <int kCount, int kRows, class Out, class Acc, class RowOf, class IndexOf>
__device__ __forceinline__ void finish_ahead(Acc* sums, Finish<Acc>& finish,
                                             const RowEpilogue<Out>& epilogue, int64_t rows_left,
                                             const RowOf& row_of, const IndexOf& index_of) {
  if constexpr (RowEpilogue<Out>::template kTakes<Acc>) {
    Acc biases[kRows];
    epilogue.load(biases, rows_left, row_of);
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      sums[i] = finish.has_product ? multiply(finish.alpha, sums[i]) : Acc(0);
    }
    epilogue.template finish<kCount>(sums, biases, index_of);
    finish.alpha = Acc(1);
    finish.has_product = true;
  }
}

// store_result, with what is done ahead of rounding.
template <class Out, class Acc>
__device__ __forceinline__ void store_result(Out* c, Acc sum, const Finish<Acc>& finish,
                                             const RowEpilogue<Out>& epilogue, int64_t row) {
  Acc result = finished(sum, finish, c);
  if (epilogue.any()) {
    Acc bias[1];
    epilogue.load(bias, row + 1, [&](int) { return row; });
    epilogue.template finish<1>(&result, bias, [](int) { return 0; });
  }
  *c = Narrow<Out, Acc>::from(result);
}

}  // namespace myblas
