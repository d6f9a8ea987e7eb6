// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// api/loaded_kernels.h: the kernels of a table and those of the passes
// around a product, loaded once a context.
//
// Programs make handles by the dozen (OpenCV one a call): only the first handle
// of a context pays for loading, the others find its list.
//==============================================================================
#pragma once

#include <memory>
#include <span>

#include "dispatch/kernel_row.h"
#include "driver/gpu.h"
#include "kernels/pack/launch_pack.h"
#include "kernels/sum/launch_sum.h"

namespace myblas {

struct LoadedKernels {
  // Of each row; null where a row is not for this chip, or this build has no code of it for the
  // chip.
  std::unique_ptr<void*[]> rows;
  // Those that repack operands (kPackKernels), all or none.
  void* packs[kPackKernelCount] = {};
  bool can_pack() const { return packs[0] != nullptr; }
  // Those that add up parts of k (kSumKernels), all or none.
  void* sums[kSumKernelCount] = {};
  bool can_sum() const { return sums[0] != nullptr; }
  bool early_start = false;  // gpu::can_start_early of all of these
};

// kNotSupported where a key would be left without its last row, kAllocFailed where there was no
// memory for one, which the next call tries again; the log says which. What is loaded is valid for
// the life of the process. Thread-safe.
Status load_kernels(const gpu::Binding& binding, const DeviceCaps& caps,
                    std::span<const KernelRow> rows, const LoadedKernels** loaded);

}  // namespace myblas
