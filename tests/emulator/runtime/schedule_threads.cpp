// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// runtime/schedule_threads.cpp: the threads of a block as host threads, for ThreadSanitizer.
//
// A thread that waits is woken by a semaphore of its own, by the thread that ends its wait, and so
// knows what that thread knew; and warps have locks of their own. A lock taken on waking, or by one
// warp after another, would tell a thread of whatever others had done by then, and a race would be
// seen or not as the host's scheduler has it. An error ends the program.
//==============================================================================
#include <semaphore.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

#include "runtime/machine.h"

namespace emulator {
namespace {

class Semaphore {
 public:
  Semaphore() { sem_init(&semaphore_, 0, 0); }
  ~Semaphore() { sem_destroy(&semaphore_); }
  Semaphore(const Semaphore&) = delete;
  Semaphore& operator=(const Semaphore&) = delete;
  void post() { sem_post(&semaphore_); }
  void wait() {
    while (sem_wait(&semaphore_) != 0 && errno == EINTR) {
    }
  }

 private:
  sem_t semaphore_;
};

std::mutex g_mutex;
std::deque<std::mutex> g_warp_mutexes;
std::deque<Semaphore> g_wake;  // by thread

// Kept from block to block: under ThreadSanitizer a thread is dear to make and to end.
class Workers {
 public:
  ~Workers() {
    body_ = nullptr;
    for (Worker& worker : workers_) worker.begin.post();
    for (Worker& worker : workers_) worker.thread.join();
  }

  // All of the machine's threads, from their beginning to their end.
  void run(void (*body)()) {
    body_ = body;
    const size_t count = machine().threads.size();
    while (workers_.size() < count) {
      const size_t index = workers_.size();
      Worker& worker = workers_.emplace_back();
      worker.thread = std::thread([this, &worker, index] {
        for (worker.begin.wait(); body_ != nullptr; worker.begin.wait()) {
          g_running = &machine().threads[index];
          body_();
          end_.post();
        }
      });
    }
    for (size_t i = 0; i < count; ++i) workers_[i].begin.post();
    for (size_t i = 0; i < count; ++i) end_.wait();
  }

 private:
  struct Worker {
    Semaphore begin;
    std::thread thread;
  };
  std::deque<Worker> workers_;
  Semaphore end_;
  void (*body_)() = nullptr;  // none: the workers end
};

}  // namespace

thread_local Thread* g_running = nullptr;

Guard::Guard() : held_(&g_mutex) { held_->lock(); }
Guard::Guard(size_t warp) : held_(&g_warp_mutexes[warp]) { held_->lock(); }
Guard::~Guard() {
  if (held_ != nullptr) held_->unlock();
}

void run_threads(void (*body)()) {
  Machine& m = machine();
  m.fibers = false;
  while (g_wake.size() < m.threads.size()) g_wake.emplace_back();
  while (g_warp_mutexes.size() < m.collectives.size()) g_warp_mutexes.emplace_back();
  static Workers workers;
  workers.run(body);
}

void suspend_and_leave(Guard& guard, const char*, const void*) {
  std::exchange(guard.held_, nullptr)->unlock();
  g_wake[static_cast<size_t>(self().id)].wait();
}

void suspend(const char*, const void*) {
  g_mutex.unlock();
  g_wake[static_cast<size_t>(self().id)].wait();
  g_mutex.lock();
}

void resume(Thread& thread) { g_wake[static_cast<size_t>(thread.id)].post(); }

void abandon() {
  std::fprintf(stderr, "%s\n", machine().result.error.c_str());
  _exit(1);
}

}  // namespace emulator
