// SPDX-License-Identifier: BSD-3-Clause
// The build without CUDA: there is never a GPU.
#include <stdexcept>

#include "ceilings.h"
#include "machine.h"

namespace bench {

std::unique_ptr<Machine> make_gpu_machine() { return nullptr; }

std::vector<Ceiling> measure_ceilings(Machine&) {
  throw std::runtime_error("--ceilings needs a GPU, and a build with CUDA");
}

}  // namespace bench
