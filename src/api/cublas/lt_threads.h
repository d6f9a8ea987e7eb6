// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// api/cublas/lt_threads.h: what each thread that calls cublasLtMatmul has.
//
// cublasLt has no state but its arguments, and threads may share its handle; a
// myblas handle has a stream, a pointer mode and a workspace. So each thread uses
// handles of its own, one a CUDA context, made at its first product there.
// A thread that ends leaves them to the next one; none is destroyed, since CUDA
// may be gone when the process ends.
//==============================================================================
#pragma once

#include <cstdint>

#include "api/cublas/lt_descriptors.h"
#include "myblas.h"

namespace myblas::dropin {

struct LtHandle {
  uint64_t context_id = 0;
  myblasHandle_t ours = nullptr;  // nullptr: none can be made there
  const char* refusal = nullptr;  // and why
  int pointer_mode = MYBLAS_POINTER_MODE_HOST;
  int sm_count = 0;
};

struct LtThread {
  LtThread* next = nullptr;  // among those that no thread has
  LtLayoutCache layouts;
  // A context that is gone keeps its place.
  static constexpr int kMaxContexts = 16;
  int context_count = 0;
  int last_context = 0;
  LtHandle contexts[kMaxContexts];
};

extern constinit thread_local LtThread* t_lt_thread __attribute__((tls_model("initial-exec")));

// Takes one that is free, or makes one; nullptr: out of memory.
LtThread* take_lt_thread();

// This thread's; nullptr: out of memory.
inline LtThread* lt_thread() {
  LtThread* const known = t_lt_thread;
  return known != nullptr ? known : take_lt_thread();
}

// The handle for the current context. nullptr: there is none, and the reason says why.
LtHandle* lt_handle(LtThread* thread, myblasStream_t stream, const char** reason);

}  // namespace myblas::dropin
