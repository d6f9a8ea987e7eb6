// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// tools/myblas_run.cpp: myblas-run [--report[=FILE]] [--cublas PATH] APP ARGS...
//
// Starts APP with the drop-in preloaded, and becomes APP. Which drop-in:
//
//   APP needs libcublas.so.N        the neutral library: the loader maps the real
//                                   one, and linked calls of either version bind
//   anything else (Python, scripts, the one with cuBLAS's SONAME, of the version
//   programs that dlopen)           found, so that dlopen and dlsym get it too
//==============================================================================
#include <limits.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "api/cublas/search_paths.h"
#include "myblas_run_elf.h"

namespace {

namespace fs = std::filesystem;

constexpr int kUsageError = 2;     // as for shell built-ins
constexpr int kCannotStart = 127;  // as the shell says "not found"

constexpr const char* kUsage =
    "usage: myblas-run [--report[=FILE]] [--cublas PATH] APP [ARGS...]\n"
    "\n"
    "Runs APP with its cuBLAS matrix products on myblas.\n"
    "  --report[=FILE]  at exit, a table of the calls: served by which kernel, or forwarded\n"
    "  --cublas PATH    the real cuBLAS for all other calls (file or directory), or `off`\n";

struct Options {
  bool report = false;
  std::string report_file;
  std::string cublas;
  char** app = nullptr;
};

std::optional<Options> parse(int argc, char** argv) {
  Options options;
  int at = 1;
  for (; at < argc && argv[at][0] == '-'; ++at) {
    const std::string argument = argv[at];
    if (argument == "--") {
      ++at;
      break;
    }
    if (argument == "--report") {
      options.report = true;
    } else if (argument.rfind("--report=", 0) == 0) {
      options.report = true;
      options.report_file = fs::absolute(argument.substr(9)).string();
    } else if (argument == "--cublas" && at + 1 < argc) {
      options.cublas = argv[++at];
    } else if (argument.rfind("--cublas=", 0) == 0) {
      options.cublas = argument.substr(9);
    } else {
      return std::nullopt;
    }
  }
  if (at >= argc) return std::nullopt;
  options.app = argv + at;
  return options;
}

// As execvp finds it; empty where it is nowhere.
std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0 ? name : "";
  const char* path = std::getenv("PATH");
  std::string rest = path == nullptr ? "/usr/bin:/bin" : path;
  while (true) {
    const size_t colon = rest.find(':');
    const std::string directory = rest.substr(0, colon);
    const std::string candidate = (directory.empty() ? "." : directory) + "/" + name;
    if (access(candidate.c_str(), X_OK) == 0 && fs::is_regular_file(candidate)) return candidate;
    if (colon == std::string::npos) return "";
    rest.erase(0, colon + 1);
  }
}

// lib/ beside the bin/ that this program is in.
fs::path library_directory() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  const fs::path root = self.parent_path().parent_path();
  for (const char* name : {MYBLAS_LIBDIR, "lib", "lib64"}) {
    if (fs::exists(root / name / "libmyblas_cublas.so.1", error)) return root / name;
  }
  return {};
}

// A file libcublas.so.N, in `directory`, that is not ours.
bool take_from(const char* directory, void* state) {
  for (const int major : myblas::dropin::kCublasMajors) {
    const fs::path file = fs::path(directory) / ("libcublas.so." + std::to_string(major));
    std::error_code error;
    if (!fs::exists(file, error) || myblas::tools::needs_library(file, "libmyblas.so.1")) continue;
    *static_cast<std::string*>(state) = file.string();
    return true;
  }
  return false;
}

bool take_from_site_packages(const fs::path& environment, std::string* found) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(environment / "lib", error)) {
    if (entry.path().filename().string().rfind("python3", 0) != 0) continue;
    for (const char* packages : {"site-packages", "dist-packages"}) {
      const std::string directory = (entry.path() / packages).string();
      if (myblas::dropin::visit_site_packages(directory.c_str(), &take_from, found)) return true;
    }
  }
  return false;
}

