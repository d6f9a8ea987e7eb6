// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// dispatch/device_caps.h: what the choice of a kernel may know of a GPU.
//
// Tests make these by hand for GPUs that are not at hand. device_caps.cpp is the
// one file of dispatch that asks the driver.
//==============================================================================
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "kernels/common/gemm_problem.h"

namespace myblas {

inline constexpr size_t kMaxTableRows = 576;

struct DeviceCaps {
  char name[128] = "";
  int cc = 0;        // compute capability of the chip, 10 * major + minor
  int table_cc = 0;  // whose table and rates are used: cc, or MYBLAS_TARGET's
  int sm_count = 0;
  double clock_ghz = 0.0;  // boost
  double dram_gb_per_s = 0.0;
  double l2_bytes = 0.0;
  double l2_bytes_per_clock = 0.0;  // an SM's share of what L2 gives; 0: not published
  size_t smem_per_block = 0;        // opt-in limit, bytes
  // Tensor cores add products of 16-bit and TF32 inputs in fp32 at half of their rate: GeForce.
  bool half_rate_fp32_sums = false;
  bool can_pack = false;  // this build has the kernels that repack operands for this chip
  bool can_sum = false;   // and those that add up parts of k
  bool can_deal = true;   // k-tiles may be dealt
  bool can_meet = true;   // parts of k have memory to meet in, besides a cluster's
  // TMA's boxes at the edges of A and B are whole (outside_us): of no GPU, but as kernels were that
  // some timings of tests/dispatch are of.
  bool whole_boxes = false;
  // Blocks have no neighbours in their cluster, nor pairs another (beside_others): of no GPU
  // either.
  bool runs_alone = false;
  // Memory for the sums of parts of k, where it is less than scratch_bytes().
  size_t sum_bytes = std::numeric_limits<size_t>::max();
  // Rows of the table whose kernel this build has no code for on this chip.
  std::bitset<kMaxTableRows> rows_not_built;
};

// Shared memory of an SM, and what the system takes of it for each block, bytes.
inline constexpr size_t kReservedSmem = 1024;
inline size_t smem_of_sm(const DeviceCaps& caps) { return caps.smem_per_block + kReservedSmem; }

// Caps of a device of this process, its own table first chosen. False if the driver fails.
bool read_device_caps(int device, DeviceCaps* caps);

// Fused multiply-adds per clock and SM on the plain (not tensor) pipes. CUDA C++ Programming
// Guide, "Arithmetic Instructions"; complex counts as its real parts.
double plain_fma_per_clock(int cc, Compute compute);

// The same on the tensor cores for inputs of this type: through mma.sync on a chip, at the rate of
// its silicon (half_rate_fp32_sums), and through wgmma on sm_90. fp32 inputs mean TF32. NVIDIA's
// architecture papers; for mma.sync on sm_90 bench/results/h200/public_ceilings.csv.
double mma_fma_per_clock(int cc, DataType ab);
double wgmma_fma_per_clock(DataType ab);

}  // namespace myblas
