// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/launch_mma.h: the launcher of the kernels of mma_gemm.cuh, for the tables.
//==============================================================================
#pragma once

#include "kernels/common/launch.h"

namespace myblas {

// A block for each work item: (tile of C, part of k) of each product, or tile that stays whole, or
// share (common/shares.h). Where a block has its SM for itself (kAlone), no more than there are
// SMs: blocks stay and walk over the items.
Status launch_mma_grid(const LaunchRequest& request, bool alone);

template <bool kAlone>
Status launch_mma(const LaunchRequest& request) {
  return launch_mma_grid(request, kAlone);
}

}  // namespace myblas
