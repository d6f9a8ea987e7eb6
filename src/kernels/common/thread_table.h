// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/thread_table.h: a table that each thread has for itself, from its first
// use to its end.
//
// Not in thread-local memory: that of a preloaded library is taken out of the stack of every thread
// of the process, of those that never multiply too, and small stacks then hold none (26 KB did not
// leave 32 KB enough).
//==============================================================================
#pragma once

#include <pthread.h>

#include <cstddef>
#include <new>

namespace myblas {

// Entry: value-initialised at first. One table a thread and Entry.
template <class Entry, size_t kEntries>
class ThreadTable {
 public:
  // The calling thread's; null where there is no memory for it.
  static Entry* entries() {
    if (t_entries == nullptr) [[unlikely]]
      t_entries = make();
    return t_entries;
  }

 private:
  // NOTE: never deleted: the library stays where it is (-z nodelete), and ADR 2 wants no
  // destructor.
  struct EndOfThread {
    pthread_key_t key{};
    const bool exists = pthread_key_create(&key, &release) == 0;
  };

  static Entry* make() {
    static const EndOfThread end_of_thread;
    auto* entries = new (std::nothrow) Entry[kEntries]();
    if (entries != nullptr && end_of_thread.exists) {
      pthread_setspecific(end_of_thread.key, entries);
    }
    return entries;
  }

  static void release(void* entries) {
    t_entries = nullptr;
    delete[] static_cast<Entry*>(entries);
  }

  static inline constinit thread_local Entry* t_entries = nullptr;
};

}  // namespace myblas
