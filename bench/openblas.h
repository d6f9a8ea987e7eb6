// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// openblas.h: plain OpenBLAS as a contender, on the host.
//
// fp32, fp64 and complex are called directly. 16-bit and int8 cases are run as
// cblas_sgemm on fp32 copies made beforehand: the least that a program with
// OpenBLAS alone would do. Batches are a loop of calls.
//==============================================================================
#pragma once

#include <memory>

#include "contender.h"

namespace bench {

// Throws std::runtime_error where OpenBLAS is not found. An empty path: the usual names.
std::unique_ptr<Contender> open_openblas(const std::string& path);

}  // namespace bench
