// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// runtime/schedule_threads.cpp: the threads of a block as host threads, for ThreadSanitizer.
//
// Barriers and collectives go through one mutex, which orders memory as they do. Nothing else
// takes it: what has no barrier in the kernel has none here. An error ends the program.
//==============================================================================
#include <unistd.h>

#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>

#include "runtime/machine.h"

namespace emulator {
namespace {

std::mutex g_mutex;
std::vector<std::unique_ptr<std::condition_variable>> g_wake;  // by thread

}  // namespace

thread_local Thread* g_running = nullptr;

Guard::Guard() { g_mutex.lock(); }
Guard::~Guard() { g_mutex.unlock(); }

void run_threads(void (*body)()) {
  Machine& m = machine();
  m.fibers = false;
  while (g_wake.size() < m.threads.size()) {
    g_wake.push_back(std::make_unique<std::condition_variable>());
  }
  std::vector<std::thread> threads;
  for (Thread& thread : m.threads) {
    threads.emplace_back([&thread, body] {
      g_running = &thread;
      body();
    });
  }
  for (std::thread& thread : threads) thread.join();
}

void suspend(const char* waits_for, const void* site) {
  Thread& thread = self();
  thread.waits_for = waits_for;
  thread.waits_at = site;
  thread.waiting = true;
  std::unique_lock<std::mutex> lock(g_mutex, std::adopt_lock);
  g_wake[static_cast<size_t>(thread.id)]->wait(lock, [&] { return !thread.waiting; });
  lock.release();
}

void resume(Thread& thread) {
  thread.waiting = false;
  g_wake[static_cast<size_t>(thread.id)]->notify_one();
}

void abandon() {
  std::fprintf(stderr, "%s\n", machine().result.error.c_str());
  _exit(1);
}

}  // namespace emulator
