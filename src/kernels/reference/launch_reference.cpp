// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/reference/launch_reference.h"

namespace myblas {

Status launch_reference(const LaunchRequest& request) {
  return launch_tiles(request, make_gemm_args(request.problem));
}

}  // namespace myblas
