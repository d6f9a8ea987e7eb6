// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// runtime/shared_memory.cpp: accesses of shared memory lie inside one variable; a read finds bytes
// that were written, and that no other thread wrote, or will overwrite, without a barrier in
// between.
//
// There is a cell a byte: who wrote it last and the last two threads that have read it since, each
// with its count of synchronisations (sync.cpp), and how many asynchronous reads (wgmma, copies to
// global memory) are under way. Where the four bytes of a word have one story, which they mostly
// have, one cell tells it.
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
  uint32_t split = 0;  // of a word: its bytes have cells of their own
  const void* write_site = nullptr;
};
static_assert(sizeof(Cell) == 32);

inline bool same(const Cell& a, const Cell& b) {
  uint64_t x[4], y[4];
  std::memcpy(x, &a, sizeof x);
  std::memcpy(y, &b, sizeof y);
  return ((x[0] ^ y[0]) | (x[1] ^ y[1]) | (x[2] ^ y[2]) | (x[3] ^ y[3])) == 0;
}

constexpr size_t kWord = 4;
constexpr int kNoBlock = -1;  // a variable of fixed size: there is one, whoever runs
struct Region {
  uintptr_t address = 0;
  size_t bytes = 0;
  int block = kNoBlock;
  bool touched = true;
  std::vector<Cell> words;
  std::vector<Cell> cells;  // of bytes; of a word that is not split they mean nothing

  void resize(size_t to) {
    bytes = to;
    words.resize((to + kWord - 1) / kWord);
    if (cells.size() < words.size() * kWord) cells.resize(words.size() * kWord);
  }

  void split(size_t word) {
    std::fill_n(&cells[word * kWord], kWord, words[word]);
    words[word].split = 1;
  }
  // After an access of the whole word.
  void unite(size_t word) {
    const Cell* const its = &cells[word * kWord];
    if (same(its[0], its[1]) && same(its[0], its[2]) && same(its[0], its[3])) words[word] = its[0];
  }

  const Cell& cell_at(uintptr_t at) const {
    const Cell& word = words[(at - address) / kWord];
    return word.split != 0 ? cells[at - address] : word;
  }

  // Calls visit(cell, address) for each story among the bytes.
  template <class Visit>
  void for_each_cell(uintptr_t first, size_t count, Visit visit) {
    size_t at = first - address;
    for (const size_t end = at + count; at < end;) {
      const size_t word = at / kWord;
      const size_t step = at % kWord == 0 && end - at >= kWord ? kWord : 1;
      if (step == kWord && words[word].split == 0) {
        visit(words[word], address + at);
      } else {
        if (words[word].split == 0) split(word);
        for (size_t i = 0; i < step; ++i) visit(cells[at + i], address + at + i);
        if (step == kWord) unite(word);
      }
      at += step;
    }
  }
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
      region.resize(variable.bytes);
      g_shared.variables.push_back(std::move(region));
    }
  }
  g_shared.last_hit = nullptr;
}

