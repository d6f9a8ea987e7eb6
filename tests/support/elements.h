// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// support/elements.h: one matrix element of any type, as double components.
//
// Every element type of the library decodes into two doubles without loss, and
// encodes from them with one round-to-nearest-even. Written without hardware
// half types, so that the conversions of the library are not judged by themselves.
//==============================================================================
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "myblas.h"

namespace myblas::test {

struct Value {
  double re = 0.0;
  double im = 0.0;
};

// binary16 and bfloat16 from a double, one rounding, ties to even; overflow gives infinity.
uint16_t half_from_double(double x);
uint16_t bfloat16_from_double(double x);
double half_to_double(uint16_t bits);
double bfloat16_to_double(uint16_t bits);

bool is_complex(myblasDataType_t type);
bool is_integer(myblasDataType_t type);
size_t element_bytes(myblasDataType_t type);
const char* type_name(myblasDataType_t type);  // "f16", "cs8", ...

// One element at `at`, which needs no alignment.
Value load(myblasDataType_t type, const void* at);
void store(myblasDataType_t type, void* at, Value value);
// `count` elements one behind the other, such as a column: the type is looked at once.
void load(myblasDataType_t type, const void* at, size_t count, Value* values);
void store(myblasDataType_t type, void* at, size_t count, const Value* values);

// What `value` becomes when stored in `type`.
Value rounded(myblasDataType_t type, Value value);

// The distance from 1 to the next number, halved: the largest relative rounding error. 0 for
// integers.
double unit_roundoff(myblasDataType_t type);

}  // namespace myblas::test
