// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// suites/emulated_memory.h: memory for kernels that are launched without the public API.
//==============================================================================
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/emulator.h"

namespace myblas::test {

// Memory of exactly this size for the emulated GPU, so many bytes from an address aligned to 256.
class Memory {
 public:
  explicit Memory(size_t bytes, size_t from = 0)
      : bytes_(bytes), block_(bytes + from + kAlign, 0xEE), data_(block_.data() + from) {
    data_ += (kAlign - reinterpret_cast<uintptr_t>(block_.data()) % kAlign) % kAlign;
    emulator::admit(data_, bytes_);
  }
  ~Memory() { emulator::withdraw(data_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  unsigned char* data() { return data_; }
  size_t bytes() const { return bytes_; }

 private:
  static constexpr size_t kAlign = 256;
  size_t bytes_;
  std::vector<unsigned char> block_;
  unsigned char* data_;
};

}  // namespace myblas::test
