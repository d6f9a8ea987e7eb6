// SPDX-License-Identifier: BSD-3-Clause
// runtime/launch.cpp: a grid, block by block; what went wrong and where.
#include <sys/mman.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>
#include <utility>

#include "emulator/tensor_sums.h"
#include "runtime/machine.h"
#include "runtime/module.h"

namespace emulator {

Machine g_machine;

namespace {

// Under the compiler's sanitizers modules do not call the hooks.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kWatched = false;
#else
constexpr bool kWatched = true;
#endif

constexpr size_t kMostSharedBytes = 227 * 1024;
constexpr unsigned kMostBlocks = 8;  // of a cluster

// A kernel's one parameter, whatever its type: by value it lies on the stack, or is pointed to, as
// any structure of this size and alignment is, and the kernel looks at its own part.
struct alignas(64) Parameter {
  unsigned char bytes[2048];
};
Parameter g_parameter;

// How large the parameter is, nobody says. What lies past it is copied too, where there is memory;
// AddressSanitizer would mind.
__attribute__((no_sanitize("address", "thread"))) void copy_parameter(const void* argument) {
  constexpr uintptr_t kPage = 4096;
  const volatile auto* source = static_cast<const unsigned char*>(argument);
  for (size_t i = 0; i < sizeof g_parameter.bytes; ++i) {
    const uintptr_t at = reinterpret_cast<uintptr_t>(argument) + i;
    if (at % kPage == 0 && msync(reinterpret_cast<void*>(at), 1, MS_ASYNC) != 0) break;
    g_parameter.bytes[i] = source[i];
  }
}

void run_entry() {
  reinterpret_cast<void (*)(Parameter)>(g_machine.entry)(g_parameter);
  finish_copies(self());
  finish_stores(self());
  finish_wgmma(self());
  leave_cluster();
}

// Blocks first to first + blocks - 1 of a row of the grid.
void begin_cluster(unsigned first, unsigned y, unsigned blocks) {
  Machine& m = g_machine;
  const size_t threads = m.block.x, all = threads * blocks;
  m.blocks = std::vector<Block>(blocks);
  m.threads = std::vector<Thread>(all);
  for (unsigned rank = 0; rank < blocks; ++rank) {
    Block& block = m.blocks[rank];
    block.index = {first + rank, y, 0};
    block.rank = static_cast<int>(rank);
    block.first_thread = static_cast<int>(rank * threads);
    block.threads = static_cast<int>(threads);
    block.known.assign(all + kCopyClocks, 0);
  }
  for (size_t i = 0; i < all; ++i) {
    m.threads[i].id = static_cast<int>(i);
    m.threads[i].block = static_cast<int>(i / threads);
    m.threads[i].grid_ahead_is_over = !m.early_start;
  }
  m.collectives.assign((all + 31) / 32, {});
  m.warpgroups = std::vector<Warpgroup>(blocks * ((threads + 127) / 128));
  m.registers.clear();
  m.registers_at_start = 0;
  m.waiting_for_registers.clear();
  m.cluster_barrier = {};
  m.threads_ended = 0;
  m.bulk_copies.clear();
  m.copy_clocks = {};
  m.mbarriers_made = 0;
  reset_shared_memory();
  begin_block_of_wavefronts();
}

// What a launch of this shape would be refused for; nullptr where it is none.
const char* refusal(unsigned grid_x, unsigned threads, size_t smem_bytes, unsigned cluster) {
  if (threads < 1 || threads > 1024) return "a block of no threads, or of more than 1024";
  if (smem_bytes > kMostSharedBytes) return "more dynamic shared memory than there is";
  if (cluster < 1 || cluster > kMostBlocks) return "a cluster of no blocks, or of more than 8";
  if (grid_x % cluster != 0) return "a grid that clusters do not divide";
  if (cluster > 1 && threads % 32 != 0) return "blocks of a cluster that are no whole warps";
  return nullptr;
}

std::string formatted(const char* format, va_list list) {
  char text[512];
  std::vsnprintf(text, sizeof text, format, list);
  return text;
}

// The kernel's own line: of the functions inlined there, the innermost that is not the emulator's.
// The caller's address, less one, lies in the call itself.
std::string ask_addr2line(const Module& module, uintptr_t address) {
  char command[1024];
  std::snprintf(command, sizeof command, "addr2line -i -e '%s' %#zx 2>/dev/null",
                module.path.c_str(), static_cast<size_t>(address - module.base - 1));
  std::string found = "?";
  FILE* pipe = popen(command, "r");
  if (pipe == nullptr) return found;
  char line[512];
  while (std::fgets(line, sizeof line, pipe) != nullptr) {
    const std::string text(line, std::strcspn(line, "\n("));
    if (text.find("/emulator/include/") != std::string::npos) continue;
    found = text.substr(text.rfind('/') + 1);
    break;
  }
  pclose(pipe);
  return found;
}

void record(const std::string& text) {
  Machine& m = g_machine;
  m.failed = true;
  m.watching = false;
  if (m.result.error.empty()) m.result.error = text;
}

[[noreturn]] void fail_with(const void* site, const std::string& what) {
  Machine& m = g_machine;
  m.watching = false;
  const Block& block = block_of(self());
  char where[192];
  std::snprintf(where, sizeof where, "%s, block (%u, %u), thread %d: ", m.kernel.c_str(),
                block.index.x, block.index.y, self().id - block.first_thread);
  record(where + source_line(site) + ": " + what);
  abandon();
}

}  // namespace

std::string source_line(const void* site) {
  return ask_addr2line(current_module(), reinterpret_cast<uintptr_t>(site));
}

void fail(const void* site, const char* format, ...) {
  va_list list;
  va_start(list, format);
  const std::string what = formatted(format, list);
  va_end(list);
  fail_with(site, what);
}

void invalid(const char* format, ...) {
  va_list list;
  va_start(list, format);
  const std::string what = formatted(format, list);
  va_end(list);
  fail_with(__builtin_return_address(0), what);
}

void report_deadlock() {
  Machine& m = g_machine;
  std::map<std::string, int> places;
  for (const Thread& thread : m.threads) {
    if (thread.done) {
      ++places["has ended"];
    } else {
      ++places[std::string("waits for ") + thread.waits_for + " at " +
               source_line(thread.waits_at)];
    }
  }
  std::ostringstream text;
  const Index3 index = m.blocks.front().index;
  text << m.kernel << (m.blocks.size() == 1 ? ", block (" : ", cluster from block (") << index.x
       << ", " << index.y << "): nobody can go on:";
  for (const auto& [place, count] : places) text << ' ' << count << ' ' << place << ';';
  record(text.str());
}

void report_copies_left() {
  const Index3 index = g_machine.blocks.front().index;
  std::ostringstream text;
  text << g_machine.kernel << ", block (" << index.x << ", " << index.y << "): ends with "
       << g_machine.bulk_copies.size() << " copies on their way to its shared memory";
  record(text.str());
}

Index3 thread_index() {
  return {static_cast<unsigned>(self().id - block_of(self()).first_thread), 0, 0};
}
Index3 block_index() { return block_of(self()).index; }
Index3 block_dim() { return g_machine.block; }
Index3 grid_dim() { return g_machine.grid; }

void wait_for_grid_ahead() { self().grid_ahead_is_over = true; }

int tensor_core_bits() { return g_machine.settings.tensor_core_bits; }

void configure(const Settings& settings) { g_machine.settings = settings; }

Result take_result() { return std::exchange(g_machine.result, Result{}); }

void report(const std::string& error) { record(error); }

bool launch(void* kernel, const Shape& shape, const void* argument) {
  Machine& m = g_machine;
  unsigned clusters_x = shape.grid_x / std::max(shape.cluster_x, 1u), grid_y = shape.grid_y;
  m.kernel = kernel_name(kernel);
  m.failed = false;
  if (const char* why = refusal(shape.grid_x, shape.threads, shape.smem_bytes, shape.cluster_x)) {
    record(m.kernel + ": a launch of " + why);
    return false;
  }
  if (const unsigned limit = m.settings.largest_grid; limit != 0) {
    clusters_x = std::min(clusters_x, limit);
    grid_y = std::min(grid_y, limit);
  }
  m.entry = kernel;
  m.early_start = shape.early_start;
  copy_parameter(argument);
  m.grid = {clusters_x * shape.cluster_x, grid_y, 1};
  m.block = {shape.threads, 1, 1};
  m.random = m.settings.seed * 0x9E3779B97F4A7C15u + 1;
  enter_module_of(kernel);
  set_dynamic_shared_memory(shape.smem_bytes, shape.cluster_x);
  std::vector<uint64_t> clusters(uint64_t{clusters_x} * grid_y);
  for (size_t i = 0; i < clusters.size(); ++i) clusters[i] = i;
  for (size_t i = clusters.size(); i > 1; --i) {
    std::swap(clusters[i - 1], clusters[random_below(i)]);
  }
  for (uint64_t cluster : clusters) {
    begin_cluster(static_cast<unsigned>(cluster % clusters_x) * shape.cluster_x,
                  static_cast<unsigned>(cluster / clusters_x), shape.cluster_x);
    m.watching = kWatched;
    run_threads(run_entry);
    m.watching = false;
    if (!m.failed && !m.bulk_copies.empty()) report_copies_left();
    if (m.failed) return false;
  }
  if (m.settings.count_wavefronts) collect_wavefronts(m.result.wavefronts);
  return true;
}

}  // namespace emulator
