// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// api/cublas/lt_library.h: the real cublasLt, and how its descriptors are read.
//
// Descriptors are the real library's own objects; they are read by its functions.
// What their attributes default to, and which there are, differs from release to
// release (12.1 to 13.10 were looked at): the library that is there is asked.
//==============================================================================
#pragma once

#include <limits.h>

#include <cstddef>
#include <cstdint>

#include "myblas.h"

namespace myblas::dropin {

// cublasLtMatmulDescAttributes_t
enum LtOperationAttribute : int {
  kLtComputeType = 0,
  kLtScaleType = 1,
  kLtPointerMode = 2,
  kLtTransA = 3,
  kLtTransB = 4,
  kLtTransC = 5,
  kLtFillMode = 6,
  kLtEpilogue = 7,
  kLtBiasPointer = 8,
  kLtBiasBatchStride = 10,
  kLtSmCountTarget = 15,
  kLtUndocumented = 16,
  kLtFirstScale = 17,  // scales of A, B, C, D, and the largest of D
  kLtLastScale = 21,
  kLtBiasType = 26,
  kLtAtomicSyncRows = 27,  // CUDA 12
  kLtAtomicSyncColumns = 28,
  kLtOutScale = 36,
  kLtEmulation = 38,
  kLtFirstLater = 39,  // batch strides of alpha and beta, batch invariance, what is yet to come
};

// cublasLtMatrixLayoutAttribute_t
enum LtLayoutAttribute : int {
  kLtType = 0,
  kLtOrder = 1,
  kLtRows = 2,
  kLtColumns = 3,
  kLtLd = 4,
  kLtBatchCount = 5,
  kLtBatchStride = 6,
  kLtPlaneOffset = 7,
  kLtBatchMode = 8,
};
inline constexpr int kLtLayoutAttributes = 9;

using LtGetAttribute = myblasStatus_t(const void* descriptor, int attribute, void* value,
                                      size_t bytes, size_t* written);
using LtMatmul = myblasStatus_t(void* handle, const void* operation, const void* alpha,
                                const void* a, const void* a_layout, const void* b,
                                const void* b_layout, const void* beta, const void* c,
                                const void* c_layout, void* d, const void* d_layout,
                                const void* algo, void* workspace, size_t workspace_bytes,
                                myblasStream_t stream);

// An attribute of operations that only its default keeps with us.
struct LtDefault {
  int attribute;
  uint32_t bytes;
  uint64_t value;
};

struct LtLibrary {
  void* handle = nullptr;  // nullptr: none; the functions are then nullptr too
  LtMatmul* matmul = nullptr;
  LtGetAttribute* get_of_operation = nullptr;
  LtGetAttribute* get_of_layout = nullptr;
  // Why every call is forwarded; nullptr: not every one is.
  const char* left_alone = nullptr;
  // No real cuBLAS: the program's cuBLAS handles are ours, and it may take one for a cublasLt one.
  bool may_meet_our_handles = false;
  uint32_t emulation = 0;  // Divergence bits, from the environment
  // Each attribute of a layout that we read lies in its first kLtLayoutKeyBytes.
  bool layouts_have_keys = false;
  int default_count = 0;
  LtDefault defaults[24] = {};
  char path[PATH_MAX] = "";
};

// Every layout has as many: the library takes no memory of fewer for one, and CUDA 12.1, whose
// layouts are the smallest, makes them of so many.
inline constexpr size_t kLtLayoutKeyBytes = 56;

// Searched at the first call, after the real cuBLAS. The answer is the same for the whole life of
// the process.
const LtLibrary& lt_library(const void* caller);

// Without asking for the real cuBLAS: of a cublasLt that is mapped, its dlopen handle or nullptr.
void* mapped_lt();

}  // namespace myblas::dropin
