// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// runtime/shared_memory.cpp: accesses of shared memory lie inside one variable; a read finds bytes
// that were written, and that no other thread wrote, or will overwrite, without a barrier in
// between.
//
// There is a cell a byte: who wrote it last and the last two threads that read it, each with its
// count of synchronisations (sync.cpp), and how many asynchronous reads (wgmma, copies to global
// memory) are under way.
//
// 32-bit addresses: dynamic shared memory lies at 0x400, where the hardware has it, variables of
// fixed size from 0x01000000 on. Another block of the cluster has its rank, plus one, in the four
// upper bits.
//==============================================================================
#include "runtime/shared_memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "runtime/module.h"

namespace emulator {
namespace {

constexpr uint16_t kNobody = 0xffff;
constexpr int kPoison = 0xff;  // NaN as a float of any width
constexpr size_t kDynamicBytes = 232 * 1024;
constexpr size_t kMaxBlocks = 8;  // of a cluster
constexpr uint32_t kDynamicBase = 0x400;
constexpr uint32_t kStaticBase = 0x01000000;
constexpr uint32_t kOperandMask = 0x3ffff;  // of an address, in a matrix descriptor

enum class Content : uint8_t { kNothing, kValue, kCopyUnderWay };

struct Cell {
  Content content = Content::kNothing;
  uint8_t async_reads = 0;
  uint16_t writer = kNobody;
  std::array<uint16_t, 2> readers{kNobody, kNobody};
  uint32_t write_clock = 0;
  std::array<uint32_t, 2> read_clocks{};
  uint32_t unused = 0;
  const void* write_site = nullptr;
};
static_assert(sizeof(Cell) == 32);

inline bool same(const Cell& a, const Cell& b) {
  uint64_t x[4], y[4];
  std::memcpy(x, &a, sizeof x);
  std::memcpy(y, &b, sizeof y);
  return ((x[0] ^ y[0]) | (x[1] ^ y[1]) | (x[2] ^ y[2]) | (x[3] ^ y[3])) == 0;
}

constexpr int kNoBlock = -1;  // a variable of fixed size: there is one, whoever runs
struct Region {
  uintptr_t address = 0;
  size_t bytes = 0;
  int block = kNoBlock;
  bool touched = true;
  std::vector<Cell> cells;
  Cell* cell(uintptr_t at) { return cells.data() + (at - address); }
};

struct SharedMemory {
  uint64_t module_id = 0;
  std::vector<Region> variables;           // of fixed size; ascending
  std::array<Region, kMaxBlocks> dynamic;  // by block of the cluster
  size_t blocks = 1;
  Region* last_hit = nullptr;
};
SharedMemory g_shared;

alignas(1024) unsigned char g_dynamic[kMaxBlocks][kDynamicBytes];

uintptr_t static_origin() { return current_module().low & ~uintptr_t{1023}; }

bool within(const Region& region, uintptr_t address) {
  return address - region.address < region.bytes;
}

Region* region_of(uintptr_t address) {
  if (g_shared.last_hit != nullptr && within(*g_shared.last_hit, address)) return g_shared.last_hit;
  for (size_t i = 0; i < g_shared.blocks; ++i) {
    if (within(g_shared.dynamic[i], address)) return g_shared.last_hit = &g_shared.dynamic[i];
  }
  for (Region& region : g_shared.variables) {
    if (within(region, address)) return g_shared.last_hit = &region;
  }
  return nullptr;
}

void make_regions() {
  const Module& module = current_module();
  if (g_shared.module_id != module.id) {
    g_shared.module_id = module.id;
    g_shared.variables.clear();
    for (const SharedVariable& variable : module.variables) {
      Region region;
      region.address = variable.address;
      region.bytes = variable.bytes;
      region.cells.resize(variable.bytes);
      g_shared.variables.push_back(std::move(region));
    }
  }
  g_shared.last_hit = nullptr;
}

void reset(Region& region) {
  if (!region.touched || region.bytes == 0) return;
  std::memset(reinterpret_cast<void*>(region.address), kPoison, region.bytes);
  std::fill(region.cells.begin(), region.cells.end(), Cell{});
  region.touched = false;
}

std::string who_wrote(const Cell& cell) {
  const bool by_copy = cell.writer >= machine().threads.size();
  return by_copy ? "a copy" : "thread " + std::to_string(cell.writer);
}

void check_writer(const Thread& thread, const Cell& cell, uintptr_t address, const char* verb,
                  const void* site) {
  if (cell.writer == kNobody || is_over(thread, {cell.writer, cell.write_clock})) return;
  fail(site, "%s shared memory at %#zx that %s wrote at %s, with no barrier in between", verb,
       static_cast<size_t>(address), who_wrote(cell).c_str(), source_line(cell.write_site).c_str());
}

void check_readers(const Thread& thread, const Cell& cell, uintptr_t address, const void* site) {
  if (cell.async_reads != 0) {
    fail(site, "writes shared memory at %#zx that a wgmma or a store may still read",
         static_cast<size_t>(address));
  }
  for (size_t i = 0; i < 2; ++i) {
    if (cell.readers[i] != kNobody && !is_over(thread, {cell.readers[i], cell.read_clocks[i]})) {
      fail(site, "writes shared memory at %#zx that thread %d read, with no barrier in between",
           static_cast<size_t>(address), cell.readers[i]);
    }
  }
}

void note_read(Cell& cell, Moment moment) {
  if (cell.readers[0] != moment.thread) {
    if (cell.readers[1] != moment.thread) {
      cell.readers[1] = cell.readers[0];
      cell.read_clocks[1] = cell.read_clocks[0];
    } else {
      std::swap(cell.readers[0], cell.readers[1]);
      std::swap(cell.read_clocks[0], cell.read_clocks[1]);
    }
    cell.readers[0] = moment.thread;
  }
  cell.read_clocks[0] = moment.clock;
}

void check_content(const Region& region, const Cell& cell, uintptr_t address, const char* verb,
                   bool needs_value, const void* site) {
  if (cell.content == Content::kCopyUnderWay) {
    fail(site, "%s shared memory that a copy started at %s may still write", verb,
         source_line(cell.write_site).c_str());
  }
  if (needs_value && cell.content == Content::kNothing) {
    fail(site, "%s shared memory that nothing wrote: byte %zu of a variable of %zu", verb,
         static_cast<size_t>(address - region.address), region.bytes);
  }
}

void check_extent(const Region& region, uintptr_t address, size_t bytes, const char* verb,
                  const void* site) {
  if (address + bytes > region.address + region.bytes) {
    fail(site, "%s %zu bytes, past the end of a shared variable of %zu bytes", verb, bytes,
         region.bytes);
  }
}

// One byte's access, and what it leaves behind.
void check_cell(const Region& region, Cell& cell, uintptr_t address, Access access,
                const void* site) {
  const char* const verb = verb_of(access);
  const Thread& thread = self();
  const Moment now{static_cast<uint16_t>(thread.id), thread.clock};
  check_content(region, cell, address, verb, access == Access::kRead, site);
  check_writer(thread, cell, address, verb, site);
  if (access != Access::kWrite) {
    note_read(cell, now);
    return;
  }
  check_readers(thread, cell, address, site);
  cell.content = Content::kValue;
  cell.writer = now.thread;
  cell.write_clock = now.clock;
  cell.write_site = site;
}

void check_region(Region& region, uintptr_t address, size_t bytes, Access access,
                  const void* site) {
  check_extent(region, address, bytes, verb_of(access), site);
  region.touched = true;
  Cell* cells = region.cell(address);
  Cell before = cells[0];
  Cell after = before;
  check_cell(region, after, address, access, site);
  cells[0] = after;
  for (size_t i = 1; i < bytes; ++i) {
    // Neighbours mostly have the same story.
    if (!same(cells[i], before)) {
      after = before = cells[i];
      check_cell(region, after, address + i, access, site);
    }
    cells[i] = after;
  }
}

// Between the variables of the module, or past the last.
void check_not_beside(uintptr_t address, size_t bytes, Access access, const void* site) {
  const Module& module = current_module();
  if (address >= module.low && address < module.high + 4096) {
    fail(site, "%s %zu bytes outside every shared variable", verb_of(access), bytes);
  }
  if (address - reinterpret_cast<uintptr_t>(g_dynamic) < sizeof g_dynamic) {
    fail(site, "%s %zu bytes past the end of dynamic shared memory of %zu bytes", verb_of(access),
         bytes, g_shared.dynamic[0].bytes);
  }
}

// What an ordinary store wrote is not seen by an asynchronous read without a fence of the thread
// that wrote it, of which the reader knows.
void check_fenced(const Thread& reader, const Cell& cell, const char* what, const void* site) {
  const Machine& m = machine();
  if (cell.writer >= m.threads.size()) return;
  const std::vector<uint32_t>& fences = m.threads[cell.writer].async_fences;
  const auto fence = std::lower_bound(fences.begin(), fences.end(), cell.write_clock);
  if (fence != fences.end() && is_over(reader, {cell.writer, *fence})) return;
  fail(site,
       "%s reads shared memory that thread %d wrote at %s, with no fence_async_shared of "
       "that thread in between",
       what, cell.writer, source_line(cell.write_site).c_str());
}

void check_async(uintptr_t address, size_t bytes, size_t step, const char* reader,
                 const void* site) {
  Region* region = region_of(address);
  if (region == nullptr) fail(site, "%s reads what is no shared memory", reader);
  const std::string verb = std::string(reader) + " reads";
  check_extent(*region, address, bytes, verb.c_str(), site);
  const Thread& thread = self();
  for (size_t i = 0; i < bytes; i += step) {
    Cell& cell = *region->cell(address + i);
    check_content(*region, cell, address + i, verb.c_str(), true, site);
    check_writer(thread, cell, address + i, verb.c_str(), site);
    check_fenced(thread, cell, reader, site);
  }
}

}  // namespace

void reset_shared_memory() {
  make_regions();
  for (Region& region : g_shared.variables) reset(region);
  for (size_t i = 0; i < g_shared.blocks; ++i) reset(g_shared.dynamic[i]);
}

void set_dynamic_shared_memory(size_t bytes, size_t blocks) {
  if (bytes > kDynamicBytes || blocks > kMaxBlocks) {
    std::abort();  // launch() has looked
  }
  g_shared.blocks = blocks;
  for (size_t i = 0; i < blocks; ++i) {
    Region& region = g_shared.dynamic[i];
    region.address = reinterpret_cast<uintptr_t>(g_dynamic[i]);
    region.bytes = bytes;
    region.block = static_cast<int>(i);
    region.touched = true;
    region.cells.resize(bytes);
  }
}

void* dynamic_shared_memory() { return g_dynamic[self().block]; }

bool is_shared(uintptr_t address, size_t bytes) {
  const Region* region = region_of(address);
  return region != nullptr && address + bytes <= region->address + region->bytes;
}

bool check_shared(uintptr_t address, size_t bytes, Access access, const void* site) {
  Region* region = region_of(address);
  if (region == nullptr) {
    check_not_beside(address, bytes, access, site);
    return false;
  }
  if (region->block == kNoBlock && g_shared.blocks > 1) {
    fail(
        site,
        "%s a __shared__ variable of fixed size in a cluster, of which there is only one here: use "
        "dynamic shared memory (docs/emulator.md)",
        verb_of(access));
  }
  if (region->block != kNoBlock && region->block != self().block) {
    fail(site, "%s the shared memory of another block of the cluster", verb_of(access));
  }
  check_region(*region, address, bytes, access, site);
  return true;
}

void mark_pending(uintptr_t destination, size_t bytes, const void* site) {
  Region* region = region_of(destination);
  if (region == nullptr) fail(site, "a copy to no shared variable");
  check_region(*region, destination, bytes, Access::kWrite, site);
  Cell* cells = region->cell(destination);
  for (size_t i = 0; i < bytes; ++i) cells[i].content = Content::kCopyUnderWay;
}

void mark_written(uintptr_t destination, size_t bytes, const void* site) {
  Cell* cells = region_of(destination)->cell(destination);
  for (size_t i = 0; i < bytes; ++i) cells[i].content = Content::kNothing;
  check_access(destination, bytes, Access::kWrite, site);
}

void mark_landed(uintptr_t destination, size_t bytes, Moment moment) {
  Cell* cells = region_of(destination)->cell(destination);
  for (size_t i = 0; i < bytes; ++i) {
    const void* const site = cells[i].write_site;
    cells[i] = Cell{};
    cells[i].content = Content::kValue;
    cells[i].writer = moment.thread;
    cells[i].write_clock = moment.clock;
    cells[i].write_site = site;
  }
}

void check_async_read(uintptr_t address, size_t bytes, const char* reader, const void* site) {
  check_async(address, bytes, 16, reader, site);
}

void begin_async_read(uintptr_t address, size_t bytes, const char* reader, const void* site) {
  check_async(address, bytes, 1, reader, site);
  Cell* cells = region_of(address)->cell(address);
  for (size_t i = 0; i < bytes; ++i) ++cells[i].async_reads;
}

void end_async_read(uintptr_t address, size_t bytes, Moment moment) {
  Cell* cells = region_of(address)->cell(address);
  for (size_t i = 0; i < bytes; ++i) {
    --cells[i].async_reads;
    note_read(cells[i], moment);
  }
}

// ---- 32-bit addresses -------------------------------------------------------------------------

uint32_t shared_address(const void* pointer) {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  const uintptr_t offset = address - reinterpret_cast<uintptr_t>(dynamic_shared_memory());
  // Just past the end is an address too.
  if (offset <= g_shared.dynamic[0].bytes) return kDynamicBase + static_cast<uint32_t>(offset);
  const Module& module = current_module();
  if (address < module.low || address > module.high) invalid("not an address of shared memory");
  return kStaticBase + static_cast<uint32_t>(address - static_origin());
}

SharedPlace shared_place(uint32_t address) { return {self().block, address}; }

unsigned char* shared_bytes(SharedPlace place) {
  if (place.address >= kStaticBase) {
    return reinterpret_cast<unsigned char*>(static_origin() + (place.address - kStaticBase));
  }
  // Wherever it points to, nothing but this block's memory and errors lies there.
  return g_dynamic[place.block] + (static_cast<int64_t>(place.address) - kDynamicBase);
}

void* shared_pointer(uint32_t address) { return shared_bytes(shared_place(address)); }

uint32_t address_of_operand(uint32_t low_bits) { return low_bits & kOperandMask; }

}  // namespace emulator
