// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// dispatch/kernel_row.h: one compiled kernel as a line of data, and the rules
// that say whether it may serve a problem.
//==============================================================================
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "dispatch/device_caps.h"
#include "kernels/common/gemm_problem.h"
#include "kernels/common/launch.h"

namespace myblas {

// WHAT is computed: must match exactly. COMPUTE_16F and COMPUTE_32F are both served by rows that
// sum in fp32, so the key holds the sum's type and not the caller's word for it.
struct GemmKey {
  DataType ab;
  DataType c;
  Compute acc;
  constexpr bool operator==(const GemmKey&) const = default;
};

// Set of (op_a, op_b), a bit each. T and C share a bit: conjugation is a flag of the kernel.
enum TransSet : uint8_t { kNN = 1, kNT = 2, kTN = 4, kTT = 8, kAnyTrans = 15 };

// What bounds a kernel: `percent` of its row is a share of this pipe's peak (cost.h).
enum class Pipe : uint8_t {
  kPlain,   // FFMA, DFMA, IMAD: plain_fma_per_clock
  kMma,     // tensor cores through mma.sync: mma_fma_per_clock
  kWgmma,   // tensor cores through wgmma: wgmma_fma_per_clock
  kMemory,  // streams its operands: DRAM bandwidth
};

inline constexpr int64_t kAnyOffset = std::numeric_limits<int64_t>::max();

struct KernelRow {
  const char* name;  // the kernel's symbol; shown by the log, the profiler and MYBLAS_EXPLAIN
  int cluster;       // blocks that share an operand (by the name)
  bool ping_pong;    // a tile is stored while the next is multiplied (by the name)
  bool resident;     // of many small tiles, blocks that stay and load ahead (by the name)
  bool by_pointers;  // serves batches of pointers alone, and sees for itself where their matrices
                     // begin, so that columns alone are to be aligned (by the name)
  bool by_warps;     // of tiny products: each warp has a tile of its own (by the name)
  bool takes_epilogue;  // bias and activation (by the name)
  GemmKey key;
  uint8_t trans;       // TransSet accepted
  uint8_t needs_fast;  // FastMath permission this kernel uses, or kFastNone
  int cc_min, cc_max;  // compute capability of the chip, inclusive
  int tile_m, tile_n, tile_k;
  int stages;  // k-tiles in flight; with the tile it generates the boundary tests
  int threads;
  int blocks_per_sm;  // resident at once, by registers and shared memory
  Pipe pipe;
  int percent;                    // measured share of the pipe's peak on a full GPU
  int max_parts;                  // k may be divided among up to so many blocks; 1: it may not
  int align_a, align_b, align_c;  // bytes: pointers, column strides, batch strides
  size_t smem_bytes;              // dynamic shared memory
  int64_t max_offset;             // largest element offset it can index
  Status (*launch)(const LaunchRequest&);
};

// Why a row cannot serve a problem. One rule a line in check(), one reason a rule.
enum class Reject : uint8_t {
  kNone,
  kKey,
  kTerms,
  kTrans,
  kBatch,
  kShortLast,
  kEpilogue,
  kFastMath,
  kArch,
  kSmem,
  kAlign,
  kOffset,
  kDepth,
  kNotBuilt
};

const char* describe(Reject reject);

GemmKey key_of(const GemmProblem& problem);
uint8_t trans_of(const GemmProblem& problem);

// Whether it sums a k-tile in fp16.
inline bool sums_in_f16(const KernelRow& row) { return (row.needs_fast & kFastF16Sums) != 0; }

// Whether it multiplies fp32 as bf16 terms (kernels/common/bf16_terms.h).
inline bool is_in_terms(const KernelRow& row) { return (row.needs_fast & kFastBF16x9) != 0; }
// Bytes of an element of A or B as it is loaded.
inline size_t loaded_bytes(const KernelRow& row) {
  return element_bytes(row.key.ab) * (is_in_terms(row) ? 2 : 1);
}

// What the tensor cores of this device give its instructions of mma.sync.
double mma_fma_per_clock(const KernelRow& row, const DeviceCaps& caps);

// Whether TMA brings its tiles.
bool is_by_tma(const KernelRow& row);

// Dot products, or sums of columns, by gemv/gemv_frame.cuh.
bool streams(const KernelRow& row);
// Of those, whether it sums columns of its large operand (gemv_axpy).
bool sums_columns(const KernelRow& row, const GemmProblem& problem);
// And of gemv_axpy, whether the lanes of a warp are all side by side.
bool is_of_whole_warps(const KernelRow& row);

// fp32 on CUDA cores, by TMA to blocks that stay (simt/simt_batch_tma.cuh).
bool walks_in_fp32(const KernelRow& row);

// Whether its k-tiles can be dealt (kernels/common/shares.h): by simt/gemm_simt.cuh and
// common/mma_gemm.cuh.
bool can_deal(const KernelRow& row);

// Largest power of two, up to 256, that divides every column start of every matrix of the operand,
// in bytes; for pointer batches what the element and ld alone promise.
int alignment_bytes(const Matrix& matrix, DataType type, const GemmProblem& problem);

// Whether the row reads the matrix where it is aligned to so many bytes. Kernels for batches of
// pointers ask that of columns alone: they look at where each matrix begins.
bool is_aligned_for(const KernelRow& row, const Matrix& matrix, DataType type, int align,
                    const GemmProblem& problem);

// Whether the matrix is one of a batch that goes down in memory: its stride is negative.
bool goes_down(const Matrix& matrix, const GemmProblem& problem);

// Whether one of the matrices is a vector that goes down in memory: its ld is negative (gemv). Rows
// that take any offset take it.
bool columns_go_down(const GemmProblem& problem);

Reject check(const KernelRow& row, const GemmProblem& problem, const DeviceCaps& caps);

}  // namespace myblas
