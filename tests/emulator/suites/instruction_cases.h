// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// suites/instruction_cases.h: instructions on random integers, beside their definition. The same
// cases run on the emulator (instructions_test.cpp) and on a GPU (hardware_test.cpp).
//==============================================================================
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kernels/common/tensor_map.h"
#include "runtime/emulator.h"

namespace myblas::test {

// What runs a kernel of instruction_kernels.cu or hopper_instruction_kernels.cu.
class InstructionMachine {
 public:
  virtual ~InstructionMachine() = default;
  virtual void* allocate(size_t bytes) = 0;
  virtual void release(void* memory) = 0;
  virtual void copy_in(void* to, const void* from, size_t bytes) = 0;
  virtual void copy_out(void* to, const void* from, size_t bytes) = 0;
  virtual bool encode(const TensorMapShape& shape, TensorMap* map) = 0;
  // What went wrong, or "".
  virtual std::string launch(const char* kernel, const emulator::Shape& shape,
                             const void* args) = 0;
};

// The emulator, with the modules of both sources.
class EmulatedMachine final : public InstructionMachine {
 public:
  EmulatedMachine();
  void configure(const emulator::Settings& settings) { settings_ = settings; }
  void* allocate(size_t bytes) override;
  void release(void* memory) override;
  void copy_in(void* to, const void* from, size_t bytes) override;
  void copy_out(void* to, const void* from, size_t bytes) override;
  bool encode(const TensorMapShape& shape, TensorMap* map) override;
  std::string launch(const char* kernel, const emulator::Shape& shape, const void* args) override;

 private:
  emulator::Settings settings_;
};

// Elements of either machine's memory.
template <class T>
class Elements {
 public:
  Elements(InstructionMachine& machine, std::vector<T> values)
      : machine_(machine),
        values_(std::move(values)),
        data_(static_cast<T*>(machine.allocate(sizeof(T) * values_.size()))) {
    machine_.copy_in(data_, values_.data(), sizeof(T) * values_.size());
  }
  ~Elements() { machine_.release(data_); }
  Elements(const Elements&) = delete;
  Elements& operator=(const Elements&) = delete;
  T* data() { return data_; }
  const std::vector<T>& before() const { return values_; }
  std::vector<T> now() const {
    std::vector<T> values(values_.size());
    machine_.copy_out(values.data(), data_, sizeof(T) * values.size());
    return values;
  }

 private:
  InstructionMachine& machine_;
  std::vector<T> values_;
  T* data_;
};

// Integers from -range to range.
std::vector<float> random_integers(size_t count, int range, uint64_t seed);

struct InstructionRun {
  std::string error;
  std::vector<double> result, expected;
};
struct InstructionCase {
  std::string name;
  std::function<InstructionRun(InstructionMachine&, uint64_t seed)> run;
};
std::vector<InstructionCase> instruction_cases();  // all of them
std::vector<InstructionCase> warp_cases();         // instruction_kernels.cu
std::vector<InstructionCase> hopper_cases();       // hopper_instruction_kernels.cu

}  // namespace myblas::test
