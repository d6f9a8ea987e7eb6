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

// Kept from block to block: under ThreadSanitizer a thread is dear to make and to end.
class Workers {
 public:
  ~Workers() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      over_ = true;
    }
    begin_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }

  // All of the machine's threads, from their beginning to their end.
  void run(void (*body)()) {
    std::unique_lock<std::mutex> lock(mutex_);
    body_ = body;
    count_ = running_ = machine().threads.size();
    while (workers_.size() < count_) {
      workers_.emplace_back(
          [this, index = workers_.size(), round = round_] { work(index, round); });
    }
    ++round_;
    begin_.notify_all();
    end_.wait(lock, [this] { return running_ == 0; });
  }

 private:
  void work(size_t index, uint64_t round) {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      begin_.wait(lock, [&] { return over_ || (round_ != round && index < count_); });
      if (over_) return;
      round = round_;
      lock.unlock();
      g_running = &machine().threads[index];
      body_();
      lock.lock();
      if (--running_ == 0) end_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable begin_, end_;
  std::vector<std::thread> workers_;
  uint64_t round_ = 0;  // one a block
  size_t count_ = 0, running_ = 0;
  bool over_ = false;
  void (*body_)() = nullptr;
};

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
  static Workers workers;
  workers.run(body);
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
