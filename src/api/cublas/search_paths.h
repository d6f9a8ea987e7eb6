// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// api/cublas/search_paths.h: the directories where a real cuBLAS may lie.
//
// Shared by the drop-in and myblas-run. Only libc: the drop-in links no C++
// library. A visitor returns true to end the search, and so does the function.
//==============================================================================
#pragma once

#include <cstddef>

namespace myblas::dropin {

// CUDA major versions whose cuBLAS can stand behind the drop-in, the preferred one first.
inline constexpr int kCublasMajors[] = {13, 12};

using VisitDirectory = bool (*)(const char* directory, void* state);

// nvidia/cu<major>/lib and nvidia/cublas/lib of the Python environment that `object_path` (a file
// somewhere below a site-packages directory) belongs to.
bool visit_wheel_directories(const char* object_path, VisitDirectory visit, void* state);

// The same below the directory `site_packages` itself.
bool visit_site_packages(const char* site_packages, VisitDirectory visit, void* state);

// CUDA_HOME, CUDA_PATH, /usr/local/cuda, /usr/local/cuda-*, the highest version first.
bool visit_toolkit_directories(VisitDirectory visit, void* state);

// The path that /etc/ld.so.cache gives for `soname` on this architecture. Asking dlopen instead
// could find the drop-in itself.
bool find_in_loader_cache(const char* soname, char* path, size_t size);

// The N of ".../libcublas.so.N" or ".../libcublas.so.N.x.y"; 0 where there is none.
int major_of_file_name(const char* path);

}  // namespace myblas::dropin
