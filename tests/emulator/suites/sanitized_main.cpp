// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// suites/sanitized_main.cpp: a sample of the boundary cases under the compiler's sanitizers.
//
//   sanitized_main <cases a row> [<module of a planted fault> <kernel>]
//
// Rows of small tiles only, of fp16 and bfloat16 the latter, or the one kernel. Exit status 0: all
// results are right; the sanitizer ends the program otherwise.
//==============================================================================
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "suites/emulated_case.h"

using namespace myblas::test;

namespace {

bool run_row(const TableRow& row, size_t cases) {
  RowHandle handle(row);
  uint64_t settings = 1;
  bool all_right = true;
  for (const GemmCase& gemm : sample(boundary_cases(*row.row, 7, 1), cases)) {
    settings = mix(settings);
    const auto result = handle.run(gemm, settings_of(settings));
    if (!result) {
      std::fprintf(stderr, "%s\n", result.message());
      all_right = false;  // the next case may show the sanitizer why
    }
  }
  return all_right;
}

}  // namespace

int main(int argc, char** argv) {
  const auto cases = static_cast<size_t>(argc > 1 ? std::atoi(argv[1]) : 4);
  load_all_kernels();
  if (argc > 3) {
    emulator::load_module(argv[2]);
    return run_row(find_row(argv[3]), cases) ? 0 : 1;
  }
  int wrong = 0;
  for (const TableRow& row : all_rows()) {
    if (row.row->tile_m * row.row->tile_n > MYBLAS_SANITIZED_TILE) continue;
    if (has_bf16_twin(*row.row)) continue;  // the fp16 file has no module here (CMakeLists.txt)
    if (MYBLAS_SANITIZES_ALL && emulator::find_kernel(row.row->name) == nullptr) {
      std::fprintf(stderr, "%s is in no module: small_tiles.cmake\n", row.row->name);
      ++wrong;
      continue;
    }
    if (!run_row(row, cases)) ++wrong;
    std::printf("%s: %zu cases\n", row.row->name, cases);
  }
  return wrong == 0 ? 0 : 1;
}
