// SPDX-License-Identifier: BSD-3-Clause
// emulator/matrix_copy.h: ldmatrix and stmatrix of 4 matrices.
#pragma once

#include <cstdint>

namespace emulator {

void load_matrices(uint32_t (&to)[4], uint32_t row, bool transposed);
void store_matrices(uint32_t row, const uint32_t (&from)[4], bool transposed);

}  // namespace emulator
