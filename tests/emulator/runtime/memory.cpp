// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// runtime/memory.cpp: every load and store of a kernel is looked at.
//
//   global   inside one allocation, of exactly the size that was asked for
//   shared   inside one variable; a read finds bytes that were written, and that no other
//            thread wrote, or will overwrite, without a barrier in between
//   any      aligned to its size
//
// Shared memory keeps a cell a byte: who wrote it last and the last two threads that read it, each
// with its count of synchronisations (see sync.cpp).
//==============================================================================
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <new>

#include "runtime/machine.h"
#include "runtime/module.h"

namespace emulator {
namespace {

constexpr uint16_t kNobody = 0xffff;
constexpr int kPoison = 0xff;  // NaN as a float of any width
constexpr size_t kDynamicBytes = 232 * 1024;

enum class Content : uint8_t { kNothing, kValue, kCopyUnderWay };

struct Cell {
  Content content = Content::kNothing;
  uint16_t writer = kNobody;
  std::array<uint16_t, 2> readers{kNobody, kNobody};
  uint32_t write_clock = 0;
  std::array<uint32_t, 2> read_clocks{};
  const void* write_site = nullptr;
};

struct Region {
  uintptr_t address = 0;
  size_t bytes = 0;
  bool touched = true;
  std::vector<Cell> cells;
};

struct Memory {
  std::map<uintptr_t, size_t> allocations;
  uint64_t module_id = 0;
  std::vector<Region> shared;  // ascending; the dynamic part, where there is any, is the last
  Region dynamic;
  // The last hits.
  uintptr_t global_low = 1, global_high = 0;
  Region* region = nullptr;
};
Memory g_memory;

alignas(1024) unsigned char g_dynamic_shared[kDynamicBytes];

bool within(const Region& region, uintptr_t address) {
  return address - region.address < region.bytes;
}

Region* region_of(uintptr_t address) {
  if (g_memory.region != nullptr && within(*g_memory.region, address)) return g_memory.region;
  if (within(g_memory.dynamic, address)) return g_memory.region = &g_memory.dynamic;
  for (Region& region : g_memory.shared) {
    if (within(region, address)) return g_memory.region = &region;
  }
  return nullptr;
}

void make_regions() {
  const Module& module = current_module();
  if (g_memory.module_id != module.id) {
    g_memory.module_id = module.id;
    g_memory.shared.clear();
    for (const SharedVariable& variable : module.variables) {
      Region region;
      region.address = variable.address;
      region.bytes = variable.bytes;
      region.cells.resize(variable.bytes);
      g_memory.shared.push_back(std::move(region));
    }
  }
  g_memory.region = nullptr;
}

void reset(Region& region) {
  if (!region.touched) return;
  std::memset(reinterpret_cast<void*>(region.address), kPoison, region.bytes);
  std::fill(region.cells.begin(), region.cells.end(), Cell{});
  region.touched = false;
}

const char* verb(Access access) { return access == Access::kWrite ? "writes" : "reads"; }

void check_race(const Thread& thread, const Cell& cell, uintptr_t address, Access access,
                const void* site) {
  if (cell.writer != kNobody && !is_over(thread, {cell.writer, cell.write_clock})) {
    fail(site, "%s shared memory at %#zx that thread %d wrote at %s, with no barrier in between",
         verb(access), static_cast<size_t>(address), cell.writer,
         source_line(cell.write_site).c_str());
  }
  if (access != Access::kWrite) return;
  for (size_t i = 0; i < 2; ++i) {
    if (cell.readers[i] != kNobody && !is_over(thread, {cell.readers[i], cell.read_clocks[i]})) {
      fail(site, "writes shared memory at %#zx that thread %d read, with no barrier in between",
           static_cast<size_t>(address), cell.readers[i]);
    }
  }
}

void note_read(Cell& cell, const Thread& thread) {
  const auto id = static_cast<uint16_t>(thread.id);
  if (cell.readers[0] != id) {
    if (cell.readers[1] != id) {
      cell.readers[1] = cell.readers[0];
      cell.read_clocks[1] = cell.read_clocks[0];
    } else {
      std::swap(cell.readers[0], cell.readers[1]);
      std::swap(cell.read_clocks[0], cell.read_clocks[1]);
    }
    cell.readers[0] = id;
  }
  cell.read_clocks[0] = thread.clock;
}

void check_shared(Region& region, uintptr_t address, size_t bytes, Access access,
                  const void* site) {
  if (address + bytes > region.address + region.bytes) {
    fail(site, "%s %zu bytes, past the end of a shared variable of %zu bytes", verb(access), bytes,
         region.bytes);
  }
  region.touched = true;
  const Thread& thread = self();
  Cell* cells = region.cells.data() + (address - region.address);
  for (size_t i = 0; i < bytes; ++i) {
    Cell& cell = cells[i];
    if (cell.content == Content::kCopyUnderWay) {
      fail(site, "%s shared memory that a copy started at %s may still write", verb(access),
           source_line(cell.write_site).c_str());
    }
    if (access == Access::kRead && cell.content == Content::kNothing) {
      fail(site, "reads shared memory that nothing wrote: byte %zu of a variable of %zu",
           static_cast<size_t>(address + i - region.address), region.bytes);
    }
    check_race(thread, cell, address + i, access, site);
    if (access != Access::kWrite) {
      note_read(cell, thread);
    } else {
      cell.content = Content::kValue;
      cell.writer = static_cast<uint16_t>(thread.id);
      cell.write_clock = thread.clock;
      cell.write_site = site;
    }
  }
}

// Between the variables of the module, or past the last.
void check_not_beside_shared(uintptr_t address, size_t bytes, Access access, const void* site) {
  const Module& module = current_module();
  if (address >= module.low && address < module.high + 4096) {
    fail(site, "%s %zu bytes outside every shared variable", verb(access), bytes);
  }
  if (address - g_memory.dynamic.address < kDynamicBytes) {
    fail(site, "%s %zu bytes past the end of dynamic shared memory of %zu bytes", verb(access),
         bytes, g_memory.dynamic.bytes);
  }
}

void check_global(uintptr_t address, size_t bytes, Access access, const void* site) {
  if (address >= g_memory.global_low && address + bytes <= g_memory.global_high) return;
  auto after = g_memory.allocations.upper_bound(address);
  if (after != g_memory.allocations.begin()) {
    const auto [start, size] = *--after;
    if (address + bytes <= start + size) {
      g_memory.global_low = start;
      g_memory.global_high = start + size;
      return;
    }
    if (address < start + size + 4096) {
      fail(site, "%s %zu bytes, %td bytes past the start of an allocation of %zu", verb(access),
           bytes, static_cast<ptrdiff_t>(address - start), size);
    }
  }
  if (after = g_memory.allocations.upper_bound(address); after != g_memory.allocations.end()) {
    fail(site, "%s %zu bytes at %#zx, %zu bytes before an allocation of %zu", verb(access), bytes,
         static_cast<size_t>(address), static_cast<size_t>(after->first - address), after->second);
  }
  fail(site, "%s %zu bytes at %#zx, which belongs to no allocation", verb(access), bytes,
       static_cast<size_t>(address));
}

}  // namespace

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
  g_memory.allocations[reinterpret_cast<uintptr_t>(memory)] = bytes;
}

