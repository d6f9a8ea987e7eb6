// SPDX-License-Identifier: BSD-3-Clause
#include "api/cublas/real_library.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "api/cublas/mapped_objects.h"
#include "api/cublas/report.h"
#include "api/cublas/search_paths.h"

namespace myblas::dropin {

constinit thread_local int t_search_depth = 0;

namespace {

// The two files below are the same file, whatever their paths.
bool same_file(const char* path_a, const char* path_b) {
  struct stat a;
  struct stat b;
  return stat(path_a, &a) == 0 && stat(path_b, &b) == 0 && a.st_dev == b.st_dev &&
         a.st_ino == b.st_ino;
}

bool is_this_library(const char* path) {
  Dl_info self;
  return dladdr(&kOwnMajor, &self) != 0 && self.dli_fname != nullptr &&
         same_file(self.dli_fname, path);
}

int major_of(void* handle) {
  using GetProperty = int (*)(int, int*);
  const auto get_property = reinterpret_cast<GetProperty>(dlsym(handle, "cublasGetProperty"));
  int major = 0;
  return get_property != nullptr && get_property(0, &major) == 0 ? major : 0;
}

enum class Mapping { kMapNow, kMappedAlready };

bool is_our_lt(const char* name) {
  void* handle = dlopen(name, RTLD_NOW | RTLD_NOLOAD);
  if (handle == nullptr) return false;
  const bool is_ours = is_a_dropin(handle);
  dlclose(handle);
  return is_ours;
}

// cuBLAS and cublasLt of one release call private functions of each other: the cublasLt of the
// same directory has to be the one that the loader binds. It is never closed.
// Where the loader has ours for it, that one jumps here; a private function of a later release
// that ours does not have is found among the global names.
void open_matching_lt(const char* cublas_path, Mapping mapping) {
  const int named_major = major_of_file_name(cublas_path);
  const char* slash = std::strrchr(cublas_path, '/');
  if (slash == nullptr) return;
  for (const int major : kCublasMajors) {
    if (named_major != 0 && named_major != major) continue;
    if (kOwnMajor != 0 && kOwnMajor != major) continue;
    char path[PATH_MAX];
    const int length = std::snprintf(path, sizeof path, "%.*s/libcublasLt.so.%d",
                                     static_cast<int>(slash - cublas_path), cublas_path, major);
    if (length < 0 || static_cast<size_t>(length) >= sizeof path) continue;
    const bool is_ours = is_our_lt(base_name(path));
    // A mapped cuBLAS has bound its own; but where that is ours, it needs the real one behind it.
    if (mapping == Mapping::kMappedAlready && !is_ours) continue;
    const int scope = is_ours ? RTLD_GLOBAL : RTLD_LOCAL;
    if (dlopen(path, RTLD_NOW | scope) != nullptr) return;
  }
}

bool try_file(const char* path, Mapping mapping, RealLibrary* result) {
  char absolute[PATH_MAX];
  if (realpath(path, absolute) == nullptr || is_this_library(absolute)) return false;
  // Not even mapped, where its name says that it cannot be the one.
  const int named_major = major_of_file_name(path);
  if (kOwnMajor != 0 && named_major != 0 && named_major != kOwnMajor) return false;
  // As given, not resolved: a link's directory decides which cublasLt lies beside it, and a
  // mapped library is known to the loader by the name it was opened with.
  if (path[0] == '/') std::snprintf(absolute, sizeof absolute, "%s", path);
  int flags = RTLD_NOW | RTLD_LOCAL;
  if (mapping == Mapping::kMappedAlready) flags |= RTLD_NOLOAD;
  open_matching_lt(absolute, mapping);
  void* handle = dlopen(absolute, flags);
  if (handle == nullptr) return false;
  const int major = is_a_dropin(handle) ? 0 : major_of(handle);
  if (major == 0 || (kOwnMajor != 0 && major != kOwnMajor)) {
    dlclose(handle);
    return false;
  }
  result->handle = handle;
  result->takes_host_pointers = dlsym(handle, "myblas_fake_cublas_host_pointers") != nullptr;
  std::snprintf(result->path, sizeof result->path, "%s", absolute);
  return true;
}

bool try_directory(const char* directory, void* result) {
  for (const int major : kCublasMajors) {
    if (kOwnMajor != 0 && kOwnMajor != major) continue;
    char path[PATH_MAX];
    const int length = std::snprintf(path, sizeof path, "%s/libcublas.so.%d", directory, major);
    if (length < 0 || static_cast<size_t>(length) >= sizeof path) continue;
    struct stat info;
    if (stat(path, &info) != 0) continue;
    if (try_file(path, Mapping::kMapNow, static_cast<RealLibrary*>(result))) return true;
  }
  return false;
}

bool try_named(const char* path, RealLibrary* result) {
  struct stat info;
  if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) return try_directory(path, result);
  return try_file(path, Mapping::kMapNow, result);
}

bool try_mapped(const MappedObjects& objects, RealLibrary* result) {
  for (const char* path = objects.next(nullptr); path != nullptr; path = objects.next(path)) {
    if (std::strncmp(base_name(path), "libcublas.so", 12) != 0) continue;
    if (try_file(path, Mapping::kMappedAlready, result)) return true;
  }
  return false;
}

// A cublasLt that the process has mapped is the one that the loader will bind, so the cuBLAS
// beside it comes before any other.
bool try_beside_mapped_lt(const MappedObjects& objects, RealLibrary* result) {
  for (const char* path = objects.next(nullptr); path != nullptr; path = objects.next(path)) {
    const char* base = base_name(path);
    if (path[0] != '/' || std::strncmp(base, "libcublasLt.so", 14) != 0) continue;
    if (is_our_lt(path)) continue;
    char directory[PATH_MAX];
    const size_t length = static_cast<size_t>(base - path) - 1;
    if (length >= sizeof directory) continue;
    std::memcpy(directory, path, length);
    directory[length] = '\0';
    if (try_directory(directory, result)) return true;
  }
  return false;
}

// The directories that the loader would search for a library that the caller needs.
bool try_search_path(const void* caller, RealLibrary* result) {
  Dl_info info;
  link_map* object = nullptr;
  if (dladdr1(caller, &info, reinterpret_cast<void**>(&object), RTLD_DL_LINKMAP) == 0) return false;
  const char* name = object->l_name[0] == '\0' ? nullptr : object->l_name;
  void* handle = dlopen(name, RTLD_NOW | RTLD_NOLOAD);
  if (handle == nullptr) return false;
  bool found = false;
  Dl_serinfo header;
  if (dlinfo(handle, RTLD_DI_SERINFOSIZE, &header) == 0) {
    auto* path = static_cast<Dl_serinfo*>(std::malloc(header.dls_size));
    if (path != nullptr && dlinfo(handle, RTLD_DI_SERINFOSIZE, path) == 0 &&
        dlinfo(handle, RTLD_DI_SERINFO, path) == 0) {
      for (unsigned i = 0; i < path->dls_cnt && !found; ++i) {
        const char* directory = path->dls_serpath[i].dls_name;
        found = directory[0] == '/' && try_directory(directory, result);
      }
    }
    std::free(path);
  }
  dlclose(handle);
  return found;
}

bool try_wheels(const MappedObjects& objects, RealLibrary* result) {
  for (const char* path = objects.next(nullptr); path != nullptr; path = objects.next(path)) {
    if (visit_wheel_directories(path, &try_directory, result)) return true;
  }
  return false;
}

bool try_loader_cache(RealLibrary* result) {
  for (const int major : kCublasMajors) {
    if (kOwnMajor != 0 && kOwnMajor != major) continue;
    char soname[32];
    char path[PATH_MAX];
    std::snprintf(soname, sizeof soname, "libcublas.so.%d", major);
    if (find_in_loader_cache(soname, path, sizeof path) &&
        try_file(path, Mapping::kMapNow, result)) {
      return true;
    }
  }
  return false;
}

void search(const void* caller, RealLibrary* result) {
  const char* named = std::getenv("MYBLAS_CUBLAS");
  if (named != nullptr && std::strcmp(named, "off") == 0) return;
  if (named != nullptr && named[0] != '\0') {
    result->is_named = try_named(named, result);
    if (result->is_named) return;
    // Said aloud: whoever names a library should know when another one, or none, is used.
    std::fprintf(stderr, "myblas: MYBLAS_CUBLAS=%s is not a cuBLAS that this library can use\n",
                 named);
  }
  const MappedObjects objects;
  if (try_mapped(objects, result) || try_beside_mapped_lt(objects, result)) return;
  if (try_search_path(caller, result)) return;
  // A guess of myblas-run: better than ours below, worse than what the program itself says.
  const char* guess = std::getenv("MYBLAS_CUBLAS_FOUND");
  if (guess != nullptr && guess[0] != '\0' && try_named(guess, result)) return;
  if (try_wheels(objects, result)) return;
  if (visit_toolkit_directories(&try_directory, result)) return;
  try_loader_cache(result);
}

// A GPU of the PCI bus, of WSL, or of a Jetson, by its driver's files. CUDA itself is not asked:
// cuInit at a mere cublasGetVersion would spoil a later fork or change of CUDA_VISIBLE_DEVICES. Nor
// does it matter whether myblas can use the GPU: cuBLAS may, and then the pointers are its.
bool machine_has_gpu() {
  for (const char* device : {"/dev/nvidiactl", "/dev/nvidia0", "/dev/dxg", "/dev/nvmap",
                             "/dev/nvhost-gpu", "/dev/nvgpu"}) {
    if (access(device, F_OK) == 0) return true;
  }
  // The preloaded fake driver of the tests.
  return dlsym(RTLD_DEFAULT, "myblas_fake_cuda_device") != nullptr;
}

// Without a GPU the real library could only refuse to make a handle; ours then computes on the
// CPU. A library that the user names is taken at the user's word.
bool is_of_no_use(const RealLibrary& real) {
  if (real.handle == nullptr || real.is_named || real.takes_host_pointers) return false;
  const char* backend = std::getenv("MYBLAS_BACKEND");
  return (backend != nullptr && std::strcmp(backend, "cpu") == 0) || !machine_has_gpu();
}

std::atomic<const RealLibrary*> g_real{nullptr};
const RealLibrary kNoMemory;

}  // namespace

const RealLibrary& real_library(const void* caller) {
  const RealLibrary* known = g_real.load(std::memory_order_acquire);
  if (known != nullptr) [[likely]] {
    return *known;
  }
  // No lock is held while the loader works: it may wait for a thread that runs a constructor
  // which calls cuBLAS. Two threads may search at once; the first answer stays.
  auto* memory = static_cast<RealLibrary*>(std::malloc(sizeof(RealLibrary)));
  if (memory == nullptr) return kNoMemory;
  auto* found = new (memory) RealLibrary;
  read_report_environment();
  ++t_search_depth;
  search(caller, found);
  --t_search_depth;
  if (is_of_no_use(*found)) {
    dlclose(found->handle);
    *found = RealLibrary{};
  }
  if (!g_real.compare_exchange_strong(known, found, std::memory_order_acq_rel)) {
    std::free(found);
    return *known;
  }
  return *found;
}

}  // namespace myblas::dropin
