// SPDX-License-Identifier: BSD-3-Clause
// runtime/shared_memory.h: between memory.cpp and shared_memory.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/machine.h"

namespace emulator {

const char* verb_of(Access access);
// False where the address is nowhere near shared memory.
bool check_shared(uintptr_t address, size_t bytes, Access access, const void* site);

}  // namespace emulator
