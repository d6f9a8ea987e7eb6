// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// tools/myblas_run_elf.h: the DT_NEEDED entries of a file, read without loading it.
//==============================================================================
#pragma once

#include <elf.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace myblas::tools {

// The bytes at the offset; false where the file is shorter.
template <class T>
bool read_at(std::ifstream& file, uint64_t offset, T* value, size_t count = 1) {
  file.clear();
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(reinterpret_cast<char*>(value), static_cast<std::streamsize>(sizeof(T) * count));
  return file.good();
}

// Where the loader would find the address `address` in the file.
inline uint64_t file_offset(const std::vector<Elf64_Phdr>& headers, uint64_t address) {
  for (const Elf64_Phdr& header : headers) {
    if (header.p_type == PT_LOAD && address >= header.p_vaddr &&
        address < header.p_vaddr + header.p_filesz) {
      return address - header.p_vaddr + header.p_offset;
    }
  }
  return 0;
}

// Whether the 64-bit ELF file names `soname` in its DT_NEEDED. False for any other file.
inline bool needs_library(const std::filesystem::path& path, const std::string& soname) {
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr elf;
  if (!read_at(file, 0, &elf) || std::memcmp(elf.e_ident, ELFMAG, SELFMAG) != 0 ||
      elf.e_ident[EI_CLASS] != ELFCLASS64 || elf.e_phentsize != sizeof(Elf64_Phdr)) {
    return false;
  }
  std::vector<Elf64_Phdr> headers(elf.e_phnum);
  if (!read_at(file, elf.e_phoff, headers.data(), headers.size())) return false;
  std::vector<Elf64_Dyn> dynamic;
  for (const Elf64_Phdr& header : headers) {
    if (header.p_type != PT_DYNAMIC) continue;
    dynamic.resize(header.p_filesz / sizeof(Elf64_Dyn));
    if (!read_at(file, header.p_offset, dynamic.data(), dynamic.size())) return false;
  }
  uint64_t strings = 0;
  for (const Elf64_Dyn& entry : dynamic) {
    if (entry.d_tag == DT_STRTAB) strings = file_offset(headers, entry.d_un.d_ptr);
  }
  if (strings == 0) return false;
  std::string name(soname.size() + 1, '\0');
  for (const Elf64_Dyn& entry : dynamic) {
    if (entry.d_tag != DT_NEEDED) continue;
    if (read_at(file, strings + entry.d_un.d_val, name.data(), name.size()) &&
        std::strcmp(name.c_str(), soname.c_str()) == 0) {
      return true;
    }
  }
  return false;
}

}  // namespace myblas::tools
