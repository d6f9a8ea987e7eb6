// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// api/cublas/real_library.h: the real cuBLAS behind the drop-in.
//
// Searched at the first cublas call of the process, never in a constructor: a
// preloaded library enters every child process, and opening cuBLAS costs 40 ms
// and 95 MB. In this order:
//
//   MYBLAS_CUBLAS=/path       a file or its directory; "off": standalone
//   mapped already            whatever copy the process has; else the one beside its cublasLt
//   the caller's search path  RPATH, LD_LIBRARY_PATH, RUNPATH
//   MYBLAS_CUBLAS_FOUND=/path what myblas-run found
//   Python wheels             of the environments that mapped objects belong to
//   the toolkit               CUDA_HOME, CUDA_PATH, /usr/local/cuda*
//   the loader's cache
//
// Where the machine has no GPU, or MYBLAS_BACKEND is cpu, and the user named no library, what was
// found is let go: standalone.
//
// Opened by absolute path only: by SONAME the loader could give us ourselves.
//==============================================================================
#pragma once

#include <limits.h>

namespace myblas::dropin {

struct RealLibrary {
  void* handle = nullptr;  // nullptr: standalone
  // The library computes on host memory, so the CPU backend may serve its handles. Only the fake
  // cuBLAS of the tests says so, by exporting myblas_fake_cublas_host_pointers.
  bool takes_host_pointers = false;
  bool is_named = false;  // by MYBLAS_CUBLAS
  char path[PATH_MAX] = "";
};

// caller: an address inside the object that made the call, for its search path. The answer is the
// same for the whole life of the process.
const RealLibrary& real_library(const void* caller);

// Not 0 while this thread looks for it. NOTE: a real cuBLAS that is asked for its version asks its
// cublasLt, which may be ours (forward.cpp).
extern constinit thread_local int t_search_depth __attribute__((tls_model("initial-exec")));

// The CUDA major version of this drop-in's SONAME; 0 for the neutral library, which takes any.
extern const int kOwnMajor;

}  // namespace myblas::dropin
