// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// ampere/launch_ampere.h: the launcher of the ampere family, for the tables.
//==============================================================================
#pragma once

#include "kernels/common/launch.h"

namespace myblas {

// A block for each work item, (tile of C, part of k) of each product. Where a block has its SM for
// itself (kAlone), no more than there are SMs: blocks stay and walk over the items.
Status launch_ampere_grid(const LaunchRequest& request, bool alone);

template <bool kAlone>
Status launch_ampere(const LaunchRequest& request) {
  return launch_ampere_grid(request, kAlone);
}

}  // namespace myblas
