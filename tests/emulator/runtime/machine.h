// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// runtime/machine.h: the state of the emulated GPU, shared by the runtime's files.
//
// One cluster of blocks runs at a time, most often of one block. Its threads are fibers of one host
// thread, or, in the ThreadSanitizer build, host threads (schedule_threads.cpp); the runtime's own
// state is touched under Guard, which is empty for fibers.
//==============================================================================
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "emulator/device.h"
#include "runtime/emulator.h"
#include "runtime/tensor_map.h"

namespace emulator {

// When a thread last did something, in its own count of synchronisations. Bulk copies count as
// threads too: one for each mbarrier that they report to, behind the threads of the cluster.
constexpr size_t kCopyClocks = 24;
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

// A copy from shared memory to a tensor. It reads late, and writes later still.
struct PendingStore {
  TensorBox box;
  uint32_t source;  // shared address
  std::vector<unsigned char> data;
  bool has_read;
  const void* site;
};

// Accumulators of one thread that wgmma will write: what they will hold, once waited for.
struct Accumulators {
  void* sums;
  std::vector<uint32_t> value;
  uint64_t last_operation;
};
struct DeliveredSums {
  void* sums;
  std::vector<uint32_t> value;
};
// What a thread has done with wgmma. Operations of a warpgroup are numbered.
struct WgmmaThread {
  uint64_t issued = 0, committed = 0, complete = 0;
  std::vector<uint64_t> group_ends;
  std::vector<std::unique_ptr<Accumulators>> in_flight;
  bool has_fenced = false;
  std::vector<DeliveredSums> delivered;  // since the last fence
};

struct Thread {
  int id = 0;     // in the cluster
  int block = 0;  // rank in the cluster
  bool done = false;
  const void* waits_at = nullptr;
  const char* waits_for = "";
  uint32_t clock = 1;
  int polls = 0;  // in vain, one after the other
  // What this thread knows of the others, where that is more than the block's last barrier.
  std::vector<uint32_t> view;
  std::vector<uint32_t> released_view;  // at the last mbarrier_fence_init
  std::vector<PendingCopy> open_group;
  std::vector<std::vector<PendingCopy>> groups;
  std::vector<PendingStore> open_stores;
  std::vector<std::vector<PendingStore>> store_groups;
  std::vector<uint32_t> async_fences;    // clocks of the fences for asynchronous copies
  std::vector<uint32_t> known_at_fence;  // what the thread knew of at the last of them
  WgmmaThread wgmma;
  bool reduced = false;  // what the last barrier's vote said
  bool arrived_at_cluster = false, cluster_phase_over = false;
  bool grid_ahead_is_over = true;  // or waited for
  uintptr_t stack_low = 0, stack_high = 0;
};

struct Barrier {
  int expected = 0;
  int arrived = 0;
  bool any = false;  // a vote
  std::vector<Thread*> waiting;
  std::vector<uint32_t> view;           // joined from those who arrived
  std::vector<uint32_t> complete_view;  // at the last completion; of a cluster's alone
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
  bool fenced = false;    // known to copies
  size_t copy_clock = 0;  // which of the machine's counts its copies
  std::vector<Thread*> waiting;
  std::vector<uint32_t> view, complete_view;  // of those who arrived, and at the last completion
};

// A copy of a tensor's box to shared memory, which reports to an mbarrier.
struct BulkCopy {
  int block;             // whose shared memory
  uint32_t destination;  // shared address there
  uint32_t barrier;
  std::shared_ptr<const TensorBox> box;
};

struct Block {
  Index3 index{};
  int rank = 0;  // in the cluster
  int first_thread = 0, threads = 0;
  std::vector<uint32_t> known;  // clocks at the last barrier of the whole block
  std::array<Barrier, 16> barriers;
  std::map<uint32_t, Mbarrier> mbarriers;  // by shared address
};

// One wgmma of a warpgroup.
struct WgmmaOperation;
struct Warpgroup {
  // From number `first` on.
  std::vector<std::unique_ptr<WgmmaOperation>> operations;
  uint64_t first = 0;
  Warpgroup();
  ~Warpgroup();
  Warpgroup(Warpgroup&&) noexcept;
};

struct Machine {
  // The launch.
  std::string kernel;
  Index3 grid{1, 1, 1}, block{1, 1, 1};
  void* entry = nullptr;
  bool early_start = false;
  Settings settings;
  uint64_t random = 1;
  Result result;
  bool failed = false;
  // Off while the runtime itself works on operands.
  bool watching = false;

