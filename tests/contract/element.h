// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// contract/element.h: matrix elements of any type as complex<double>.
//
// The data are small integers and NaN, which every type here holds exactly.
//==============================================================================
#pragma once

#include <complex>
#include <cstddef>

namespace contract {

using Value = std::complex<double>;

size_t element_bytes(int type);
void store(int type, unsigned char* at, Value value);
Value load(int type, const unsigned char* at);

}  // namespace contract