void reset(Region& region) {
  if (!region.touched || region.bytes == 0) return;
  std::memset(reinterpret_cast<void*>(region.address), kPoison, region.bytes);
  std::fill(region.words.begin(), region.words.end(), Cell{});
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

// An access of one byte or word, and what it leaves behind. Who writes after the readers, and is
// known to have written, is known to have let them finish: they are forgotten.
inline void check_cell(const Region& region, Cell& cell, uintptr_t address, Access access,
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
  cell.readers = {kNobody, kNobody};
  cell.read_clocks = {};
}

void check_region(Region& region, uintptr_t address, size_t bytes, Access access,
                  const void* site) {
  check_extent(region, address, bytes, verb_of(access), site);
  region.touched = true;
  region.for_each_cell(address, bytes, [&](Cell& cell, uintptr_t at) {
    check_cell(region, cell, at, access, site);
  });
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

// What an ordinary store wrote is not seen by an asynchronous read without a fence on the way: of
// the thread that wrote it, of which the reader knows, or of the reader, once it knew of the store.
void check_fenced(const Thread& reader, const Cell& cell, const char* verb, const void* site) {
  const Machine& m = machine();
  if (cell.writer >= m.threads.size()) return;
  const std::vector<uint32_t>& known = reader.known_at_fence;
  if (!known.empty() && cell.write_clock <= known[cell.writer]) return;
  const std::vector<uint32_t>& fences = m.threads[cell.writer].async_fences;
  const auto fence = std::lower_bound(fences.begin(), fences.end(), cell.write_clock);
  if (fence != fences.end() && is_over(reader, {cell.writer, *fence})) return;
  fail(site,
       "%s shared memory that thread %d wrote at %s, with no fence_async_shared of either in "
       "between",
       verb, cell.writer, source_line(cell.write_site).c_str());
}

// The region of an asynchronous read's source.
Region& source_region(uintptr_t address, size_t bytes, const char* verb, const void* site) {
  Region* region = region_of(address);
  if (region == nullptr) fail(site, "%s what is no shared memory", verb);
  check_extent(*region, address, bytes, verb, site);
  return *region;
}

void check_async(const Region& region, const Cell& cell, uintptr_t address, const char* verb,
                 bool needs_value, const void* site) {
  const Thread& thread = self();
  check_content(region, cell, address, verb, needs_value, site);
  check_writer(thread, cell, address, verb, site);
  check_fenced(thread, cell, verb, site);
}

// Whether a read of these bytes needs all of them: a reader that passes over what nothing wrote
// does so by whole pieces.
bool needs_values(Region& region, uintptr_t address, size_t bytes, Unwritten unwritten) {
  if (unwritten == Unwritten::kIsAnError) return true;
  bool written = false;
  region.for_each_cell(address, bytes, [&](const Cell& cell, uintptr_t) {
    written = written || cell.content != Content::kNothing;
  });
  return written;
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
    region.block = static_cast<int>(i);
    region.touched = true;
    region.resize(bytes);
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

void check_cluster_read(uintptr_t address, size_t bytes, const void* site) {
  Region* region = region_of(address);
  if (region == nullptr) fail(site, "not an access of the cluster's shared memory");
  if (machine().watching) check_region(*region, address, bytes, Access::kRead, site);
}

void mark_pending(uintptr_t destination, size_t bytes, const void* site) {
  Region* region = region_of(destination);
  if (region == nullptr) fail(site, "a copy to no shared variable");
  check_region(*region, destination, bytes, Access::kWrite, site);
  region->for_each_cell(destination, bytes,
                        [](Cell& cell, uintptr_t) { cell.content = Content::kCopyUnderWay; });
}

void mark_written(uintptr_t destination, size_t bytes, const void* site) {
  region_of(destination)->for_each_cell(destination, bytes, [](Cell& cell, uintptr_t) {
    cell.content = Content::kNothing;
  });
  check_access(destination, bytes, Access::kWrite, site);
}

void mark_landed(uintptr_t destination, size_t bytes, Moment moment) {
  region_of(destination)->for_each_cell(destination, bytes, [&](Cell& cell, uintptr_t) {
    const void* const site = cell.write_site;
    cell = Cell{};
    cell.content = Content::kValue;
    cell.writer = moment.thread;
    cell.write_clock = moment.clock;
    cell.write_site = site;
  });
}

void check_async_read(uintptr_t address, size_t bytes, const char* verb, Unwritten unwritten,
                      const void* site) {
  Region& region = source_region(address, bytes, verb, site);
  const bool needs_value = needs_values(region, address, bytes, unwritten);
  for (size_t i = 0; i < bytes; i += 16) {
    check_async(region, region.cell_at(address + i), address + i, verb, needs_value, site);
  }
}

void begin_async_read(uintptr_t address, size_t bytes, const char* verb, Unwritten unwritten,
                      const void* site) {
  Region& region = source_region(address, bytes, verb, site);
  const bool needs_value = needs_values(region, address, bytes, unwritten);
  region.for_each_cell(address, bytes, [&](Cell& cell, uintptr_t at) {
    check_async(region, cell, at, verb, needs_value, site);
    ++cell.async_reads;
  });
}

void end_async_read(uintptr_t address, size_t bytes, Moment moment) {
  region_of(address)->for_each_cell(address, bytes, [&](Cell& cell, uintptr_t) {
    --cell.async_reads;
    note_read(cell, moment);
  });
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