  // The cluster.
  std::vector<Block> blocks;
  std::vector<Thread> threads;                       // of all its blocks
  std::vector<std::vector<Collective>> collectives;  // (warp)
  std::vector<Warpgroup> warpgroups;
  std::vector<int> registers;  // a thread's, by warp: setmaxnreg
  int registers_at_start = 0;  // what the kernel says; 0: of one block an SM
  std::vector<Thread*> waiting_for_registers;
  Barrier cluster_barrier;
  size_t threads_ended = 0;
  std::vector<BulkCopy> bulk_copies;  // under way
  std::array<uint32_t, kCopyClocks> copy_clocks{};
  size_t mbarriers_made = 0;
  bool fibers = true;
};

extern Machine g_machine;
inline Machine& machine() { return g_machine; }
#if defined(__SANITIZE_THREAD__)
extern thread_local Thread* g_running;
#else
extern Thread* g_running;
#endif
inline Thread& self() { return *g_running; }
inline Block& block_of(const Thread& thread) {
  return machine().blocks[static_cast<size_t>(thread.block)];
}

// `bound` < 2^32.
inline uint64_t random_below(uint64_t bound) {
  uint64_t& x = g_machine.random;  // xorshift64
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  return (x >> 32) * bound >> 32;
}

// ---- the scheduler: fibers or threads ---------------------------------------------------------

// Runs all threads of the cluster to their ends, or until the launch has failed.
void run_threads(void (*body)());
// Stops the calling thread, which holds the guard of all, until resume() of it.
void suspend(const char* waits_for, const void* site);
void resume(Thread& thread);
// Leaves a launch that has failed.
[[noreturn]] void abandon();

class Guard {
 public:
#if defined(__SANITIZE_THREAD__)
  Guard();
  // Of what only the lanes of one warp touch: no other warp learns of it.
  explicit Guard(size_t warp);
  ~Guard();
#else
  Guard() {}
  explicit Guard(size_t) {}
  ~Guard() {}
#endif
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

 private:
  friend void suspend_and_leave(Guard& guard, const char* waits_for, const void* site);
  std::mutex* held_ = nullptr;
};
// suspend() where nothing more is done under the guard: who is resumed does not take it again, and
// so learns nothing from those who had it meanwhile.
void suspend_and_leave(Guard& guard, const char* waits_for, const void* site);

// ---- memory -----------------------------------------------------------------------------------

// kPeek: a read that may find nothing written; what it finds is poison.
enum class Access { kRead, kPeek, kWrite };

// For every block of the cluster.
void set_dynamic_shared_memory(size_t bytes, size_t blocks);
void reset_shared_memory();  // a cluster begins: poison, and nothing written
// One access by the running thread; an error ends the launch.
void check_access(uintptr_t address, size_t bytes, Access access, const void* site);
// A read of any block's dynamic shared memory.
void check_cluster_read(uintptr_t address, size_t bytes, const void* site);
// The same as check_access for memory that has to be global, of any size.
void check_global(uintptr_t address, size_t bytes, Access access, const void* site);
bool is_shared(uintptr_t address, size_t bytes);

// A place in the cluster's shared memory: a block, and the address there. shared_place: in the
// running thread's block.
struct SharedPlace {
  int block;
  uint32_t address;
};
SharedPlace shared_place(uint32_t address);
unsigned char* shared_bytes(SharedPlace place);
// The address of a wgmma operand: of its block's dynamic shared memory, by its low bits.
uint32_t address_of_operand(uint32_t low_bits);

// A copy was issued or has landed: its destination is nobody's until its issuer has waited.
void mark_pending(uintptr_t destination, size_t bytes, const void* site);
void mark_written(uintptr_t destination, size_t bytes, const void* site);
// Written by a copy whose moment those know who waited for it.
void mark_landed(uintptr_t destination, size_t bytes, Moment moment);
// An asynchronous read of shared memory begins: of written bytes, fenced where ordinary stores
// wrote them. Nobody may write them until it is over, and then who knows of the reader's moment.
// wgmma may read 16 bytes of which nothing was written: rows that no box brought.
enum class Unwritten { kIsAnError, kIsPassedOver };
void begin_async_read(uintptr_t address, size_t bytes, const char* verb, Unwritten unwritten,
                      const void* site);
void check_async_read(uintptr_t address, size_t bytes, const char* verb, Unwritten unwritten,
                      const void* site);
void end_async_read(uintptr_t address, size_t bytes, Moment moment);

// ---- order ------------------------------------------------------------------------------------

// Whether what happened at `moment` is known to the thread to be over.
inline bool is_over(const Thread& thread, Moment moment) {
  if (moment.thread == thread.id) return true;
  const std::vector<uint32_t>& view = thread.view.empty() ? block_of(thread).known : thread.view;
  return moment.clock <= view[moment.thread];
}
// What the running thread knows becomes part of the view; and the other way round.
void release_to(std::vector<uint32_t>& view);
void acquire_from(const std::vector<uint32_t>& view);
// The thread gets to know of one moment; of a view.
void learn(Thread& thread, Moment moment);
void learn(Thread& thread, const std::vector<uint32_t>& view);
std::vector<uint32_t> view_of(const Thread& thread);
void join(std::vector<uint32_t>& into, const std::vector<uint32_t>& from);

// ---- asynchronous copies ----------------------------------------------------------------------

void land_some_copies();  // at a scheduling point, where the timing is seeded
void finish_copies(Thread& thread);
// For a thread that has ended: it may leave no store or wgmma that still reads shared memory.
void finish_stores(Thread& thread);
void finish_wgmma(Thread& thread);
// The cluster's barrier no longer waits for the running thread.
void leave_cluster();
Mbarrier& barrier_at(SharedPlace place, const void* site);
// Checks the destination and makes the copy land at once, or late, as the timing wants it.
void start_bulk_copy(BulkCopy copy, const void* site);
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
// When every thread has ended: who gets the block's shared memory next would find them there.
void report_copies_left();
std::string source_line(const void* site);

}  // namespace emulator
