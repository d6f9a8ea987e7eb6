// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "synthetic_gpus.h"

namespace myblas::testing {
namespace {

TEST(Tables, EveryArchitectureHasOne) {
  const std::vector<int> expected = {75, 80, 86, 89, 90, 100, 120};
  const auto ccs = table_ccs();
  EXPECT_EQ(std::vector<int>(ccs.begin(), ccs.end()), expected);
}

TEST(Tables, AnUnknownChipTakesTheNearestOlderTable) {
  EXPECT_EQ(table_of(87).data(), table_of(86).data());
  EXPECT_EQ(table_of(103).data(), table_of(100).data());
  EXPECT_EQ(table_of(130).data(), table_of(120).data());
  EXPECT_EQ(table_of(70).data(), table_of(75).data());
}

TEST(Tables, TargetsAreParsed) {
  int cc = 0;
  EXPECT_TRUE(parse_target("sm_90", &cc) && cc == 90);
  EXPECT_TRUE(parse_target("sm_90a", &cc) && cc == 90);
  EXPECT_TRUE(parse_target("75", &cc) && cc == 75);
  for (const char* text :
       {"", "sm_", "sm_91", "sm_9x", "hopper", "sm_99999999999999999999", "-75"}) {
    EXPECT_FALSE(parse_target(text, &cc)) << text;
  }
}

// A kernel that the sources instantiate, in <stem>.cu.
struct CompiledKernel {
  std::string stem, name;
};
std::vector<CompiledKernel> compiled_kernels() {
  std::vector<CompiledKernel> kernels;
  const std::regex instantiation(R"(^MYBLAS_[A-Z0-9_]+\((\w+),)");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(MYBLAS_KERNEL_SOURCES)) {
    if (entry.path().extension() != ".cu") continue;
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      std::smatch match;
      if (std::regex_search(line, match, instantiation)) {
        kernels.push_back({entry.path().stem(), match[1]});
      }
    }
  }
  return kernels;
}

// The names the tables and the passes around a product launch and the kernels the sources
// instantiate are the same set: a missing one would fail at handle creation on a GPU, an extra one
// would be compiled for nothing.
TEST(Tables, NameExactlyTheKernelsThatAreCompiled) {
  std::set<std::string> compiled;
  for (const CompiledKernel& kernel : compiled_kernels()) {
    EXPECT_TRUE(compiled.insert(kernel.name).second) << kernel.name << " is instantiated twice";
  }
  std::set<std::string> named;
  for (int cc : table_ccs()) {
    for (const KernelRow& row : table_of(cc)) named.insert(row.name);
  }
  for (const char* name : kPackKernels) named.insert(name);
  for (const char* name : kSumKernels) named.insert(name);
  for (const std::string& name : named) EXPECT_TRUE(compiled.contains(name)) << name;
  for (const std::string& name : compiled) EXPECT_TRUE(named.contains(name)) << name;
}

// gpu::load_kernel() asks the image with the longest name that a kernel's begins with, and no
// other: that is to be the kernel's file.
TEST(Tables, NameKernelsByTheirFiles) {
  const std::vector<CompiledKernel> kernels = compiled_kernels();
  for (const CompiledKernel& kernel : kernels) {
    std::string asked;
    for (const CompiledKernel& other : kernels) {
      if (kernel.name.starts_with(other.stem) && other.stem.size() > asked.size()) {
        asked = other.stem;
      }
    }
    EXPECT_EQ(asked, kernel.stem) << kernel.name;
  }
}

// A source without its comments.
std::string code_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const auto cut = [&](const std::string& from, const std::string& to) {
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;) {
      text.erase(at, std::min(text.find(to, at), text.size()) - at);
    }
  };
  cut("//", "\n");
  cut("/*", "*/");
  return text;
}

// Kernels are launched while the grid ahead still ends (gpu::can_start_early): one that does not
// wait would read what is not there yet, on a bad day. The call is the kernel's own, or of a .cuh
// that its .cu includes: of the macro there, where the .cu has no kernel of its own. The emulator
// sees whether it comes early enough.
TEST(Tables, EveryKernelWaitsForTheGridAhead) {
  const std::filesystem::path kernels = MYBLAS_KERNEL_SOURCES;
  const std::regex include(R"(#include "(\S+\.cuh)\")");
  const auto waits = [](const std::string& code) {
    for (const char* call : {"follow_previous_grid();", "begin_grid(args, "}) {
      if (code.find(call) != std::string::npos) return true;
    }
    return false;
  };
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kernels)) {
    if (entry.path().extension() != ".cu") continue;
    const std::string code = code_of(entry.path());
    bool found = waits(code);
    for (std::sregex_iterator one(code.begin(), code.end(), include), end; one != end; ++one) {
      // Says what the calls are, and so has them all.
      if ((*one)[1].str().ends_with("grid_start.cuh")) continue;
      found = found || waits(code_of(kernels.parent_path() / (*one)[1].str()));
    }
    EXPECT_TRUE(found) << entry.path();
  }
}

// The tile in a row's name is the tile in its data.
TEST(Tables, NamesTellTheTile) {
  for (int cc : table_ccs()) {
    for (const KernelRow& row : table_of(cc)) {
      char tile[64];
      std::snprintf(tile, sizeof tile, "_%dx%dx%d", row.tile_m, row.tile_n, row.tile_k);
      EXPECT_TRUE(std::string(row.name).ends_with(tile)) << row.name;
    }
  }
}

}  // namespace
}  // namespace myblas::testing
