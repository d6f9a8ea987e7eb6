// SPDX-License-Identifier: BSD-3-Clause
// runtime/launch.cpp: a grid, block by block; what went wrong and where.
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>
#include <utility>

#include "kernels/common/gemm_args.h"
#include "runtime/machine.h"
#include "runtime/module.h"

namespace emulator {
namespace {

// Under the compiler's sanitizers modules do not call the hooks.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kWatched = false;
#else
constexpr bool kWatched = true;
#endif

Machine g_machine;

void run_entry() {
  const Machine& m = g_machine;
  reinterpret_cast<void (*)(myblas::GemmArgs)>(m.entry)(
      *static_cast<const myblas::GemmArgs*>(m.arguments));
  finish_copies(self());
}

void begin_block(unsigned x, unsigned y) {
  Machine& m = g_machine;
  const size_t threads = m.block.x;
  m.block_index = {x, y, 0};
  m.threads.assign(threads, Thread{});
  for (size_t i = 0; i < threads; ++i) m.threads[i].id = static_cast<int>(i);
  m.known.assign(threads, 0);
  m.barriers = {};
  m.collectives.assign((threads + 31) / 32, {});
  m.mbarriers.clear();
  m.bulk_copies.clear();
  reset_shared_memory();
  begin_block_of_wavefronts();
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
  char where[192];
  std::snprintf(where, sizeof where, "%s, block (%u, %u), thread %d: ", m.kernel.c_str(),
                m.block_index.x, m.block_index.y, self().id);
  record(where + source_line(site) + ": " + what);
  abandon();
}

}  // namespace

Machine& machine() { return g_machine; }

uint64_t random_below(uint64_t bound) {
  uint64_t& x = g_machine.random;  // xorshift64
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  return x % bound;
}

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
  text << m.kernel << ", block (" << m.block_index.x << ", " << m.block_index.y
       << "): nobody can go on:";
  for (const auto& [place, count] : places) text << ' ' << count << ' ' << place << ';';
  record(text.str());
}

Index3 thread_index() { return {static_cast<unsigned>(self().id), 0, 0}; }
Index3 block_index() { return g_machine.block_index; }
Index3 block_dim() { return g_machine.block; }
Index3 grid_dim() { return g_machine.grid; }

void configure(const Settings& settings) { g_machine.settings = settings; }

Result take_result() { return std::exchange(g_machine.result, Result{}); }

bool launch(void* kernel, unsigned grid_x, unsigned grid_y, unsigned threads, size_t smem_bytes,
            const void* argument) {
  Machine& m = g_machine;
  if (const unsigned limit = m.settings.largest_grid; limit != 0) {
    grid_x = std::min(grid_x, limit);
    grid_y = std::min(grid_y, limit);
  }
  m.kernel = kernel_name(kernel);
  m.entry = kernel;
  m.arguments = argument;
  m.grid = {grid_x, grid_y, 1};
  m.block = {threads, 1, 1};
  m.random = m.settings.seed * 0x9E3779B97F4A7C15u + 1;
  m.failed = false;
  enter_module_of(kernel);
  set_dynamic_shared_memory(smem_bytes);
  std::vector<uint64_t> blocks(uint64_t{grid_x} * grid_y);
  for (size_t i = 0; i < blocks.size(); ++i) blocks[i] = i;
  for (size_t i = blocks.size(); i > 1; --i) std::swap(blocks[i - 1], blocks[random_below(i)]);
  for (uint64_t block : blocks) {
    begin_block(static_cast<unsigned>(block % grid_x), static_cast<unsigned>(block / grid_x));
    m.watching = kWatched;
    run_threads(run_entry);
    m.watching = false;
    if (m.failed) return false;
  }
  if (m.settings.count_wavefronts) collect_wavefronts(m.result.wavefronts);
  return true;
}

}  // namespace emulator
