// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// contract_record: asks a real cuBLAS every case and prints the contract table.
//
// Build and run on a machine with a GPU, from the repository's root (one or two minutes):
//
//   cd tests/contract && g++ -std=c++20 -O1 -pthread -o contract_record contract_record.cpp
//     contract_cases.cpp cases_*.cpp blas_call.cpp invoke.cpp element.cpp blas_library.cpp -ldl
//   ./contract_record /usr/local/cuda/lib64/libcublas.so.13 > cublas13_h200.txt
//
// Options: --jobs N (8), --prefix myblas (ask myblas), --host (its CPU backend, host memory),
//          --no-gpu (only the cases that answer without a handle), --list (names only),
//          --budget SECONDS (600; what is missing then is written as not recorded).
//
// A case may crash the library or lose the CUDA context. So cases run in worker processes that
// are started anew behind the case that killed them, and the parent, which never touches CUDA,
// prints each line as soon as all before it are known.
//==============================================================================
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>

#include "contract_cases.h"

namespace contract {
namespace {

constexpr int kCaseTimeoutMs = 30000;
constexpr int kExitNoHandle = 77;

struct Options {
  std::string library, prefix = "cublas";
  bool host = false, no_gpu = false, list = false;
  int jobs = 8, budget_s = 600;
  // Worker processes only.
  int first = -1, step = 0;
  bool timing = false;
};

bool selected(const Options& options, const Case& one) {
  if (options.no_gpu) return !one.needs_handle && !one.needs_device;
  return !(options.host && one.needs_device);
}

//---- worker ------------------------------------------------------------------------------------

struct Subject {
  BlasLibrary library;
  std::unique_ptr<Memory> memory;
  void* handle = nullptr;

  explicit Subject(const Options& options) : library(options.library, options.prefix) {
    memory = options.host || options.no_gpu ? make_host_memory() : make_device_memory();
    if (memory == nullptr) throw std::runtime_error("no usable GPU");
    if (options.no_gpu) return;
    const int status = library.find<int(void**)>("Create_v2")(&handle);
    if (status != 0) throw std::runtime_error("Create gives status " + std::to_string(status));
  }
};

// What the library prints on stdout (cuBLAS reports the number of the wrong parameter there).
class PrintedText {
 public:
  PrintedText() : file_(std::tmpfile()), stdout_copy_(dup(STDOUT_FILENO)) {
    if (file_ == nullptr) throw std::runtime_error("no temporary file");
    std::fflush(stdout);
    dup2(fileno(file_), STDOUT_FILENO);
  }
  int real_stdout() const { return stdout_copy_; }
  std::string take() {
    std::fflush(stdout);
    std::string text(static_cast<size_t>(lseek(fileno(file_), 0, SEEK_END)), ' ');
    lseek(fileno(file_), 0, SEEK_SET);
    const ssize_t got = read(fileno(file_), text.data(), text.size());
    text.resize(got > 0 ? static_cast<size_t>(got) : 0);
    lseek(fileno(file_), 0, SEEK_SET);
    if (ftruncate(fileno(file_), 0) != 0) text += " (not cleared)";
    for (char& c : text)
      if (c == '\n' || c == '|') c = ' ';
    while (!text.empty() && text.back() == ' ') text.pop_back();
    return text.substr(std::min(text.find_first_not_of(" *"), text.size()));
  }

