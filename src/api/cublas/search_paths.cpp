// SPDX-License-Identifier: BSD-3-Clause
#include "api/cublas/search_paths.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace myblas::dropin {
namespace {

bool is_directory(const char* path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

// Calls visit for prefix/suffix where that is a directory.
bool visit_below(const char* prefix, const char* suffix, VisitDirectory visit, void* state) {
  char path[PATH_MAX];
  const int length = std::snprintf(path, sizeof path, "%s/%s", prefix, suffix);
  if (length < 0 || static_cast<size_t>(length) >= sizeof path) return false;
  return is_directory(path) && visit(path, state);
}

#if defined(__aarch64__)
constexpr const char* kTargetLib = "targets/sbsa-linux/lib";
constexpr int32_t kCacheFlags = 0x0a03;  // aarch64, ELF libc 6
#else
constexpr const char* kTargetLib = "targets/x86_64-linux/lib";
constexpr int32_t kCacheFlags = 0x0303;  // x86-64, ELF libc 6
#endif

bool visit_toolkit(const char* root, VisitDirectory visit, void* state) {
  return visit_below(root, "lib64", visit, state) || visit_below(root, "lib", visit, state) ||
         visit_below(root, kTargetLib, visit, state);
}

// "cuda-13.0" -> 13000, "cuda-12" -> 12000, "cuda" -> INT_MAX, another name -> -1.
int toolkit_rank(const char* name) {
  if (std::strncmp(name, "cuda", 4) != 0) return -1;
  if (name[4] == '\0') return INT_MAX;
  if (name[4] != '-') return -1;
  int major = 0;
  int minor = 0;
  if (std::sscanf(name + 5, "%d.%d", &major, &minor) < 1) return -1;
  return major * 1000 + minor;
}

// glibc's cache file: this header, then the entries; key and value are offsets of strings from
// the start of the header.
struct CacheHeader {
  char magic[20];  // "glibc-ld.so.cache1.1"
  uint32_t entry_count;
  uint32_t string_bytes;
  uint32_t unused[5];
};
struct CacheEntry {
  int32_t flags;
  uint32_t key;
  uint32_t value;
  uint32_t os_version;
  uint64_t hwcap;
};
static_assert(sizeof(CacheHeader) == 48 && sizeof(CacheEntry) == 24);

const char* string_at(const char* cache, size_t size, uint32_t offset) {
  if (offset >= size || std::memchr(cache + offset, '\0', size - offset) == nullptr) return "";
  return cache + offset;
}

bool find_in_cache_image(const char* cache, size_t size, const char* soname, char* path,
                         size_t path_size) {
  CacheHeader header;
  if (size < sizeof header) return false;
  std::memcpy(&header, cache, sizeof header);
  if (std::memcmp(header.magic, "glibc-ld.so.cache1.1", sizeof header.magic) != 0) return false;
  if (header.entry_count > (size - sizeof header) / sizeof(CacheEntry)) return false;
  for (uint32_t i = 0; i < header.entry_count; ++i) {
    CacheEntry entry;
    std::memcpy(&entry, cache + sizeof header + i * sizeof entry, sizeof entry);
    if (entry.flags != kCacheFlags) continue;
    if (std::strcmp(string_at(cache, size, entry.key), soname) != 0) continue;
    const char* value = string_at(cache, size, entry.value);
    if (value[0] != '/' || std::strlen(value) >= path_size) continue;
    std::strcpy(path, value);
    return true;
  }
  return false;
}

}  // namespace

bool visit_site_packages(const char* site_packages, VisitDirectory visit, void* state) {
  for (const int major : kCublasMajors) {
    char name[32];
    std::snprintf(name, sizeof name, "nvidia/cu%d/lib", major);
    if (visit_below(site_packages, name, visit, state)) return true;
  }
  return visit_below(site_packages, "nvidia/cublas/lib", visit, state);
}

bool visit_wheel_directories(const char* object_path, VisitDirectory visit, void* state) {
  static constexpr const char* kRoots[] = {"/site-packages/", "/dist-packages/"};
  for (const char* root : kRoots) {
    const char* found = std::strstr(object_path, root);
    if (found == nullptr) continue;
    const size_t length = static_cast<size_t>(found - object_path) + std::strlen(root) - 1;
    char site_packages[PATH_MAX];
    if (length >= sizeof site_packages) continue;
    std::memcpy(site_packages, object_path, length);
    site_packages[length] = '\0';
    if (visit_site_packages(site_packages, visit, state)) return true;
  }
  return false;
}

bool visit_toolkit_directories(VisitDirectory visit, void* state) {
  static constexpr const char* kVariables[] = {"CUDA_HOME", "CUDA_PATH"};
  for (const char* variable : kVariables) {
    const char* root = std::getenv(variable);
    if (root != nullptr && root[0] == '/' && visit_toolkit(root, visit, state)) return true;
  }
  constexpr const char* kParent = "/usr/local";
  constexpr int kMaxToolkits = 32;
  char names[kMaxToolkits][64];
  int ranks[kMaxToolkits];
  int count = 0;
  DIR* parent = opendir(kParent);
  if (parent == nullptr) return false;
  while (const dirent* entry = readdir(parent)) {
    const int rank = toolkit_rank(entry->d_name);
    const size_t length = std::strlen(entry->d_name);
    if (rank < 0 || count == kMaxToolkits || length >= sizeof names[0]) continue;
    int at = count++;
    for (; at > 0 && ranks[at - 1] < rank; --at) {
      ranks[at] = ranks[at - 1];
      std::memcpy(names[at], names[at - 1], sizeof names[0]);
    }
    ranks[at] = rank;
    std::memcpy(names[at], entry->d_name, length + 1);
  }
  closedir(parent);
  for (int i = 0; i < count; ++i) {
    char root[PATH_MAX];
    std::snprintf(root, sizeof root, "%s/%s", kParent, names[i]);
    if (visit_toolkit(root, visit, state)) return true;
  }
  return false;
}

bool find_in_loader_cache(const char* soname, char* path, size_t size) {
  const int file = open("/etc/ld.so.cache", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  struct stat info;
  bool found = false;
  if (fstat(file, &info) == 0 && info.st_size > 0) {
    const size_t bytes = static_cast<size_t>(info.st_size);
    void* cache = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0);
    if (cache != MAP_FAILED) {
      found = find_in_cache_image(static_cast<const char*>(cache), bytes, soname, path, size);
      munmap(cache, bytes);
    }
  }
  close(file);
  return found;
}

int major_of_file_name(const char* path) {
  const char* base = std::strrchr(path, '/');
  base = base == nullptr ? path : base + 1;
  int major = 0;
  return std::sscanf(base, "libcublas.so.%d", &major) == 1 ? major : 0;
}

}  // namespace myblas::dropin
