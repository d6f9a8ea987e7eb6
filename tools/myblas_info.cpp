// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// myblas-info: which devices there are, which table and kernels each gets, which
// OpenBLAS and which real cuBLAS stand behind the library.
//==============================================================================
#include <getopt.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

#include "api/cublas/search_paths.h"
#include "cpu/openblas_backend.h"
#include "dispatch/select.h"
#include "driver/gpu.h"
#include "myblas.h"

using namespace myblas;

namespace {

void print_rows(int cc) {
  for (const KernelRow& row : table_of(cc)) {
    std::printf("    %-44s %s -> %s\n", row.name, name(row.key.ab), name(row.key.c));
  }
}

const char* name_of(Pipe pipe) {
  switch (pipe) {
    case Pipe::kPlain: return "plain";
    case Pipe::kMma: return "mma";
    case Pipe::kWgmma: return "wgmma";
    case Pipe::kMemory: return "memory";
  }
  return "?";
}

// Every table's rows for programs: tab-separated, the first line names the columns.
void print_rows_as_data() {
  std::puts(
      "table\tname\tab\tc\tcc_min\tcc_max\ttile_m\ttile_n\ttile_k\tstages\tthreads\tblocks_per_sm\t"
      "pipe\tpercent\tmax_parts\tsmem_bytes");
  for (int cc : table_ccs()) {
    for (const KernelRow& row : table_of(cc)) {
      std::printf("%d\t%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t%d\t%d\t%zu\n", cc, row.name,
                  name(row.key.ab), name(row.key.c), row.cc_min, row.cc_max, row.tile_m, row.tile_n,
                  row.tile_k, row.stages, row.threads, row.blocks_per_sm, name_of(row.pipe),
                  row.percent, row.max_parts, row.smem_bytes);
    }
  }
}

void print_devices(bool list_kernels) {
  if (!gpu::available()) {
    std::printf("GPU: none (%s)\n", gpu::unavailable_reason());
    return;
  }
  for (int device = 0; device < gpu::device_count(); ++device) {
    DeviceCaps caps;
    if (!read_device_caps(device, &caps)) continue;
    std::printf("GPU %d: %s, sm_%d, %d SMs, %.2f GHz, %.0f GB/s, %.0f MB of L2\n", device,
                caps.name, caps.cc, caps.sm_count, caps.clock_ghz, caps.dram_gb_per_s,
                caps.l2_bytes / 1048576.0);
    std::printf("  %zu kernels in its table\n", table_of(caps.cc).size());
    if (list_kernels) print_rows(caps.cc);
  }
}

void print_openblas() {
  if (cpu::open()) {
    std::printf("CPU: %s\n", cpu::description());
  } else {
    std::printf("CPU: none (%s)\n", cpu::unavailable_reason());
  }
}

// Files already named, by what their links lead to.
using Seen = std::set<std::string>;

void print_once(const std::string& path, Seen* seen) {
  std::error_code error;
  const std::string file = std::filesystem::canonical(path, error).string();
  if (!error && seen->insert(file).second) std::printf("cuBLAS: %s\n", path.c_str());
}

// Names the cuBLAS files of one directory of the search.
bool print_cublas_in(const char* directory, void* state) {
  for (int major : dropin::kCublasMajors) {
    const std::string path = std::string(directory) + "/libcublas.so." + std::to_string(major);
    print_once(path, static_cast<Seen*>(state));
  }
  return false;  // go on: list all of them
}

void print_cublas() {
  Seen seen;
  const char* chosen = std::getenv("MYBLAS_CUBLAS");
  if (chosen != nullptr && chosen[0] != '\0') {
    std::printf("cuBLAS: MYBLAS_CUBLAS=%s\n", chosen);
    return;
  }
  dropin::visit_toolkit_directories(print_cublas_in, &seen);
  for (int major : dropin::kCublasMajors) {
    char path[4096];
    const std::string soname = "libcublas.so." + std::to_string(major);
    if (dropin::find_in_loader_cache(soname.c_str(), path, sizeof path)) {
      print_once(path, &seen);
    }
  }
  // A program may have its own, by its search path or in a Python environment.
  if (seen.empty()) std::printf("cuBLAS: none in the toolkits and the loader's cache\n");
}

constexpr const char* kUsage =
    "usage: myblas-info [--kernels] [--rows] [--target sm_NN]\n"
    "Lists the devices, kernels and libraries that myblas would use.\n"
    "  --kernels       list the kernels of each device's table\n"
    "  --rows          list the rows of every table, tab-separated, and nothing else\n"
    "  --target sm_NN  list the table of that architecture (sm_75 ... sm_120) instead\n";

}  // namespace

int main(int argc, char** argv) {
  const option options[] = {{"kernels", no_argument, nullptr, 'k'},
                            {"rows", no_argument, nullptr, 'r'},
                            {"target", required_argument, nullptr, 't'},
                            {"help", no_argument, nullptr, 'h'},
                            {}};
  bool list_kernels = false;
  int target_cc = 0;
  for (int letter; (letter = getopt_long(argc, argv, "h", options, nullptr)) != -1;) {
    if (letter == 'k') {
      list_kernels = true;
    } else if (letter == 'r') {
      print_rows_as_data();
      return 0;
    } else if (letter == 't' && !parse_target(optarg, &target_cc)) {
      std::fprintf(stderr, "myblas-info: no table for %s\n", optarg);
      return 1;
    } else if (letter != 't') {
      std::fputs(kUsage, letter == 'h' ? stdout : stderr);
      return letter == 'h' ? 0 : 2;
    }
  }
  int version = 0;
  myblasGetVersion(nullptr, &version);
  std::printf("myblas %d.%d.%d\n", version / 10000, version / 100 % 100, version % 100);
  if (target_cc != 0) {
    std::printf("Table of sm_%d:\n", target_cc);
    print_rows(target_cc);
    return 0;
  }
  print_devices(list_kernels);
  print_openblas();
  print_cublas();
  return 0;
}
