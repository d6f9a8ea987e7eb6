// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// api/cublas/report.h: what became of each call, for the log and for the table
// that MYBLAS_REPORT (myblas-run --report) prints when the program ends.
//
// Nothing here runs unless a log or a report is asked for.
//==============================================================================
#pragma once

#include <atomic>
#include <optional>

#include "api/cublas/call_shape.h"
#include "api/cublas/driver_calls.h"
#include "api/cublas/names.h"
#include "myblas.h"

namespace myblas::dropin {

// Whether MYBLAS_REPORT is set: "1" prints to stderr, another value is a file to append to.
// Known once the first cublas call has looked for the real library.
extern std::atomic<bool> g_reporting;
inline bool report_enabled() { return g_reporting.load(std::memory_order_relaxed); }
void read_report_environment();

// A forwarded call of which only the name is known.
void note_forwarded(Name name, const char* reason);

// One matrix product: construct, make the call, say what became of it. Where the report is on and
// the stream is known and not being captured, two events time it on the GPU.
class CallRecord {
 public:
  CallRecord(Name name, const CallShape& shape, std::optional<myblasStream_t> stream);
  ~CallRecord();
  CallRecord(const CallRecord&) = delete;
  CallRecord& operator=(const CallRecord&) = delete;

  void forwarded(const char* reason);
  void served_or_refused(myblasStatus_t status);

 private:
  void finish(const char* outcome);

  Name name_;
  CallShape shape_;
  myblasStream_t stream_;
  Event begin_ = nullptr;
};

}  // namespace myblas::dropin
