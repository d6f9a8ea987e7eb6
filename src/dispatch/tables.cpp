// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// dispatch/tables.cpp: the tables of tables/*.inc as arrays, with what the
// compiler can prove of them.
//==============================================================================
#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <string_view>

#include "dispatch/select.h"
#include "kernels/blackwell/blackwell_shape.h"
#include "kernels/common/launch.h"
#include "kernels/common/launch_mma.h"
#include "kernels/common/launch_tma.h"
#include "kernels/common/mma_smem.h"
#include "kernels/common/mma_warp_shape.h"
#include "kernels/common/tma_shape.h"
#include "kernels/gemv/launch_outer.h"
#include "kernels/hopper/hopper_shape.h"
#include "kernels/simt/simt_smem.h"

namespace myblas {
namespace {

using enum DataType;
using enum TransSet;
using enum Pipe;

// Compute and DataType share enumerator names, so the sum's type is spelled through this.
constexpr Compute sum_type(DataType type) {
  switch (type) {
    case kF64: return Compute::kF64;
    case kS32: return Compute::kS32;
    default: return Compute::kF32;
  }
}

// What the cost model must know of a skeleton beside its numbers stands in the kernel's name.
constexpr bool says(std::string_view name, std::string_view word) {
  return name.find(word) != std::string_view::npos;
}

// Others have no registers left for one, and arrays of pointers none (docs/adr/0027).
constexpr bool takes_epilogue(std::string_view name) {
  return !says(name, "_warp_") && !says(name, "_outer_") && !says(name, "ampere_batch_") &&
         !says(name, "_pointers_") && !(says(name, "_reference_") && says(name, "_128x128x"));
}

#define ROW(name, ab, c, acc, trans, needs, cc_min, cc_max, tm, tn, tk, stages, threads, blocks, \
            pipe, percent, max_parts, align_a, align_b, align_c, smem, offset, launch)           \
  KernelRow{#name,                                                                               \
            says(#name, "_quad_")   ? 4                                                          \
            : says(#name, "_pair_") ? 2                                                          \
                                    : 1,                                                         \
            says(#name, "_pingpong_"),                                                           \
            says(#name, "_batch_"),                                                              \
            says(#name, "_pointers_"),                                                           \
            says(#name, "_warp_"),                                                               \
            takes_epilogue(#name),                                                               \
            {ab, c, sum_type(acc)},                                                              \
            trans,                                                                               \
            needs,                                                                               \
            cc_min,                                                                              \
            cc_max,                                                                              \
            tm,                                                                                  \
            tn,                                                                                  \
            tk,                                                                                  \
            stages,                                                                              \
            threads,                                                                             \
            blocks,                                                                              \
            pipe,                                                                                \
            percent,                                                                             \
            max_parts,                                                                           \
            align_a,                                                                             \
            align_b,                                                                             \
            align_c,                                                                             \
            smem,                                                                                \
            offset,                                                                              \
            launch},

constexpr KernelRow kSm75[] = {
#include "dispatch/tables/sm75.inc"
};
constexpr KernelRow kSm80[] = {
#include "dispatch/tables/sm80.inc"
};
constexpr KernelRow kSm86[] = {
#include "dispatch/tables/sm86.inc"
};
constexpr KernelRow kSm89[] = {
#include "dispatch/tables/sm89.inc"
};
constexpr KernelRow kSm90[] = {
#include "dispatch/tables/sm90.inc"
};
constexpr KernelRow kSm100[] = {
#include "dispatch/tables/sm100.inc"
};
constexpr KernelRow kSm120[] = {
#include "dispatch/tables/sm120.inc"
};
#undef ROW

struct Table {
  int cc;
  std::span<const KernelRow> rows;
};
constexpr Table kTables[] = {{75, kSm75}, {80, kSm80},   {86, kSm86},  {89, kSm89},
                             {90, kSm90}, {100, kSm100}, {120, kSm120}};
constexpr int kTableCcs[] = {75, 80, 86, 89, 90, 100, 120};
static_assert(std::size(kTables) == std::size(kTableCcs));

// ---- what must hold of every table, checked by the compiler ----------------------------------

// Sorted: the compiler counts its steps, and names begin alike.
constexpr bool names_unique(std::span<const KernelRow> rows) {
  std::array<std::string_view, kMaxTableRows> names;
  const auto end = std::ranges::transform(rows, names.begin(), &KernelRow::name).out;
  std::ranges::sort(names.begin(), end);
  return std::ranges::adjacent_find(names.begin(), end) == end;
}

constexpr bool takes_everything(const KernelRow& row) {
  // A complex element is aligned to its parts at least.
  const auto natural = [](DataType t) {
    return static_cast<int>(element_bytes(t)) / (is_complex(t) ? 2 : 1);
  };
  return row.trans == kAnyTrans && row.needs_fast == kFastNone && row.cc_min <= 75 &&
         row.cc_max >= 999 && row.align_a <= natural(row.key.ab) &&
         row.align_b <= natural(row.key.ab) && row.align_c <= natural(row.key.c) &&
         row.smem_bytes == 0 && row.max_offset == kAnyOffset;
}

// From the end, where the rows that take everything are: the compiler counts its steps.
constexpr const KernelRow& last_of_key(std::span<const KernelRow> rows, const GemmKey& key) {
  size_t i = rows.size() - 1;
  while (!(rows[i].key == key)) --i;
  return rows[i];
}

// Every key that any row has ends in a row that accepts everything.
constexpr bool no_key_without_last_row(std::span<const KernelRow> rows) {
  return std::ranges::all_of(
      rows, [&](const KernelRow& row) { return takes_everything(last_of_key(rows, row.key)); });
}

// The keys the public type table can ask for (include/myblas.h, GemmEx).
constexpr GemmKey kPublicKeys[] = {
    {kF16, kF16, Compute::kF32},   {kBF16, kBF16, Compute::kF32}, {kF16, kF32, Compute::kF32},
    {kBF16, kF32, Compute::kF32},  {kS8, kF32, Compute::kF32},    {kF32, kF32, Compute::kF32},
    {kS8, kS32, Compute::kS32},    {kF64, kF64, Compute::kF64},   {kCS8, kCF32, Compute::kF32},
    {kCF32, kCF32, Compute::kF32}, {kCF64, kCF64, Compute::kF64},
};

constexpr bool has_every_key(std::span<const KernelRow> rows) {
  for (const GemmKey& key : kPublicKeys) {
    bool found = false;
    for (const KernelRow& row : rows) found = found || row.key == key;
    if (!found) return false;
  }
  return true;
}

constexpr bool sane(std::span<const KernelRow> rows) {
  for (const KernelRow& row : rows) {
    if (row.tile_m <= 0 || row.tile_n <= 0 || row.tile_k <= 0 || row.stages <= 0) return false;
    if (row.threads % 32 != 0 || row.threads > 1024 || row.blocks_per_sm <= 0) return false;
    if (row.percent <= 0 || row.percent > 100 || row.max_parts < 1) return false;
  }
  return true;
}

// No hole, no duplicate name, no senseless row.
constexpr bool holds(std::span<const KernelRow> rows) {
  return rows.size() <= kMaxTableRows && names_unique(rows) && no_key_without_last_row(rows) &&
         has_every_key(rows) && sane(rows);
}
// One by one: the compiler bounds what it computes for an assertion.
static_assert(holds(kSm75));
static_assert(holds(kSm80));
static_assert(holds(kSm86));
static_assert(holds(kSm89));
static_assert(holds(kSm90));
static_assert(holds(kSm100));
static_assert(holds(kSm120));

const Table& nearest_table(int cc) {
  const Table* nearest = std::begin(kTables);
  for (const Table& table : kTables) {
    if (table.cc <= cc) nearest = &table;
  }
  return *nearest;
}

}  // namespace

std::span<const KernelRow> table_of(int cc) { return nearest_table(cc).rows; }

int table_number(int cc) { return nearest_table(cc).cc; }

std::span<const int> table_ccs() { return kTableCcs; }

bool parse_target(const char* text, int* cc) {
  if (std::strncmp(text, "sm_", 3) == 0) text += 3;
  int value = 0;
  for (; *text >= '0' && *text <= '9' && value < 1000; ++text) value = 10 * value + (*text - '0');
  if (*text == 'a') ++text;
  if (*text != '\0') return false;
  for (int known : kTableCcs) {
    if (known == value) {
      *cc = value;
      return true;
    }
  }
  return false;
}

}  // namespace myblas
