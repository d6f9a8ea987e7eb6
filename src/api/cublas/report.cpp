// SPDX-License-Identifier: BSD-3-Clause
#include "api/cublas/report.h"

#include <pthread.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "api/cublas/report_table.h"
#include "api/dropin_hooks.h"

namespace myblas::dropin {

std::atomic<bool> g_reporting{false};

namespace {

constexpr int kTextBytes = 96;

pthread_mutex_t g_mutex = PTHREAD_MUTEX_INITIALIZER;
ReportTable g_table;
pid_t g_table_owner = 0;  // the process whose calls the table holds

const char* type_text(int32_t type) {
  switch (type) {
    case MYBLAS_R_32F: return "f32";
    case MYBLAS_R_64F: return "f64";
    case MYBLAS_R_16F: return "f16";
    case MYBLAS_R_8I: return "s8";
    case MYBLAS_C_32F: return "c32";
    case MYBLAS_C_64F: return "c64";
    case MYBLAS_C_8I: return "cs8";
    case MYBLAS_R_32I: return "s32";
    case MYBLAS_R_16BF: return "bf16";
    default: return "?";
  }
}

const char* compute_text(int32_t compute) {
  switch (compute) {
    case MYBLAS_COMPUTE_16F:
    case MYBLAS_COMPUTE_16F_PEDANTIC: return "f16";
    case MYBLAS_COMPUTE_32F:
    case MYBLAS_COMPUTE_32F_PEDANTIC: return "f32";
    case MYBLAS_COMPUTE_64F:
    case MYBLAS_COMPUTE_64F_PEDANTIC: return "f64";
    case MYBLAS_COMPUTE_32I:
    case MYBLAS_COMPUTE_32I_PEDANTIC: return "s32";
    case MYBLAS_COMPUTE_32F_FAST_16F: return "by f16";
    case MYBLAS_COMPUTE_32F_FAST_16BF: return "by bf16";
    case MYBLAS_COMPUTE_32F_FAST_TF32: return "by tf32";
    case MYBLAS_COMPUTE_32F_EMULATED_16BFX9: return "by bf16x9";
    case MYBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT: return "by fixed";
    default: return type_text(compute);  // CUDA 10's way; SgemmEx and CgemmEx have none, 0: "f32"
  }
}

const char* letter_text(char letter) {
  switch (letter) {
    case 'S': return "f32";
    case 'D': return "f64";
    case 'C': return "c32";
    case 'Z': return "c64";
    case 'H': return "f16";
    case 'T': return "bf16";
    default: return "-";
  }
}

void describe_type(const CallShape& shape, char* text) {
  if (shape.type_count == 3) {
    std::snprintf(text, kTextBytes, "%s->%s %s", type_text(shape.types[0]),
                  type_text(shape.types[2]), compute_text(shape.compute));
  } else {
    std::snprintf(text, kTextBytes, "%s", letter_text(shape.letter));
  }
}

void describe_sizes(const CallShape& shape, char* text) {
  if (shape.grouped) {
    std::snprintf(text, kTextBytes, "%" PRId64 " groups", shape.integers[0]);
    return;
  }
  if (shape.integer_count < 3) {
    std::snprintf(text, kTextBytes, "-");
    return;
  }
  static constexpr char kOps[] = {'N', 'T', 'C'};
  const auto op_text = [](int32_t op) { return op >= 0 && op < 3 ? kOps[op] : '?'; };
  int length = 0;
  if (shape.is_gemv()) {
    length = std::snprintf(text, kTextBytes, "%c %" PRId64 "x%" PRId64, op_text(shape.ops[0]),
                           shape.integers[0], shape.integers[1]);
  } else {
    length = std::snprintf(text, kTextBytes, "%c%c %" PRId64 "x%" PRId64 "x%" PRId64,
                           op_text(shape.ops[0]), op_text(shape.ops[1]), shape.integers[0],
                           shape.integers[1], shape.integers[2]);
  }
  if (shape.has_batch_count() && length > 0 && length < kTextBytes) {
    std::snprintf(text + length, static_cast<size_t>(kTextBytes - length), " *%" PRId64,
                  shape.integers[shape.integer_count - 1]);
  }
}

void log_forwarded(Name name, const char* reason) {
  if (myblasDropinLogEnabled() == 0) return;
  char line[512];
  std::snprintf(line, sizeof line, "myblas: %s -> forwarded (%s)", text_of(name), reason);
  myblasDropinLog(line);
}

void print_report() {
  // A forked child that made no call has its parent's table and nothing to say.
  if (g_table_owner != getpid()) return;
  pthread_mutex_lock(&g_mutex);
  if (g_table.is_empty()) {  // printed already
    pthread_mutex_unlock(&g_mutex);
    return;
  }
  const char* destination = std::getenv("MYBLAS_REPORT");
  const bool to_file = destination != nullptr && std::strcmp(destination, "1") != 0;
  FILE* file = to_file ? std::fopen(destination, "ae") : stderr;
  if (file == nullptr) file = stderr;
  g_table.print(file);
  if (file != stderr) std::fclose(file);
  g_table.clear();
  pthread_mutex_unlock(&g_mutex);
}

// Exit handlers run in the reverse order, and the events' times have to be read before CUDA's own
// run. Those are there once a product has been computed, but perhaps not at an earlier cublas call:
// a handler of each, and the first that runs prints.
void print_at_exit(std::atomic<bool>* is_registered) {
  if (!is_registered->load(std::memory_order_relaxed) && !is_registered->exchange(true)) {
    std::atexit(&print_report);
  }
}

void add_row(Name name, const char* type, const char* sizes, const char* outcome,
             EventPair events) {
  pthread_mutex_lock(&g_mutex);
  const pid_t self = getpid();
  if (g_table_owner != self) {
    g_table.clear();  // after a fork: the parent prints those rows
    g_table_owner = self;
  }
  g_table.add(text_of(name), type, sizes, outcome, events);
  pthread_mutex_unlock(&g_mutex);
}

Event make_event(const DriverCalls& driver) {
  Event event = nullptr;
  return driver.event_create(&event, 0) == 0 ? event : nullptr;
}

}  // namespace

void read_report_environment() {
  const char* destination = std::getenv("MYBLAS_REPORT");
  if (destination == nullptr || destination[0] == '\0' || std::strcmp(destination, "0") == 0) {
    return;
  }
  g_reporting.store(true);
}

void note_forwarded(Name name, const char* reason) {
  log_forwarded(name, reason);
  if (!report_enabled()) return;
  char outcome[kTextBytes];
  std::snprintf(outcome, sizeof outcome, "forwarded (%s)", reason);
  add_row(name, "-", "-", outcome, {});
  static std::atomic<bool> is_registered{false};
  print_at_exit(&is_registered);
}

CallRecord::CallRecord(Name name, const CallShape& shape, std::optional<myblasStream_t> stream)
    : name_(name), shape_(shape), stream_(stream.value_or(nullptr)) {
  if (!report_enabled() || !stream) return;
  const DriverCalls* driver = driver_calls();
  int capturing = 0;
  if (driver == nullptr || driver->stream_is_capturing(stream_, &capturing) != 0 ||
      capturing != 0) {
    return;
  }
  begin_ = make_event(*driver);
  if (begin_ != nullptr && driver->event_record(begin_, stream_) != 0) {
    driver->event_destroy(begin_);
    begin_ = nullptr;
  }
}

CallRecord::~CallRecord() {
  if (begin_ != nullptr) driver_calls()->event_destroy(begin_);
}

void CallRecord::forwarded(const char* reason) {
  log_forwarded(name_, reason);
  char outcome[kTextBytes];
  std::snprintf(outcome, sizeof outcome, "forwarded (%s)", reason);
  finish(outcome);
}

void CallRecord::served_or_refused(myblasStatus_t status) {
  char outcome[kTextBytes];
  if (status == MYBLAS_STATUS_SUCCESS) {
    if (myblasGetLastKernelName(outcome, sizeof outcome) != MYBLAS_STATUS_SUCCESS) {
      std::snprintf(outcome, sizeof outcome, "served");
    }
  } else {
    std::snprintf(outcome, sizeof outcome, "%s", myblasGetStatusName(status));
  }
  finish(outcome);
}

void CallRecord::finish(const char* outcome) {
  if (!report_enabled()) return;
  EventPair events;
  if (begin_ != nullptr) {
    const DriverCalls& driver = *driver_calls();
    Event end = make_event(driver);
    if (end != nullptr && driver.event_record(end, stream_) == 0) {
      events = {begin_, end};
      begin_ = nullptr;  // the table's from here on
    } else if (end != nullptr) {
      driver.event_destroy(end);
    }
  }
  char type[kTextBytes];
  char sizes[kTextBytes];
  describe_type(shape_, type);
  describe_sizes(shape_, sizes);
  add_row(name_, type, sizes, outcome, events);
  static std::atomic<bool> is_registered{false};
  print_at_exit(&is_registered);
}

}  // namespace myblas::dropin
