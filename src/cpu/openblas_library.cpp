// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/openblas_library.h"

#include <dlfcn.h>

#include <cstdlib>

namespace myblas::cpu {
namespace {

constexpr const char* kInstallHint =
    "; install it (Debian/Ubuntu: libopenblas0, Fedora: openblas and openblas-threads, conda: "
    "openblas) or set MYBLAS_OPENBLAS to the path of libopenblas.so";

template <class F>
bool resolve(void* library, const char* symbol, F& function) {
  function = reinterpret_cast<F>(dlsym(library, symbol));
  return function != nullptr;
}

// Fills `load` from an open library, or says why it cannot be used.
std::string use(void* library, const std::string& file, OpenBlasLoad& load) {
  OpenBlas functions;
  if (!resolve(library, "cblas_sgemm", functions.sgemm) ||
      !resolve(library, "cblas_dgemm", functions.dgemm) ||
      !resolve(library, "cblas_cgemm", functions.cgemm) ||
      !resolve(library, "cblas_zgemm", functions.zgemm)) {
    return file + ": has no cblas_{s,d,c,z}gemm";
  }
  char* (*get_config)() = nullptr;
  int (*get_num_threads)() = nullptr;
  const std::string config =
      resolve(library, "openblas_get_config", get_config) ? get_config() : "not OpenBLAS?";
  // NOTE: some distributions ship 64-bit-integer builds under the plain symbol names; called with
  // 32-bit integers these would read garbage from the stack.
  if (config.find("USE64BITINT") != std::string::npos) return file + ": has 64-bit integers";

  load.functions = functions;
  load.description = file + ": " + config;
  if (resolve(library, "openblas_get_num_threads", get_num_threads)) {
    const int threads = get_num_threads();
    load.description += ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
  }
  load.loaded = true;
  return {};
}

}  // namespace

OpenBlasLoad load_openblas(const std::vector<std::string>& candidates) {
  OpenBlasLoad load;
  std::string tried;
  for (const std::string& file : candidates) {
    std::string problem;
    if (void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
      problem = use(library, file, load);
      if (load.loaded) return load;
      dlclose(library);
    } else {
      const char* reason = dlerror();
      problem = reason ? reason : file + ": cannot be opened";
    }
    tried += (tried.empty() ? "" : "; ") + problem;
  }
  load.error = "OpenBLAS not found (" + tried + ")" + kInstallHint;
  return load;
}

std::vector<std::string> openblas_candidates() {
  const char* path = std::getenv("MYBLAS_OPENBLAS");
  if (path != nullptr && *path != '\0') return {path};
  // NOTE: Fedora's libopenblas.so.0 is single-threaded, its threaded build has the p (pthreads)
  // or o (OpenMP); Debian and conda have no such names.
  return {"libopenblasp.so.0", "libopenblaso.so.0", "libopenblas.so.0", "libopenblas.so"};
}

const OpenBlasLoad& openblas() {
  // NOTE: never destroyed, since other threads may still compute while the process exits.
  static const OpenBlasLoad* const load = new OpenBlasLoad(load_openblas(openblas_candidates()));
  return *load;
}

}  // namespace myblas::cpu
