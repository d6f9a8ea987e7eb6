// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// dropin/dropin_libraries.h: the libraries under test and their fakes, opened by
// path. The drop-in looks for the real cuBLAS once a process, so each test program
// fixes its situation in main() or by the environment that ctest gives.
//==============================================================================
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "recorder.h"

namespace dropin_test {

inline void* open_library(const std::string& path, int flags = RTLD_NOW | RTLD_LOCAL) {
  void* library = dlopen(path.c_str(), flags);
  if (library == nullptr) ADD_FAILURE() << dlerror();
  return library;
}

template <class F>
F* find(void* library, const std::string& name) {
  auto* function = reinterpret_cast<F*>(dlsym(library, name.c_str()));
  if (function == nullptr) ADD_FAILURE() << name << " is not in the library";
  return function;
}

inline std::vector<std::string> read_names(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> names;
  for (std::string name; std::getline(file, name);) names.push_back(name);
  return names;
}

}  // namespace dropin_test
