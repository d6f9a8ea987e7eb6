// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// ceilings.h: what the card can do at most, instruction by instruction.
//==============================================================================
#pragma once

#include <string>
#include <vector>

#include "machine.h"

namespace bench {

struct Ceiling {
  std::string name;   // "wgmma bf16 m64n256k16"
  std::string types;  // which OPs it bounds: "f32", "bf16 f16", "copy", ...
  double value = 0.0;
  std::string unit;  // TFLOP/s, TB/s, us
};

// Register-only loops of each instruction this chip and this build have, on random data; copy
// bandwidth, read plus write; the host cost of an empty launch.
std::vector<Ceiling> measure_ceilings(Machine& machine);

}  // namespace bench