 private:
  std::FILE* file_;
  int stdout_copy_;
};

int run_cases(const Options& options) {
  const rlimit no_core_files = {0, 0};  // a crash is expected, and these processes are large
  setrlimit(RLIMIT_CORE, &no_core_files);
  const Cases cases = all_cases();
  PrintedText printed;
  Subject subject(options);
  Bench bench(subject.library, *subject.memory, subject.handle);
  printed.take();
  for (size_t i = static_cast<size_t>(options.first); i < cases.size();
       i += static_cast<size_t>(options.step)) {
    if (!selected(options, cases[i])) continue;
    std::string line = cases[i].run(bench);
    const std::string text = printed.take();
    if (!text.empty()) line += " | " + text;
    line = std::to_string(i) + " " + line + "\n";
    if (write(printed.real_stdout(), line.data(), line.size()) < 0) return 1;
    if (bench.poisoned()) _exit(0);
  }
  _exit(0);  // a library's exit handlers are not what is examined
}

double nanoseconds(int calls, const std::function<void()>& call) {
  for (int i = 0; i < 100; ++i) call();
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) call();
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
  return took.count() / calls;
}

int run_timing(const Options& options) {
  Subject subject(options);
  const BlasLibrary& library = subject.library;
  Memory& memory = *subject.memory;
  void* const h = subject.handle;
  const auto report = [](const char* what, double value, const char* unit) {
    std::printf("# %-40s %10.1f %s\n", what, value, unit);
  };
  void* const workspace = memory.allocate(32u << 20);
  const auto set_stream = library.find<int(void*, void*)>("SetStream_v2");
  const auto get_stream = library.find<int(void*, void**)>("GetStream_v2");
  const auto set_workspace = library.find<int(void*, void*, size_t)>("SetWorkspace_v2");
  const auto set_math = library.find<int(void*, int)>("SetMathMode");
  const auto get_math = library.find<int(void*, int*)>("GetMathMode");
  const auto set_mode = library.find<int(void*, int)>("SetPointerMode_v2");
  const auto get_mode = library.find<int(void*, int*)>("GetPointerMode_v2");
  int value = 0;
  void* stream = nullptr;
  constexpr int kCalls = 100000;
  report("SetStream", nanoseconds(kCalls, [&] { set_stream(h, nullptr); }), "ns");
  report("GetStream", nanoseconds(kCalls, [&] { get_stream(h, &stream); }), "ns");
  report("SetWorkspace", nanoseconds(kCalls, [&] { set_workspace(h, workspace, 32u << 20); }),
         "ns");
  report("SetMathMode", nanoseconds(kCalls, [&] { set_math(h, 0); }), "ns");
  report("GetMathMode", nanoseconds(kCalls, [&] { get_math(h, &value); }), "ns");
  report("SetPointerMode", nanoseconds(kCalls, [&] { set_mode(h, 0); }), "ns");
  report("GetPointerMode", nanoseconds(kCalls, [&] { get_mode(h, &value); }), "ns");
  set_stream(h, nullptr);

  const auto create = library.find<int(void**)>("Create_v2");
  const auto destroy = library.find<int(void*)>("Destroy_v2");
  constexpr int kHandles = 20;
  void* handles[kHandles] = {};
  const size_t before = memory.free_bytes();
  auto begin = std::chrono::steady_clock::now();
  for (void*& handle : handles) create(&handle);
  std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
  report("Create, a second handle and later", took.count() / kHandles, "us");
  const size_t after = memory.free_bytes();
  report("device memory taken by a Create", static_cast<double>(before - after) / kHandles / 1024,
         "KiB");
  begin = std::chrono::steady_clock::now();
  for (void* handle : handles) destroy(handle);
  took = std::chrono::steady_clock::now() - begin;
  report("Destroy", took.count() / kHandles, "us");

  // What the first calls of a fresh handle take in memory.
  void* fresh = nullptr;
  create(&fresh);
  Bench bench(library, memory, fresh);
  const size_t before_call = memory.free_bytes();
  bench.run(Call(routine("Sgemm_v2")));
  report("device memory taken by its first Sgemm",
         static_cast<double>(before_call - memory.free_bytes()) / 1024, "KiB");
  report("Sgemm 3x2x2 with copies and wait",
         nanoseconds(1000, [&] { bench.run(Call(routine("Sgemm_v2"))); }) / 1000, "us");
  return 0;
}

int worker(const Options& options) {
  try {
    return options.timing ? run_timing(options) : run_cases(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "contract_record: %s\n", error.what());
    std::fflush(stderr);
    _exit(kExitNoHandle);
  }
}

//---- parent ------------------------------------------------------------------------------------

class Child {
 public:
  Child(const char* const* arguments) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
    pid_ = fork();
    if (pid_ == 0) {
      dup2(ends[1], STDOUT_FILENO);
      execv("/proc/self/exe", const_cast<char* const*>(arguments));
      _exit(1);
    }
    close(ends[1]);
    out_ = ends[0];
  }
  ~Child() {
    kill(pid_, SIGKILL);
    int ignored = 0;
    if (!waited_) waitpid(pid_, &ignored, 0);
    close(out_);
  }