// Where a program that brings no cuBLAS of its own would most likely get one.
std::string find_real_cublas(const std::string& app) {
  std::string found;
  std::vector<fs::path> environments;
  for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    if (const char* value = std::getenv(variable)) environments.emplace_back(value);
  }
  environments.push_back(fs::absolute(app).parent_path().parent_path());
  if (const char* home = std::getenv("HOME")) environments.push_back(fs::path(home) / ".local");
  environments.emplace_back("/usr/local");
  for (const fs::path& environment : environments) {
    if (take_from_site_packages(environment, &found)) return found;
    if (take_from((environment / "lib").c_str(), &found)) return found;
  }
  const char* library_path = std::getenv("LD_LIBRARY_PATH");
  std::string rest = library_path == nullptr ? "" : library_path;
  while (!rest.empty()) {
    const size_t colon = rest.find(':');
    const std::string directory = rest.substr(0, colon);
    if (!directory.empty() && take_from(directory.c_str(), &found)) return found;
    rest.erase(0, colon == std::string::npos ? rest.size() : colon + 1);
  }
  if (myblas::dropin::visit_toolkit_directories(&take_from, &found)) return found;
  for (const int major : myblas::dropin::kCublasMajors) {
    char path[PATH_MAX];
    const std::string soname = "libcublas.so." + std::to_string(major);
    if (myblas::dropin::find_in_loader_cache(soname.c_str(), path, sizeof path) &&
        take_from(fs::path(path).parent_path().c_str(), &found)) {
      return found;
    }
  }
  return "";
}

bool needs_cublas(const std::string& app) {
  for (const int major : myblas::dropin::kCublasMajors) {
    if (myblas::tools::needs_library(app, "libcublas.so." + std::to_string(major))) return true;
  }
  return false;
}

// The library to preload, empty where the program has the drop-in already; sets `cublas` to the
// real one where the drop-in should not search.
fs::path choose_preload(const fs::path& libraries, const std::string& app, std::string* cublas) {
  if (myblas::tools::needs_library(app, "libmyblas_cublas.so.1")) return {};
  if (needs_cublas(app)) return libraries / "libmyblas_cublas.so.1";
  if (cublas->empty()) *cublas = find_real_cublas(app);
  std::string file = *cublas;
  if (fs::is_directory(file) && !take_from(cublas->c_str(), &file)) file.clear();
  int major = myblas::dropin::major_of_file_name(file.c_str());
  if (major == 0) major = myblas::dropin::kCublasMajors[0];
  return libraries / "myblas" / ("libcublas.so." + std::to_string(major));
}

}  // namespace

int main(int argc, char** argv) {
  const std::optional<Options> options = parse(argc, argv);
  if (!options) {
    std::fputs(kUsage, stderr);
    return kUsageError;
  }
  const std::string app = find_program(options->app[0]);
  if (app.empty()) {
    std::fprintf(stderr, "myblas-run: %s: not found\n", options->app[0]);
    return kCannotStart;
  }
  const fs::path libraries = library_directory();
  if (libraries.empty()) {
    std::fprintf(stderr, "myblas-run: libmyblas_cublas.so.1 is not beside this program\n");
    return kCannotStart;
  }
  std::string cublas = options->cublas;
  std::string preload = choose_preload(libraries, app, &cublas).string();
  const char* others = std::getenv("LD_PRELOAD");
  if (others != nullptr && others[0] != '\0')
    preload += (preload.empty() ? "" : ":") + std::string(others);
  if (!preload.empty()) setenv("LD_PRELOAD", preload.c_str(), 1);
  if (!cublas.empty()) setenv("MYBLAS_CUBLAS", cublas.c_str(), 1);
  if (options->report) {
    setenv("MYBLAS_REPORT", options->report_file.empty() ? "1" : options->report_file.c_str(), 1);
  }
  execv(app.c_str(), options->app);
  std::fprintf(stderr, "myblas-run: %s: %s\n", app.c_str(), std::strerror(errno));
  return kCannotStart;
}
