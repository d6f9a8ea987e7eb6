// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// suites/emulated_case.h: one product through the public API on one row of a table.
//==============================================================================
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "dispatch/kernel_row.h"
#include "runtime/emulator.h"
#include "support/gemm_case.h"

namespace myblas::test {

// The emulated GPU's memory: every buffer an allocation of exactly its size.
Device& emulated_device();

// Loads the modules of all families, once.
void load_all_kernels();

// A row, and a compute capability whose table holds it.
struct TableRow {
  const KernelRow* row;
  int cc;
};
// Every row of every table, each name once.
std::vector<TableRow> all_rows();
TableRow find_row(const std::string& name);
// Whether a row of fp16 has the kernel text and the numbers of one of bfloat16.
bool has_bf16_twin(const KernelRow& row);
// A row gets one of so many of its boundary cases: fewer where other rows have the same main loop,
// a fp16 or a pointers' one a quarter, one with an fp32 C beside a bf16 or an int32 one half. Of
// tensor cores', tens of which differ in the tile alone, each has half of that, of wgmma's a third.
size_t share_of_cases(const KernelRow& row);

// The combinations of types that ask for the row.
std::vector<const TypeCombo*> combos_of(const KernelRow& row);

// How k is divided: whole, in one group of parts, in groups of groups (common/split_k.cuh), and
// dealt by the k-tile (common/shares.h).
inline const std::vector<std::string> kParts = {"1", "3", "11", "even"};

// Handles that are bound to one row: MYBLAS_KERNEL=row@parts and the row's own GPU; one for each of
// the parts that the row may divide k into. The seed of a run picks one.
class RowHandle {
 public:
  explicit RowHandle(const TableRow& row, const std::vector<std::string>& parts = kParts,
                     int sm_count = 2);
  RowHandle(const RowHandle&) = delete;
  RowHandle& operator=(const RowHandle&) = delete;
  ~RowHandle();

  // Runs the case and compares it bit for bit. An error of the emulator is a failure too.
  testing::AssertionResult run(const GemmCase& gemm, const emulator::Settings& settings,
                               std::map<std::string, emulator::Wavefronts>* wavefronts = nullptr);
  // Whether the row itself served the last case; the dispatcher may have refused it.
  bool served() const;
  myblasHandle_t get() const { return handles_[0]; }
  const KernelRow& row() const { return row_; }

 private:
  testing::AssertionResult compute(myblasHandle_t handle, const GemmCase& gemm);

  const KernelRow& row_;
  const int sm_count_;
  std::vector<myblasHandle_t> handles_;
};

// The emulator's own variations, of a seed: every fourth launch has a grid of one block, which
// then does all the tiles.
emulator::Settings settings_of(uint64_t seed);

// Boundary shapes of the row's tile, each with the rest drawn from the seed: transposition,
// alignment, scalars and where they live, batch. `rounds` cases a shape.
std::vector<GemmCase> boundary_cases(const KernelRow& row, uint64_t seed, int rounds);
// Batches of pointers to matrices of which the first begins where TMA reaches it and the other does
// not, of each operand by itself; and to such as all do. Of a row for others: none.
std::vector<GemmCase> pointer_cases(const KernelRow& row);
// Edges past a tile's middle: blocks that share a tile have a part each of what is inside.
std::vector<GemmCase> cases_past_middle(const KernelRow& row, uint64_t seed);
// More tiles than the warps of all blocks have at once, of a row by warps. Of another: none.
std::vector<GemmCase> cases_past_warps(const KernelRow& row, uint64_t seed);
// Biases and activations, of whole tiles and of edges. Of a row that has none: none.
std::vector<GemmCase> epilogue_cases(const KernelRow& row, uint64_t seed);

// So many tiles, the last ones of one row or column; of rows for pointers a batch of one.
GemmCase case_of_tiles(const KernelRow& row, int tiles_m, int tiles_n, int k_tiles);
// Of wgmma's rows: tiles of which pairs or fours run two to a cluster (units_in_cluster), or blocks
// beside their neighbours (common/tile_neighbours.h; not of pointers), on so many SMs.
struct ClusterCase {
  GemmCase gemm;
  int sm_count;
};
std::vector<ClusterCase> cases_in_clusters(const KernelRow& row);
// Pads columns to a multiple of 16 elements.
void align_columns(GemmCase* gemm);
// Those of them that a planted fault is looked for with: a few, but of each kind.
std::vector<GemmCase> sample(const std::vector<GemmCase>& cases, size_t count, size_t first = 0);

}  // namespace myblas::test
