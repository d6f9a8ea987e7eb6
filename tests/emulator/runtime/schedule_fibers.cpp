// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// runtime/schedule_fibers.cpp: the threads of a block as fibers of one host thread.
//
// A seeded choice says which warp goes next; its lanes run one after the other, each until it
// waits for others or ends. Nothing else decides the order, so a seed repeats a run exactly.
//==============================================================================
#include <setjmp.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <cstdlib>
#include <memory>
#include <new>

#include "runtime/machine.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace emulator {
namespace {

constexpr size_t kStackBytes = 256 * 1024;
constexpr size_t kGuardBytes = 4096;

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

 private:
  char* base_;
};

// Switching by jumps needs no system call; AddressSanitizer understands contexts only.
#if defined(__SANITIZE_ADDRESS__)
struct Fiber {
  std::unique_ptr<Stack> stack = std::make_unique<Stack>();
  ucontext_t context;
  bool started;
  void* shadow_stack;
};
struct Home {
  ucontext_t context;
  void* shadow_stack = nullptr;
  const void* stack = nullptr;
  size_t stack_bytes = 0;
};
#else
struct Fiber {
  std::unique_ptr<Stack> stack = std::make_unique<Stack>();
  jmp_buf jump;
  bool started;
};
struct Home {
  jmp_buf jump;
};
#endif

struct Scheduler {
  std::vector<std::unique_ptr<Fiber>> fibers;  // kept from block to block
  Home home;
  Thread* running = nullptr;
  void (*body)() = nullptr;
};
Scheduler g_scheduler;

Fiber& fiber_of(const Thread& thread) {
  return *g_scheduler.fibers[static_cast<size_t>(thread.id)];
}

#if defined(__SANITIZE_ADDRESS__)

void to_home(Fiber& fiber, bool for_good) {
  __sanitizer_start_switch_fiber(for_good ? nullptr : &fiber.shadow_stack, g_scheduler.home.stack,
                                 g_scheduler.home.stack_bytes);
  swapcontext(&fiber.context, &g_scheduler.home.context);
  __sanitizer_finish_switch_fiber(fiber.shadow_stack, nullptr, nullptr);
}

void enter() {
  Fiber& fiber = fiber_of(*g_scheduler.running);
  __sanitizer_finish_switch_fiber(nullptr, &g_scheduler.home.stack, &g_scheduler.home.stack_bytes);
  g_scheduler.body();
  self().done = true;
  to_home(fiber, true);
}

void to_fiber(Fiber& fiber) {
  if (!fiber.started) {
    fiber.started = true;
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack->low();
    fiber.context.uc_stack.ss_size = kStackBytes;
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, enter, 0);
  }
  __sanitizer_start_switch_fiber(&g_scheduler.home.shadow_stack, fiber.stack->low(), kStackBytes);
  swapcontext(&g_scheduler.home.context, &fiber.context);
  __sanitizer_finish_switch_fiber(g_scheduler.home.shadow_stack, nullptr, nullptr);
}

#else

void to_home(Fiber& fiber, bool) {
  if (_setjmp(fiber.jump) == 0) _longjmp(g_scheduler.home.jump, 1);
}

void enter() {
  g_scheduler.body();
  self().done = true;
  to_home(fiber_of(self()), true);
}

void to_fiber(Fiber& fiber) {
  if (_setjmp(g_scheduler.home.jump) != 0) return;
  if (fiber.started) _longjmp(fiber.jump, 1);
  fiber.started = true;
  ucontext_t context;
  getcontext(&context);
  context.uc_stack.ss_sp = fiber.stack->low();
  context.uc_stack.ss_size = kStackBytes;
  context.uc_link = nullptr;
  makecontext(&context, enter, 0);
  setcontext(&context);
}

#endif

void prepare(size_t threads) {
  while (g_scheduler.fibers.size() < threads) {
    g_scheduler.fibers.push_back(std::make_unique<Fiber>());
  }
  for (Thread& thread : machine().threads) {
    Fiber& fiber = fiber_of(thread);
    fiber.started = false;
    thread.stack_low = reinterpret_cast<uintptr_t>(fiber.stack->low());
    thread.stack_high = thread.stack_low + kStackBytes;
  }
}

void run_one(Thread& thread) {
  g_scheduler.running = &thread;
  to_fiber(fiber_of(thread));
  g_scheduler.running = nullptr;
}

// Runs each ready lane of the warp once. False where none was ready.
bool run_warp(size_t warp, size_t warps) {
  Machine& m = machine();
  const size_t first = warp * 32;
  const size_t lanes = warp + 1 == warps ? m.threads.size() - first : 32;
  const bool backwards = random_below(2) != 0;
  bool ran = false;
  for (size_t i = 0; i < lanes && !m.failed; ++i) {
    Thread& thread = m.threads[first + (backwards ? lanes - 1 - i : i)];
    if (thread.done || thread.waiting) continue;
    run_one(thread);
    ran = true;
  }
  return ran;
}

}  // namespace

Guard::Guard() {}
Guard::~Guard() {}

Thread& self() { return *g_scheduler.running; }

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
      while (!m.failed && run_warp(warp, warps)) {
        ran = true;
        if (random_below(2) == 0) break;
      }
      land_some_copies();
    }
    if (m.failed) return;
    bool all_done = true;
    for (const Thread& thread : m.threads) all_done = all_done && thread.done;
    if (all_done) return;
    if (!ran && !land_a_bulk_copy() && !let_pollers_poll()) return report_deadlock();
  }
}

void suspend(const char* waits_for, const void* site) {
  Thread& thread = self();
  thread.waits_for = waits_for;
  thread.waits_at = site;
  thread.waiting = true;
  to_home(fiber_of(thread), false);
}

void resume(Thread& thread) { thread.waiting = false; }

void abandon() {
  to_home(fiber_of(self()), true);
  std::abort();  // nobody resumes a thread of a failed launch
}

}  // namespace emulator
