// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// support/arena.h: the buffers of a test in one guarded piece of device memory.
//
//   guard | slot | guard | slot | ... | guard
//
// Every byte that no operand element claims is 0xFF: NaN as a float of any width, so that a
// stray read poisons the result. After the calls, every byte outside the live elements of the
// outputs must be what it was: guards, gaps between the columns and the inputs themselves.
//
// With MYBLAS_TEST_EXACT_ALLOCATIONS=1 each slot is an allocation of its own of exactly its
// size, without guards, for compute-sanitizer and AddressSanitizer.
//==============================================================================
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/device.h"
#include "support/elements.h"

namespace myblas::test {

// Where a matrix, or a strided batch of them, lies in a slot. ld and stride count elements. A
// negative stride starts at the slot's end, 0 repeats one matrix.
struct Layout {
  myblasDataType_t type = MYBLAS_R_32F;
  int64_t rows = 0, cols = 0, ld = 1;
  int64_t batch = 1, stride = 0;

  bool empty() const { return rows == 0 || cols == 0 || batch == 0; }
  int64_t matrix_elements() const { return rows == 0 || cols == 0 ? 0 : (cols - 1) * ld + rows; }
  int64_t slot_elements() const;
  // Of element (i, j) of matrix `index`, from the slot's start.
  int64_t element(int64_t i, int64_t j, int64_t index = 0) const {
    const int64_t first = stride < 0 ? (batch - 1) * -stride : 0;
    return first + index * stride + j * ld + i;
  }
  size_t byte(int64_t i, int64_t j, int64_t index = 0) const {
    return static_cast<size_t>(element(i, j, index)) * element_bytes(type);
  }
  size_t bytes() const { return static_cast<size_t>(slot_elements()) * element_bytes(type); }
};

using SlotId = size_t;

class Arena {
 public:
  explicit Arena(Device& device);

  // The slot begins `misalign_bytes` after a multiple of 256.
  SlotId add(std::string name, size_t bytes, size_t misalign_bytes = 0);
  SlotId add(std::string name, const Layout& layout, int64_t misalign_elements = 0);

  // Allocates; addresses are known from here on. No add() after it.
  void place();

  uint8_t* host(SlotId slot) { return image_.data() + slots_[slot].offset; }
  uint8_t* device_address(SlotId slot) const;
  uint8_t* host(SlotId slot, const Layout& layout, int64_t i, int64_t j, int64_t index = 0) {
    return host(slot) + layout.byte(i, j, index);
  }
  // The address to pass for the matrix: of element (0, 0) of matrix 0.
  void* matrix_address(SlotId slot, const Layout& layout, int64_t index = 0) const {
    return device_address(slot) + (layout.empty() ? 0 : layout.byte(0, 0, index));
  }

  void upload();    // host image -> device, remembered
  void download();  // device -> host image
  void reset();     // back to what was uploaded last, on both sides

  // Declares the elements of an output that may have changed.
  void release_output(SlotId slot, const Layout& layout);
  // Whether everything else is as uploaded. Call once after the outputs were compared.
  testing::AssertionResult unchanged_elsewhere();

 private:
  struct Slot {
    std::string name;
    size_t bytes, misalign_bytes, offset;
  };
  std::string describe(size_t offset) const;

  Device& device_;
  bool exact_allocations_;
  std::vector<Slot> slots_;
  std::vector<uint8_t> image_, sent_;
  DeviceMemory memory_;
  std::vector<DeviceMemory> exact_memory_;
};

}  // namespace myblas::test
