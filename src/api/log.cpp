// SPDX-License-Identifier: BSD-3-Clause
#include "api/log.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

namespace myblas::log {
namespace {

// Process-wide by the API's definition (LoggerConfigure takes no handle).
struct Sink {
  std::mutex mutex;
  bool configured = false;
  bool on = false;
  bool to_stdout = false;
  bool to_stderr = false;
  std::FILE* file = nullptr;
};
constinit Sink g_sink;
constinit std::atomic<myblasLogCallback> g_callback{nullptr};

void refresh_enabled() {
  g_enabled.store(g_sink.on || g_callback.load() != nullptr, std::memory_order_relaxed);
}

bool configure_locked(bool on, bool to_stdout, bool to_stderr, const char* file_name) {
  std::FILE* file = nullptr;
  if (file_name != nullptr && file_name[0] != '\0') {
    file = std::fopen(file_name, "ae");
    if (file == nullptr) return false;
  }
  if (g_sink.file != nullptr) std::fclose(g_sink.file);
  g_sink.file = file;
  g_sink.to_stdout = to_stdout;
  g_sink.to_stderr = to_stderr;
  g_sink.on = on;
  g_sink.configured = true;
  refresh_enabled();
  return true;
}

constexpr int kMaxLine = 1024;

}  // namespace

void configure_from_environment() {
  const std::lock_guard<std::mutex> lock(g_sink.mutex);
  if (g_sink.configured) return;
  g_sink.configured = true;
  const char* value = std::getenv("MYBLAS_LOG");
  if (value != nullptr && value[0] == '\0') value = nullptr;
  const char* cublas_value = std::getenv("CUBLAS_LOGINFO_DBG");
  if (value == nullptr && cublas_value != nullptr && std::strcmp(cublas_value, "1") == 0) {
    value = std::getenv("CUBLAS_LOGDEST_DBG");
    if (value == nullptr || value[0] == '\0') value = "stderr";
  }
  if (value == nullptr || value[0] == '\0' || std::strcmp(value, "0") == 0) return;
  const bool to_stdout = std::strcmp(value, "stdout") == 0;
  const bool to_stderr = std::strcmp(value, "1") == 0 || std::strcmp(value, "stderr") == 0;
  if (!configure_locked(true, to_stdout, to_stderr, to_stdout || to_stderr ? nullptr : value)) {
    std::fprintf(stderr, "myblas: the log %s cannot be opened\n", value);
  }
}

bool configure(bool on, bool to_stdout, bool to_stderr, const char* file_name) {
  const std::lock_guard<std::mutex> lock(g_sink.mutex);
  return configure_locked(on, to_stdout, to_stderr, file_name);
}

void set_callback(myblasLogCallback callback) {
  const std::lock_guard<std::mutex> lock(g_sink.mutex);
  g_callback.store(callback);
  refresh_enabled();
}

myblasLogCallback callback() { return g_callback.load(); }

bool write(const char* line) {
  if (!enabled()) return false;
  const myblasLogCallback callback = g_callback.load();
  if (callback != nullptr) callback(line);
  const std::lock_guard<std::mutex> lock(g_sink.mutex);
  if (!g_sink.on) return callback != nullptr;
  if (g_sink.to_stdout) std::fprintf(stdout, "%s\n", line);
  if (g_sink.to_stderr) std::fprintf(stderr, "%s\n", line);
  if (g_sink.file != nullptr) {
    std::fprintf(g_sink.file, "%s\n", line);
    std::fflush(g_sink.file);
  }
  return callback != nullptr || g_sink.to_stdout || g_sink.to_stderr || g_sink.file != nullptr;
}

void print(const char* format, ...) {
  if (!enabled()) return;
  char line[kMaxLine];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  write(line);
}

void print_always(const char* format, ...) {
  char line[kMaxLine];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (!write(line)) std::fprintf(stderr, "%s\n", line);
}

}  // namespace myblas::log

using namespace myblas;

myblasStatus_t myblasLoggerConfigure(int log_is_on, int log_to_stdout, int log_to_stderr,
                                     const char* log_file_name) {
  const bool opened =
      log::configure(log_is_on != 0, log_to_stdout != 0, log_to_stderr != 0, log_file_name);
  return opened ? MYBLAS_STATUS_SUCCESS : MYBLAS_STATUS_INVALID_VALUE;
}

myblasStatus_t myblasSetLoggerCallback(myblasLogCallback callback) {
  log::set_callback(callback);
  return MYBLAS_STATUS_SUCCESS;
}

myblasStatus_t myblasGetLoggerCallback(myblasLogCallback* callback) {
  if (callback == nullptr) return MYBLAS_STATUS_INVALID_VALUE;
  *callback = log::callback();
  return MYBLAS_STATUS_SUCCESS;
}
