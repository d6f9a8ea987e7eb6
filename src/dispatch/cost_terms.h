// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// dispatch/cost_terms.h: what the predictions of cost.cpp, cost_rounds.cpp,
// cost_streams.cpp, cost_walks.cpp, cost_warps.cpp and cost_wgmma.cpp share. For these alone;
// everyone else asks cost.h.
//==============================================================================
#pragma once

#include <initializer_list>

#include "dispatch/kernel_row.h"

namespace myblas {

inline double as_double(int64_t value) { return static_cast<double>(value); }

// Tiles of C, of all products.
double tiles_of(const KernelRow& row, const GemmProblem& p);

// Blocks on one SM at a time: what the registers allow, unless this chip has less shared memory.
double resident_blocks(const KernelRow& row, const DeviceCaps& caps);

// Bytes of one matrix of the batch; those of C count by what they cost.
double a_bytes(const GemmProblem& p);
double b_bytes(const GemmProblem& p);
double c_bytes(const GemmProblem& p, double write_weight);

// How far C fills L2, which it leaves then: 0 to 1.
double share_past_l2(const GemmProblem& p, const DeviceCaps& caps);
// How many times as long DRAM takes for C whose columns begin within a sector of 32 bytes: whoever
// writes tiles of it cuts these in two.
double cut_sectors(const GemmProblem& p, const DeviceCaps& caps);

// How far the operands come from DRAM: 0 where L2 has them still, to 1.
double coldness(const GemmProblem& p);

// Microseconds for `bytes` of each product, at this share of the bandwidth.
double dram_us(const GemmProblem& p, const DeviceCaps& caps, double bytes, double share);

// Whether 16-byte loads reach every column of every matrix. Pointers of a batch are not known here;
// they hardly ever lie worse than their columns.
// NOTE: of addresses select() may read the alignment class alone, or the plan cache would lie.
bool has_runs(const Matrix& matrix, DataType type, const GemmProblem& p);

// What a block takes to find its matrices where they come by pointers.
double pointers_us(const GemmProblem& p);

// Where parts of k meet: every block leaves a slot; the last part of a tile reads those of its
// group, once a level.
double meeting_us(const KernelRow& row, const DeviceCaps& caps, int parts, double rounds,
                  double resident);

// The same in a cluster's shared memory.
double cluster_sum_us(const KernelRow& row, const DeviceCaps& caps, int parts);

// The longest of what runs beside each other, and what it does not hide of the others.
double together_us(std::initializer_list<double> times);

// Operands on their way to an SM (cost_loads.cpp). Whether a cluster's blocks share B, and not A.
bool shares_b(const KernelRow& row);
// Rows of A and B that a block asks for itself.
double asked_rows(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps);
// What L2 and the rings take for them, and TMA for rows that lie outside of the operands.
double load_us(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps, double blocks,
               double block_k);
double outside_us(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps, double blocks,
                  double block_k);

// Rounds of blocks (cost_rounds.cpp). mma.sync: blocks that stay, and a ring of k-tiles that goes
// on from tile to tile.
bool walks_by_tma(const KernelRow& row);
// fp64 on the tensor cores, but for blocks that stay for tiny products.
bool rounds_in_f64(const KernelRow& row);
// Between the products of one round of blocks and those of the next: they start, and store what
// lies inside of C, which they read first unless beta is 0.
double between_rounds_us(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps,
                         double resident, double rounds, double products_us, bool summed);

// Blocks that stay, of fp32 that TMA feeds (cost_walks.cpp). summed: as predict_us says.
double walking_us(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps, bool summed);

// wgmma's rows (cost_wgmma.cpp). Whether they bring no more of A and B at the edges than is there.
bool knows_edges(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps);
// How their tiles of C leave, and what a byte of it costs of one read.
bool stores_by_one(const KernelRow& row, const GemmProblem& p);
double size_of_pieces(const KernelRow& row);
// How much longer pieces take than those of size 1, of whose time the share `same` is any piece's.
inline double longer_in_pieces(double size, double same) {
  return (same + (1.0 - same) * size) / size;
}
double narrow_pieces(const KernelRow& row);
double write_weight_of_wgmma(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps);
// What its products and loads take where blocks run beside their neighbours, or pairs together, or
// parts of k behind a pass (summed), of what they take alone. along_m: how pairs lie.
double beside_others(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps, int parts,
                     bool along_m, bool summed);
// What DRAM sends them, of what they load, and both beside each other.
double streamed_us(const KernelRow& row, const DeviceCaps& caps, double blocks, double bytes);
double loaded_once(const KernelRow& row, const GemmProblem& p, double all_k, double rows);
double wgmma_busy_us(double math, double loads, double outside, double dram, double again);

// Rows that stream an operand (gemv_dot, gemv_axpy), k in `parts`; those whose threads have rows of
// their own (gemv_tall); outer products.
bool is_tall(const KernelRow& row);
bool is_outer(const KernelRow& row);
double streaming_us(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps, int parts);
double tall_us(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps);
double outer_us(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps);
// Of warps with tiles of their own (cost_warps.cpp).
double tiny_us(const KernelRow& row, const GemmProblem& p, const DeviceCaps& caps);

}  // namespace myblas
