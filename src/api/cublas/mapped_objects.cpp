// SPDX-License-Identifier: BSD-3-Clause
#include "api/cublas/mapped_objects.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <cstring>

namespace myblas::dropin {

MappedObjects::MappedObjects() { dl_iterate_phdr(&add, this); }
MappedObjects::~MappedObjects() { std::free(paths_); }

const char* MappedObjects::next(const char* path) const {
  const char* following = path == nullptr ? paths_ : path + std::strlen(path) + 1;
  return following == nullptr || following == paths_ + bytes_ ? nullptr : following;
}

int MappedObjects::add(dl_phdr_info* info, size_t, void* state) {
  auto* self = static_cast<MappedObjects*>(state);
  if (info->dlpi_name == nullptr || info->dlpi_name[0] == '\0') return 0;
  const size_t length = std::strlen(info->dlpi_name) + 1;
  auto* grown = static_cast<char*>(std::realloc(self->paths_, self->bytes_ + length));
  if (grown == nullptr) return 1;
  std::memcpy(grown + self->bytes_, info->dlpi_name, length);
  self->paths_ = grown;
  self->bytes_ += length;
  return 0;
}

const char* base_name(const char* path) {
  const char* slash = std::strrchr(path, '/');
  return slash == nullptr ? path : slash + 1;
}

bool is_a_dropin(void* handle) {
  link_map* object = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &object) != 0) return false;
  const char* strings = nullptr;
  for (const ElfW(Dyn)* entry = object->l_ld; entry->d_tag != DT_NULL; ++entry) {
    // The loader has made an address of it.
    if (entry->d_tag == DT_STRTAB) strings = reinterpret_cast<const char*>(entry->d_un.d_ptr);
  }
  if (strings == nullptr) return false;
  for (const ElfW(Dyn)* entry = object->l_ld; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag != DT_NEEDED) continue;
    if (std::strcmp(strings + entry->d_un.d_val, "libmyblas.so.1") == 0) return true;
  }
  return false;
}

}  // namespace myblas::dropin
