// SPDX-License-Identifier: BSD-3-Clause
// myblas-bench: see options.cpp for what it takes, bench/README.md for how it measures.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include "case_data.h"
#include "choose_cases.h"
#include "cublaslt.h"
#include "gemm_library.h"
#include "openblas.h"
#include "options.h"
#include "report.h"

namespace bench {
namespace {

constexpr int kExitFailedCases = 1;
constexpr int kExitCannotRun = 2;

std::unique_ptr<Contender> open_rival(const Options& options, Machine& machine) {
  if (options.no_rival) return nullptr;
  return machine.is_gpu() ? open_cublas(options.cublas_path, machine)
                          : open_openblas(options.openblas_path);
}

// After cuBLAS, whose copy it is. Null, with a line on stderr, where there is none.
std::unique_ptr<Contender> open_second_rival(const Options& options, Machine& machine) {
  if (!options.cublaslt) return nullptr;
  try {
    if (!machine.is_gpu()) throw std::runtime_error("it needs a GPU");
    return open_cublaslt(machine);
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "myblas-bench: --cublaslt: %s\n", error.what());
    return nullptr;
  }
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  return text;
}

RunHeader make_header(Machine& machine, const MyblasLibrary& myblas, const Rivals& rivals,
                      double empty_launch_us, double beta, bool apart) {
  RunHeader header{{"date", today()}, {"device", machine.name()}};
  if (machine.is_gpu()) {
    header.emplace_back("driver", machine.driver_version());
    header.emplace_back("cuda", machine.cuda_version());
    header.emplace_back("empty_launch_us", std::to_string(empty_launch_us));
  }
  header.emplace_back("myblas", myblas.version() + " " + MYBLAS_BENCH_COMMIT);
  header.emplace_back("target", myblas.target());
  const auto title = [](const Contender* rival) {
    return rival ? rival->name() + " " + rival->version() : "none";
  };
  header.emplace_back("rival", title(rivals.first));
  if (rivals.cublaslt != nullptr) header.emplace_back("second rival", title(rivals.cublaslt));
  if (beta != 0.0) {
    std::ostringstream text;
    text << beta;
    header.emplace_back("beta", text.str());
  }
  if (apart) header.emplace_back("calls", "apart: a kernel of neither library between them");
  return header;
}

std::vector<CaseResult> run_cases(const Options& options, Machine& machine, const Rivals& rivals,
                                  MyblasLibrary& myblas, CsvFile& csv) {
  const std::vector<Case> cases = choose_cases(options.choice, machine.is_gpu());
  const Progress progress(cases.size());
  std::vector<CaseResult> results;
  const Table table(rivals.first ? rivals.first->name() : "-", rivals.cublaslt != nullptr);
  table.print_head();
  for (const Case& one : cases) {
    progress.show(results.size(), one.name);
    CaseResult result;
    try {
      result = measure_case(machine, rivals, myblas, one, options.measure);
    } catch (const CaseTooLarge& reason) {
      result.one = one;
      result.myblas.note = reason.what();
    } catch (const std::exception& error) {
      throw std::runtime_error(one.name + ": " + error.what());
    }
    progress.clear();
    table.print_row(result);
    csv.add(result);
    results.push_back(result);
  }
  table.print_summary(results, options.worst);
  return results;
}

std::vector<HostCosts> run_host_costs(const Options& options, Machine& machine, Contender* rival,
                                      MyblasLibrary& myblas) {
  std::vector<HostCosts> costs{measure_host_costs(machine, myblas)};
  if (auto* cublas = dynamic_cast<GemmLibrary*>(rival)) {
    costs.push_back(measure_host_costs(machine, *cublas));
  }
  if (!options.dropin_path.empty()) {
    const std::string path = std::filesystem::absolute(options.dropin_path).string();
    try {
      GemmLibrary dropin("drop-in", open_cublas_api(path, false), machine);
      costs.push_back(measure_host_costs(machine, dropin));
    } catch (const CallError& refused) {  // the cases can still be measured
      std::fprintf(stderr, "myblas-bench: %s\n", refused.what());
    }
  }
  return costs;
}

std::string with_suffix(const std::string& path, const std::string& suffix) {
  const std::filesystem::path file(path);
  return (file.parent_path() / (file.stem().string() + suffix)).string();
}

void draw(const std::string& csv_path, const std::string& png_path) {
  const std::string script = shared_file("plot_results.py").string();
  const pid_t child = fork();
  if (child == 0) {
    execlp("python3", "python3", script.c_str(), csv_path.c_str(), "--output", png_path.c_str(),
           static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
    throw std::runtime_error("the plot failed: python3 " + script + " " + csv_path);
  }
}

int run(Options options) {
  if (!options.kernel.empty()) setenv("MYBLAS_KERNEL", options.kernel.c_str(), 1);
  if (!options.plot_path.empty() && options.csv_path.empty()) {
    options.csv_path = with_suffix(options.plot_path, ".csv");
  }
  const char* backend = std::getenv("MYBLAS_BACKEND");
  const bool wants_cpu = backend != nullptr && std::string(backend) == "cpu";
  std::unique_ptr<Machine> machine = wants_cpu ? nullptr : make_gpu_machine();
  if (!machine) {
    setenv("MYBLAS_BACKEND", "cpu", 1);
    machine = make_host_machine();
  }
  MyblasLibrary myblas(*machine);
  if (machine->is_gpu() && myblas.target() == "cpu") {
    throw std::runtime_error("myblas does not use this GPU (MYBLAS_LOG=1 says why)");
  }
  const std::unique_ptr<Contender> rival = open_rival(options, *machine);
  const std::unique_ptr<Contender> cublaslt = open_second_rival(options, *machine);
  const Rivals rivals{rival.get(), cublaslt.get()};
  const double empty_launch_us = machine->empty_launch_us();
  const RunHeader header = make_header(*machine, myblas, rivals, empty_launch_us,
                                       options.choice.beta, options.measure.apart);
  print_header(header);

  std::vector<Ceiling> ceilings;
  if (options.ceilings) {
    ceilings = measure_ceilings(*machine);
    print_ceilings(ceilings);
    if (!options.csv_path.empty()) {
      write_ceilings_csv(with_suffix(options.csv_path, "_ceilings.csv"), header, ceilings);
    }
  }
  std::vector<HostCosts> costs;
  if (options.host_costs) {
    costs = run_host_costs(options, *machine, rival.get(), myblas);
    print_host_costs(costs, empty_launch_us);
  }
  std::vector<CaseResult> results;
  if (options.runs_cases()) {
    CsvFile csv(options.csv_path, header);
    results = run_cases(options, *machine, rivals, myblas, csv);
  }
  if (!options.json_path.empty()) write_json(options.json_path, header, results, ceilings, costs);
  if (!options.plot_path.empty() && !results.empty()) draw(options.csv_path, options.plot_path);

  for (const CaseResult& result : results) {
    if (result.myblas.failed) return kExitFailedCases;
  }
  return 0;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::Options options;
  if (const auto status = bench::parse_options(argc, argv, options)) return *status;
  try {
    return bench::run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "myblas-bench: %s\n", error.what());
    return bench::kExitCannotRun;
  }
}
