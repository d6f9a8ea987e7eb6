// SPDX-License-Identifier: BSD-3-Clause
#include "api/cublas/report_table.h"

#include <unistd.h>

#include <cinttypes>
#include <cstdlib>
#include <cstring>

namespace myblas::dropin {
namespace {

constexpr int kRelaxedCapture = 2;  // CU_STREAM_CAPTURE_MODE_RELAXED
constexpr int kNotReady = 600;      // CUDA_ERROR_NOT_READY
constexpr int kFirstPending = 1024;

void destroy(const EventPair& events) {
  if (const DriverCalls* driver = driver_calls()) {
    driver->event_destroy(events.begin);
    driver->event_destroy(events.end);
  }
}

template <size_t kSize>
bool holds(const char (&field)[kSize], const char* text) {
  return std::strncmp(field, text, kSize - 1) == 0;
}

template <size_t kSize>
void put(char (&field)[kSize], const char* text) {
  std::snprintf(field, kSize, "%s", text);
}

}  // namespace

ReportTable::Row* ReportTable::find_or_add(const char* routine, const char* type, const char* sizes,
                                           const char* outcome) {
  for (int i = 0; i < row_count_; ++i) {
    Row& row = rows_[i];
    if (holds(row.routine, routine) && holds(row.type, type) && holds(row.sizes, sizes) &&
        holds(row.outcome, outcome)) {
      return &row;
    }
  }
  if (row_count_ == row_capacity_) {
    const int capacity = row_capacity_ == 0 ? 64 : 2 * row_capacity_;
    auto* rows =
        static_cast<Row*>(std::realloc(rows_, static_cast<size_t>(capacity) * sizeof(Row)));
    if (rows == nullptr) return nullptr;
    rows_ = rows;
    row_capacity_ = capacity;
  }
  Row& row = rows_[row_count_++];
  row = Row{};
  put(row.routine, routine);
  put(row.type, type);
  put(row.sizes, sizes);
  put(row.outcome, outcome);
  return &row;
}

void ReportTable::add(const char* routine, const char* type, const char* sizes, const char* outcome,
                      EventPair events) {
  Row* row = find_or_add(routine, type, sizes, outcome);
  if (row == nullptr) {
    ++calls_without_row_;
    return;
  }
  ++row->calls;
  if (events.begin == nullptr) return;
  if (pending_count_ == pending_capacity_ && !make_room_for_pending()) {
    destroy(events);  // out of memory: a call without its time
    return;
  }
  pending_[pending_count_++] = {static_cast<int>(row - rows_), events};
}

// Reads what is finished, and doubles the places unless that made half of them free. The driver
// bounds how many calls are under way, and so how many places there come to be.
bool ReportTable::make_room_for_pending() {
  read_pending(Read::kFinished);
  if (pending_capacity_ != 0 && pending_count_ <= pending_capacity_ / 2) return true;
  const int capacity = pending_capacity_ == 0 ? kFirstPending : 2 * pending_capacity_;
  auto* pending = static_cast<Pending*>(
      std::realloc(pending_, static_cast<size_t>(capacity) * sizeof(Pending)));
  if (pending == nullptr) return pending_count_ < pending_capacity_;
  pending_ = pending;
  pending_capacity_ = capacity;
  return true;
}

void ReportTable::read_pending(Read which) {
  const DriverCalls* driver = driver_calls();
  if (driver == nullptr || pending_count_ == 0) return;
  // Asking for an event must not spoil a graph capture that another thread has begun.
  int capture_mode = kRelaxedCapture;
  driver->exchange_capture_mode(&capture_mode);
  int kept = 0;
  for (int i = 0; i < pending_count_; ++i) {
    const Pending pending = pending_[i];
    const EventPair& events = pending.events;
    const int state = which == Read::kAll ? driver->event_synchronize(events.end)
                                          : driver->event_query(events.end);
    if (state == kNotReady) {
      pending_[kept++] = pending;
      continue;
    }
    float ms = 0.0f;
    if (state == 0 && driver->event_elapsed_ms(&ms, events.begin, events.end) == 0) {
      Row& row = rows_[pending.row];
      row.gpu_ms += static_cast<double>(ms);
      ++row.timed_calls;
    }
    destroy(events);
  }
  pending_count_ = kept;
  driver->exchange_capture_mode(&capture_mode);
}

void ReportTable::clear() {
  row_count_ = 0;
  calls_without_row_ = 0;
  pending_count_ = 0;
}

void ReportTable::print(std::FILE* file) {
  read_pending(Read::kAll);
  if (row_count_ == 0) return;
  std::qsort(rows_, static_cast<size_t>(row_count_), sizeof(Row), [](const void* a, const void* b) {
    const auto& left = *static_cast<const Row*>(a);
    const auto& right = *static_cast<const Row*>(b);
    if (left.gpu_ms != right.gpu_ms) return left.gpu_ms > right.gpu_ms ? -1 : 1;
    if (left.calls != right.calls) return left.calls > right.calls ? -1 : 1;
    return std::strcmp(left.routine, right.routine);
  });
  double total_ms = 0.0;
  for (int i = 0; i < row_count_; ++i) total_ms += rows_[i].gpu_ms;
  std::fprintf(file, "\nmyblas report, process %d\n%-34s %-18s %-26s %9s %10s %6s  %s\n",
               static_cast<int>(getpid()), "routine", "type", "shape", "calls", "GPU ms", "share",
               "served by");
  for (int i = 0; i < row_count_; ++i) {
    const Row& row = rows_[i];
    char ms[24] = "-";
    char share[16] = "-";
    if (row.timed_calls != 0) {
      std::snprintf(ms, sizeof ms, "%.3f", row.gpu_ms);
      if (total_ms > 0.0) {
        std::snprintf(share, sizeof share, "%.1f%%", 100.0 * row.gpu_ms / total_ms);
      }
    }
    std::fprintf(file, "%-34s %-18s %-26s %9" PRIu64 " %10s %6s  %s\n", row.routine, row.type,
                 row.sizes, row.calls, ms, share, row.outcome);
  }
  if (calls_without_row_ != 0) {
    std::fprintf(file, "(%" PRIu64 " calls more: out of memory)\n", calls_without_row_);
  }
}

}  // namespace myblas::dropin
