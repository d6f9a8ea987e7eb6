// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// cublaslt.h: cublasLt as a second rival for 16-bit products: its heuristic's
// candidates, of which the bench times each and keeps the best.
//
// The copy of cublasLt is the one that the opened cuBLAS brought into the process.
//==============================================================================
#pragma once

#include <memory>

#include "contender.h"
#include "machine.h"

namespace bench {

// Throws std::runtime_error where no cublasLt is in the process or a name is missing in it,
// CallError where it makes no handle.
std::unique_ptr<Contender> open_cublaslt(Machine& machine);

}  // namespace bench
