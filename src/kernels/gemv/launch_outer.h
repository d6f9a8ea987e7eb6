// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemv/launch_outer.h: the launcher of gemv_outer.cuh, for the tables.
//==============================================================================
#pragma once

#include "kernels/common/launch.h"

namespace myblas {

// Grid: x walks the tiles of C, y the batch.
Status launch_outer(const LaunchRequest& request);

}  // namespace myblas
