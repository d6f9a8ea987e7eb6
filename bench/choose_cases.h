// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// choose_cases.h: which cases a program runs: lists, single lines, random ones.
//==============================================================================
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "shape_list.h"

namespace CLI {
class App;
}

namespace bench {

struct CaseChoice {
  std::vector<std::string> shape_files;
  std::vector<std::string> single_cases;
  RandomShapes random;
  std::string filter;
  double max_gflop = -1.0;  // below zero: none on a GPU, 2 on the host
  double beta = 0.0;
};

void add_case_options(CLI::App& app, CaseChoice& choice);

// The public list where nothing was named.
std::vector<Case> choose_cases(const CaseChoice& choice, bool on_gpu);

// A file that is installed with the programs.
std::filesystem::path shared_file(const std::string& name);

}  // namespace bench
