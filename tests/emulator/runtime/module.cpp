// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// runtime/module.cpp: loads a module and reads its ELF symbols.
//
// Every object in .bss is a __shared__ variable (emulator/device.h makes them static). Their exact
// sizes come from the symbol table, so an access just past one is seen.
//==============================================================================
#include "runtime/module.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "runtime/emulator.h"

namespace emulator {
namespace {

std::vector<Module>& modules() {
  static std::vector<Module> loaded;
  return loaded;
}
const Module* g_current = nullptr;

std::vector<char> read_file(const char* path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

template <class T>
T at(const std::vector<char>& file, size_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(T)) {
    throw std::runtime_error("a kernel module ends too early");
  }
  T value;
  std::memcpy(&value, file.data() + offset, sizeof value);
  return value;
}

std::vector<SharedVariable> read_variables(const std::vector<char>& file, uintptr_t base) {
  const auto header = at<Elf64_Ehdr>(file, 0);
  std::vector<Elf64_Shdr> sections;
  for (size_t i = 0; i < header.e_shnum; ++i) {
    sections.push_back(at<Elf64_Shdr>(file, header.e_shoff + i * sizeof(Elf64_Shdr)));
  }
  std::vector<SharedVariable> variables;
  for (const Elf64_Shdr& table : sections) {
    if (table.sh_type != SHT_SYMTAB) continue;
    const Elf64_Shdr& strings = sections.at(table.sh_link);
    for (size_t i = 0; i < table.sh_size / sizeof(Elf64_Sym); ++i) {
      const auto symbol = at<Elf64_Sym>(file, table.sh_offset + i * sizeof(Elf64_Sym));
      if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_shndx >= sections.size()) {
        continue;
      }
      const Elf64_Shdr& section = sections[symbol.st_shndx];
      const char* name = file.data() + strings.sh_offset + symbol.st_name;
      // The compiler's own start-up code keeps a flag there.
      if (section.sh_type != SHT_NOBITS || std::strncmp(name, "completed", 9) == 0) continue;
      variables.push_back({base + symbol.st_value, symbol.st_size, name});
    }
  }
  std::sort(variables.begin(), variables.end(),
            [](const auto& a, const auto& b) { return a.address < b.address; });
  return variables;
}

}  // namespace

Module open_module(const char* path) {
  static uint64_t last_id = 0;
  Module module;
  module.id = ++last_id;
  module.path = path;
  module.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (module.handle == nullptr) throw std::runtime_error(dlerror());
  link_map* map = nullptr;
  if (dlinfo(module.handle, RTLD_DI_LINKMAP, &map) != 0) throw std::runtime_error(dlerror());
  module.base = map->l_addr;
  module.variables = read_variables(read_file(path), module.base);
  if (!module.variables.empty()) {
    module.low = module.variables.front().address;
    module.high = module.variables.back().address + module.variables.back().bytes;
  }
  return module;
}

void close_module(Module& module) { dlclose(module.handle); }

const Module& current_module() {
  static const Module kNone;
  return g_current != nullptr ? *g_current : kNone;
}

void load_module(const char* path) {
  // Kernels' modules are pointed to.
  modules().reserve(256);
  modules().push_back(open_module(path));
}

void unload_module() {
  close_module(modules().back());
  modules().pop_back();
  g_current = nullptr;
}

// The latest module first, so that a mutant hides the kernel it was made from.
void* find_kernel(const char* name) {
  for (auto module = modules().rbegin(); module != modules().rend(); ++module) {
    if (void* kernel = dlsym(module->handle, name)) return kernel;
  }
  return nullptr;
}

// Called at a launch: the module that the kernel lies in.
void enter_module_of(void* kernel) {
  Dl_info info{};
  dladdr(kernel, &info);
  for (const Module& module : modules()) {
    if (module.base == reinterpret_cast<uintptr_t>(info.dli_fbase)) g_current = &module;
  }
}

std::string kernel_name(void* kernel) {
  Dl_info info{};
  dladdr(kernel, &info);
  return info.dli_sname != nullptr ? info.dli_sname : "?";
}

}  // namespace emulator
