// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// api/cublas/lt_matmul.h: cublasLtMatmul, on a handle of the calling thread
// (lt_threads.h), or by the real cublasLt.
//==============================================================================
#pragma once

#include "api/cublas/lt_library.h"

namespace myblas::dropin {

myblasStatus_t lt_matmul(void* handle, const void* operation, const void* alpha, const void* a,
                         const void* a_layout, const void* b, const void* b_layout,
                         const void* beta, const void* c, const void* c_layout, void* d,
                         const void* d_layout, const void* algo, void* workspace,
                         size_t workspace_bytes, myblasStream_t stream) noexcept;

// Where there is no real cublasLt: nobody reads the descriptors.
myblasStatus_t lt_not_supported(void* handle) noexcept;

}  // namespace myblas::dropin
