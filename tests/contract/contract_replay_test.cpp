// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// Replays the contract table: every case on libmyblas, compared with what cuBLAS
// answered when cublas13_h200.txt was recorded.
//
// Usage: contract_replay_test LIBRARY DIRECTORY-OF-THE-TABLE [gtest options].
// On the CPU backend with host memory; on the GPU where MYBLAS_BACKEND=cuda.
// Where myblas answers otherwise on purpose, deviations.txt says what and why.
//==============================================================================
#include <fnmatch.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>

#include "contract_cases.h"

namespace contract {
namespace {

std::string g_library_path, g_directory;

bool on_gpu() {
  const char* backend = std::getenv("MYBLAS_BACKEND");
  return backend != nullptr && std::string(backend) == "cuda";
}

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields;
  size_t begin = 0;
  for (;;) {
    const size_t end = line.find(" | ", begin);
    std::string field = line.substr(begin, end == std::string::npos ? end : end - begin);
    const size_t last = field.find_last_not_of(' ');
    fields.push_back(last == std::string::npos ? "" : field.substr(0, last + 1));
    if (end == std::string::npos) return fields;
    begin = line.find_first_not_of(' ', end + 3);
    if (begin == std::string::npos) return fields;
  }
}

std::vector<std::vector<std::string>> read_table(const std::string& file) {
  std::ifstream in(g_directory + "/" + file);
  std::vector<std::vector<std::string>> lines;
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && line[0] != '#') lines.push_back(split(line));
  return lines;
}

