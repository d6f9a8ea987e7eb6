// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/blocked_gemm.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>

namespace myblas::cpu {
namespace {

constexpr int64_t kMaxInt = std::numeric_limits<int>::max();

// ---- OpenBLAS by type --------------------------------------------------------

CblasTranspose transpose(Op op) {
  switch (op) {
    case Op::kN: return kCblasNoTrans;
    case Op::kT: return kCblasTrans;
    case Op::kC: return kCblasConjTrans;  // the same as kT for real types
  }
  return kCblasNoTrans;
}

// One OpenBLAS call: sizes and ld have been cut to int.
template <class T>
struct Call {
  Op op_a, op_b;
  int64_t m, n, k;
  T alpha;
  const T* a;
  int64_t lda;
  const T* b;
  int64_t ldb;
  T beta;
  T* c;
  int64_t ldc;
};

template <class T, class Function>
void call_real(Function gemm, const Call<T>& x) {
  gemm(kCblasColMajor, transpose(x.op_a), transpose(x.op_b), static_cast<int>(x.m),
       static_cast<int>(x.n), static_cast<int>(x.k), x.alpha, x.a, static_cast<int>(x.lda), x.b,
       static_cast<int>(x.ldb), x.beta, x.c, static_cast<int>(x.ldc));
}

template <class T>
void call_complex(ComplexGemm gemm, const Call<T>& x) {
  gemm(kCblasColMajor, transpose(x.op_a), transpose(x.op_b), static_cast<int>(x.m),
       static_cast<int>(x.n), static_cast<int>(x.k), &x.alpha, x.a, static_cast<int>(x.lda), x.b,
       static_cast<int>(x.ldb), &x.beta, x.c, static_cast<int>(x.ldc));
}

// beta*C by our own loop where OpenBLAS cannot be trusted with it. Returns the beta that is left.
template <class T>
T beta_left(const Call<T>& x) {
  // One row or column may be served by gemv, and some releases read C there although beta is 0.
  // Zeros are cheap for a vector.
  const bool vector = x.m == 1 || x.n == 1;
  if (vector && x.beta == T(0)) scale(x.m, x.n, T(0), x.c, x.ldc);
  // The assembly of cgemm and zgemm (all of 0.3.21's on x86) takes beta = (0, NaN) for zero.
  if (std::isfinite(std::abs(x.beta))) return x.beta;
  scale(x.m, x.n, x.beta, x.c, x.ldc);
  return T(1);
}

template <class T>
void call(const OpenBlas& blas, Call<T> x) {
  x.beta = beta_left(x);
  if constexpr (std::is_same_v<T, float>) call_real(blas.sgemm, x);
  if constexpr (std::is_same_v<T, double>) call_real(blas.dgemm, x);
  if constexpr (std::is_same_v<T, CF32>) call_complex(blas.cgemm, x);
  if constexpr (std::is_same_v<T, CF64>) call_complex(blas.zgemm, x);
}

// ---- blocks ------------------------------------------------------------------

// A part of a stored matrix: op(X)'s block (row, col), rows x cols, as it lies in memory.
template <class T>
struct Block {
  const T* data;
  int64_t rows, cols;
};

template <class T>
Block<T> block_of(const void* base, int64_t ld, Op op, int64_t row, int64_t col, int64_t rows,
                  int64_t cols) {
  const T* matrix = static_cast<const T*>(base);
  if (op == Op::kN) return {matrix + row + col * ld, rows, cols};
  return {matrix + col + row * ld, cols, rows};
}

// The caller's ld, or for a single column the least that OpenBLAS accepts.
template <class T>
int64_t usable_ld(const Block<T>& block, int64_t ld) {
  return block.cols == 1 ? block.rows : ld;
}

// Columns of a scratch block start on cache lines that do not all map to the same cache set.
template <class T>
int64_t scratch_ld(int64_t rows) {
  constexpr int64_t line = 64 / static_cast<int64_t>(sizeof(T));
  const int64_t rounded = (rows + line - 1) / line * line;
  return rounded >= 256 ? rounded + line : rounded;
}

struct FreeDeleter {
  void operator()(void* memory) const { std::free(memory); }
};

// Packed A, packed B and the accumulator, sized for the largest block of this problem.
template <class T>
class Scratch {
 public:
  Scratch(const GemmProblem& p, const BlockSizes& blocks) {
    const int64_t m = std::min(p.m, blocks.m);
    const int64_t n = std::min(p.n, blocks.n);
    const int64_t k = std::min(p.k, blocks.k);
    const int64_t a_elems = p.op_a == Op::kN ? scratch_ld<T>(m) * k : scratch_ld<T>(k) * m;
    const int64_t b_elems = p.op_b == Op::kN ? scratch_ld<T>(k) * n : scratch_ld<T>(n) * k;
    const int64_t c_elems = scratch_ld<T>(m) * n;
    const auto bytes = static_cast<size_t>(a_elems + b_elems + c_elems) * sizeof(T);
    memory_.reset(std::aligned_alloc(64, bytes));  // each part is whole cache lines
    a = static_cast<T*>(memory_.get());
    if (a == nullptr) return;
    b = a + a_elems;
    c = b + b_elems;
  }
  explicit operator bool() const { return memory_ != nullptr; }

