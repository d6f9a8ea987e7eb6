// SPDX-License-Identifier: BSD-3-Clause
// runtime/module.h: a compiled kernel source, and where its __shared__ variables lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace emulator {

struct SharedVariable {
  uintptr_t address;
  size_t bytes;
  std::string name;  // mangled
};

struct Module {
  uint64_t id = 0;  // never used again, unlike the address
  std::string path;
  void* handle = nullptr;
  uintptr_t base = 0;                     // load address
  std::vector<SharedVariable> variables;  // ascending
  uintptr_t low = 0, high = 0;            // of all of them
};

// Throws std::runtime_error where the file is no kernel module.
Module open_module(const char* path);
void close_module(Module& module);

// The module of the kernel that runs.
const Module& current_module();
void enter_module_of(void* kernel);
std::string kernel_name(void* kernel);

}  // namespace emulator
