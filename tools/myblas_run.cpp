// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// tools/myblas_run.cpp: myblas-run [--report[=FILE]] [--cublas PATH] APP ARGS...
//
// Starts APP with the drop-in preloaded, and becomes APP. Which drop-in:
//
//   APP needs libcublas.so.N        the neutral library: the loader maps the real
//                                   one, and linked calls of either version bind
//   anything else (Python, scripts, those with cuBLAS's SONAMEs, so that dlopen
//   programs that dlopen)           and dlsym get them too. Both: which version the
//                                   program's libraries need is not seen here. And
//                                   those of cublasLt, if they have all its names
//
// LD_LIBRARY_PATH stays as it is: docs/drop-in.md, "Limits", on libcublas.so.
//==============================================================================
#include <limits.h>
#include <unistd.h>

#include <algorithm>
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

// Empty stays empty: a variable that is not set.
std::string absolute(const std::string& path) {
  std::error_code error;
  return path.empty() ? path : fs::absolute(path, error).string();
}

// The value of a variable; empty where it is not set.
std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

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
      options.report_file = absolute(argument.substr(9));
    } else if (argument == "--cublas" && at + 1 < argc) {
      options.cublas = argv[++at];
    } else if (argument.rfind("--cublas=", 0) == 0) {
      options.cublas = argument.substr(9);
    } else {
      return std::nullopt;
    }
  }
  if (at >= argc) return std::nullopt;
  if (options.cublas != "off") options.cublas = absolute(options.cublas);
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
    std::error_code error;
    if (access(candidate.c_str(), X_OK) == 0 && fs::is_regular_file(candidate, error)) {
      return candidate;
    }
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
  // Stepped by hand: a range's ++ throws.
  for (fs::directory_iterator entry(environment / "lib", error);
       !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (entry->path().filename().string().rfind("python3", 0) != 0) continue;
    for (const char* packages : {"site-packages", "dist-packages"}) {
      const std::string directory = (entry->path() / packages).string();
      if (myblas::dropin::visit_site_packages(directory.c_str(), &take_from, found)) return true;
    }
  }
  return false;
}

// Where a program that brings no cuBLAS of its own would most likely get one.
std::string find_real_cublas(const std::string& app) {
  std::string found;
  std::vector<fs::path> environments;
  for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    const std::string value = variable(name);
    if (!value.empty()) environments.emplace_back(value);
  }
  environments.push_back(fs::path(absolute(app)).parent_path().parent_path());
  const std::string home = variable("HOME");
  if (!home.empty()) environments.push_back(fs::path(home) / ".local");
  environments.emplace_back("/usr/local");
  for (const fs::path& environment : environments) {
    if (take_from_site_packages(environment, &found)) return found;
    if (take_from((environment / "lib").c_str(), &found)) return found;
  }
  std::string rest = variable("LD_LIBRARY_PATH");
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

// Whether our cublasLt has every name of the one beside `cublas`. The real cuBLAS calls private
// ones of it, and would not load where one is missing.
bool can_stand_for_lt(const fs::path& ours, const std::string& cublas) {
  std::error_code error;
  if (!fs::exists(ours, error)) return false;
  const fs::path real = fs::path(cublas).parent_path() / ours.filename();
  if (!real.has_parent_path() || !fs::exists(real, error)) return true;
  const std::vector<std::string> known = myblas::tools::exported_names(ours);
  for (const std::string& name : myblas::tools::exported_names(real)) {
    if (name.rfind("cublasLt", 0) != 0) continue;
    if (!std::binary_search(known.begin(), known.end(), name)) return false;
  }
  return true;
}

struct Choice {
  std::string preload;  // empty where the program has the drop-in already
  std::string found;    // a real cuBLAS that the program may not lead to by itself
};

// `cublas`: the real one that the user names, or empty.
Choice choose(const fs::path& libraries, const std::string& app, const std::string& cublas) {
  Choice choice;
  if (myblas::tools::needs_library(app, "libmyblas_cublas.so.1")) return choice;
  if (needs_cublas(app)) {
    choice.preload = (libraries / "libmyblas_cublas.so.1").string();
    return choice;
  }
  if (cublas.empty()) choice.found = absolute(find_real_cublas(app));
  std::string file = cublas.empty() ? choice.found : cublas;
  std::error_code error;
  if (fs::is_directory(file, error) && !take_from(cublas.c_str(), &file)) file.clear();
  // The first one answers a dlsym that names no library: the version that was found.
  const int likely = myblas::dropin::major_of_file_name(file.c_str());
  for (const int major : myblas::dropin::kCublasMajors) {
    const std::string path =
        (libraries / "myblas" / ("libcublas.so." + std::to_string(major))).string();
    if (choice.preload.empty()) {
      choice.preload = path;
    } else if (major == likely) {
      choice.preload = path + ":" + choice.preload;
    } else {
      choice.preload += ":" + path;
    }
  }
  // Behind them: of a linked program, cublasLtMatmul is theirs.
  for (const int major : myblas::dropin::kCublasMajors) {
    const fs::path lt = libraries / "myblas" / ("libcublasLt.so." + std::to_string(major));
    if (can_stand_for_lt(lt, file)) choice.preload += ":" + lt.string();
  }
  return choice;
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
  const std::string cublas = options->cublas.empty() ? variable("MYBLAS_CUBLAS") : options->cublas;
  Choice choice = choose(libraries, app, cublas);
  if (!choice.preload.empty() && libraries.string().find_first_of(" :") != std::string::npos) {
    std::fprintf(stderr, "myblas-run: LD_PRELOAD takes no path with a space or a colon: %s\n",
                 libraries.c_str());
    return kCannotStart;
  }
  const std::string others = variable("LD_PRELOAD");
  if (!others.empty()) choice.preload += (choice.preload.empty() ? "" : ":") + others;
  if (!choice.preload.empty()) setenv("LD_PRELOAD", choice.preload.c_str(), 1);
  if (!options->cublas.empty()) setenv("MYBLAS_CUBLAS", options->cublas.c_str(), 1);
  // A guess, and not one of an outer myblas-run: the drop-in asks the program's own paths first.
  if (choice.found.empty()) {
    unsetenv("MYBLAS_CUBLAS_FOUND");
  } else {
    setenv("MYBLAS_CUBLAS_FOUND", choice.found.c_str(), 1);
  }
  if (options->report) {
    setenv("MYBLAS_REPORT", options->report_file.empty() ? "1" : options->report_file.c_str(), 1);
  }
  execv(app.c_str(), options->app);
  std::fprintf(stderr, "myblas-run: %s: %s\n", app.c_str(), std::strerror(errno));
  return kCannotStart;
}