  // A line, or nothing when the process ended or said nothing for too long.
  std::optional<std::string> line(bool& timed_out) {
    timed_out = false;
    for (;;) {
      const size_t end = buffer_.find('\n');
      if (end != std::string::npos) {
        std::string text = buffer_.substr(0, end);
        buffer_.erase(0, end + 1);
        return text;
      }
      pollfd poll_fd = {out_, POLLIN, 0};
      if (poll(&poll_fd, 1, kCaseTimeoutMs) == 0) {
        timed_out = true;
        return std::nullopt;
      }
      char block[4096];
      const ssize_t got = read(out_, block, sizeof block);
      if (got <= 0) return std::nullopt;
      buffer_.append(block, static_cast<size_t>(got));
    }
  }

  int wait() {
    int status = 0;
    waitpid(pid_, &status, 0);
    waited_ = true;
    return status;
  }

 private:
  pid_t pid_ = -1;
  int out_ = -1;
  bool waited_ = false;
  std::string buffer_;
};

class Recorder {
 public:
  Recorder(const Options& options, const Cases& cases)
      : options_(options), cases_(cases), results_(cases.size()) {
    for (size_t i = 0; i < cases.size(); ++i)
      if (!selected(options, cases[i])) results_[i] = "";
  }

  bool record() {
    std::vector<std::thread> threads;
    for (int job = 0; job < options_.jobs; ++job)
      threads.emplace_back([this, job] { run_job(static_cast<size_t>(job)); });
    for (std::thread& thread : threads) thread.join();
    if (failed_) return false;
    for (size_t i = printed_; i < cases_.size(); ++i)
      if (!results_[i]) results_[i] = "not recorded";
    print_known();
    return true;
  }

 private:
  void run_job(size_t job) {
    const auto step = static_cast<size_t>(options_.jobs);
    size_t next = job;
    while (next < cases_.size() && !selected(options_, cases_[next])) next += step;
    while (next < cases_.size() && std::chrono::steady_clock::now() < deadline_) {
      const std::string first_text = std::to_string(next), step_text = std::to_string(step);
      const char* arguments[] = {"contract_record",
                                 options_.library.c_str(),
                                 "--prefix",
                                 options_.prefix.c_str(),
                                 "--worker",
                                 first_text.c_str(),
                                 step_text.c_str(),
                                 options_.host     ? "--host"
                                 : options_.no_gpu ? "--no-gpu"
                                                   : nullptr,
                                 nullptr};
      Child child(arguments);
      bool timed_out = false;
      while (const auto line = child.line(timed_out)) {
        const size_t space = line->find(' ');
        const size_t index = std::strtoul(line->c_str(), nullptr, 10);
        deliver(index, line->substr(space + 1));
        next = index + step;
        while (next < cases_.size() && !selected(options_, cases_[next])) next += step;
        if (std::chrono::steady_clock::now() >= deadline_) return;
      }
      if (next >= cases_.size()) return;
      if (timed_out) {
        deliver(next, "hang");
        next += step;
        continue;
      }
      const int status = child.wait();
      if (WIFEXITED(status) && WEXITSTATUS(status) == kExitNoHandle) {
        failed_ = true;
        return;
      }
      if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;  // left a lost context behind
      deliver(next, "crash");
      next += step;
      while (next < cases_.size() && !selected(options_, cases_[next])) next += step;
    }
  }

