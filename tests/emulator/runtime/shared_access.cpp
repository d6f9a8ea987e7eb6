// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// runtime/shared_access.cpp: wide loads of shared memory, and their bank conflicts.
//
// The n-th execution of an instruction by each lane of a warp is one request. It needs as many
// wavefronts as the most asked-for of the 32 banks has different words to give; the ideal is the
// number of different words over 32. A diverged warp counts as one that is not.
//
// Such a load may run ahead of the last tile: where nothing was written it gets poison, NaN as a
// float, which shows if it is used. What a copy may still write is an error here too.
//==============================================================================
#include "emulator/shared_access.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <tuple>

#include "runtime/machine.h"

namespace emulator {
namespace {

struct Request {
  int lanes = 0;  // that have come
  std::set<uintptr_t> words;
};
struct Instruction {
  std::map<int, uint64_t> executions;                         // by thread
  std::map<std::pair<int, uint64_t>, Request> open_requests;  // by group of lanes and execution
  Wavefronts count;
};
std::map<const void*, Instruction> g_instructions;

void close(Instruction& instruction, const Request& request) {
  std::array<uint64_t, 32> words_of_bank{};
  for (uintptr_t word : request.words) ++words_of_bank[word % 32];
  ++instruction.count.instructions;
  instruction.count.actual += *std::max_element(words_of_bank.begin(), words_of_bank.end());
  instruction.count.ideal += (request.words.size() + 31) / 32;
}

void look_at(const void* pointer, size_t bytes, const void* site) {
  if (!machine().watching) return;
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  if (!is_shared(address, bytes)) fail(site, "not an access of shared memory");
  check_access(address, bytes, Access::kPeek, site);
  if (machine().settings.count_wavefronts) count_wavefronts(address, bytes, site);
}

template <class T>
T read(const void* source) {
  T value;
  std::memcpy(&value, source, sizeof value);
  return value;
}

}  // namespace

void count_wavefronts(uintptr_t address, size_t bytes, const void* site, int lanes) {
  const Thread& thread = self();
  Instruction& instruction = g_instructions[site];
  const uint64_t execution = instruction.executions[thread.id]++;
  const auto key = std::make_pair(thread.id / lanes, execution);
  Request& request = instruction.open_requests[key];
  for (size_t i = 0; i < bytes; i += 4) request.words.insert((address + i) / 4);
  if (++request.lanes != lanes) return;
  close(instruction, request);
  instruction.open_requests.erase(key);
}

void begin_block_of_wavefronts() {
  for (auto& [site, instruction] : g_instructions) {
    for (const auto& [key, request] : instruction.open_requests) close(instruction, request);
    instruction.open_requests.clear();
    instruction.executions.clear();
  }
}

void collect_wavefronts(std::map<std::string, Wavefronts>& by_line) {
  begin_block_of_wavefronts();
  for (const auto& [site, instruction] : g_instructions) {
    const bool is_ideal = instruction.count.actual == instruction.count.ideal;
    Wavefronts& line = by_line[is_ideal ? std::string() : source_line(site)];
    line.actual += instruction.count.actual;
    line.ideal += instruction.count.ideal;
    line.instructions += instruction.count.instructions;
  }
  g_instructions.clear();
}

uint32_t load_shared_4(const void* source) {
  look_at(source, 4, __builtin_return_address(0));
  return read<uint32_t>(source);
}
uint64_t load_shared_8(const void* source) {
  look_at(source, 8, __builtin_return_address(0));
  return read<uint64_t>(source);
}
Bits16 load_shared_16(const void* source) {
  look_at(source, 16, __builtin_return_address(0));
  return read<Bits16>(source);
}

}  // namespace emulator
