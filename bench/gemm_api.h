// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemm_api.h: the entry points that the bench calls, as one table of pointers.
//
// myblas and cuBLAS have the same C ABI and the same enum values, so the types
// of myblas.h serve for both: myblas's table is filled at link time, cuBLAS's
// (and a drop-in's) by dlopen and dlsym.
//==============================================================================
#pragma once

#include <string>
#include <vector>

#include "myblas.h"

namespace bench {

// MEMBER(name without prefix, name in cuBLAS)
#define BENCH_GEMM_API(MEMBER)                           \
  MEMBER(Create, cublasCreate_v2)                        \
  MEMBER(Destroy, cublasDestroy_v2)                      \
  MEMBER(GetVersion, cublasGetVersion_v2)                \
  MEMBER(GetStatusName, cublasGetStatusName)             \
  MEMBER(SetStream, cublasSetStream_v2)                  \
  MEMBER(SetWorkspace, cublasSetWorkspace_v2)            \
  MEMBER(SetMathMode, cublasSetMathMode)                 \
  MEMBER(Sgemm, cublasSgemm_v2)                          \
  MEMBER(Dgemm, cublasDgemm_v2)                          \
  MEMBER(Cgemm, cublasCgemm_v2)                          \
  MEMBER(Zgemm, cublasZgemm_v2)                          \
  MEMBER(Cgemm3m, cublasCgemm3m)                         \
  MEMBER(Zgemm3m, cublasZgemm3m)                         \
  MEMBER(Sgemv, cublasSgemv_v2)                          \
  MEMBER(Dgemv, cublasDgemv_v2)                          \
  MEMBER(Cgemv, cublasCgemv_v2)                          \
  MEMBER(Zgemv, cublasZgemv_v2)                          \
  MEMBER(SgemmStridedBatched, cublasSgemmStridedBatched) \
  MEMBER(DgemmStridedBatched, cublasDgemmStridedBatched) \
  MEMBER(CgemmStridedBatched, cublasCgemmStridedBatched) \
  MEMBER(ZgemmStridedBatched, cublasZgemmStridedBatched) \
  MEMBER(GemmEx, cublasGemmEx)                           \
  MEMBER(GemmBatchedEx, cublasGemmBatchedEx)             \
  MEMBER(GemmStridedBatchedEx, cublasGemmStridedBatchedEx)

struct GemmApi {
#define BENCH_DECLARE(name, cublas_name) decltype(&myblas##name) name = nullptr;
  BENCH_GEMM_API(BENCH_DECLARE)
#undef BENCH_DECLARE
};

GemmApi myblas_api();

// cuBLAS's names out of the library at `path`. Throws std::runtime_error. `must_be_nvidia`
// refuses a drop-in of our own.
GemmApi open_cublas_api(const std::string& path, bool must_be_nvidia);

// Absolute paths where a real cuBLAS may be, best first: LD_LIBRARY_PATH, the toolkit, the
// loader's cache. Bare names are never opened: they could find our own drop-in.
std::vector<std::string> cublas_candidates();

}  // namespace bench
