// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// runtime/memory.cpp: every load and store of a kernel is looked at. Global memory: inside one
// allocation, of exactly the size that was asked for, and not before the grid ahead was waited for.
// Any: aligned to its size. Shared memory is shared_memory.cpp's.
//==============================================================================
#include <algorithm>
#include <cstdlib>
#include <map>
#include <new>

#include "runtime/machine.h"
#include "runtime/shared_memory.h"

namespace emulator {
namespace {

struct Allocations {
  std::map<uintptr_t, size_t> sizes;
  // The last hit.
  uintptr_t low = 1, high = 0;
};
Allocations g_allocations;

}  // namespace

const char* verb_of(Access access) { return access == Access::kWrite ? "writes" : "reads"; }

void check_global(uintptr_t address, size_t bytes, Access access, const void* site) {
  if (!self().grid_ahead_is_over) {
    fail(site, "%s global memory, and has not waited for the grid ahead", verb_of(access));
  }
  if (address >= g_allocations.low && address + bytes <= g_allocations.high) return;
  auto after = g_allocations.sizes.upper_bound(address);
  if (after != g_allocations.sizes.begin()) {
    const auto [start, size] = *--after;
    if (address + bytes <= start + size) {
      g_allocations.low = start;
      g_allocations.high = start + size;
      return;
    }
    if (address < start + size + 4096) {
      fail(site, "%s %zu bytes, %td bytes past the start of an allocation of %zu", verb_of(access),
           bytes, static_cast<ptrdiff_t>(address - start), size);
    }
  }
  if (after = g_allocations.sizes.upper_bound(address); after != g_allocations.sizes.end()) {
    fail(site, "%s %zu bytes at %#zx, %zu bytes before an allocation of %zu", verb_of(access),
         bytes, static_cast<size_t>(address), static_cast<size_t>(after->first - address),
         after->second);
  }
  fail(site, "%s %zu bytes at %#zx, which belongs to no allocation", verb_of(access), bytes,
       static_cast<size_t>(address));
}

void* allocate(size_t bytes) {
  // From the heap and of no more than this size: AddressSanitizer watches its ends.
  void* memory = nullptr;
  if (posix_memalign(&memory, 256, std::max<size_t>(bytes, 1)) != 0) throw std::bad_alloc();
  admit(memory, bytes);
  return memory;
}

void release(void* memory) {
  withdraw(memory);
  std::free(memory);
}

void admit(void* memory, size_t bytes) {
  g_allocations.sizes[reinterpret_cast<uintptr_t>(memory)] = bytes;
}

void withdraw(void* memory) {
  g_allocations.sizes.erase(reinterpret_cast<uintptr_t>(memory));
  g_allocations.low = 1;
  g_allocations.high = 0;
}

void check_access(uintptr_t address, size_t bytes, Access access, const void* site) {
  const Thread& thread = self();
  if (address - thread.stack_low < thread.stack_high - thread.stack_low) return;
  const bool power_of_two = (bytes & (bytes - 1)) == 0;
  if (power_of_two && bytes <= 16 && (address & (bytes - 1)) != 0) {
    fail(site, "%s %zu bytes at %#zx, which is not aligned to them", verb_of(access), bytes,
         static_cast<size_t>(address));
  }
  if (check_shared(address, bytes, access, site)) return;
  check_global(address, bytes, access, site);
}

uint32_t add_atomically(uint32_t* to, uint32_t value) {
  if (machine().watching) {
    const void* const site = __builtin_return_address(0);
    check_access(reinterpret_cast<uintptr_t>(to), sizeof *to, Access::kRead, site);
    check_access(reinterpret_cast<uintptr_t>(to), sizeof *to, Access::kWrite, site);
  }
  return __atomic_fetch_add(to, value, __ATOMIC_RELAXED);
}

}  // namespace emulator
