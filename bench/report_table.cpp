// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "report.h"

namespace bench {
namespace {

constexpr int kNameWidth = 30;

std::string fixed(double value, int decimals) {
  if (std::isnan(value)) return "-";
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

std::string scientific(double value) {
  if (std::isnan(value)) return "nan";
  char text[64];
  std::snprintf(text, sizeof text, "%.1e", value);
  return text;
}

// Of the values that are known.
template <class Value>
double geometric_mean(const std::vector<CaseResult>& results, Value value_of) {
  double sum = 0.0;
  int counted = 0;
  for (const CaseResult& result : results) {
    const double value = value_of(result);
    if (std::isnan(value)) continue;
    sum += std::log(value);
    ++counted;
  }
  return counted == 0 ? kUnknown : std::exp(sum / counted);
}

double tflops_myblas(const CaseResult& x) { return x.tflops(x.myblas); }
double ratio_cublaslt(const CaseResult& x) { return x.ratio_cublaslt(); }

// Those that have a ratio, the lowest first.
std::vector<CaseResult> by_ratio(std::vector<CaseResult> results) {
  std::erase_if(results, [](const CaseResult& x) { return std::isnan(x.ratio()); });
  std::stable_sort(results.begin(), results.end(),
                   [](const CaseResult& x, const CaseResult& y) { return x.ratio() < y.ratio(); });
  return results;
}

}  // namespace

Progress::Progress(size_t total) : total_(total), terminal_(isatty(STDERR_FILENO) != 0) {}

void Progress::show(size_t done, const std::string& name) const {
  if (!terminal_) return;
  constexpr size_t kWidth = 30;
  const size_t filled = total_ == 0 ? kWidth : kWidth * done / total_;
  const std::string bar = std::string(filled, '=') + std::string(kWidth - filled, ' ');
  std::fprintf(stderr, "\r\033[K[%s] [%zu/%zu] %s", bar.c_str(), done, total_, name.c_str());
  std::fflush(stderr);
}

void Progress::clear() const {
  if (!terminal_) return;
  std::fprintf(stderr, "\r\033[K");
  std::fflush(stderr);
}

double geometric_mean_ratio(const std::vector<CaseResult>& results) {
  return geometric_mean(results, [](const CaseResult& x) { return x.ratio(); });
}

void print_header(const RunHeader& header) {
  for (const auto& [key, value] : header) std::printf("%-18s %s\n", key.c_str(), value.c_str());
  std::printf("\n");
}

Table::Table(std::string rival, bool with_cublaslt)
    : rival_(std::move(rival)), with_cublaslt_(with_cublaslt) {}

void Table::print_head() const {
  std::printf("%-*s %-9s %-2s %6s %6s %7s %5s | %11s %11s %6s |", kNameWidth, "case", "op", "tr",
              "m", "n", "k", "batch", ("us " + rival_).c_str(), "us myblas", "ratio");
  if (with_cublaslt_) std::printf(" %11s %6s |", "us cublaslt", "ratio");
  std::printf(" %8s %8s | %8s %8s | %6s %6s | %s\n", "TF rival", "TF my", "err rival", "err my",
              "host", "my", "kernel");
}

void Table::print_row(const CaseResult& r) const {
  const Case& c = r.one;
  std::printf("%-*s %-9s %c%c %6d %6d %7d %5d | %11s %11s %6s |", kNameWidth, c.name.c_str(),
              c.op.name.c_str(), c.trans_a, c.trans_b, c.m, c.n, c.k, c.batch,
              fixed(r.rival.us, 2).c_str(), fixed(r.myblas.us, 2).c_str(),
              fixed(r.ratio(), 3).c_str());
  if (with_cublaslt_) {
    std::printf(" %11s %6s |", fixed(r.cublaslt.us, 2).c_str(),
                fixed(r.ratio_cublaslt(), 3).c_str());
  }
  std::printf(" %8s %8s | %8s %8s | %6s %6s | %s", fixed(r.tflops(r.rival), 2).c_str(),
              fixed(r.tflops(r.myblas), 2).c_str(), scientific(r.rival.error).c_str(),
              scientific(r.myblas.error).c_str(), fixed(r.rival.host_us, 2).c_str(),
              fixed(r.myblas.host_us, 2).c_str(), r.myblas.kernel.c_str());
  if (!r.myblas.note.empty()) std::printf("  [%s]", r.myblas.note.c_str());
  if (!r.rival.note.empty()) std::printf("  [rival: %s]", r.rival.note.c_str());
  if (!r.cublaslt.note.empty()) std::printf("  [%s]", r.cublaslt.note.c_str());
  std::printf("\n");
  std::fflush(stdout);
}

// A line a group, in the order of the list.
void Table::print_groups(const std::vector<CaseResult>& results) const {
  std::vector<std::string> names;
  std::map<std::string, std::vector<CaseResult>> groups;
  for (const CaseResult& result : results) {
    std::vector<CaseResult>& group = groups[group_of(result.one)];
    if (group.empty()) names.push_back(group_of(result.one));
    group.push_back(result);
  }
  std::printf("\n%-16s %5s %7s %7s %7s |", "group", "cases", "geomean", "lowest", "TF my");
  if (with_cublaslt_) std::printf(" %11s |", "by cublaslt");
  std::printf(" lowest case, its kernel\n");
  for (const std::string& name : names) {
    const std::vector<CaseResult>& group = groups[name];
    const std::vector<CaseResult> ranked = by_ratio(group);
    std::printf("%-16s %5zu %7s %7s %7s |", name.c_str(), group.size(),
                fixed(geometric_mean_ratio(group), 3).c_str(),
                ranked.empty() ? "-" : fixed(ranked[0].ratio(), 3).c_str(),
                fixed(geometric_mean(group, tflops_myblas), 2).c_str());
    if (with_cublaslt_) {
      std::printf(" %11s |", fixed(geometric_mean(group, ratio_cublaslt), 3).c_str());
    }
    if (!ranked.empty()) {
      std::printf(" %s, %s", ranked[0].one.name.c_str(), ranked[0].myblas.kernel.c_str());
    }
    std::printf("\n");
  }
}

void Table::print_worst(const std::vector<CaseResult>& results, int worst) const {
  std::vector<CaseResult> ranked = by_ratio(results);
  ranked.resize(std::min(ranked.size(), static_cast<size_t>(worst)));
  if (ranked.empty()) return;
  std::printf("\nlowest ratios\n");
  for (const CaseResult& r : ranked) {
    const Case& c = r.one;
    std::printf("%6s  %-*s %-9s %c%c %6d %6d %7d %5d  %s\n", fixed(r.ratio(), 3).c_str(),
                kNameWidth, c.name.c_str(), c.op.name.c_str(), c.trans_a, c.trans_b, c.m, c.n, c.k,
                c.batch, r.myblas.kernel.c_str());
  }
}

void Table::print_summary(const std::vector<CaseResult>& results, int worst) const {
  print_groups(results);
  print_worst(results, worst);
  size_t failed = 0, ahead = 0, compared = 0;
  for (const CaseResult& result : results) {
    if (result.myblas.failed) ++failed;
    if (std::isnan(result.ratio())) continue;
    ++compared;
    if (result.ratio() >= 1.0) ++ahead;
  }
  std::printf("\n%zu cases, %zu failed", results.size(), failed);
  if (compared != 0) {
    std::printf("; against %s: geometric mean ratio %.3f over %zu, %zu at 1 or more",
                rival_.c_str(), geometric_mean_ratio(results), compared, ahead);
  }
  std::printf("\n");
}

void print_ceilings(const std::vector<Ceiling>& ceilings) {
  std::printf("%-36s %12s  %-8s bounds\n", "ceiling", "value", "unit");
  for (const Ceiling& ceiling : ceilings) {
    std::printf("%-36s %12s  %-8s %s\n", ceiling.name.c_str(), fixed(ceiling.value, 2).c_str(),
                ceiling.unit.c_str(), ceiling.types.c_str());
  }
  std::printf("\n");
}

void print_host_costs(const std::vector<HostCosts>& costs, double empty_launch_us) {
  std::printf("%-10s %13s %15s %15s %10s %14s\n", "library", "SetStream ns", "SetMathMode ns",
              "SetWorkspace ns", "gemm us", "beyond launch");
  for (const HostCosts& cost : costs) {
    const double beyond = empty_launch_us > 0.0 ? cost.gemm_us - empty_launch_us : kUnknown;
    std::printf("%-10s %13s %15s %15s %10s %14s\n", cost.library.c_str(),
                fixed(cost.set_stream_ns, 1).c_str(), fixed(cost.set_math_mode_ns, 1).c_str(),
                fixed(cost.set_workspace_ns, 1).c_str(), fixed(cost.gemm_us, 2).c_str(),
                fixed(beyond, 2).c_str());
  }
  if (empty_launch_us > 0.0) std::printf("an empty kernel launch: %.2f us\n", empty_launch_us);
  std::printf("\n");
}

}  // namespace bench
