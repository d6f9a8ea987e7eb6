// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/convert.h"

namespace myblas::cpu {
namespace {

// ---- bodies, compiled for each instruction set -------------------------------

template <class In, class Acc>
[[gnu::always_inline]] inline void pack_body(const In* src, int64_t ld_src, int64_t rows,
                                             int64_t cols, Acc* dst, int64_t ld_dst) {
  for (int64_t col = 0; col < cols; ++col) {
    const In* __restrict from = src + col * ld_src;
    Acc* __restrict to = dst + col * ld_dst;
    for (int64_t row = 0; row < rows; ++row) to[row] = widen_to<Acc>(from[row]);
  }
}

template <class Acc, class Out>
[[gnu::always_inline]] inline void store_body(const Acc* acc, int64_t ld_acc, int64_t rows,
                                              int64_t cols, Acc alpha, Acc beta, Out* c,
                                              int64_t ldc) {
  const bool read_c = beta != Acc(0);  // NOTE: beta == 0 must not read C; it may hold NaN.
  for (int64_t col = 0; col < cols; ++col) {
    const Acc* __restrict from = acc + col * ld_acc;
    Out* __restrict to = c + col * ldc;
    if (read_c) {
      for (int64_t row = 0; row < rows; ++row) {
        const Acc old = multiply(beta, widen_to<Acc>(to[row]));
        to[row] = round_to<Out>(multiply(alpha, from[row]) + old);
      }
    } else {
      for (int64_t row = 0; row < rows; ++row) {
        to[row] = round_to<Out>(multiply(alpha, from[row]));
      }
    }
  }
}

[[gnu::always_inline]] inline int32_t wrapping_multiply(int32_t x, int32_t y) {
  return static_cast<int32_t>(static_cast<uint32_t>(x) * static_cast<uint32_t>(y));
}

[[gnu::always_inline]] inline void add_integers_body(const float* acc, int64_t ld_acc, int64_t rows,
                                                     int64_t cols, int32_t alpha, int32_t* c,
                                                     int64_t ldc) {
  for (int64_t col = 0; col < cols; ++col) {
    const float* __restrict from = acc + col * ld_acc;
    int32_t* __restrict to = c + col * ldc;
    for (int64_t row = 0; row < rows; ++row) {
      const auto product = wrapping_multiply(alpha, static_cast<int32_t>(from[row]));
      to[row] =
          static_cast<int32_t>(static_cast<uint32_t>(to[row]) + static_cast<uint32_t>(product));
    }
  }
}

// ---- the choice of instruction set -------------------------------------------
// Without FMA in either build, the results do not depend on the choice.

#if defined(__x86_64__)

bool has_avx2() {
  static const bool supported = __builtin_cpu_supports("avx2");
  return supported;
}

template <class In, class Acc>
[[gnu::target("avx2")]] void pack_avx2(const In* src, int64_t ld_src, int64_t rows, int64_t cols,
                                       Acc* dst, int64_t ld_dst) {
  pack_body(src, ld_src, rows, cols, dst, ld_dst);
}

template <class Acc, class Out>
[[gnu::target("avx2")]] void store_avx2(const Acc* acc, int64_t ld_acc, int64_t rows, int64_t cols,
                                        Acc alpha, Acc beta, Out* c, int64_t ldc) {
  store_body(acc, ld_acc, rows, cols, alpha, beta, c, ldc);
}

[[gnu::target("avx2")]] void add_integers_avx2(const float* acc, int64_t ld_acc, int64_t rows,
                                               int64_t cols, int32_t alpha, int32_t* c,
                                               int64_t ldc) {
  add_integers_body(acc, ld_acc, rows, cols, alpha, c, ldc);
}

#endif

}  // namespace

template <class In, class Acc>
void pack(const In* src, int64_t ld_src, int64_t rows, int64_t cols, Acc* dst, int64_t ld_dst) {
#if defined(__x86_64__)
  if (has_avx2()) return pack_avx2(src, ld_src, rows, cols, dst, ld_dst);
#endif
  pack_body(src, ld_src, rows, cols, dst, ld_dst);
}

template <class Acc, class Out>
void store(const Acc* acc, int64_t ld_acc, int64_t rows, int64_t cols, Acc alpha, Acc beta, Out* c,
           int64_t ldc) {
#if defined(__x86_64__)
  if (has_avx2()) return store_avx2(acc, ld_acc, rows, cols, alpha, beta, c, ldc);
#endif
  store_body(acc, ld_acc, rows, cols, alpha, beta, c, ldc);
}

void add_integers(const float* acc, int64_t ld_acc, int64_t rows, int64_t cols, int32_t alpha,
                  int32_t* c, int64_t ldc) {
#if defined(__x86_64__)
  if (has_avx2()) return add_integers_avx2(acc, ld_acc, rows, cols, alpha, c, ldc);
#endif
  add_integers_body(acc, ld_acc, rows, cols, alpha, c, ldc);
}

template <class Acc, class Out>
void scale(int64_t rows, int64_t cols, Acc beta, Out* c, int64_t ldc) {
  if (beta == Acc(1)) return;
  for (int64_t col = 0; col < cols; ++col) {
    Out* column = c + col * ldc;
    for (int64_t row = 0; row < rows; ++row) {
      if (beta == Acc(0)) {
        column[row] = Out{};
      } else if constexpr (std::is_same_v<Acc, int32_t>) {
        column[row] = wrapping_multiply(beta, column[row]);
      } else {
        column[row] = round_to<Out>(multiply(beta, widen_to<Acc>(column[row])));
      }
    }
  }
}

template void pack(const F16*, int64_t, int64_t, int64_t, float*, int64_t);
template void pack(const BF16*, int64_t, int64_t, int64_t, float*, int64_t);
template void pack(const int8_t*, int64_t, int64_t, int64_t, float*, int64_t);
template void pack(const CS8*, int64_t, int64_t, int64_t, CF32*, int64_t);
template void pack(const float*, int64_t, int64_t, int64_t, float*, int64_t);
template void pack(const double*, int64_t, int64_t, int64_t, double*, int64_t);
template void pack(const CF32*, int64_t, int64_t, int64_t, CF32*, int64_t);
template void pack(const CF64*, int64_t, int64_t, int64_t, CF64*, int64_t);

template void store(const float*, int64_t, int64_t, int64_t, float, float, F16*, int64_t);
template void store(const float*, int64_t, int64_t, int64_t, float, float, BF16*, int64_t);
template void store(const float*, int64_t, int64_t, int64_t, float, float, float*, int64_t);
template void store(const double*, int64_t, int64_t, int64_t, double, double, double*, int64_t);
template void store(const CF32*, int64_t, int64_t, int64_t, CF32, CF32, CF32*, int64_t);
template void store(const CF64*, int64_t, int64_t, int64_t, CF64, CF64, CF64*, int64_t);

template void scale(int64_t, int64_t, float, F16*, int64_t);
template void scale(int64_t, int64_t, float, BF16*, int64_t);
template void scale(int64_t, int64_t, float, float*, int64_t);
template void scale(int64_t, int64_t, double, double*, int64_t);
template void scale(int64_t, int64_t, CF32, CF32*, int64_t);
template void scale(int64_t, int64_t, CF64, CF64*, int64_t);
template void scale(int64_t, int64_t, int32_t, int32_t*, int64_t);

}  // namespace myblas::cpu
