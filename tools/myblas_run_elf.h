// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// tools/myblas_run_elf.h: the DT_NEEDED entries and the exported names of a file, read
// without loading it.
//==============================================================================
#pragma once

#include <elf.h>

#include <algorithm>
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

// The header of a 64-bit ELF file; false for any other file.
inline bool read_header(std::ifstream& file, Elf64_Ehdr* elf) {
  return read_at(file, 0, elf) && std::memcmp(elf->e_ident, ELFMAG, SELFMAG) == 0 &&
         elf->e_ident[EI_CLASS] == ELFCLASS64;
}

// The names that the file defines for others, sorted; none of a file without a section table.
inline std::vector<std::string> exported_names(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr elf;
  std::vector<std::string> names;
  if (!read_header(file, &elf) || elf.e_shentsize != sizeof(Elf64_Shdr)) return names;
  std::vector<Elf64_Shdr> sections(elf.e_shnum);
  if (!read_at(file, elf.e_shoff, sections.data(), sections.size())) return names;
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_DYNSYM || section.sh_link >= sections.size()) continue;
    std::vector<Elf64_Sym> symbols(section.sh_size / sizeof(Elf64_Sym));
    const Elf64_Shdr& texts = sections[section.sh_link];
    std::string text(texts.sh_size, '\0');
    if (!read_at(file, section.sh_offset, symbols.data(), symbols.size()) ||
        !read_at(file, texts.sh_offset, text.data(), text.size())) {
      continue;
    }
    for (const Elf64_Sym& symbol : symbols) {
      if (symbol.st_shndx == SHN_UNDEF || symbol.st_name >= text.size()) continue;
      names.emplace_back(text.c_str() + symbol.st_name);
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

// Whether the 64-bit ELF file names `soname` in its DT_NEEDED. False for any other file.
inline bool needs_library(const std::filesystem::path& path, const std::string& soname) {
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr elf;
  if (!read_header(file, &elf) || elf.e_phentsize != sizeof(Elf64_Phdr)) return false;
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
