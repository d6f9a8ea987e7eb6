// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// dispatch/k_division.h: how k is divided, and its text in MYBLAS_KERNEL,
// MYBLAS_TUNING and logs: "4", "4+sum" or "even".
//==============================================================================
#pragma once

#include <string>

namespace myblas {

struct KDivision {
  int parts = 1;        // of every tile; each is a block's (common/split_k.cuh)
  bool summed = false;  // the parts are products of their own, which a pass adds up
  bool even = false;    // k-tiles are dealt evenly (common/shares.h); parts is 1
  bool operator==(const KDivision&) const = default;
};

// False where the text means nothing.
bool parse_division(const char* text, KDivision* division);
std::string division_text(const KDivision& division);

}  // namespace myblas
