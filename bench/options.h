// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// options.h: the command line of myblas-bench.
//==============================================================================
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "measure.h"

namespace bench {

struct Options {
  std::vector<std::string> shape_files;
  std::vector<std::string> single_cases;
  int random_count = 0;
  std::string filter;
  std::string kernel;
  double max_gflop = -1.0;  // below zero: none on a GPU, 2 on the host
  MeasureSettings measure;

  bool no_rival = false;
  std::string cublas_path, openblas_path, dropin_path;
  bool host_costs = false;
  bool ceilings = false;

  std::string csv_path, json_path, plot_path;

  // Cases were asked for, or nothing else was.
  bool runs_cases() const {
    return !shape_files.empty() || !single_cases.empty() || random_count > 0 ||
           !(ceilings || host_costs);
  }
};

// The exit status where the program is done already (help, bad option), else nothing.
std::optional<int> parse_options(int argc, char** argv, Options& options);

}  // namespace bench
