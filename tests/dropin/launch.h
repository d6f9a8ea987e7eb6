// SPDX-License-Identifier: BSD-3-Clause
// dropin/launch.h: starts whole programs.
#pragma once

#include <sys/wait.h>

#include <cstdio>

#include "dropin_libraries.h"

namespace dropin_test {

struct Outcome {
  int exit_code = -1;
  std::string text;
  bool has(const std::string& part) const { return text.find(part) != std::string::npos; }
};

// A clean environment but for what the test gives.
inline Outcome start(const std::string& environment, const std::string& command) {
  const std::string line =
      std::string(
          "env -u LD_PRELOAD -u LD_LIBRARY_PATH -u MYBLAS_CUBLAS -u MYBLAS_CUBLAS_FOUND "
          "-u MYBLAS_LOG -u MYBLAS_REPORT -u CUDA_HOME -u CUDA_PATH "
          "MYBLAS_BACKEND=cpu ") +
      environment + " " + command + " 2>&1";
  Outcome outcome;
  FILE* pipe = popen(line.c_str(), "r");
  if (pipe == nullptr) return outcome;
  char buffer[512];
  while (std::fgets(buffer, sizeof buffer, pipe) != nullptr) outcome.text += buffer;
  const int status = pclose(pipe);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

inline std::string directory_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

inline std::string preload(const std::string& library) { return "LD_PRELOAD=" + library; }

}  // namespace dropin_test
