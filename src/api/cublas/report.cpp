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
    default: return "f32";  // SgemmEx and CgemmEx have no such argument
  }
}

const char* letter_text(char letter) {
  switch (letter) {
    case 'S': return "f32";
    case 'D': return "f64";
    case 'C': return "c32";
    case 'Z': return "c64";
    case 'H': return "f16";
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
  const int length = std::snprintf(text, kTextBytes, "%c%c %" PRId64 "x%" PRId64 "x%" PRId64,
                                   op_text(shape.ops[0]), op_text(shape.ops[1]), shape.integers[0],
                                   shape.integers[1], shape.integers[2]);
  if (shape.integer_count == 7 && length > 0 && length < kTextBytes) {
    std::snprintf(text + length, static_cast<size_t>(kTextBytes - length), " *%" PRId64,
                  shape.integers[6]);
  }
}

void log_forwarded(Name name, const char* reason) {
  if (myblasDropinLogEnabled() == 0) return;
  char line[512];
  std::snprintf(line, sizeof line, "myblas: %s -> forwarded (%s)", text_of(name), reason);
  myblasDropinLog(line);
}

// At exit: CUDA's own exit handlers were registered before the first cublas call, and so run
// after this one.
void print_report() {
  pthread_mutex_lock(&g_mutex);
  const char* destination = std::getenv("MYBLAS_REPORT");
  const bool to_file = destination != nullptr && std::strcmp(destination, "1") != 0;
  FILE* file = to_file ? std::fopen(destination, "ae") : stderr;
  if (file == nullptr) file = stderr;
  g_table.print(file);
  if (file != stderr) std::fclose(file);
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
  if (!g_reporting.exchange(true)) std::atexit(&print_report);
}

void note_forwarded(Name name, const char* reason) {
  log_forwarded(name, reason);
  if (!report_enabled()) return;
  char outcome[kTextBytes];
  std::snprintf(outcome, sizeof outcome, "forwarded (%s)", reason);
  pthread_mutex_lock(&g_mutex);
  g_table.add(text_of(name), "-", "-", outcome, {});
  pthread_mutex_unlock(&g_mutex);
}

CallRecord::CallRecord(Name name, const CallShape& shape, myblasStream_t stream)
    : name_(name), shape_(shape), stream_(stream) {
  if (!report_enabled()) return;
  const DriverCalls* driver = driver_calls();
  int capturing = 0;
  if (driver == nullptr || driver->stream_is_capturing(stream, &capturing) != 0 || capturing != 0) {
    return;
  }
  begin_ = make_event(*driver);
  if (begin_ != nullptr && driver->event_record(begin_, stream) != 0) {
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
  pthread_mutex_lock(&g_mutex);
  g_table.add(text_of(name_), type, sizes, outcome, events);
  pthread_mutex_unlock(&g_mutex);
}

}  // namespace myblas::dropin
