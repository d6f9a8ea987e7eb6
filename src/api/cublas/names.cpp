// SPDX-License-Identifier: BSD-3-Clause
#include "api/cublas/names.h"

#include <cstring>

namespace myblas::dropin {
namespace {

struct Row {
  const char* text;
  bool is_v1;
};

constexpr Row kRows[] = {
#define MYBLAS_FORWARD(name, index, is_v1) {#name, is_v1 != 0},
#define MYBLAS_OWN(name, index, entry) {#name, false},
#include "cublas_names.inc"
#undef MYBLAS_FORWARD
#undef MYBLAS_OWN
};
static_assert(sizeof kRows / sizeof kRows[0] == kNameCount);

}  // namespace

const char* text_of(Name name) { return kRows[static_cast<int>(name)].text; }
bool is_lt(Name name) { return std::strncmp(text_of(name), "cublasLt", 8) == 0; }
bool is_v1(Name name) { return kRows[static_cast<int>(name)].is_v1; }

}  // namespace myblas::dropin
