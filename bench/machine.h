// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// machine.h: where the matrices live and the calls run: a GPU or the host.
//
// Everything that differs between the two is behind this interface: memory,
// random data, the fp64 check, and how a sequence of calls is recorded and
// timed (a CUDA graph on the GPU, a plain loop on the host).
//==============================================================================
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "contender.h"
#include "element.h"
#include "myblas.h"

namespace bench {

// One entry of C to check.
struct Sample {
  int64_t i = 0, j = 0, batch = 0;
};

// What stands there and what should: sum = op(A) op(B) in fp64, magnitude = the same of absolutes.
struct SampleResult {
  Complex value, sum;
  double magnitude = 0.0;
};

// One operand of the check: the first matrix, whatever the call was given.
struct CheckedOperand {
  const void* base = nullptr;
  myblasDataType_t type = MYBLAS_R_32F;
  Layout layout;  // offset already in base
  char trans = 'N';
};

struct CheckedProduct {
  CheckedOperand a, b, c;
  int64_t k = 0;
};

// A recorded sequence of calls.
class Replay {
 public:
  virtual ~Replay() = default;
  virtual double run_us() = 0;  // from start to completion
};

class Machine {
 public:
  virtual ~Machine() = default;

  virtual std::string name() const = 0;
  virtual std::string driver_version() const = 0;
  virtual std::string cuda_version() const = 0;
  virtual bool is_gpu() const = 0;
  virtual size_t cache_bytes() const = 0;   // the last level
  virtual size_t memory_bytes() const = 0;  // what the matrices may take
  virtual myblasStream_t stream() const = 0;

  virtual void* allocate(size_t bytes) = 0;  // aligned to 256; throws std::runtime_error
  virtual void release(void* memory) = 0;
  virtual void copy_in(void* to, const void* host, size_t bytes) = 0;
  virtual void fill_byte(void* memory, int byte, size_t bytes) = 0;
  virtual void fill_random(void* memory, myblasDataType_t type, int64_t count, uint64_t seed) = 0;
  virtual void synchronize() = 0;

  virtual std::vector<SampleResult> check(const CheckedProduct& product,
                                          const std::vector<Sample>& samples) = 0;

  // How many elements of a poisoned C still hold the poison.
  virtual int64_t count_poisoned(const CheckedOperand& c, int batch) = 0;

  // calls times: issue(0), issue(1), ...
  virtual std::unique_ptr<Replay> record(int calls, const std::function<void(int)>& issue) = 0;

  // A short kernel that is neither library's, on every SM. It lets nothing begin before its end.
  virtual void issue_foreign() = 0;

  // Host microseconds of launching a kernel that does nothing; negative where there is no such
  // thing.
  virtual double empty_launch_us() = 0;
};

std::unique_ptr<Machine> make_host_machine();

// Nothing where the build has no CUDA or the machine no GPU.
std::unique_ptr<Machine> make_gpu_machine();

// Owned memory of a machine.
class Buffer {
 public:
  Buffer() = default;
  Buffer(Machine& machine, size_t bytes) : machine_(&machine), memory_(machine.allocate(bytes)) {}
  Buffer(Buffer&& other) noexcept
      : machine_(other.machine_), memory_(std::exchange(other.memory_, nullptr)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(machine_, other.machine_);
    std::swap(memory_, other.memory_);
    return *this;
  }
  ~Buffer() {
    if (memory_ != nullptr) machine_->release(memory_);
  }
  void* get() const { return memory_; }

 private:
  Machine* machine_ = nullptr;
  void* memory_ = nullptr;
};

}  // namespace bench