  void deliver(size_t index, const std::string& result) {
    const std::lock_guard<std::mutex> guard(mutex_);
    results_[index] = result;
    print_known();
  }

  void print_known() {
    for (; printed_ < cases_.size() && results_[printed_]; ++printed_) {
      const Case& one = cases_[printed_];
      if (!results_[printed_]->empty())
        std::printf("%s | %s | %s\n", one.routine.c_str(), one.text.c_str(),
                    results_[printed_]->c_str());
    }
    std::fflush(stdout);
  }

  const Options& options_;
  const Cases& cases_;
  const std::chrono::steady_clock::time_point deadline_ =
      std::chrono::steady_clock::now() + std::chrono::seconds(options_.budget_s);
  std::mutex mutex_;
  std::vector<std::optional<std::string>> results_;
  size_t printed_ = 0;
  std::atomic<bool> failed_ = false;
};

void print_head(const Options& options) {
  std::printf(
      "# routine | case | result [| printed by the library]\n"
      "# A result is the status, then for success what became of C: product, scaled (beta*C), "
      "zero,\n"
      "# unchanged, nan, other. Rejected calls left C as it was unless they say touched.\n"
      "# fault: the kernel lost the CUDA context; crash: the process died; hang: it did not "
      "return.\n"
      "# A valid call is 3x2x2, NN, ld 4, alpha = beta = 1, a batch or groups of 2 matrices, "
      "stride "
      "32.\n");
  try {
    const BlasLibrary library(options.library, options.prefix);
    int version = 0;
    library.find<int(void*, int*)>("GetVersion_v2")(nullptr, &version);
    std::printf("# library: %s, version %d\n", options.prefix.c_str(), version);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "contract_record: %s\n", error.what());
    std::exit(1);
  }
  std::fflush(stdout);
}

int record(const Options& options) {
  const Cases cases = all_cases();
  if (options.list) {
    for (const Case& one : cases) std::printf("%s | %s\n", one.routine.c_str(), one.text.c_str());
    return 0;
  }
  print_head(options);
  if (!Recorder(options, cases).record()) return 1;
  if (options.no_gpu) return 0;
  const char* arguments[] = {
      "contract_record", options.library.c_str(),           "--prefix", options.prefix.c_str(),
      "--timing",        options.host ? "--host" : nullptr, nullptr};
  Child timing(arguments);
  bool timed_out = false;
  while (const auto line = timing.line(timed_out)) std::printf("%s\n", line->c_str());
  return 0;
}

Options parse(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string text = arguments[i];
    const auto next = [&]() -> std::string {
      if (++i >= count) throw std::runtime_error(text + " needs a value");
      return arguments[i];
    };
    if (text == "--prefix")
      options.prefix = next();
    else if (text == "--jobs")
      options.jobs = std::stoi(next());
    else if (text == "--budget")
      options.budget_s = std::stoi(next());
    else if (text == "--host")
      options.host = true;
    else if (text == "--no-gpu")
      options.no_gpu = true;
    else if (text == "--list")
      options.list = true;
    else if (text == "--timing")
      options.timing = true;
    else if (text == "--worker") {
      options.first = std::stoi(next());
      options.step = std::stoi(next());
    } else
      options.library = text;
  }
  if (options.library.empty() && !options.list)
    throw std::runtime_error("usage: contract_record LIBRARY [options]");
  return options;
}

}  // namespace
}  // namespace contract

int main(int count, char** arguments) {
  try {
    const contract::Options options = contract::parse(count, arguments);
    if (options.first >= 0 || options.timing) return contract::worker(options);
    return contract::record(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "contract_record: %s\n", error.what());
    return 1;
  }
}
