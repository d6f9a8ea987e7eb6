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
  // Counts one call; takes over the events, whose times are read later.
  void add(const char* routine, const char* type, const char* sizes, const char* outcome,
           EventPair events);

  // Reads the events that are left and prints, the costliest row first.
  void print(std::FILE* file);

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
  void read_pending();

  static constexpr int kMaxPending = 1024;
  Row* rows_ = nullptr;
  int row_count_ = 0;
  int row_capacity_ = 0;
  uint64_t calls_without_row_ = 0;
  Pending pending_[kMaxPending] = {};
  int pending_count_ = 0;
};

}  // namespace myblas::dropin
