// SPDX-License-Identifier: BSD-3-Clause
#include "choose_cases.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <regex>

namespace bench {
namespace {

constexpr double kHostMaxGflop = 2.0;

std::vector<Case> read_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  return read_shape_list(file, path);
}

}  // namespace

// bin/myblas-bench, share/myblas/...: the same in the build tree and where it is installed.
std::filesystem::path shared_file(const std::string& name) {
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
  return self.parent_path().parent_path() / "share" / "myblas" / name;
}

std::vector<Case> choose_cases(const CaseChoice& choice, bool on_gpu) {
  std::vector<Case> cases;
  const auto append = [&](const std::vector<Case>& more) {
    cases.insert(cases.end(), more.begin(), more.end());
  };
  for (const std::string& path : choice.shape_files) append(read_file(path));
  for (const std::string& line : choice.single_cases) cases.push_back(parse_case(line, "--case"));
  append(random_cases(choice.random));
  if (cases.empty()) append(read_file(shared_file("shapes/public.txt")));

  if (!choice.filter.empty()) {
    const std::regex filter(choice.filter);
    std::erase_if(cases, [&](const Case& one) {
      return !std::regex_search(one.name, filter) && !std::regex_search(one.op.name, filter);
    });
  }
  const double max_gflop =
      choice.max_gflop >= 0.0 ? choice.max_gflop : (on_gpu ? 0.0 : kHostMaxGflop);
  int shrunk = 0;
  for (Case& one : cases) {
    if (max_gflop > 0.0 && shrink_to(one, max_gflop)) ++shrunk;
    one.beta = choice.beta;
  }
  if (shrunk != 0) std::printf("%d cases shrunk to at most %g GFLOP each\n\n", shrunk, max_gflop);
  return cases;
}

void add_case_options(CLI::App& app, CaseChoice& choice) {
  app.add_option("--shapes", choice.shape_files, "Shape list, or several")
      ->check(CLI::ExistingFile);
  app.add_option("--case", choice.single_cases, "One case: \"OP TRANS M N K BATCH [pads offset]\"");
  app.add_option("--random", choice.random.count,
                 "That many random shapes, log-uniform, at most some milliseconds each")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--ops", choice.random.ops, "OPs of the random shapes: f32,sb_bf16 (default: all)")
      ->delimiter(',');
  app.add_option("--sizes", choice.random.sizes, "LEAST and MOST of their M, N and K")
      ->type_name("LEAST MOST")
      ->capture_default_str();
  app.add_option("--seed", choice.random.seed, "Seed of the random shapes and of the data");
  app.add_option("--filter", choice.filter,
                 "Only cases whose name or OP matches this regular expression");
  app.add_option("--beta", choice.beta,
                 "C = A B + beta C; -1 keeps C bounded from call to call (default: 0)");
  app.add_option(
      "--max-gflop", choice.max_gflop,
      "Shrink cases with more work than this; 0: never (default: 0 on a GPU, 2 on a CPU)");
}

}  // namespace bench
