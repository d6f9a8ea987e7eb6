// SPDX-License-Identifier: BSD-3-Clause
// suites/offsets.h: element offsets past 2^31, in address space that is reserved and not filled.
#pragma once

#include "suites/emulated_case.h"

namespace myblas::test {

// Small products of matrices whose columns lie 2^29 elements apart; the last begins past 2^31.
// Where the row refuses such offsets another one serves them.
testing::AssertionResult run_far_offsets(RowHandle& handle);

}  // namespace myblas::test
