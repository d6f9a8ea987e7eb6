// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// hopper/launch_hopper.h: launcher of the kernels that TMA feeds.
//==============================================================================
#pragma once

#include "kernels/common/launch.h"
#include "kernels/hopper/hopper_shape.h"

namespace myblas {

// A kernel's shape in the launcher's terms.
struct HopperLaunch {
  int tile_m, tile_n;
  int cluster_m, cluster_n;
  int blocks;   // resident on an SM
  int chunk_n;  // columns of C that are stored at once
};

Status launch_hopper_shape(const LaunchRequest& request, const HopperLaunch& launch);

// The launcher in the row of a kernel of this shape, with an element of C of kCBytes.
template <HopperShape kShape, int kCBytes>
Status launch_hopper(const LaunchRequest& request) {
  return launch_hopper_shape(request, {kShape.tile_m, kShape.tile_n, kShape.cluster_m,
                                       kShape.cluster_n, kShape.blocks, kShape.chunk_n(kCBytes)});
}

}  // namespace myblas
