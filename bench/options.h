// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// options.h: the command line of myblas-bench.
//==============================================================================
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "choose_cases.h"
#include "measure.h"

namespace bench {

struct Options {
  CaseChoice choice;
  std::string kernel;
  MeasureSettings measure;

  bool no_rival = false;
  bool cublaslt = false;
  std::string cublas_path, openblas_path, dropin_path;
  bool host_costs = false;
  bool ceilings = false;

  int worst = 5;
  std::string csv_path, json_path, plot_path;

  // Cases were asked for, or nothing else was.
  bool runs_cases() const {
    return !choice.shape_files.empty() || !choice.single_cases.empty() || choice.random.count > 0 ||
           !(ceilings || host_costs);
  }
};

// The exit status where the program is done already (help, bad option), else nothing.
std::optional<int> parse_options(int argc, char** argv, Options& options);

}  // namespace bench
