// SPDX-License-Identifier: BSD-3-Clause
// emulator/matrix_copy.h: ldmatrix and stmatrix of 1, 2 or 4 matrices.
#pragma once

#include <cstdint>

namespace emulator {

void load_matrices(uint32_t* to, uint32_t row, int matrices, bool transposed);
void store_matrices(uint32_t row, const uint32_t* from, int matrices, bool transposed);

}  // namespace emulator