void withdraw(void* memory) {
  g_memory.allocations.erase(reinterpret_cast<uintptr_t>(memory));
  g_memory.global_low = 1;
  g_memory.global_high = 0;
}

void reset_shared_memory() {
  make_regions();
  for (Region& region : g_memory.shared) reset(region);
  if (g_memory.dynamic.bytes != 0) reset(g_memory.dynamic);
}

void set_dynamic_shared_memory(size_t bytes) {
  if (bytes > kDynamicBytes) invalid("%zu bytes of dynamic shared memory", bytes);
  g_memory.dynamic.address = reinterpret_cast<uintptr_t>(g_dynamic_shared);
  g_memory.dynamic.bytes = bytes;
  g_memory.dynamic.touched = true;
  g_memory.dynamic.cells.resize(bytes);
}

void* dynamic_shared_memory() { return g_dynamic_shared; }

bool is_shared(uintptr_t address, size_t bytes) {
  const Region* region = region_of(address);
  return region != nullptr && address + bytes <= region->address + region->bytes;
}

void check_access(uintptr_t address, size_t bytes, Access access, const void* site) {
  const Thread& thread = self();
  if (address - thread.stack_low < thread.stack_high - thread.stack_low) return;
  const bool power_of_two = (bytes & (bytes - 1)) == 0;
  if (power_of_two && bytes <= 16 && address % bytes != 0) {
    fail(site, "%s %zu bytes at %#zx, which is not aligned to them", verb(access), bytes,
         static_cast<size_t>(address));
  }
  if (Region* region = region_of(address)) {
    check_shared(*region, address, bytes, access, site);
  } else {
    check_not_beside_shared(address, bytes, access, site);
    check_global(address, bytes, access, site);
  }
}

void mark_pending(uintptr_t destination, size_t bytes, const void* site) {
  check_access(destination, bytes, Access::kWrite, site);
  Region* region = region_of(destination);
  for (size_t i = 0; i < bytes; ++i) {
    region->cells[destination - region->address + i].content = Content::kCopyUnderWay;
  }
}

void mark_written(uintptr_t destination, size_t bytes, const void* site) {
  Region* region = region_of(destination);
  for (size_t i = 0; i < bytes; ++i) {
    region->cells[destination - region->address + i].content = Content::kNothing;
  }
  check_access(destination, bytes, Access::kWrite, site);
}

void mark_landed(uintptr_t destination, size_t bytes) {
  Region* region = region_of(destination);
  for (size_t i = 0; i < bytes; ++i) {
    Cell& cell = region->cells[destination - region->address + i];
    cell = Cell{};
    cell.content = Content::kValue;
  }
}

// 32-bit shared addresses: from 0x1000, in the order of the host's addresses.
uint32_t shared_address(const void* pointer) {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  if (address - g_memory.dynamic.address < kDynamicBytes) {
    return static_cast<uint32_t>(0x80000000u + (address - g_memory.dynamic.address));
  }
  const Module& module = current_module();
  if (address < module.low || address > module.high) invalid("not an address of shared memory");
  return static_cast<uint32_t>(0x1000 + (address - (module.low & ~uintptr_t{1023})));
}

void* shared_pointer(uint32_t address) {
  if (address >= 0x80000000u) {
    return reinterpret_cast<void*>(g_memory.dynamic.address + (address - 0x80000000u));
  }
  return reinterpret_cast<void*>((current_module().low & ~uintptr_t{1023}) + (address - 0x1000));
}

}  // namespace emulator
