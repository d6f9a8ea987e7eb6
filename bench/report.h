// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// report.h: what a run leaves: a table on stdout, CSV, JSON, and progress.
//
// The first contender's columns are named after cuBLAS in every file, so that
// one script reads them all; the header says what it was (`rival`).
//==============================================================================
#pragma once

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "ceilings.h"
#include "host_costs.h"
#include "measure.h"

namespace bench {

using RunHeader = std::vector<std::pair<std::string, std::string>>;

// `[12/80] name` and a bar on stderr, where that is a terminal.
class Progress {
 public:
  explicit Progress(size_t total);
  void show(size_t done, const std::string& name) const;
  void clear() const;

 private:
  size_t total_;
  bool terminal_;
};

class CsvFile {
 public:
  // An empty path: nothing is written. Throws std::runtime_error where it cannot be.
  CsvFile(const std::string& path, const RunHeader& header);
  void add(const CaseResult& result);

 private:
  std::ofstream file_;
};

void write_ceilings_csv(const std::string& path, const RunHeader& header,
                        const std::vector<Ceiling>& ceilings);

void write_json(const std::string& path, const RunHeader& header,
                const std::vector<CaseResult>& results, const std::vector<Ceiling>& ceilings,
                const std::vector<HostCosts>& costs);

// The table on stdout, and what it comes to: by group, and the worst cases.
class Table {
 public:
  Table(std::string rival, bool with_cublaslt);
  void print_head() const;
  void print_row(const CaseResult& result) const;
  void print_summary(const std::vector<CaseResult>& results, int worst) const;

 private:
  void print_groups(const std::vector<CaseResult>& results) const;
  void print_worst(const std::vector<CaseResult>& results, int worst) const;

  std::string rival_;
  bool with_cublaslt_;
};

void print_header(const RunHeader& header);
void print_ceilings(const std::vector<Ceiling>& ceilings);
void print_host_costs(const std::vector<HostCosts>& costs, double empty_launch_us);

// Over the cases that have one; NaN where none has.
double geometric_mean_ratio(const std::vector<CaseResult>& results);

}  // namespace bench
