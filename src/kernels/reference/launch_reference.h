// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/common/launch.h"

namespace myblas {

// Launcher of every row of the reference family. Any problem of the row's types.
Status launch_reference(const LaunchRequest& request);

}  // namespace myblas
