// SPDX-License-Identifier: BSD-3-Clause
// emulator/shared_access.h: loads of shared memory whose width is the program's word, checked as
// one access and counted in wavefronts.
#pragma once

#include <cstdint>

namespace emulator {

struct Bits16 {
  uint64_t low, high;
};
uint32_t load_shared_4(const void* source);
uint64_t load_shared_8(const void* source);
Bits16 load_shared_16(const void* source);

}  // namespace emulator
