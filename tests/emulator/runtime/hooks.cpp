// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// runtime/hooks.cpp: what g++ -fsanitize=thread,alignment calls at every load and store, and
// where a pointer is not aligned to its type.
//
// Kernel modules are compiled with these options and linked without their libraries: these
// functions stand in their place. g++ leaves out what cannot be shared (locals whose address stays
// in the function).
//==============================================================================
#include "runtime/machine.h"

namespace {

inline void look_at(void* address, size_t bytes, emulator::Access access, const void* site) {
  if (emulator::machine().watching) {
    emulator::check_access(reinterpret_cast<uintptr_t>(address), bytes, access, site);
  }
}

}  // namespace

#define EMULATOR_HOOKS(bytes)                                                       \
  extern "C" void __tsan_read##bytes(void* address) {                               \
    look_at(address, bytes, emulator::Access::kRead, __builtin_return_address(0));  \
  }                                                                                 \
  extern "C" void __tsan_write##bytes(void* address) {                              \
    look_at(address, bytes, emulator::Access::kWrite, __builtin_return_address(0)); \
  }
EMULATOR_HOOKS(1)
EMULATOR_HOOKS(2)
EMULATOR_HOOKS(4)
EMULATOR_HOOKS(8)
EMULATOR_HOOKS(16)
#undef EMULATOR_HOOKS

// Structures, and types of a lesser alignment than their size.
extern "C" void __tsan_read_range(void* address, size_t bytes) {
  if (bytes == 0) return;
  look_at(address, bytes, emulator::Access::kRead, __builtin_return_address(0));
}
extern "C" void __tsan_write_range(void* address, size_t bytes) {
  if (bytes == 0) return;
  look_at(address, bytes, emulator::Access::kWrite, __builtin_return_address(0));
}
extern "C" void __tsan_func_entry(void*) {}
extern "C" void __tsan_func_exit(void*) {}
extern "C" void __tsan_init() {}

// A vector load may be taken apart before the hooks above see it; this is asked of the whole.
extern "C" void __ubsan_handle_type_mismatch_v1(void*, void* pointer) {
  if (!emulator::machine().watching) return;
  emulator::fail(__builtin_return_address(0), "uses %p, which is not aligned to its type", pointer);
}
