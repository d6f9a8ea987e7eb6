// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>
#include <stdexcept>

#include "check.h"
#include "machine.h"

namespace bench {
namespace {

class HostReplay : public Replay {
 public:
  HostReplay(int calls, std::function<void(int)> issue) : calls_(calls), issue_(std::move(issue)) {}
  double run_us() override {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < calls_; ++i) issue_(i);
    const std::chrono::duration<double, std::micro> spent =
        std::chrono::steady_clock::now() - start;
    return spent.count();
  }

 private:
  int calls_;
  std::function<void(int)> issue_;
};

class HostMachine : public Machine {
 public:
  std::string name() const override {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
      if (line.rfind("model name", 0) == 0) return line.substr(line.find(": ") + 2);
    }
    return "CPU";
  }
  std::string driver_version() const override { return ""; }
  std::string cuda_version() const override { return ""; }
  bool is_gpu() const override { return false; }
  size_t cache_bytes() const override {
    constexpr size_t kEnough = size_t{32} << 20;  // more only costs time to fill
    const long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return bytes > 0 ? std::min(static_cast<size_t>(bytes), kEnough) : kEnough;
  }
  // A quarter of what is there: the contenders keep copies of their own.
  size_t memory_bytes() const override {
    return static_cast<size_t>(sysconf(_SC_AVPHYS_PAGES)) *
           static_cast<size_t>(sysconf(_SC_PAGESIZE)) / 4;
  }
  myblasStream_t stream() const override { return nullptr; }

  void* allocate(size_t bytes) override {
    void* memory =
        std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
  }
  void release(void* memory) override { std::free(memory); }
  void copy_in(void* to, const void* host, size_t bytes) override { std::memcpy(to, host, bytes); }
  void fill_byte(void* memory, int byte, size_t bytes) override {
    std::memset(memory, byte, bytes);
  }
  void fill_random(void* memory, myblasDataType_t type, int64_t count, uint64_t seed) override {
    const myblasDataType_t real = real_part_type(type);
    const int64_t reals = is_complex(type) ? 2 * count : count;
    const int64_t drawn = std::min(reals, kRandomPeriod);
    for (int64_t i = 0; i < drawn; ++i) store_random(memory, real, i, seed);
    const auto period = static_cast<size_t>(drawn) * element_bytes(real);
    const auto all = static_cast<size_t>(reals) * element_bytes(real);
    char* bytes = static_cast<char*>(memory);
    for (size_t at = period; at < all; at += period) {
      std::memcpy(bytes + at, bytes, std::min(period, all - at));
    }
  }
  void synchronize() override {}

  std::vector<SampleResult> check(const CheckedProduct& product,
                                  const std::vector<Sample>& samples) override {
    std::vector<SampleResult> results;
    for (const Sample& at : samples) {
      SampleResult result = partial_sample(product, at, 0, 1);
      result.value = element_of(product.c, at.i, at.j, at.batch);
      results.push_back(result);
    }
    return results;
  }

  int64_t count_poisoned(const CheckedOperand& c, int batch) override {
    int64_t poisoned = 0;
    for (int64_t b = 0; b < batch; ++b) {
      for (int64_t i = 0; i < c.layout.rows * c.layout.cols; ++i) {
        if (is_poisoned(c, i, b)) ++poisoned;
      }
    }
    return poisoned;
  }

  std::unique_ptr<Replay> record(int calls, const std::function<void(int)>& issue) override {
    return std::make_unique<HostReplay>(calls, issue);
  }

  void issue_foreign() override {}

  double empty_launch_us() override { return -1.0; }

 private:
  static constexpr size_t kAlignment = 256;
  static constexpr int64_t kRandomPeriod = 1000003;  // a prime: it meets no leading dimension
};

}  // namespace

std::unique_ptr<Machine> make_host_machine() { return std::make_unique<HostMachine>(); }

}  // namespace bench
