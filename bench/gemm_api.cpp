// SPDX-License-Identifier: BSD-3-Clause
#include "gemm_api.h"

#include <dlfcn.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>
#include <stdexcept>

namespace bench {
namespace {

constexpr std::array kCublasNames{"libcublas.so.13", "libcublas.so.12"};

void add_directory(std::vector<std::string>& paths, const std::filesystem::path& directory) {
  for (const char* name : kCublasNames) {
    std::error_code ignored;
    const std::filesystem::path file = directory / name;
    if (std::filesystem::exists(file, ignored)) {
      paths.push_back(std::filesystem::absolute(file, ignored).string());
    }
  }
}

// Lines of `ldconfig -p`: "libcublas.so.13 (libc6,x86-64) => /path/libcublas.so.13".
void add_loader_cache(std::vector<std::string>& paths) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen("/sbin/ldconfig -p 2>/dev/null", "r"),
                                                   pclose);
  if (!pipe) return;
  std::array<char, 4096> line{};
  while (fgets(line.data(), static_cast<int>(line.size()), pipe.get()) != nullptr) {
    const std::string text = line.data();
    const size_t arrow = text.find("=> ");
    if (arrow == std::string::npos) continue;
    for (const char* name : kCublasNames) {
      if (text.find(std::string(name) + " ") == std::string::npos) continue;
      paths.push_back(text.substr(arrow + 3, text.find('\n') - arrow - 3));
    }
  }
}

}  // namespace

GemmApi myblas_api() {
  GemmApi api;
#define BENCH_LINK(name, cublas_name) api.name = &myblas##name;
  BENCH_GEMM_API(BENCH_LINK)
#undef BENCH_LINK
  return api;
}

GemmApi open_cublas_api(const std::string& path, bool must_be_nvidia) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(std::string("dlopen: ") + dlerror());
  // The drop-in needs libmyblas, so this name is found through it; NVIDIA's does not.
  if (must_be_nvidia && dlsym(library, "myblasCreate") != nullptr) {
    dlclose(library);
    throw std::runtime_error(path + " is a drop-in of myblas, not cuBLAS");
  }
  GemmApi api;
#define BENCH_LOAD(name, cublas_name)                                            \
  api.name = reinterpret_cast<decltype(api.name)>(dlsym(library, #cublas_name)); \
  if (api.name == nullptr) throw std::runtime_error(path + " lacks " #cublas_name);
  BENCH_GEMM_API(BENCH_LOAD)
#undef BENCH_LOAD
  return api;
}

std::vector<std::string> cublas_candidates() {
  std::vector<std::string> paths;
  if (const char* list = std::getenv("LD_LIBRARY_PATH")) {
    std::istringstream directories(list);
    for (std::string directory; std::getline(directories, directory, ':');) {
      if (!directory.empty()) add_directory(paths, directory);
    }
  }
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* root = std::getenv(variable)) {
      add_directory(paths, std::filesystem::path(root) / "lib64");
    }
  }
  add_directory(paths, "/usr/local/cuda/lib64");
  add_loader_cache(paths);
  return paths;
}

}  // namespace bench
