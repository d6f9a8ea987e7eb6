// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <cmath>
#include <cstdio>

#include "report.h"

namespace bench {
namespace {

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
  double sum = 0.0;
  int counted = 0;
  for (const CaseResult& result : results) {
    if (std::isnan(result.ratio())) continue;
    sum += std::log(result.ratio());
    ++counted;
  }
  return counted == 0 ? kUnknown : std::exp(sum / counted);
}

void print_header(const RunHeader& header) {
  for (const auto& [key, value] : header) std::printf("%-18s %s\n", key.c_str(), value.c_str());
  std::printf("\n");
}

void print_table_head(const std::string& rival) {
  std::printf(
      "%-22s %-9s %-2s %6s %6s %7s %5s | %11s %11s %6s | %8s %8s | %8s %8s | %6s %6s | %s\n",
      "case", "op", "tr", "m", "n", "k", "batch", ("us " + rival).c_str(), "us myblas", "ratio",
      "TF rival", "TF my", "err rival", "err my", "host", "my", "kernel");
}

void print_row(const CaseResult& r) {
  const Case& c = r.one;
  std::printf("%-22s %-9s %c%c %6d %6d %7d %5d | %11s %11s %6s | %8s %8s | %8s %8s | %6s %6s | %s",
              c.name.c_str(), c.op.name.c_str(), c.trans_a, c.trans_b, c.m, c.n, c.k, c.batch,
              fixed(r.rival.us, 2).c_str(), fixed(r.myblas.us, 2).c_str(),
              fixed(r.ratio(), 3).c_str(), fixed(r.tflops(r.rival), 2).c_str(),
              fixed(r.tflops(r.myblas), 2).c_str(), scientific(r.rival.error).c_str(),
              scientific(r.myblas.error).c_str(), fixed(r.rival.host_us, 2).c_str(),
              fixed(r.myblas.host_us, 2).c_str(), r.myblas.kernel.c_str());
  if (!r.myblas.note.empty()) std::printf("  [%s]", r.myblas.note.c_str());
  if (!r.rival.note.empty()) std::printf("  [rival: %s]", r.rival.note.c_str());
  std::printf("\n");
  std::fflush(stdout);
}

void print_summary(const std::vector<CaseResult>& results, const std::string& rival) {
  size_t failed = 0, ahead = 0, compared = 0;
  for (const CaseResult& result : results) {
    if (result.myblas.failed) ++failed;
    if (std::isnan(result.ratio())) continue;
    ++compared;
    if (result.ratio() >= 1.0) ++ahead;
  }
  std::printf("\n%zu cases, %zu failed", results.size(), failed);
  if (compared != 0) {
    std::printf("; against %s: geometric mean ratio %.3f over %zu, %zu at 1 or more", rival.c_str(),
                geometric_mean_ratio(results), compared, ahead);
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