  T* a = nullptr;
  T* b = nullptr;
  T* c = nullptr;

 private:
  std::unique_ptr<void, FreeDeleter> memory_;
};

// The block of C at (i, j), m x n, and the block of the sum at `depth`, k deep.
struct Position {
  int64_t i, j, depth;
  int64_t m, n, k;
};

// Calls body for every block; k-blocks of one block of C come one after the other, ascending.
template <class Body>
void for_each_block(const GemmProblem& p, const BlockSizes& blocks, Body body) {
  for (int64_t j = 0; j < p.n; j += blocks.n) {
    for (int64_t i = 0; i < p.m; i += blocks.m) {
      for (int64_t depth = 0; depth < p.k; depth += blocks.k) {
        body(Position{i, j, depth, std::min(blocks.m, p.m - i), std::min(blocks.n, p.n - j),
                      std::min(blocks.k, p.k - depth)});
      }
    }
  }
}

// scratch.c (+)= op(A block) * op(B block), both copied into the arithmetic type. Returns the ld
// of scratch.c.
template <class In, class Acc>
int64_t multiply_packed(const OpenBlas& blas, const GemmProblem& p, const Operands& x,
                        const Position& at, bool accumulate, const Scratch<Acc>& scratch) {
  const auto a = block_of<In>(x.a, p.a.ld, p.op_a, at.i, at.depth, at.m, at.k);
  const auto b = block_of<In>(x.b, p.b.ld, p.op_b, at.depth, at.j, at.k, at.n);
  const int64_t lda = scratch_ld<Acc>(a.rows);
  const int64_t ldb = scratch_ld<Acc>(b.rows);
  const int64_t ldc = scratch_ld<Acc>(at.m);
  pack(a.data, p.a.ld, a.rows, a.cols, scratch.a, lda);
  pack(b.data, p.b.ld, b.rows, b.cols, scratch.b, ldb);
  call(blas, Call<Acc>{p.op_a, p.op_b, at.m, at.n, at.k, Acc(1), scratch.a, lda, scratch.b, ldb,
                       Acc(accumulate ? 1 : 0), scratch.c, ldc});
  return ldc;
}

}  // namespace

Operands operands(const GemmProblem& p, int64_t index) {
  if (p.batch_kind == BatchKind::kPointers) {
    return {static_cast<const void* const*>(p.a.base)[index],
            static_cast<const void* const*>(p.b.base)[index],
            static_cast<void* const*>(p.c.base)[index]};
  }
  const auto at = [index](const Matrix& x, DataType type) {
    return reinterpret_cast<uintptr_t>(x.base) +
           static_cast<uintptr_t>(index * x.stride) * element_bytes(type);
  };
  return {reinterpret_cast<const void*>(at(p.a, p.ab_type)),
          reinterpret_cast<const void*>(at(p.b, p.ab_type)),
          reinterpret_cast<void*>(at(p.c, p.c_type))};
}

bool fits_direct(const GemmProblem& p) {
  const int64_t cols_a = p.op_a == Op::kN ? p.k : p.m;
  const int64_t cols_b = p.op_b == Op::kN ? p.n : p.k;
  const auto fits = [](int64_t ld, int64_t cols) { return (ld > 0 && ld <= kMaxInt) || cols == 1; };
  return fits(p.a.ld, cols_a) && fits(p.b.ld, cols_b) && fits(p.c.ld, p.n);
}

template <class T>
Status direct_gemm(const OpenBlas& blas, const GemmProblem& p, T alpha, T beta,
                   const BlockSizes& blocks) {
  for (int64_t index = 0; index < p.batch_count; ++index) {
    const Operands x = operands(p, index);
    for_each_block(p, blocks, [&](const Position& at) {
      const auto a = block_of<T>(x.a, p.a.ld, p.op_a, at.i, at.depth, at.m, at.k);
      const auto b = block_of<T>(x.b, p.b.ld, p.op_b, at.depth, at.j, at.k, at.n);
      T* c = static_cast<T*>(x.c) + at.i + at.j * p.c.ld;
      call(blas, Call<T>{p.op_a, p.op_b, at.m, at.n, at.k, alpha, a.data, usable_ld(a, p.a.ld),
                         b.data, usable_ld(b, p.b.ld), at.depth == 0 ? beta : T(1), c,
                         at.n == 1 ? at.m : p.c.ld});
    });
  }
  return Status::kSuccess;
}

template <class In, class Acc, class Out>
Status converted_gemm(const OpenBlas& blas, const GemmProblem& p, Acc alpha, Acc beta,
                      const BlockSizes& blocks) {
  const Scratch<Acc> scratch(p, blocks);
  if (!scratch) return Status::kAllocFailed;
  for (int64_t index = 0; index < p.batch_count; ++index) {
    const Operands x = operands(p, index);
    for_each_block(p, blocks, [&](const Position& at) {
      const int64_t ld = multiply_packed<In>(blas, p, x, at, at.depth > 0, scratch);
      if (at.depth + at.k < p.k) return;
      Out* c = static_cast<Out*>(x.c) + at.i + at.j * p.c.ld;
      store(scratch.c, ld, at.m, at.n, alpha, beta, c, p.c.ld);
    });
  }
  return Status::kSuccess;
}

Status integer_gemm(const OpenBlas& blas, const GemmProblem& p, int32_t alpha, int32_t beta,
                    const BlockSizes& blocks) {
  const BlockSizes exact{blocks.m, blocks.n, std::min(blocks.k, kExactIntegerK)};
  const Scratch<float> scratch(p, exact);
  if (!scratch) return Status::kAllocFailed;
  for (int64_t index = 0; index < p.batch_count; ++index) {
    const Operands x = operands(p, index);
    for_each_block(p, exact, [&](const Position& at) {
      const int64_t ld = multiply_packed<int8_t>(blas, p, x, at, false, scratch);
      int32_t* c = static_cast<int32_t*>(x.c) + at.i + at.j * p.c.ld;
      if (at.depth == 0) scale(at.m, at.n, beta, c, p.c.ld);
      add_integers(scratch.c, ld, at.m, at.n, alpha, c, p.c.ld);
    });
  }
  return Status::kSuccess;
}

template Status direct_gemm(const OpenBlas&, const GemmProblem&, float, float, const BlockSizes&);
template Status direct_gemm(const OpenBlas&, const GemmProblem&, double, double, const BlockSizes&);
template Status direct_gemm(const OpenBlas&, const GemmProblem&, CF32, CF32, const BlockSizes&);
template Status direct_gemm(const OpenBlas&, const GemmProblem&, CF64, CF64, const BlockSizes&);

template Status converted_gemm<float, float, float>(const OpenBlas&, const GemmProblem&, float,
                                                    float, const BlockSizes&);
template Status converted_gemm<double, double, double>(const OpenBlas&, const GemmProblem&, double,
                                                       double, const BlockSizes&);
template Status converted_gemm<CF32, CF32, CF32>(const OpenBlas&, const GemmProblem&, CF32, CF32,
                                                 const BlockSizes&);
template Status converted_gemm<CF64, CF64, CF64>(const OpenBlas&, const GemmProblem&, CF64, CF64,
                                                 const BlockSizes&);
template Status converted_gemm<F16, float, F16>(const OpenBlas&, const GemmProblem&, float, float,
                                                const BlockSizes&);
template Status converted_gemm<BF16, float, BF16>(const OpenBlas&, const GemmProblem&, float, float,
                                                  const BlockSizes&);
template Status converted_gemm<F16, float, float>(const OpenBlas&, const GemmProblem&, float, float,
                                                  const BlockSizes&);
template Status converted_gemm<BF16, float, float>(const OpenBlas&, const GemmProblem&, float,
                                                   float, const BlockSizes&);
template Status converted_gemm<int8_t, float, float>(const OpenBlas&, const GemmProblem&, float,
                                                     float, const BlockSizes&);
template Status converted_gemm<CS8, CF32, CF32>(const OpenBlas&, const GemmProblem&, CF32, CF32,
                                                const BlockSizes&);

}  // namespace myblas::cpu