bool matches(const std::string& pattern, const std::string& text) {
  return fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

// One line of deviations.txt: where | routine | case | cuBLAS's result | ours | why.
struct Deviation {
  std::string where, routine, text, theirs, ours;
  mutable size_t used = 0;

  bool applies(const Case& one, const std::string& recorded) const {
    return (where == "any" || where == (on_gpu() ? "gpu" : "cpu")) &&
           matches(routine, one.routine) && matches(text, one.text) && matches(theirs, recorded);
  }
};

class Table {
 public:
  Table() {
    for (const auto& fields : read_table("cublas13_h200.txt"))
      if (fields.size() >= 3) recorded_[fields[0] + " | " + fields[1]] = fields[2];
    for (const auto& fields : read_table("deviations.txt")) {
      if (fields.size() != 6) throw std::runtime_error("deviations.txt: six fields a line");
      deviations_.push_back({fields[0], fields[1], fields[2], fields[3], fields[4]});
    }
  }

  size_t size() const { return recorded_.size(); }
  const std::vector<Deviation>& deviations() const { return deviations_; }

  // NULL where the case was not recorded.
  const std::string* recorded(const Case& one) const {
    const auto found = recorded_.find(one.routine + " | " + one.text);
    return found == recorded_.end() ? nullptr : &found->second;
  }

  // cuBLAS's answer, or ours where we differ on purpose; "-": the case is not to be run.
  std::string expected(const Case& one) const {
    const std::string& theirs = *recorded(one);
    for (const Deviation& deviation : deviations_) {
      if (!deviation.applies(one, theirs)) continue;
      ++deviation.used;
      return deviation.ours;
    }
    // What lost cuBLAS its context or the process is undefined for us, too.
    for (const char* lost : {"crash", "hang", "* fault *", "*: crash", "not recorded"})
      if (matches(lost, theirs)) return "-";
    return theirs;
  }

 private:
  std::map<std::string, std::string> recorded_;
  std::vector<Deviation> deviations_;
};

const Table& table() {
  static const Table the_table;
  return the_table;
}

const Cases& cases() {
  static const Cases the_cases = all_cases();
  return the_cases;
}

std::vector<std::string> routines() {
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (const Case& one : cases())
    if (seen.insert(one.routine).second) names.push_back(one.routine);
  return names;
}

// One library and one handle for the whole run.
struct Subject {
  BlasLibrary library{g_library_path, "myblas"};
  std::unique_ptr<Memory> memory = on_gpu() ? make_device_memory() : make_host_memory();
  void* handle = nullptr;
  std::unique_ptr<Bench> bench;

  Subject() {
    if (memory == nullptr) throw std::runtime_error("MYBLAS_BACKEND=cuda without a usable GPU");
    const int status = library.find<int(void**)>("Create_v2")(&handle);
    if (status != 0) throw std::runtime_error("myblasCreate gives " + std::to_string(status));
    bench = std::make_unique<Bench>(library, *memory, handle);
  }
};

Bench& bench() {
  static Subject subject;
  return *subject.bench;
}

// A crash ends the run: say at least where.
std::string g_current_case;

void report_crash(int signal_number) {
  constexpr char kText[] = "\ncrashed in: ";
  if (write(STDERR_FILENO, kText, sizeof kText - 1) < 0 ||
      write(STDERR_FILENO, g_current_case.data(), g_current_case.size()) < 0 ||
      write(STDERR_FILENO, "\n", 1) < 0)
    _exit(1);
  std::signal(signal_number, SIG_DFL);
  std::raise(signal_number);
}

class ContractReplay : public testing::TestWithParam<std::string> {};

TEST_P(ContractReplay, AnswersAsRecorded) {
  constexpr int kShown = 25;
  int compared = 0, wrong = 0, skipped = 0;
  for (const Case& one : cases()) {
    if (one.routine != GetParam()) continue;
    if (table().recorded(one) == nullptr) continue;  // TheTable.HoldsEveryCase reports it
    const std::string expected = table().expected(one);
    if (expected == "-" || (one.needs_device && !on_gpu())) {
      ++skipped;
      continue;
    }
    g_current_case = one.routine + " | " + one.text;
    const std::string answer = one.run(bench());
    ASSERT_FALSE(bench().poisoned()) << one.text << ": the CUDA context is lost: " << answer;
    ++compared;
    if (matches(expected, answer)) continue;
    if (++wrong <= kShown)
      ADD_FAILURE() << one.routine << " | " << one.text << "\n  recorded " << *table().recorded(one)
                    << "\n  expected " << expected << "\n  answered " << answer;
  }
  EXPECT_EQ(wrong, 0) << "of " << compared << " answers";
  RecordProperty("compared", compared);
  RecordProperty("skipped", skipped);
}

INSTANTIATE_TEST_SUITE_P(Table, ContractReplay, testing::ValuesIn(routines()),
                         [](const auto& parameter) { return parameter.param; });

TEST(TheTable, HoldsEveryCase) {
  size_t absent = 0;
  for (const Case& one : cases()) {
    if (table().recorded(one) == nullptr && ++absent <= 10)
      ADD_FAILURE() << "not in the table: " << one.routine << " | " << one.text;
  }
  EXPECT_EQ(absent, 0u);
  EXPECT_EQ(table().size(), cases().size()) << "the table holds cases that do not exist";
}

// A deviation that no case needs any more is a wrong statement.
TEST(TheTable, NeedsEveryDeviation) {
  for (const Case& one : cases())
    if (table().recorded(one) != nullptr) static_cast<void>(table().expected(one));
  for (const Deviation& deviation : table().deviations()) {
    const bool elsewhere =
        deviation.where != "any" && deviation.where != (on_gpu() ? "gpu" : "cpu");
    EXPECT_TRUE(elsewhere || deviation.used > 0) << deviation.routine << " | " << deviation.text;
  }
}

}  // namespace
}  // namespace contract

int main(int count, char** arguments) {
  testing::InitGoogleTest(&count, arguments);
  if (count != 3) {
    std::fprintf(stderr, "usage: contract_replay_test LIBRARY DIRECTORY [gtest options]\n");
    return 2;
  }
  contract::g_library_path = arguments[1];
  contract::g_directory = arguments[2];
  if (contract::on_gpu() && contract::make_device_memory() == nullptr) {
    std::printf("SKIPPED: no usable GPU\n");
    return 0;
  }
  for (const int signal_number : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT})
    std::signal(signal_number, contract::report_crash);
  return RUN_ALL_TESTS();
}
