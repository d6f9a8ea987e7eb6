// SPDX-License-Identifier: BSD-3-Clause
#include "options.h"

#include <CLI/CLI.hpp>

namespace bench {

std::optional<int> parse_options(int argc, char** argv, Options& o) {
  CLI::App app{
      "Matrix products of myblas beside those of cuBLAS (beside OpenBLAS where there is no GPU): "
      "same buffers, random data, turn by turn. With no options: the public list."};
  app.set_version_flag("--version", MYBLAS_BENCH_VERSION);

  add_case_options(app, o.choice);
  app.add_option("--kernel", o.kernel, "Force this kernel of myblas (sets MYBLAS_KERNEL)");

  app.add_option("--repeat", o.measure.repeat, "Replays of each library; their median counts")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--warm-ms", o.measure.warm_ms,
                 "Replays for so long ahead of each timed one: clocks as under steady load")
      ->check(CLI::NonNegativeNumber);
  app.add_flag("--apart", o.measure.apart,
               "A kernel of neither library between calls, as in most programs: no call begins "
               "under the one before. Its time is taken off");
  app.add_option("--case-seconds", o.measure.case_seconds,
                 "Fewer replays where a case takes longer")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--samples", o.measure.samples, "Entries of C checked against fp64")
      ->check(CLI::Range(6, 65536))
      ->capture_default_str();

  app.add_flag("--no-cublas", o.no_rival, "Time myblas alone");
  app.add_option("--cublas", o.cublas_path, "The real cuBLAS (default: searched)")
      ->check(CLI::ExistingFile);
  app.add_flag("--cublaslt", o.cublaslt,
               "16-bit cases: also the best of cublasLt's candidates (up to 16, each timed)");
  app.add_option("--openblas", o.openblas_path, "OpenBLAS, on a CPU (default: the loader's)");
  app.add_flag("--host-costs", o.host_costs, "Cost of setters and of a call on the host");
  app.add_option("--dropin", o.dropin_path, "A drop-in library, measured with --host-costs")
      ->check(CLI::ExistingFile);
  app.add_flag("--ceilings", o.ceilings, "What the card can do at most, by instruction");

  app.add_option("--worst", o.worst, "How many of the lowest ratios the summary names")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--csv", o.csv_path, "Write a table; the ceilings go to NAME_ceilings.csv");
  app.add_option("--json", o.json_path, "Write everything");
  app.add_option("--plot", o.plot_path,
                 "Draw roofline and ratios into this PNG (needs matplotlib)");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  }
  o.measure.seed = o.choice.random.seed;
  return std::nullopt;
}

}  // namespace bench
