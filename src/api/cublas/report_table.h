// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// api/cublas/report_table.h: the rows of the report, one for each different call.
// Not thread-safe: report.cpp holds a lock.
//==============================================================================
#pragma once

#include <cstdint>
#include <cstdio>

#include "api/cublas/driver_calls.h"

namespace myblas::dropin {

struct EventPair {
  Event begin = nullptr;
  Event end = nullptr;
};

class ReportTable {
 public:
  // Counts one call; takes over the events, whose times are read later. Does not wait for the GPU.
  void add(const char* routine, const char* type, const char* sizes, const char* outcome,
           EventPair events);

  // Reads the events that are left, waiting for them, and prints, the costliest row first.
  void print(std::FILE* file);

  bool is_empty() const { return row_count_ == 0; }
  // Forgets all rows, and the events that were not read.
  void clear();

 private:
  struct Row {
    char routine[56];
    char type[24];
    char sizes[56];
    char outcome[96];
    uint64_t calls;
    uint64_t timed_calls;
    double gpu_ms;
  };
  struct Pending {
    int row;
    EventPair events;
  };

  Row* find_or_add(const char* routine, const char* type, const char* sizes, const char* outcome);
  bool make_room_for_pending();
  enum class Read { kFinished, kAll };
  void read_pending(Read which);

  Row* rows_ = nullptr;
  int row_count_ = 0;
  int row_capacity_ = 0;
  uint64_t calls_without_row_ = 0;
  Pending* pending_ = nullptr;
  int pending_count_ = 0;
  int pending_capacity_ = 0;
};

}  // namespace myblas::dropin
