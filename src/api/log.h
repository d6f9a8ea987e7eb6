// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// api/log.h: the process-wide log. Off, it costs one relaxed load a call.
//==============================================================================
#pragma once

#include <atomic>

#include "myblas.h"

namespace myblas::log {

inline std::atomic<bool> g_enabled{false};
inline bool enabled() { return g_enabled.load(std::memory_order_relaxed); }

// MYBLAS_LOG: "1" or "stderr", "stdout", else a file to append to. Called at handle creation;
// only the first value seen in a process counts, and LoggerConfigure wins over it.
void configure_from_environment();

// False if the file cannot be opened. Null or empty name: no file.
bool configure(bool on, bool to_stdout, bool to_stderr, const char* file_name);
void set_callback(myblasLogCallback callback);
myblasLogCallback callback();

// One line, without its newline, to every destination. False where there was none, or the log is
// off.
bool write(const char* line);
[[gnu::format(printf, 1, 2)]] void print(const char* format, ...);

// A line that the user must see (why a handle could not be made): the log's destinations, or stderr
// where it has none.
[[gnu::format(printf, 1, 2)]] void print_always(const char* format, ...);

}  // namespace myblas::log
