// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// api/cublas/mapped_objects.h: what the process has mapped, and which of it is ours.
//==============================================================================
#pragma once

#include <cstddef>

struct dl_phdr_info;

namespace myblas::dropin {

// Paths of mapped objects, copied because nothing may be opened while the loader's list is walked.
class MappedObjects {
 public:
  MappedObjects();
  ~MappedObjects();
  MappedObjects(const MappedObjects&) = delete;
  MappedObjects& operator=(const MappedObjects&) = delete;

  // One path after the other; nullptr at the end.
  const char* next(const char* path) const;

 private:
  static int add(dl_phdr_info* info, size_t, void* state);

  char* paths_ = nullptr;
  size_t bytes_ = 0;
};

const char* base_name(const char* path);

// Whether the opened library is a copy of the drop-in, of any SONAME: it needs libmyblas itself.
// NOTE: dlsym would also look through what it needs; a real cuBLAS may need our libcublasLt.so.N.
bool is_a_dropin(void* handle);

}  // namespace myblas::dropin
