// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// cpu/openblas_library.h: OpenBLAS as a table of functions, opened at run time.
//
// Only builds with 32-bit integers (LP64) and plain cblas_* names are accepted.
// The prototypes are our own, so that no OpenBLAS header is needed to build.
//==============================================================================
#pragma once

#include <string>
#include <vector>

namespace myblas::cpu {

// Values fixed by the CBLAS interface.
enum CblasOrder : int { kCblasColMajor = 102 };
enum CblasTranspose : int { kCblasNoTrans = 111, kCblasTrans = 112, kCblasConjTrans = 113 };

// Real scalars go by value, complex ones (and all complex operands) by untyped pointer.
template <class T>
using RealGemm = void (*)(int order, int trans_a, int trans_b, int m, int n, int k, T alpha,
                          const T* a, int lda, const T* b, int ldb, T beta, T* c, int ldc);
using ComplexGemm = void (*)(int order, int trans_a, int trans_b, int m, int n, int k,
                             const void* alpha, const void* a, int lda, const void* b, int ldb,
                             const void* beta, void* c, int ldc);

struct OpenBlas {
  RealGemm<float> sgemm = nullptr;
  RealGemm<double> dgemm = nullptr;
  ComplexGemm cgemm = nullptr;
  ComplexGemm zgemm = nullptr;
};

struct OpenBlasLoad {
  bool loaded = false;
  OpenBlas functions;
  std::string description;  // where loaded: file name, version, threads
  std::string error;        // where not: what was tried, what to install
};

// Opens the first usable library of the list. It stays open for the life of the process, since
// OpenBLAS's worker threads cannot be unmapped safely.
OpenBlasLoad load_openblas(const std::vector<std::string>& candidates);

// MYBLAS_OPENBLAS alone if it is set, otherwise the names that distributions use.
std::vector<std::string> openblas_candidates();

// The process's OpenBLAS: load_openblas(openblas_candidates()), once.
const OpenBlasLoad& openblas();

}  // namespace myblas::cpu
