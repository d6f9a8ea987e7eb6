// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// runtime/machine.h: the state of the emulated GPU, shared by the runtime's files.
//
// One block runs at a time. Its threads are fibers of one host thread, or, in the
// ThreadSanitizer build, host threads (schedule_threads.cpp); the runtime's own state is
// touched under Guard, which is empty for fibers.
//==============================================================================
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "emulator/device.h"
#include "runtime/emulator.h"

namespace emulator {

// When a thread last did something, in its own count of synchronisations.
struct Moment {
  uint16_t thread;
  uint32_t clock;
};

// An asynchronous copy that its issuer has not waited for.
struct PendingCopy {
  uintptr_t destination;
  uintptr_t source;
  uint32_t bytes, source_bytes;
  bool landed;
  const void* site;
};

struct Thread {
  int id = 0;
  bool done = false;
  bool waiting = false;
  const void* waits_at = nullptr;
  const char* waits_for = "";
  uint32_t clock = 1;
  int polls = 0;  // in vain, one after the other
  // What this thread knows of the others, where that is more than the block's last barrier.
  std::vector<uint32_t> view;
  std::vector<PendingCopy> open_group;
  std::vector<std::vector<PendingCopy>> groups;
  uintptr_t stack_low = 0, stack_high = 0;
};

struct Barrier {
  int expected = 0;
  int arrived = 0;
  std::vector<Thread*> waiting;
  std::vector<uint32_t> view;  // joined from those who arrived
};

struct Collective {
  unsigned mask = 0, arrived = 0;
  const char* instruction = nullptr;
  std::array<void*, 32> operands{};
  std::array<Thread*, 32> threads{};
};

struct Mbarrier {
  int arrivals = 0, missing_arrivals = 0;
  int64_t missing_bytes = 0;
  int parity = 0;  // of the phase under way
  Moment made{};
  std::vector<Thread*> waiting;
  std::vector<uint32_t> view, complete_view;  // of those who arrived, and at the last completion
};

struct BulkCopy {
  uintptr_t destination, source;
  size_t bytes;
  uint32_t barrier;
};

struct Machine {
  // The launch.
  std::string kernel;
  Index3 grid{1, 1, 1}, block{1, 1, 1};
  void* entry = nullptr;
  const void* arguments = nullptr;
  Settings settings;
  uint64_t random = 1;
  Result result;
  bool failed = false;
  // Off while the runtime itself works on operands.
  bool watching = false;

  // The block.
  Index3 block_index{};
  std::vector<Thread> threads;
  std::vector<uint32_t> known;  // clocks of all threads at the last barrier of the whole block
  std::array<Barrier, 16> barriers;
  std::vector<std::vector<Collective>> collectives;  // (warp)
  std::map<uint32_t, Mbarrier> mbarriers;            // by shared address
  std::vector<BulkCopy> bulk_copies;                 // under way
  bool fibers = true;
};

Machine& machine();
Thread& self();

uint64_t random_below(uint64_t bound);

// ---- the scheduler: fibers or threads ---------------------------------------------------------

// Runs all threads of the block to their ends, or until the launch has failed.
void run_threads(void (*body)());
// Stops the calling thread until resume() of it.
void suspend(const char* waits_for, const void* site);
void resume(Thread& thread);
// Leaves a launch that has failed.
[[noreturn]] void abandon();

class Guard {
 public:
  Guard();
  ~Guard();
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
};

// ---- memory -----------------------------------------------------------------------------------

// kPeek: a read that may find nothing written; what it finds is poison.
enum class Access { kRead, kPeek, kWrite };

void set_dynamic_shared_memory(size_t bytes);
void reset_shared_memory();  // a block begins: poison, and nothing written
// One access by the running thread; an error ends the launch.
void check_access(uintptr_t address, size_t bytes, Access access, const void* site);
// A copy was issued or has landed: its destination is nobody's until its issuer has waited.
void mark_pending(uintptr_t destination, size_t bytes, const void* site);
void mark_written(uintptr_t destination, size_t bytes, const void* site);
void mark_landed(uintptr_t destination, size_t bytes);  // whoever waited for it may use it
bool is_shared(uintptr_t address, size_t bytes);

// ---- order ------------------------------------------------------------------------------------

// Whether what happened at `moment` is known to the thread to be over.
bool is_over(const Thread& thread, Moment moment);
// What the running thread knows becomes part of the view; and the other way round.
void release_to(std::vector<uint32_t>& view);
void acquire_from(const std::vector<uint32_t>& view);

// ---- asynchronous copies ----------------------------------------------------------------------

void land_some_copies();  // at a scheduling point, where the timing is seeded
void finish_copies(Thread& thread);
// For the scheduler, when every thread waits. False where there is nothing to do.
bool land_a_bulk_copy();
bool let_pollers_poll();

// ---- wavefronts -------------------------------------------------------------------------------

// An access of shared memory by one lane. Lanes are served together, 32 or, for a matrix, 8.
void count_wavefronts(uintptr_t address, size_t bytes, const void* site, int lanes = 32);
void begin_block_of_wavefronts();
void collect_wavefronts(std::map<std::string, Wavefronts>& by_line);

// ---- errors -----------------------------------------------------------------------------------

[[noreturn]] void fail(const void* site, const char* format, ...)
    __attribute__((format(printf, 2, 3)));
// For the scheduler, when every thread waits.
void report_deadlock();
std::string source_line(const void* site);

}  // namespace emulator
