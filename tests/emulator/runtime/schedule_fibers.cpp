// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// runtime/schedule_fibers.cpp: the threads of a block as fibers of one host thread.
//
// A seeded choice says which warp goes next; its lanes run one after the other, each until it
// waits for others or ends. Nothing else decides the order, so a seed repeats a run exactly.
//==============================================================================
#include <sys/mman.h>
#include <ucontext.h>

#include <bit>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>

#include "runtime/machine.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace emulator {
namespace {

constexpr size_t kStackBytes = 256 * 1024;
constexpr size_t kGuardBytes = 4096;
// Fibers whose stacks began at the same place of their pages would meet in a few sets of the
// host's caches.
constexpr size_t kStackStep = 320, kStackShift = 4096;

class Stack {
 public:
  Stack() {
    base_ = static_cast<char*>(mmap(nullptr, kGuardBytes + kStackBytes, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (base_ == MAP_FAILED || mprotect(base_, kGuardBytes, PROT_NONE) != 0) throw std::bad_alloc();
  }
  ~Stack() { munmap(base_, kGuardBytes + kStackBytes); }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;
  char* low() const { return base_ + kGuardBytes; }
  static size_t bytes_of(const Thread& thread) {
    return kStackBytes - static_cast<size_t>(thread.id) * kStackStep % kStackShift;
  }

 private:
  char* base_;
};

// Where a fiber, or the scheduler, goes on: what __builtin_setjmp keeps. It costs no system call,
// and AddressSanitizer, which is told of each switch, does not see it as an exit from functions.
using Place = void* [5];

struct Fiber {
  std::unique_ptr<Stack> stack = std::make_unique<Stack>();
  Place place;
  bool started;
  void* shadow_stack = nullptr;
};
struct Home {
  Place place;
  void* shadow_stack = nullptr;
  const void* stack = nullptr;
  size_t stack_bytes = 0;
};

struct Scheduler {
  std::vector<std::unique_ptr<Fiber>> fibers;  // kept from block to block
  Home home;
  void (*body)() = nullptr;
  std::vector<uint32_t> ready;  // lanes that can go on, by warp
  size_t unfinished = 0;        // threads
};
Scheduler g_scheduler;

Fiber& fiber_of(const Thread& thread) {
  return *g_scheduler.fibers[static_cast<size_t>(thread.id)];
}

size_t warp_of(const Thread& thread) { return static_cast<size_t>(thread.id) / 32; }
uint32_t lane_bit(const Thread& thread) { return 1u << (thread.id % 32); }

void end() {
  Thread& thread = self();
  thread.done = true;
  g_scheduler.ready[warp_of(thread)] &= ~lane_bit(thread);
  --g_scheduler.unfinished;
}

#if defined(__SANITIZE_ADDRESS__)
void leave_for(const void* stack, size_t bytes, void** shadow_stack) {
  __sanitizer_start_switch_fiber(shadow_stack, stack, bytes);
}
void arrive(void* shadow_stack, const void** from, size_t* from_bytes) {
  __sanitizer_finish_switch_fiber(shadow_stack, from, from_bytes);
}
// What an abandoned launch left there.
void clean(const Stack& stack) { __asan_unpoison_memory_region(stack.low(), kStackBytes); }
#else
void leave_for(const void*, size_t, void**) {}
void arrive(void*, const void**, size_t*) {}
void clean(const Stack&) {}
#endif

[[noreturn, gnu::noinline, gnu::no_sanitize_address]] void jump(Place& place) {
  __builtin_longjmp(place, 1);
}

[[gnu::noinline, gnu::no_sanitize_address]] void to_home(Fiber& fiber, bool for_good) {
  Home& home = g_scheduler.home;
  leave_for(home.stack, home.stack_bytes, for_good ? nullptr : &fiber.shadow_stack);
  if (__builtin_setjmp(fiber.place) == 0) jump(home.place);
  arrive(fiber.shadow_stack, nullptr, nullptr);
}

void enter() {
  Home& home = g_scheduler.home;
  arrive(nullptr, &home.stack, &home.stack_bytes);
  g_scheduler.body();
  end();
  to_home(fiber_of(self()), true);
}

// On a stack of its own.
[[noreturn, gnu::noinline, gnu::no_sanitize_address]] void begin(Fiber& fiber, size_t stack_bytes) {
  ucontext_t context;
  getcontext(&context);
  context.uc_stack.ss_sp = fiber.stack->low();
  context.uc_stack.ss_size = stack_bytes;
  context.uc_link = nullptr;
  makecontext(&context, enter, 0);
  setcontext(&context);
  std::abort();
}

[[gnu::noinline, gnu::no_sanitize_address]] void to_fiber(Fiber& fiber) {
  Home& home = g_scheduler.home;
  const size_t stack_bytes = Stack::bytes_of(self());
  const bool starts = !std::exchange(fiber.started, true);
  if (starts) clean(*fiber.stack);
  leave_for(fiber.stack->low(), stack_bytes, &home.shadow_stack);
  if (__builtin_setjmp(home.place) == 0) {
    if (starts) begin(fiber, stack_bytes);
    jump(fiber.place);
  }
  arrive(home.shadow_stack, nullptr, nullptr);
}

void prepare(size_t threads) {
  while (g_scheduler.fibers.size() < threads) {
    g_scheduler.fibers.push_back(std::make_unique<Fiber>());
  }
  g_scheduler.ready.assign((threads + 31) / 32, 0);
  g_scheduler.unfinished = threads;
  for (Thread& thread : machine().threads) {
    g_scheduler.ready[warp_of(thread)] |= lane_bit(thread);
    Fiber& fiber = fiber_of(thread);
    fiber.started = false;
    thread.stack_low = reinterpret_cast<uintptr_t>(fiber.stack->low());
    thread.stack_high = thread.stack_low + kStackBytes;
  }
}

void run_one(Thread& thread) {
  g_running = &thread;
  to_fiber(fiber_of(thread));
  g_running = nullptr;
}

// Runs each ready lane of the warp once, those too that get ready before their turn. False where
// none was ready.
bool run_warp(size_t warp) {
  Machine& m = machine();
  const bool backwards = random_below(2) != 0;
  uint32_t to_come = ~uint32_t{0};
  bool ran = false;
  while (!m.failed) {
    const uint32_t ready = g_scheduler.ready[warp] & to_come;
    if (ready == 0) break;
    const int lane = backwards ? std::bit_width(ready) - 1 : std::countr_zero(ready);
    to_come = backwards ? (uint32_t{1} << lane) - 1 : ~uint32_t{0} << lane << 1;
    run_one(m.threads[warp * 32 + static_cast<size_t>(lane)]);
    ran = true;
  }
  return ran;
}

}  // namespace

Thread* g_running = nullptr;

void run_threads(void (*body)()) {
  Machine& m = machine();
  g_scheduler.body = body;
  prepare(m.threads.size());
  const size_t warps = (m.threads.size() + 31) / 32;
  std::vector<size_t> order(warps);
  for (size_t i = 0; i < warps; ++i) order[i] = i;
  for (;;) {
    for (size_t i = warps; i > 1; --i) std::swap(order[i - 1], order[random_below(i)]);
    bool ran = false;
    for (size_t warp : order) {
      // A warp may go on for several rounds while others stand.
      while (!m.failed && run_warp(warp)) {
        ran = true;
        if (random_below(2) == 0) break;
      }
      land_some_copies();
    }
    if (m.failed) return;
    if (g_scheduler.unfinished == 0) return;
    if (!ran && !land_a_bulk_copy() && !let_pollers_poll()) return report_deadlock();
  }
}

void suspend(const char* waits_for, const void* site) {
  Thread& thread = self();
  thread.waits_for = waits_for;
  thread.waits_at = site;
  g_scheduler.ready[warp_of(thread)] &= ~lane_bit(thread);
  to_home(fiber_of(thread), false);
}

void suspend_and_leave(Guard&, const char* waits_for, const void* site) {
  suspend(waits_for, site);
}

void resume(Thread& thread) { g_scheduler.ready[warp_of(thread)] |= lane_bit(thread); }

void abandon() {
  to_home(fiber_of(self()), true);
  std::abort();  // nobody resumes a thread of a failed launch
}

}  // namespace emulator
